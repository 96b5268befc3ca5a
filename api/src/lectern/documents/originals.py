"""Delete originals when no row refers to them any more, and never before.

A transaction that adds, restores or removes a document locks the hash of its original until it ends.
"""

from collections.abc import Iterable

from lectern.db.scope import SYSTEM_SCOPE
from lectern.db.session import Database
from lectern.documents import repository
from lectern.storage.store import OriginalStore


async def remove_unreferenced(database: Database, originals: OriginalStore, hashes: Iterable[str]) -> list[int]:
    """Delete the originals that no version of a document refers to, and return their sizes in bytes."""
    sizes: list[int] = []
    for sha256 in sorted(set(hashes)):
        async with database.session(SYSTEM_SCOPE) as session:
            await repository.lock_original(session, sha256)
            if await repository.is_original_referenced(session, sha256):
                continue
            if await originals.exists(sha256):
                sizes.append(await originals.size(sha256))
                await originals.delete(sha256)
    return sizes
