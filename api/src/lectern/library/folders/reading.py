"""Read files of a watched folder: hash them or stream them into storage. A file that changes meanwhile is skipped."""

import asyncio
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


class FileMoves(LecternError):
    """The file changed while it was read."""

    code = "file_moves"
    default_hint = "The next scan adds it when it no longer changes."


def digest_of(root: Path, path: str) -> KnownFile | None:
    """Return the file with its hash, or None if it is gone, not regular, or changed meanwhile."""
    try:
        descriptor = open_inside(root, path)
    except OSError:
        return None
    with os.fdopen(descriptor, "rb") as file:
        before = stamp_of(file.fileno())
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        is_still = stamp_of(file.fileno()) == before
    return KnownFile(before, digest, None) if is_still else None


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
