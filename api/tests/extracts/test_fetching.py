"""A URL that a caller gives leads to the public Internet or nowhere; what is allowed is fetched, within limits."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Callable

import pytest

from lectern.extracts.addresses import Allowed, target_of
from lectern.extracts.errors import AddressRefused, DownloadFailed, DownloadTooLarge
from lectern.extracts.fetching import WAITS_SECONDS, Fetcher

LOCAL = Allowed.of(["127.0.0.0/8"])
NOTHING = Allowed.of([])
Answer = Callable[[str, int], bytes]


class Site:
    """A server on a loopback port that answers a path with bytes of our choice, and counts what it was asked."""

    def __init__(self, answer: Answer) -> None:
        self.asked: list[str] = []
        self.port = 0
        self._answer = answer

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        path = (await reader.readline()).split()[1].decode()
        self.asked.append(path)
        writer.write(self._answer(path, len(self.asked)))
        with contextlib.suppress(ConnectionError):
            await writer.drain()
        writer.close()


@contextlib.asynccontextmanager
async def site(answer: Answer) -> AsyncGenerator[Site]:
    made = Site(answer)
    server = await asyncio.start_server(made.serve, "127.0.0.1", 0)
    made.port = server.sockets[0].getsockname()[1]
    async with server:
        yield made


def ok(body: bytes, head: str = "") -> bytes:
    return f"HTTP/1.1 200 OK\r\n{head}Connection: close\r\n\r\n".encode() + body


def fetcher(allowed: Allowed = LOCAL, *, max_bytes: int = 1_000, **names: list[str]) -> Fetcher:
    """`names`: what hosts (with _ for a dot) mean, in the order in which they are asked for."""
    answers = {host.replace("_", "."): iter(addresses) for host, addresses in names.items()}

    async def resolve(host: str, _port: int) -> list[str]:
        return [next(answers[host])] if host in answers else [host]

    return Fetcher(
        allowed=allowed, max_bytes=max_bytes, max_seconds=5, resolve=resolve, waits_seconds=(0.001, 0.001, 0.001)
    )


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/", "http://127.1/", "http://2130706433/", "http://0177.0.0.1/", "http://0x7f000001/",
        "http://0x7f.0.0.1/", "http://127.0.0.1./", "http://0/", "http://0.0.0.0/", "http://10.0.0.1/",
        "http://172.16.5.4/", "http://192.168.1.1/", "http://100.64.0.1/", "http://169.254.169.254/latest/meta-data/",
        "http://169.254.0.1/", "http://198.18.0.1/", "http://224.0.0.1/", "http://240.0.0.1/", "http://255.255.255.255/",
        "http://[::1]/", "http://[::]/", "http://[fe80::1]/", "http://[fe80::1%25eth0]/", "http://[fc00::1]/",
        "http://[fd00:ec2::254]/", "http://[ff02::1]/", "http://[::ffff:127.0.0.1]/", "http://[::ffff:8.8.8.8]/",
        "http://[::ffff:a9fe:a9fe]/", "http://[64:ff9b::7f00:1]/", "http://[64:ff9b:1::a00:1]/", "http://[2002:7f00:1::]/",
        "http://[::127.0.0.1]/", "http://[2001:0:7f00:1::80ff:fffe]/", "http://[2001:db8::1]/",
        "http://user@127.0.0.1/", "http://127.0.0.1:0/", "http://１２７.0.0.1/",
        "http://168.63.129.16/", "http://192.0.0.192/", "http://192.0.0.8/", "http://192.88.99.1/", "http://[fec0::1]/",
        "http://[3fff::1]/", "http://[5f00::1]/", "http://[100::1]/", "http://[2002:a83f:8110::]/",
    ],
)  # fmt: skip
async def test_an_address_that_is_not_public_is_refused(url: str) -> None:
    with pytest.raises(AddressRefused):
        await fetcher(NOTHING).fetch(url)


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd", "ftp://example.org/a", "gopher://127.0.0.1:70/", "data:text/plain,x", "javascript:1",
        "/etc/passwd", "", "http://", "http:///a", "http://exa mple.org/", "http://example.org\\@127.0.0.1/",
        "http://user:secret@example.org/", "http://example.org:99999/", "http://example.org/\r\nHost: x",
        "http://[::1", "http://-a.org/", "http://a..org/", "http://example.org/" + "a" * 2_048,
    ],
)  # fmt: skip
def test_what_is_no_plain_address_of_a_host_is_refused(url: str) -> None:
    with pytest.raises(AddressRefused):
        target_of(url)


def test_a_public_name_is_where_it_leads() -> None:
    assert target_of("https://Example.ORG/a?b") == ("https", "example.org", 443)
    assert target_of("http://[2606:4700::1111]:8080/") == ("http", "2606:4700::1111", 8080)


@pytest.mark.parametrize("address", ["127.0.0.1", "10.1.2.3", "169.254.169.254", "::1", "::ffff:10.0.0.1"])
async def test_a_name_that_means_a_private_address_is_refused(address: str) -> None:
    with pytest.raises(AddressRefused):
        await fetcher(NOTHING, example_org=[address]).fetch("http://example.org/")


async def test_private_names_and_names_that_do_not_exist_get_the_same_error() -> None:
    async def unknown(_host: str, _port: int) -> list[str]:
        raise OSError("Name or service not known")

    async def error_of(made: Fetcher) -> tuple[object, ...]:
        with pytest.raises(AddressRefused) as raised:
            await made.fetch("http://host.internal/")
        return type(raised.value), raised.value.message, raised.value.hint, raised.value.details

    private = await error_of(fetcher(NOTHING, host_internal=["10.0.0.1"]))
    missing = Fetcher(allowed=NOTHING, max_bytes=9, max_seconds=5, resolve=unknown, waits_seconds=(9.0, 9.0, 9.0))
    assert private == await error_of(missing)


async def test_a_name_with_one_private_address_among_public_ones_is_refused() -> None:
    async def resolve(_host: str, _port: int) -> list[str]:
        return ["93.184.216.34", "127.0.0.1"]

    with pytest.raises(AddressRefused):
        await Fetcher(allowed=NOTHING, max_bytes=9, max_seconds=5, resolve=resolve).fetch("http://example.org/")


async def test_a_name_is_resolved_once_and_the_address_that_was_checked_is_the_one_that_is_connected_to() -> None:
    async with site(lambda _path, _number: ok(b"inside")) as inside:
        # Rebinding: the first answer may be reached, the second is where the attacker wants to be.
        rebinding = fetcher(Allowed.of(["::1"]), example_org=["::1", "127.0.0.1"])
        with pytest.raises((DownloadFailed, AddressRefused)):
            await rebinding.fetch(f"http://example.org:{inside.port}/")
    assert inside.asked == []


@pytest.mark.parametrize(
    "location",
    ["http://127.0.0.2/", "http://169.254.169.254/", "http://[::1]/", "file:///etc/passwd", "//10.0.0.1/", "ftp://a/"],
)
async def test_a_redirect_is_checked_as_the_first_address_was(location: str) -> None:
    def answer(_path: str, _number: int) -> bytes:
        return f"HTTP/1.1 302 Found\r\nLocation: {location}\r\nConnection: close\r\n\r\n".encode()

    async with site(answer) as there:
        with pytest.raises(AddressRefused):
            await fetcher(Allowed.of(["127.0.0.1"])).fetch(f"http://127.0.0.1:{there.port}/")
    assert len(there.asked) == 1


async def test_a_redirect_within_what_is_allowed_is_followed_and_names_the_file() -> None:
    def answer(path: str, _number: int) -> bytes:
        if path == "/start":
            return b"HTTP/1.1 301 Moved\r\nLocation: /files/a%20b.pdf?x=1\r\nConnection: close\r\n\r\n"
        return ok(b"%PDF-")

    async with site(answer) as there:
        fetched = await fetcher().fetch(f"http://127.0.0.1:{there.port}/start")
    assert (fetched.content, fetched.filename) == (b"%PDF-", "a b.pdf")


async def test_redirects_that_go_round_end() -> None:
    async with site(lambda _path, _number: b"HTTP/1.1 302 F\r\nLocation: /\r\nConnection: close\r\n\r\n") as there:
        with pytest.raises(DownloadFailed, match="more than 5"):
            await fetcher().fetch(f"http://127.0.0.1:{there.port}/")
    assert len(there.asked) == 6


async def test_after_a_passing_fault_it_is_tried_three_times_more_and_after_another_not() -> None:
    assert WAITS_SECONDS == (1.0, 3.0, 5.0)
    unavailable = b"HTTP/1.1 503 Busy\r\nConnection: close\r\n\r\n"
    async with site(lambda _path, number: ok(b"at last") if number == 3 else unavailable) as busy:
        assert (await fetcher().fetch(f"http://127.0.0.1:{busy.port}/")).content == b"at last"
    async with site(lambda _path, _number: unavailable) as dead:
        with pytest.raises(DownloadFailed, match="503"):
            await fetcher().fetch(f"http://127.0.0.1:{dead.port}/")
    async with site(lambda _path, _number: b"HTTP/1.1 404 No\r\nConnection: close\r\n\r\n") as gone:
        with pytest.raises(DownloadFailed, match="404"):
            await fetcher().fetch(f"http://127.0.0.1:{gone.port}/")
    assert (len(busy.asked), len(dead.asked), len(gone.asked)) == (3, 4, 1)


@pytest.mark.parametrize("head", ["", "Content-Length: 1001\r\n"])
async def test_a_file_that_is_too_large_is_given_up_with_or_without_saying_so(head: str) -> None:
    async with site(lambda _path, _number: ok(b"x" * 1_001, head)) as there:
        with pytest.raises(DownloadTooLarge) as raised:
            await fetcher().fetch(f"http://127.0.0.1:{there.port}/")
    assert raised.value.details == {"max_bytes": 1_000}


async def test_a_host_that_never_answers_is_given_up() -> None:
    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    server = await asyncio.start_server(silent, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    async with server:
        slow = Fetcher(allowed=LOCAL, max_bytes=9, max_seconds=0.2)
        with pytest.raises(DownloadFailed, match=r"longer than 0\.2 seconds"):
            await slow.fetch(f"http://127.0.0.1:{port}/")
