"""Fetch a URL without reaching the private network.

The name is resolved once, all its addresses are checked, and the connection goes to a checked address.
So a name that resolves differently a moment later leads nowhere. Redirects are followed by hand and checked alike.
Proxies of the environment are not used.
"""

import asyncio
import ipaddress
import ssl
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import unquote, urljoin, urlsplit

import httpcore

from lectern.extracts.addresses import Allowed, check_address, target_of
from lectern.extracts.errors import AddressRefused, DownloadFailed, DownloadTooLarge, HostRefused

Resolve = Callable[[str, int], Awaitable[list[str]]]
"""The addresses of a host."""

MAX_REDIRECTS: Final = 5
WAITS_SECONDS: Final = (1.0, 3.0, 5.0)
_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
_PASSING: Final = frozenset({408, 425, 429, 500, 502, 503, 504})
_CONNECT_SECONDS: Final = 10.0
_HEADERS: Final = ((b"User-Agent", b"Lectern"), (b"Accept", b"*/*"), (b"Accept-Encoding", b"identity"))


@dataclass(frozen=True, slots=True)
class Fetched:
    """A fetched file: its bytes, the name in its last URL, and that URL."""

    content: bytes
    filename: str
    url: str


class _Passing(DownloadFailed):
    """A transient fault of the server."""

    code = DownloadFailed.code


async def resolve_host(host: str, port: int) -> list[str]:
    """Resolve a host with the system's resolver. Raises OSError."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=1)
    return list(dict.fromkeys(str(address[4][0]) for address in found))


class CheckedBackend(httpcore.AsyncNetworkBackend):
    """A network backend that connects to checked addresses only."""

    def __init__(self, allowed: Allowed, resolve: Resolve) -> None:
        self._allowed = allowed
        self._resolve = resolve
        self._sockets: httpcore.AsyncNetworkBackend = httpcore.AnyIOBackend()  # pyright: ignore[reportAttributeAccessIssue]  # a stub where anyio is missing

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - the signature of the port
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        *others, last = await self.addresses(host, port)
        for address in others:
            try:
                return await self._sockets.connect_tcp(address, port, timeout, local_address, socket_options)
            except (httpcore.ConnectError, httpcore.ConnectTimeout):
                continue
        return await self._sockets.connect_tcp(last, port, timeout, local_address, socket_options)

    async def addresses(self, host: str, port: int) -> list[str]:
        """Return the addresses of a host if all may be reached.

        Raises HostRefused, for names of the private network as for those that do not exist.
        """
        try:
            found = await self._resolve(host, port)
        except OSError:
            found = []
        for address in found:
            check_address(ipaddress.ip_address(address.partition("%")[0]), host, allowed=self._allowed)
        if not found:
            raise HostRefused
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetcher:
    """Fetches files of at most `max_bytes` within `max_seconds`, including redirects and retries."""

    allowed: Allowed
    max_bytes: int
    max_seconds: float
    resolve: Resolve = resolve_host
    waits_seconds: tuple[float, ...] = WAITS_SECONDS

    async def fetch(self, url: str) -> Fetched:
        """Fetch the file at a URL. After a transient fault it retries three times: after one, three and five seconds.

        Raises:
            AddressRefused, DownloadFailed, DownloadTooLarge.
        """
        try:
            async with asyncio.timeout(self.max_seconds):
                for wait in self.waits_seconds:
                    try:
                        return await self._follow(url)
                    except _Passing:
                        await asyncio.sleep(wait)
                return await self._follow(url)
        except TimeoutError as error:
            raise DownloadFailed(f"Fetching took longer than {self.max_seconds:g} seconds.") from error

    async def _follow(self, url: str) -> Fetched:
        for _ in range(MAX_REDIRECTS + 1):
            target_of(url)
            content, location = await self._get(url)
            if location is None:
                return Fetched(content, _filename(url), url)
            url = urljoin(url, location)
        raise DownloadFailed(f"The URL redirects more than {MAX_REDIRECTS} times.")

    async def _get(self, url: str) -> tuple[bytes, str | None]:
        """Return the body of a response, or the target of its redirect."""
        backend = CheckedBackend(self.allowed, self.resolve)
        timeout = {"connect": _CONNECT_SECONDS, "read": self.max_seconds, "write": _CONNECT_SECONDS}
        # To load the certificates takes 20 ms.
        context = ssl.create_default_context() if target_of(url).scheme == "https" else None
        async with httpcore.AsyncConnectionPool(ssl_context=context, network_backend=backend) as pool:
            try:
                async with pool.stream("GET", url, headers=_HEADERS, extensions={"timeout": timeout}) as response:
                    if response.status in _REDIRECTS:
                        return b"", _location(response)
                    _check_status(response.status)
                    return await self._read(response), None
            except (httpcore.NetworkError, httpcore.TimeoutException, httpcore.ProtocolError) as error:
                raise _Passing(f"The host did not answer: {type(error).__name__}.") from error
            except (httpcore.UnsupportedProtocol, ValueError, TypeError) as error:
                raise AddressRefused("This is no URL.") from error

    async def _read(self, response: httpcore.Response) -> bytes:
        declared = _header(response, b"content-length")
        if declared.isdecimal() and int(declared) > self.max_bytes:
            raise self._too_large()
        body = bytearray()
        async for piece in response.aiter_stream():
            body += piece
            if len(body) > self.max_bytes:
                raise self._too_large()
        return bytes(body)

    def _too_large(self) -> DownloadTooLarge:
        message = f"The file is larger than {self.max_bytes:,} bytes."
        return DownloadTooLarge(message, details={"max_bytes": self.max_bytes})


def _check_status(status: int) -> None:
    if status in _PASSING:
        raise _Passing(f"The host answered with {status}.")
    if not 200 <= status < 300:  # noqa: PLR2004 - success
        raise DownloadFailed(f"The host answered with {status}.")


def _location(response: httpcore.Response) -> str:
    location = _header(response, b"location")
    if not location:
        raise DownloadFailed("The redirect has no target.")
    return location


def _header(response: httpcore.Response, name: bytes) -> str:
    return next((value.decode("latin-1") for key, value in response.headers if key.lower() == name), "")


def _filename(url: str) -> str:
    return unquote(urlsplit(url).path).rpartition("/")[2][:200]
