"""One suite over every storage: a local folder, memory, and what happens when a stream or a disk breaks."""

import asyncio
import gc
import hashlib
import os
import resource
import tempfile
import time
from collections.abc import AsyncIterator, Generator
from contextlib import contextmanager
from datetime import timedelta
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest
from tests.extraction.pdf_writer import Pdf
from tests.loopback import serving

from lectern.composition import open_storage
from lectern.embedded.permissions import restrict_new_files
from lectern.extraction.sandbox.drawing import draw_page
from lectern.extraction.sandbox.extraction import extract_in_child
from lectern.extraction.types import ExtractionLimits
from lectern.settings import Settings, StorageSettings
from lectern.storage.errors import (
    OriginalNotFound,
    OriginalTooLarge,
    StorageFull,
    StorageMisconfigured,
    StorageUnavailable,
)
from lectern.storage.store import OriginalStore, open_originals
from lectern.storage.upload_stream import HEAD_BYTES

MIB = 1_048_576
LIMIT = 64 * MIB
STORAGES = ("local", "memory")


@pytest.fixture(params=STORAGES)
def originals(request: pytest.FixtureRequest, tmp_path: Path) -> OriginalStore:
    url = {"local": (tmp_path / "kept").as_uri(), "memory": "memory:///"}[request.param]
    return open_originals(url, default_folder=tmp_path / "unused")


async def stream(*parts: bytes) -> AsyncIterator[bytes]:
    for part in parts:
        yield part


async def collect(parts: AsyncIterator[bytes]) -> bytes:
    return b"".join([part async for part in parts])


async def kept(originals: OriginalStore) -> list[str]:
    return sorted([sha256 async for sha256 in originals.list()])


def files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


async def test_what_was_put_is_read_back_under_the_hash_of_its_bytes(originals: OriginalStore) -> None:
    content = bytes(range(256)) * 4096 * 13  # 13 MiB: more than one part of an upload
    stored = await originals.put(stream(content[:100], content[100 : 3 * MIB], content[3 * MIB :]), max_bytes=LIMIT)

    assert stored.sha256 == hashlib.sha256(content).hexdigest()
    assert stored.size_bytes == len(content) == await originals.size(stored.sha256)
    assert stored.head == content[:HEAD_BYTES]
    assert stored.is_new
    assert await collect(await originals.open(stored.sha256)) == content


async def test_the_head_of_a_tiny_file_is_the_file(originals: OriginalStore) -> None:
    stored = await originals.put(stream(b"%PDF", b"-1.7"), max_bytes=LIMIT)

    assert stored.head == b"%PDF-1.7"


async def test_empty_file_is_stored_and_read_back_empty(originals: OriginalStore) -> None:
    stored = await originals.put(stream(b""), max_bytes=LIMIT)

    assert stored.size_bytes == 0
    assert await collect(await originals.open(stored.sha256)) == b""


async def test_same_bytes_are_stored_once(originals: OriginalStore) -> None:
    first = await originals.put(stream(b"same"), max_bytes=LIMIT)
    second = await originals.put(stream(b"sa", b"me"), max_bytes=LIMIT)

    assert (first.is_new, second.is_new) == (True, False)
    assert await kept(originals) == [first.sha256]


async def test_uploads_of_the_same_bytes_at_the_same_time_all_succeed(originals: OriginalStore) -> None:
    stored = await asyncio.gather(*(originals.put(stream(b"a" * MIB, b"b"), max_bytes=LIMIT) for _ in range(8)))

    assert len({original.sha256 for original in stored}) == 1
    assert await collect(await originals.open(stored[0].sha256)) == b"a" * MIB + b"b"


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [(0, 4, b"0123"), (4, None, b"456789"), (8, 99, b"89"), (4, 4, b""), (10, None, b""), (99, 120, b"")],
)
async def test_a_range_of_bytes_is_read(originals: OriginalStore, start: int, end: int | None, expected: bytes) -> None:
    stored = await originals.put(stream(b"0123456789"), max_bytes=LIMIT)

    assert await collect(await originals.open(stored.sha256, start=start, end=end)) == expected


async def test_a_file_over_the_limit_is_refused_and_nothing_of_it_remains(
    originals: OriginalStore, tmp_path: Path
) -> None:
    with pytest.raises(OriginalTooLarge, match="larger than 7,000,000 bytes"):
        await originals.put(stream(*[b"x" * MIB] * 8), max_bytes=7_000_000)

    assert await kept(originals) == []
    assert files(tmp_path) == []


async def test_a_file_of_exactly_the_limit_is_accepted(originals: OriginalStore) -> None:
    assert (await originals.put(stream(b"12345"), max_bytes=5)).size_bytes == 5


@pytest.mark.parametrize("failure", [ConnectionResetError("gone"), RuntimeError("broken"), asyncio.CancelledError()])
async def test_an_upload_that_breaks_off_raises_its_own_error_and_leaves_nothing(
    originals: OriginalStore, tmp_path: Path, failure: BaseException
) -> None:
    async def breaking() -> AsyncIterator[bytes]:
        yield b"x" * 6 * MIB
        yield b"x" * 6 * MIB
        raise failure

    with pytest.raises(type(failure)):
        await originals.put(breaking(), max_bytes=LIMIT)

    assert await kept(originals) == []
    assert files(tmp_path) == []


async def test_an_upload_that_is_cancelled_leaves_nothing(originals: OriginalStore, tmp_path: Path) -> None:
    is_waiting = asyncio.Event()

    async def endless() -> AsyncIterator[bytes]:
        yield b"x" * 12 * MIB
        is_waiting.set()
        await asyncio.Event().wait()

    unread: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: unread.append(context["message"]))
    upload = asyncio.create_task(originals.put(endless(), max_bytes=LIMIT))
    await is_waiting.wait()
    upload.cancel()
    with pytest.raises(asyncio.CancelledError):
        await upload
    del upload
    gc.collect()

    assert unread == []
    assert await kept(originals) == []
    assert files(tmp_path) == []


async def test_a_stored_file_stays_while_it_is_read_and_counts_as_young(tmp_path: Path) -> None:
    originals = open_originals(None, default_folder=tmp_path)
    stored = await originals.put(stream(b"# Harbour\n\nThe lighthouse is lit at six.\n"), max_bytes=LIMIT)
    async with originals.as_file(stored.sha256) as path:
        os.utime(path, (1, 1))
        before = path.stat()
        again = await originals.put(stream(path.read_bytes()), max_bytes=LIMIT)

        assert not again.is_new
        assert path.stat().st_ino == before.st_ino
        assert path.stat().st_mtime > time.time() - 60
        assert files(tmp_path) == [path]


async def test_files_are_read_and_drawn_while_they_are_uploaded_again(tmp_path: Path) -> None:
    originals = open_originals(None, default_folder=tmp_path)
    pdf = Pdf()
    pdf.page().text(50, 700, "The lighthouse is lit at six.")
    stored = await originals.put(stream(pdf.render()), max_bytes=LIMIT)

    async def upload() -> None:
        while True:
            await originals.put(stream(pdf.render()), max_bytes=LIMIT)

    uploading = asyncio.create_task(upload())
    async with originals.as_file(stored.sha256) as path:
        for _ in range(3):
            document = await extract_in_child(path, "application/pdf", limits=ExtractionLimits())
            assert "lit at six" in document.pages[0].text
            assert await draw_page(path, page_number=1, width_pixels=80)
    uploading.cancel()
    await asyncio.wait({uploading})


async def test_a_stored_file_of_the_wrong_size_is_replaced_by_the_next_upload(tmp_path: Path) -> None:
    originals = open_originals(None, default_folder=tmp_path)
    stored = await originals.put(stream(b"whole"), max_bytes=LIMIT)
    async with originals.as_file(stored.sha256) as path:
        path.write_bytes(b"wh")

    again = await originals.put(stream(b"whole"), max_bytes=LIMIT)

    assert again.is_new
    assert path.read_bytes() == b"whole"


async def test_a_deleted_original_is_gone_and_deleting_it_again_is_no_error(originals: OriginalStore) -> None:
    stored = await originals.put(stream(b"content"), max_bytes=LIMIT)
    assert await originals.exists(stored.sha256)

    await originals.delete(stored.sha256)
    await originals.delete(stored.sha256)

    assert not await originals.exists(stored.sha256)
    with pytest.raises(OriginalNotFound):
        await originals.open(stored.sha256)
    with pytest.raises(OriginalNotFound):
        await originals.size(stored.sha256)


@pytest.mark.parametrize("address", ["", "../../etc/passwd", "A" * 64, "a" * 63])
async def test_an_address_that_is_no_hash_is_not_found(originals: OriginalStore, address: str) -> None:
    with pytest.raises(OriginalNotFound):
        await originals.open(address)


async def test_an_original_is_provided_as_a_file(originals: OriginalStore) -> None:
    content = b"0123456789" * MIB
    stored = await originals.put(stream(content), max_bytes=LIMIT)

    async with originals.as_file(stored.sha256) as path:
        assert path.read_bytes() == content


async def test_a_temporary_copy_without_a_folder_for_it_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    originals = open_originals("memory:///", default_folder=tmp_path)
    stored = await originals.put(stream(b"content"), max_bytes=LIMIT)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "missing"))

    with pytest.raises(StorageUnavailable) as caught:
        async with originals.as_file(stored.sha256):
            pass

    assert "No such file or directory" in caught.value.log_message


async def test_many_originals_are_all_listed(originals: OriginalStore) -> None:
    stored = [await originals.put(stream(b"%d" % number), max_bytes=LIMIT) for number in range(30)]

    assert await kept(originals) == sorted(original.sha256 for original in stored)


async def test_parts_left_by_a_killed_process_are_swept_and_young_ones_are_not(tmp_path: Path) -> None:
    originals = open_originals(None, default_folder=tmp_path)
    stored = await originals.put(stream(b"content"), max_bytes=LIMIT)
    for name in ("dead#1", "dead"):
        (tmp_path / "uploads" / name).write_bytes(b"half")

    assert await originals.delete_stale_uploads(older_than_seconds=3600) == 0
    assert await originals.delete_stale_uploads(older_than_seconds=-1) == 2

    assert list((tmp_path / "uploads").iterdir()) == []
    assert await kept(originals) == [stored.sha256]


@contextmanager
def limited_file_size(max_bytes: int) -> Generator[None]:
    """Let this process write no larger file. Python ignores the signal, and the write fails as on a full disk."""
    before, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (max_bytes, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (before, hard))


@pytest.mark.parametrize("parts", [3, 20], ids=["in one write", "as several parts"])
async def test_when_no_more_can_be_written_it_says_so_and_keeps_what_was_there(tmp_path: Path, parts: int) -> None:
    originals = open_originals(None, default_folder=tmp_path)
    stored = await originals.put(stream(b"x" * MIB), max_bytes=LIMIT)

    with limited_file_size(2 * MIB), pytest.raises(StorageFull):
        await originals.put(stream(*[b"x" * MIB] * parts), max_bytes=LIMIT)

    assert await kept(originals) == [stored.sha256]
    assert len(files(tmp_path)) == 1


class Bucket(BaseHTTPRequestHandler):
    """Refuses every request, and keeps who signed it."""

    state: list[str]

    def do_HEAD(self) -> None:
        self.state.append(self.headers["authorization"])
        self.send_error(403)


async def test_credentials_of_a_bucket_may_be_in_the_env_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    signatures: list[str] = []
    with serving(Bucket, signatures) as endpoint:
        lines = {"ACCESS_KEY_ID": "zanzibar", "SECRET_ACCESS_KEY": "b", "REGION": "here", "ENDPOINT": endpoint}
        (tmp_path / ".env").write_text("".join(f"AWS_{name}={value}\n" for name, value in lines.items()))
        monkeypatch.chdir(tmp_path)
        for name in (*lines, "ALLOW_HTTP"):
            monkeypatch.setenv(f"AWS_{name}", "")  # restores it at the end
            monkeypatch.delenv(f"AWS_{name}")
        settings = Settings(storage=StorageSettings(url="s3://documents/lectern"))

        with pytest.raises(StorageUnavailable) as plain:
            await open_storage(settings).size("0" * 64)
        monkeypatch.setenv("AWS_ALLOW_HTTP", "true")
        with pytest.raises(StorageUnavailable) as refused:
            await open_storage(settings).size("0" * 64)

    assert "AWS_ALLOW_HTTP=true" in str(plain.value.hint)
    assert "credentials" in str(refused.value.hint)
    assert ["Credential=zanzibar/" in signature for signature in signatures] == [True]


class BusyBucket(BaseHTTPRequestHandler):
    """Answers each request with the next status of a list, and then with 503."""

    state: list[int]

    def do_HEAD(self) -> None:
        status = self.state.pop(0) if self.state else 503
        self.send_response(status)
        self.send_header("Content-Length", "7")
        self.send_header("Last-Modified", "Mon, 30 Nov 2026 09:00:00 GMT")
        self.end_headers()


async def test_a_busy_bucket_is_asked_again_for_some_seconds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lectern.storage.store._RETRY_TIME", timedelta(seconds=0.3))
    answers = [503, 500, 200, *[503] * 9]
    with serving(BusyBucket, answers) as endpoint:
        values = {"ENDPOINT": endpoint, "ALLOW_HTTP": "true", "ACCESS_KEY_ID": "a", "SECRET_ACCESS_KEY": "b"}
        for name, value in values.items():
            monkeypatch.setenv(f"AWS_{name}", value)
        originals = open_originals("s3://documents/lectern", default_folder=tmp_path)

        assert await originals.size("0" * 64) == 7
        with pytest.raises(StorageUnavailable):
            await originals.size("0" * 64)

    assert len(answers) > 3  # without the limit, it is asked eleven times


@pytest.mark.parametrize("url", ["ftp://host/folder", "folder/without/scheme"])
def test_a_url_that_names_no_storage_is_refused(url: str, tmp_path: Path) -> None:
    with pytest.raises(StorageMisconfigured):
        open_originals(url, default_folder=tmp_path)


def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(StorageUnavailable) as caught:
        open_originals(None, default_folder=tmp_path / "file" / "folder")

    assert "Not a directory" in caught.value.log_message


async def test_a_local_folder_follows_the_umask(tmp_path: Path) -> None:
    """The object store creates files outside Python."""
    before = os.umask(0o022)
    try:
        restrict_new_files()
        originals = open_originals(None, default_folder=tmp_path / "originals")
        for size in (5, 12_000_000):  # one part of an upload, and several
            await originals.put(stream(b"x" * size), max_bytes=LIMIT)
    finally:
        os.umask(before)

    paths = [tmp_path / "originals", *(tmp_path / "originals").rglob("*")]
    assert len([path for path in paths if path.is_file()]) == 2
    assert [path for path in paths if path.stat().st_mode & 0o077] == []
