"""Originals and the rows that refer to them: none is lost while a row needs it, none stays when no row does.

Whoever registers, restores or removes a document of some bytes holds a lock on their hash until its transaction ends.
"""

from collections.abc import Iterable

from sqlalchemy import exists, or_, select, text

from lectern.db.scope import SYSTEM_SCOPE
from lectern.db.session import Database, Session
from lectern.documents.models import Document, DocumentVersion
from lectern.storage.store import OriginalStore

_LOCK = text("SELECT pg_advisory_xact_lock(hashtextextended(:sha256, 0))")


async def lock_original(session: Session, sha256: str) -> None:
    """Wait until nobody else changes what refers to these bytes. Several are locked in the order of their hashes."""
    await session.execute(_LOCK, {"sha256": sha256})


async def remove_unreferenced(database: Database, originals: OriginalStore, hashes: Iterable[str]) -> list[int]:
    """Delete those originals that no document refers to, in any version; their sizes in bytes."""
    sizes: list[int] = []
    for sha256 in sorted(set(hashes)):
        async with database.session(SYSTEM_SCOPE) as session:
            await lock_original(session, sha256)
            is_needed = or_(exists().where(Document.sha256 == sha256), exists().where(DocumentVersion.sha256 == sha256))
            if await session.scalar(select(is_needed)):
                continue
            if await originals.exists(sha256):
                sizes.append(await originals.size(sha256))
                await originals.delete(sha256)
    return sizes
