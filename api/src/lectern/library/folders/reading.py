"""Read files of a watched folder: hash them or stream them into storage. A file that changes meanwhile is skipped."""

import asyncio
import errno
import hashlib
import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final

from lectern.documents.uploads.service import StoredFile, store_file
from lectern.errors import LecternError
from lectern.library.folders.planning import KnownFile
from lectern.library.folders.walking import Stamp, open_inside, stamp_of
from lectern.storage.store import OriginalStore

_BLOCK_BYTES: Final = 1_048_576
_GONE: Final = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ELOOP})


class FileUnreadable(LecternError):
    """The file cannot be read."""

    default_hint = "Give the user of the API and the workers permission to read it."


class FilenameNotText(LecternError):
    """The filename is not UTF-8."""

    default_hint = "Rename the file."


class FileMoves(LecternError):
    """The file changed while it was read."""

    default_hint = "The next scan adds it when it no longer changes."


def digest_of(root: Path, path: str) -> KnownFile | None:
    """Return the file with its hash, or None if it is gone or not regular. Raises FileUnreadable, FileMoves."""
    try:
        descriptor = open_inside(root, path)
        with os.fdopen(descriptor, "rb") as file:
            before = stamp_of(file.fileno())
            digest = hashlib.file_digest(file, "sha256").hexdigest()
            is_still = stamp_of(file.fileno()) == before
    except OSError as error:
        if error.errno in _GONE:
            return None
        raise FileUnreadable from error
    if not is_still:
        raise FileMoves
    return KnownFile(before, digest, None)


async def store(originals: OriginalStore, root: Path, path: str, *, stamp: Stamp, max_bytes: int) -> StoredFile:
    """Put a file into storage. Raises FileMoves, OSError, and the errors of `store_file`; then nothing is stored."""
    descriptor = await asyncio.to_thread(open_inside, root, path)
    name = path.rsplit("/", 1)[-1]
    return await store_file(originals, _stream(descriptor, stamp), filename=name, max_bytes=max_bytes)


async def _stream(descriptor: int, stamp: Stamp) -> AsyncIterator[bytes]:
    with os.fdopen(descriptor, "rb") as file:
        while block := await asyncio.to_thread(file.read, _BLOCK_BYTES):
            yield block
        if stamp_of(file.fileno()) != stamp:
            raise FileMoves
