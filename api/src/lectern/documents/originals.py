"""Files in storage, and the removal of those that no document refers to.

Code that registers, restores or removes a document locks the hash of its file until the transaction ends.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from lectern.db.scope import SYSTEM_SCOPE
from lectern.db.session import Database
from lectern.documents import repository
from lectern.errors import LecternError
from lectern.storage.store import OriginalStore


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file in storage, with or without a document."""

    filename: str
    content_type: str
    size_bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class RefusedFile:
    """A file that was refused and not stored."""

    filename: str
    error: LecternError


async def remove_unreferenced(database: Database, originals: OriginalStore, hashes: Iterable[str]) -> list[int]:
    """Delete the originals that no version of a document refers to. Return their sizes in bytes.

    Originals of uploads that are not registered yet stay. These uploads remove them if they fail.
    """
    sizes: list[int] = []
    for sha256 in sorted(set(hashes)):
        async with database.session(SYSTEM_SCOPE) as session:
            await repository.lock_original(session, sha256)
            if await repository.is_original_referenced(session, sha256):
                continue
            if await originals.exists(sha256) and not originals.is_held(sha256):
                sizes.append(await originals.size(sha256))
                await originals.delete(sha256)
    return sizes
