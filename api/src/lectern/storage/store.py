"""Store originals in any object store, addressed by the sha256 of their bytes.

    originals = open_originals(url, default_folder=data_dir / "originals")
    stored = await originals.put(stream, max_bytes=limit)        # StoredOriginal(sha256, size_bytes, head, is_new)
    stream = await originals.open(stored.sha256, start=0, end=None)  # AsyncIterator[bytes]; [start, end)
    async with originals.as_file(stored.sha256) as path: ...
    await originals.size(sha256) | exists(sha256) | delete(sha256)
    async for sha256 in originals.list(): ...

An upload is written under `uploads/` while it is hashed, then renamed to its address. Readers never see incomplete
files, and equal uploads share an address. This is the only file that imports obstore.
"""

import asyncio
import os
import re
import tempfile
import uuid
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Generator, Iterable
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

import obstore
from obstore.exceptions import BaseError
from obstore.store import LocalStore, MemoryStore, ObjectStore, from_url

from lectern.errors import LecternError
from lectern.storage.errors import OriginalNotFound, StorageFull, StorageMisconfigured, StorageUnavailable
from lectern.storage.upload_stream import HashingStream

if TYPE_CHECKING:
    from obstore import ObjectMeta

_READ_BYTES: Final = 1_048_576
_RETRY_TIME = timedelta(seconds=10)  # Busy buckets ask for retries. Jobs are tried again anyway, and people wait.
_SHA256: Final = re.compile(r"[0-9a-f]{64}")
_ORIGINALS: Final = "originals"
_CONVERSIONS: Final = "conversions"
_UPLOADS: Final = "uploads"
# ENOSPC, EDQUOT and EFBIG as Rust's standard library prints them. The store reports no error number.
_FULL: Final = re.compile(r"\(os error (28|122|27)\)|StorageFull|QuotaExceeded", re.IGNORECASE)
_PLAIN_HTTP_HINT: Final = "For an endpoint with http:, set AWS_ALLOW_HTTP=true. Check the endpoint otherwise."
_SCHEMES: Final = frozenset({"file", "memory", "s3", "s3a", "gs", "az", "azure", "abfs", "abfss", "https"})


@dataclass(frozen=True, slots=True)
class StoredOriginal:
    """A stored file: its address, its size and its first 4,096 bytes, which reveal its type."""

    sha256: str
    size_bytes: int
    head: bytes = field(repr=False)
    is_new: bool


@dataclass(frozen=True, slots=True)
class ListedOriginal:
    """A stored file in a listing."""

    sha256: str
    size_bytes: int
    modified_at: datetime


def key_of(sha256: str) -> str:
    """Return the key `originals/ab/cd/<sha256>`. Raises OriginalNotFound for an invalid hash."""
    if not _SHA256.fullmatch(sha256):
        raise OriginalNotFound
    return f"{_ORIGINALS}/{sha256[:2]}/{sha256[2:4]}/{sha256}"


def _conversions_of(sha256: str) -> str:
    """Return the folder of the conversions of an original, one for each document that has it."""
    return key_of(sha256).replace(_ORIGINALS, _CONVERSIONS, 1)


def open_originals(url: str | None, *, default_folder: Path) -> "OriginalStore":
    """Open the storage of LECTERN_STORAGE_URL, or create and open a local folder.

    Object stores read credentials, region and endpoint from AWS_*, GOOGLE_* and AZURE_* variables.
    Raises StorageMisconfigured, StorageUnavailable.
    """
    scheme = urlsplit(url).scheme if url else ""
    if url and scheme not in _SCHEMES:
        raise StorageMisconfigured(f"LECTERN_STORAGE_URL has the unknown scheme {scheme!r}.")
    folder = Path(urlsplit(url).path) if url and scheme == "file" else default_folder
    try:
        if url and scheme == "memory":
            return OriginalStore(MemoryStore())
        if url and scheme != "file":
            return OriginalStore(from_url(url, retry_config={"retry_timeout": _RETRY_TIME}))
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        return OriginalStore(LocalStore(folder, mkdir=True), folder=folder)
    except OSError as error:
        raise StorageUnavailable from error
    except (BaseError, ValueError) as error:
        raise StorageMisconfigured(f"LECTERN_STORAGE_URL cannot be used: {_first_line(error)}.") from error


class OriginalStore:
    """Stores each original once, under the hash of its bytes."""

    def __init__(self, store: ObjectStore, *, folder: Path | None = None) -> None:
        self._store = store
        self._folder = folder
        self._watchers: list[Callable[[str], None]] = []
        self._held: Counter[str] = Counter()

    @property
    def folder(self) -> Path | None:
        """The local folder of the originals, or None for any other storage."""
        return self._folder

    async def put(self, stream: AsyncIterator[bytes], *, max_bytes: int, is_held: bool = False) -> StoredOriginal:
        """Store a stream with only a few of its parts in memory. `release` what is held.

        Raises OriginalTooLarge as soon as more than `max_bytes` arrive, StorageFull, StorageUnavailable, and the
        errors of the stream. Nothing is stored after an error.
        """
        upload = f"{_UPLOADS}/{uuid.uuid4().hex}"
        reading = HashingStream(stream, max_bytes=max_bytes)
        with reading.own_error_first(), _translated(missing=StorageUnavailable):
            await self._upload(upload, reading)
            sha256 = reading.digest.hexdigest()
            self._held[sha256] += is_held
            is_new = await self._publish(upload, key_of(sha256), size_bytes=reading.size_bytes)
        return StoredOriginal(sha256, reading.size_bytes, bytes(reading.head), is_new)

    def is_held(self, sha256: str) -> bool:
        """Return True if this process is about to make documents of the original."""
        return self._held[sha256] > 0

    def release(self, hashes: Iterable[str]) -> None:
        """Let others delete originals that `put` has held."""
        self._held.subtract(hashes)
        self._held = +self._held

    async def _upload(self, key: str, reading: HashingStream) -> None:
        """Upload a stream. A cancelled call makes the stream fail, because only then the store aborts the upload."""
        uploading = asyncio.ensure_future(obstore.put_async(self._store, key, reading.parts(), max_concurrency=2))
        try:
            await asyncio.shield(uploading)
        except asyncio.CancelledError:
            reading.cancel()
            await asyncio.wait({uploading})
            uploading.exception()  # the store sets CancelledError as an error, which asyncio logs if nobody reads it
            raise

    async def _publish(self, upload: str, key: str, *, size_bytes: int) -> bool:
        """Move an upload to its address. Returns False if the same bytes were already there.

        Both cases do the same work, because an upload that takes less time would tell that somebody has this file. A
        stored file in a folder stays: it may be read just now, and the sandbox allows the file, not the path.
        """
        if self._folder:
            await asyncio.to_thread(_flush_to_disk, self._folder / upload)
        is_new = await self._size(key) != size_bytes
        if self._folder and not is_new:
            await asyncio.to_thread(os.utime, self._folder / key)  # as young as if it had been replaced
            await obstore.delete_async(self._store, upload)
        else:
            await obstore.rename_async(self._store, upload, key)
        return is_new

    async def open(self, sha256: str, *, start: int = 0, end: int | None = None) -> AsyncIterator[bytes]:
        """Return the bytes `[start, end)` of an original as a stream. `end` is capped at the size of the file.

        Raises OriginalNotFound and StorageUnavailable before the first byte.
        """
        return await self._open(key_of(sha256), start=start, end=end)

    async def _open(self, key: str, *, start: int = 0, end: int | None = None) -> AsyncIterator[bytes]:
        size_bytes = await self._existing_size(key)
        stop = size_bytes if end is None else min(end, size_bytes)
        if start < 0 or start >= stop:
            return _empty()
        with _translated():
            result = await obstore.get_async(self._store, key, options={"range": (start, stop)})
        return _parts(result.stream(_READ_BYTES))

    @asynccontextmanager
    async def as_file(self, sha256: str) -> AsyncGenerator[Path]:
        """Provide the original as a file: the original itself in a local folder, otherwise a temporary copy.

        Raises OriginalNotFound, StorageFull, StorageUnavailable.
        """
        async with self._as_file(key_of(sha256)) as path:
            yield path

    @asynccontextmanager
    async def _as_file(self, key: str) -> AsyncGenerator[Path]:
        if self._folder:
            await self._existing_size(key)
            yield self._folder / key
            return
        stream = await self._open(key)
        with _translated():
            temporary = tempfile.TemporaryDirectory(prefix="lectern-")
        with temporary as folder:
            path = Path(folder) / "original"
            with _translated(), await asyncio.to_thread(path.open, "wb") as file:
                async for part in stream:
                    await asyncio.to_thread(file.write, part)
            yield path

    async def put_conversion(self, sha256: str, document_id: uuid.UUID, pdf: Path) -> None:
        """Store the PDF made of an original for a document. Documents with the same file share none.

        Raises StorageFull, StorageUnavailable.
        """
        upload = f"{_UPLOADS}/{uuid.uuid4().hex}"
        with _translated(missing=StorageUnavailable):
            await obstore.put_async(self._store, upload, pdf)
            await obstore.rename_async(self._store, upload, f"{_conversions_of(sha256)}/{document_id}")

    @asynccontextmanager
    async def conversion_as_file(self, sha256: str, document_id: uuid.UUID) -> AsyncGenerator[Path]:
        """Provide a stored conversion as a file, as `as_file` does. Raises OriginalNotFound if there is none."""
        async with self._as_file(f"{_conversions_of(sha256)}/{document_id}") as path:
            yield path

    async def list_conversions(self, sha256: str) -> dict[uuid.UUID, int]:
        """Return the sizes of the conversions of an original by document."""
        with _translated():
            listed = [meta async for meta in _listed(self._store, _conversions_of(sha256))]
        return {uuid.UUID(meta["path"].rsplit("/", 1)[-1]): meta["size"] for meta in listed}

    async def delete_conversion(self, sha256: str, document_id: uuid.UUID) -> None:
        """Delete the conversion of an original for a document."""
        with _translated():
            await obstore.delete_async(self._store, f"{_conversions_of(sha256)}/{document_id}")

    def when_deleted(self, act: Callable[[str], None]) -> None:
        """Call `act` with the sha256 of every original that is deleted through this store."""
        self._watchers.append(act)

    async def size(self, sha256: str) -> int:
        """Return the size in bytes. Raises OriginalNotFound, StorageUnavailable."""
        return await self._existing_size(key_of(sha256))

    async def _existing_size(self, key: str) -> int:
        with _translated():
            found = await self._size(key)
        if found is None:
            raise OriginalNotFound
        return found

    async def exists(self, sha256: str) -> bool:
        """Return True if the original is in storage. Raises StorageUnavailable."""
        with _translated():
            return await self._size(key_of(sha256)) is not None

    async def check(self) -> None:
        """Raise StorageUnavailable if a bucket cannot be listed, or the folder is missing or cannot be written to."""
        with _translated():
            if self._folder:
                await asyncio.to_thread(_check_writable, self._folder)
                return
            async for _ in _listed(self._store, f"{_ORIGINALS}/00/00"):
                return

    async def delete(self, sha256: str) -> None:
        """Delete an original. A missing one is no error."""
        key = key_of(sha256)
        with _translated():
            if await self._size(key) is not None:
                await obstore.delete_async(self._store, key)
        for act in self._watchers:
            act(sha256)

    async def list(self) -> AsyncIterator[str]:
        """Yield the sha256 of every original, in no particular order."""
        async for original in self.list_details():
            yield original.sha256

    async def list_details(self) -> AsyncIterator[ListedOriginal]:
        """Yield every original with its size and modification time, in no particular order."""
        with _translated():
            async for meta in _listed(self._store, _ORIGINALS):
                yield ListedOriginal(meta["path"].rsplit("/", 1)[-1], meta["size"], meta["last_modified"])

    async def delete_stale_uploads(self, *, older_than_seconds: float) -> int:
        """Delete the uploads of killed processes. Returns the number of deleted files.

        Unfinished multipart uploads in a bucket are not visible here. Add a lifecycle rule to the bucket.
        """
        before = datetime.now(UTC) - timedelta(seconds=older_than_seconds)
        with _translated():
            stale = [meta["path"] async for meta in _listed(self._store, _UPLOADS) if meta["last_modified"] < before]
            if stale:
                await obstore.delete_async(self._store, stale)
        if self._folder is None:
            return len(stale)
        return len(stale) + await asyncio.to_thread(_delete_stale_parts, self._folder / _UPLOADS, before)

    async def _size(self, key: str) -> int | None:
        try:
            return (await obstore.head_async(self._store, key))["size"]
        except FileNotFoundError:
            return None


async def _listed(store: ObjectStore, prefix: str) -> AsyncIterator["ObjectMeta"]:
    pages = obstore.list(store, prefix, chunk_size=500)  # pyright: ignore[reportUnknownMemberType]: an overload names arro3
    async for page in pages:
        for meta in page:
            yield meta


async def _parts(stream: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    with _translated():
        async for part in stream:
            yield bytes(part)


async def _empty() -> AsyncIterator[bytes]:
    for part in ():
        yield part


@contextmanager
def _translated(*, missing: type[LecternError] = OriginalNotFound) -> Generator[None]:
    """Translate the errors of the object store. A write finds nothing if the bucket is `missing`."""
    try:
        yield
    except FileNotFoundError as error:
        if error.errno is None:  # raised by the store; errors of the operating system have a number
            raise missing from error
        raise StorageUnavailable from error
    except (BaseError, OSError) as error:
        if _FULL.search(str(error)):
            raise StorageFull from error
        # the only word of the client on a plain address that it may not use
        hint = _PLAIN_HTTP_HINT if "builder error" in str(error) else None
        raise StorageUnavailable(hint=hint) from error


def _first_line(error: Exception) -> str:
    return str(error).split("\n", maxsplit=1)[0].rstrip(". ")


def _check_writable(folder: Path) -> None:
    with tempfile.TemporaryFile(dir=folder):  # permissions do not tell of a read-only file system
        pass


def _flush_to_disk(path: Path) -> None:
    """Sync a file to disk, because a committed row may point to it."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _delete_stale_parts(folder: Path, before: datetime) -> int:
    """Delete parts of unfinished uploads (`name#1`), which the local store does not list."""
    if not folder.is_dir():
        return 0
    stale = [path for path in folder.iterdir() if "#" in path.name and path.stat().st_mtime < before.timestamp()]
    for path in stale:
        path.unlink(missing_ok=True)
    return len(stale)
