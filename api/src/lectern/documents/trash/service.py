"""Purging: nothing of a document stays, in no table and no store, and a receipt says what went."""

import uuid
from collections import Counter
from collections.abc import Sequence

from lectern.accounts.audit.service import record
from lectern.db.scope import SYSTEM_SCOPE
from lectern.db.session import Database, Session
from lectern.documents import index
from lectern.documents.originals import remove_unreferenced
from lectern.documents.schemas import PurgeReceipt
from lectern.documents.trash import repository
from lectern.embeddings.service import forget_documents
from lectern.jobs import entries
from lectern.storage.store import OriginalStore

_AT_ONCE = 100


async def purge_documents(
    database: Database, originals: OriginalStore, *, actor: str, document_ids: Sequence[uuid.UUID]
) -> PurgeReceipt:
    """Remove documents for good; the caller has made sure that it may.

    Safe while one is being read: its worker is told to stop, and finds nothing to write to. Rows go first, and an
    original only when no document refers to it: whatever interrupts this, no document is without its original.
    """
    rows: Counter[str] = Counter()
    removed: list[repository.Removed] = []
    text_bytes = 0
    for start in range(0, len(document_ids), _AT_ONCE):
        part = sorted(document_ids[start : start + _AT_ONCE])
        async with database.session(SYSTEM_SCOPE) as session:
            gone, part_rows, part_bytes = await _remove_rows(session, actor=actor, ids=part)
        removed += gone
        rows += part_rows
        text_bytes += part_bytes
    sizes = await remove_unreferenced(database, originals, [document.sha256 for document in removed])
    return PurgeReceipt(
        document_ids=[document.id for document in removed],
        rows=dict(rows),
        original_count=len(sizes),
        original_bytes=sum(sizes),
        text_bytes=text_bytes,
    )


async def _remove_rows(
    session: Session, *, actor: str, ids: Sequence[uuid.UUID]
) -> tuple[list[repository.Removed], Counter[str], int]:
    for job_id in await repository.active_jobs(session, ids):
        await entries.abort_entry(session, job_id)
    rows = Counter(await repository.count_rows(session, ids))
    text_bytes = await repository.count_text_bytes(session, ids)
    for document_id in ids:  # much faster than leaving it to the deletion of the chunks
        await index.remove_document(session, document_id)
    rows["embedding_cache"] = await forget_documents(session, ids)
    removed = await repository.remove(session, ids)
    rows["documents"] = len(removed)
    for document in removed:
        await record(session, actor, action="document.purge", target=f"document:{document.id}")
    return removed, rows, text_bytes


async def purge_expired(database: Database, originals: OriginalStore, *, retention_days: int) -> PurgeReceipt:
    """Purge what has been in the trash for longer than `retention_days`; 0 keeps it for ever. For a periodic job."""
    if retention_days == 0:
        return await purge_documents(database, originals, actor="system", document_ids=[])
    async with database.session(SYSTEM_SCOPE) as session:
        ids = await repository.list_expired(session, days=retention_days, limit=10 * _AT_ONCE)
    return await purge_documents(database, originals, actor="system", document_ids=ids)
