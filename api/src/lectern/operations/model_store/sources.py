"""Sources of model files: a folder, or an http(s) address to which file names are appended."""

import hashlib
import os
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, Final, Self, TypeAlias

from lectern.operations.model_store.errors import ModelSourceUnavailable
from lectern.operations.model_store.record import ModelFile

_BLOCK_BYTES: Final = 1024 * 1024
PAUSES_SECONDS: Final = (1.0, 5.0, 15.0)
"""Pauses before further attempts. A download that has advanced starts with the first again."""
_TIMEOUT_SECONDS: Final = 30.0
_OK, _PARTIAL, _NOT_FOUND = 200, 206, 404


class FolderSource:
    """A folder on this machine."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder.absolute()
        self.address = str(self._folder)

    def read(self, name: str, *, max_bytes: int) -> bytes | None:
        """Return a small file, or None if there is none."""
        path = self._folder / name
        if not path.is_file():
            return None
        return _limited(b"".join(_read_blocks(path, max_bytes=max_bytes + 1)), name, max_bytes)

    def copy(self, name: str, target: Path) -> ModelFile | None:
        """Copy a file to disk and return its size and hash, or None if there is none."""
        path = self._folder / name
        if not path.is_file():
            return None
        with _Writer(target) as writer:
            writer.append(_read_blocks(path))
            return writer.finish()

    def close(self) -> None:
        """Do nothing: a folder is not opened."""


class UrlSource:
    """A web server. An interrupted download continues if the server supports it."""

    def __init__(self, url: str) -> None:
        import httpx

        self._library = httpx
        self.address = url.rstrip("/")
        self._client = httpx.Client(
            timeout=_TIMEOUT_SECONDS, follow_redirects=True, headers={"Accept-Encoding": "identity"}
        )

    def read(self, name: str, *, max_bytes: int) -> bytes | None:
        content = b""
        try:
            with self._client.stream("GET", f"{self.address}/{name}") as response:
                if not self._exists(name, response.status_code):
                    return None
                for block in response.iter_bytes():
                    content = _limited(content + block, name, max_bytes)
        except (self._library.HTTPError, self._library.InvalidURL) as error:
            raise self._unreachable(name, error) from None
        return content

    def copy(self, name: str, target: Path) -> ModelFile | None:
        etag, furthest, pauses = "", 0, iter(PAUSES_SECONDS)
        with _Writer(target) as writer:
            while True:
                resume = {"Range": f"bytes={writer.size}-", "If-Range": etag} if etag and writer.size else {}
                try:
                    with self._client.stream("GET", f"{self.address}/{name}", headers=resume) as response:
                        if not self._exists(name, response.status_code):
                            return None
                        if response.status_code != _PARTIAL:
                            writer.restart()
                        etag = response.headers.get("ETag", "")
                        etag = "" if etag.startswith("W/") else etag  # a weak one does not identify exact bytes
                        writer.append(response.iter_raw())
                        return writer.finish()
                except self._library.TransportError as error:
                    if writer.size > furthest:
                        furthest, pauses = writer.size, iter(PAUSES_SECONDS)
                    pause = next(pauses, None)
                    if pause is None:
                        raise self._unreachable(name, error) from None
                    time.sleep(pause)
                except (self._library.HTTPError, self._library.InvalidURL) as error:
                    raise self._unreachable(name, error) from None

    def close(self) -> None:
        self._client.close()

    def _exists(self, name: str, status: int) -> bool:
        if status == _NOT_FOUND:
            return False
        if status not in {_OK, _PARTIAL}:
            raise ModelSourceUnavailable(f"{self.address}/{name} answered {status}.")
        return True

    def _unreachable(self, name: str, error: Exception) -> ModelSourceUnavailable:
        return ModelSourceUnavailable(f"{self.address}/{name} cannot be read: {type(error).__name__}.")


ModelSource: TypeAlias = FolderSource | UrlSource
"""A place that has the files of one model."""


def open_source(address: str) -> ModelSource:
    """Open a folder or an http(s) address.

    Raises:
        ModelSourceUnavailable: There is no such folder.
    """
    if address.startswith(("http://", "https://")):
        return UrlSource(address)
    folder = Path(address)
    if not folder.is_dir():
        raise ModelSourceUnavailable(f"There is no folder {address}.", hint="Name a folder or an http(s) address.")
    return FolderSource(folder)


class _Writer:
    """Writes a file and hashes it. `finish` makes it durable."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file: BinaryIO = path.open("wb")
        self._digest = hashlib.sha256()
        self.size = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def restart(self) -> None:
        self._file.seek(0)
        self._file.truncate()
        self._digest = hashlib.sha256()
        self.size = 0

    def append(self, blocks: Iterable[bytes]) -> None:
        for block in blocks:
            self._file.write(block)
            self._digest.update(block)
            self.size += len(block)

    def finish(self) -> ModelFile:
        self._file.flush()
        os.fsync(self._file.fileno())
        return ModelFile(size_bytes=self.size, sha256=self._digest.hexdigest())


def hash_file(path: Path) -> ModelFile:
    """Return the size and hash of a file."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        return ModelFile(size_bytes=file.tell(), sha256=digest)


def _read_blocks(path: Path, *, max_bytes: int = sys.maxsize) -> Iterator[bytes]:
    try:
        with path.open("rb") as file:
            while max_bytes > 0 and (block := file.read(min(_BLOCK_BYTES, max_bytes))):
                yield block
                max_bytes -= len(block)
    except OSError as error:
        raise ModelSourceUnavailable(f"{path} cannot be read: {error.strerror}.") from error


def _limited(content: bytes, name: str, max_bytes: int) -> bytes:
    if len(content) > max_bytes:
        raise ModelSourceUnavailable(f"{name} is larger than {max_bytes:,} bytes.", hint="Use another source.")
    return content
