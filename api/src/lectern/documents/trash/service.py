"""Purge documents from every table and from storage, with a receipt."""

import uuid
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from lectern.accounts.audit.service import blank_details, record
from lectern.db import lexical_index
from lectern.db.scope import SYSTEM_SCOPE
from lectern.db.session import Database, Session
from lectern.documents.originals import remove_unreferenced
from lectern.documents.schemas import PurgeReceipt
from lectern.documents.trash import repository
from lectern.jobs import service as jobs
from lectern.storage.store import OriginalStore

_AT_ONCE = 100


@dataclass(slots=True)
class _Removed:
    """Totals of the deleted rows."""

    ids: list[uuid.UUID] = field(default_factory=list[uuid.UUID])
    hashes: set[str] = field(default_factory=set[str])
    rows: Counter[str] = field(default_factory=Counter[str])
    bytes: Counter[str] = field(default_factory=Counter[str])
    text_bytes: int = 0
    blanked_event_count: int = 0


async def purge_documents(
    database: Database, originals: OriginalStore, *, actor: str, document_ids: Sequence[uuid.UUID]
) -> PurgeReceipt:
    """Delete documents permanently with all their versions. The caller has checked access.

    Active jobs are aborted. Rows are deleted before originals, and only unreferenced originals are deleted, so an
    interruption never leaves a document without its original.
    """
    removed = _Removed()
    for start in range(0, len(document_ids), _AT_ONCE):
        part = sorted(document_ids[start : start + _AT_ONCE])
        async with database.session(SYSTEM_SCOPE) as session:
            await _remove_rows(session, removed, actor=actor, ids=part)
    files = await remove_unreferenced(database, originals, removed.hashes)
    return PurgeReceipt(
        document_ids=removed.ids,
        rows={name: count for name, count in removed.rows.items() if count},
        bytes={
            **{name: size for name, size in removed.bytes.items() if size},
            "originals": sum(files.originals),
            **({"conversions": sum(files.conversions)} if files.conversions else {}),
        },
        original_count=len(files.originals),
        original_bytes=sum(files.originals),
        text_bytes=removed.text_bytes,
        blanked_event_count=removed.blanked_event_count,
    )


async def _remove_rows(session: Session, removed: _Removed, *, actor: str, ids: Sequence[uuid.UUID]) -> None:
    existing = await repository.lock(session, ids)
    for job_id in await repository.active_jobs(session, existing):
        await jobs.abort(session, job_id)
    for name, size in (await repository.measure(session, existing)).items():
        removed.rows[name] += size.rows
        removed.bytes[name] += size.bytes
    removed.hashes |= set(await repository.list_hashes(session, existing))
    removed.text_bytes += await repository.count_text_bytes(session, existing)
    for document_id in existing:  # Much faster than the cascade from chunks.
        await lexical_index.remove_document(session, document_id)
    tags = await repository.list_tags(session, existing)
    deleted = await repository.remove(session, existing)
    existing_tags = await repository.list_existing_tags(session, tags)
    orphans = {tag_id: tag for tag_id, tag in tags.items() if tag_id not in existing_tags}
    removed.rows["tags"] += len(orphans)
    removed.bytes["tags"] += sum(size for _, size in orphans.values())
    targets = [*(f"document:{one}" for one in deleted), *(f"tag:{one}" for one in orphans)]
    removed.blanked_event_count += await blank_details(
        session, targets=targets, tag_names=[name for name, _ in orphans.values()]
    )
    for document_id in deleted:
        await record(session, actor, action="document.purge", target=f"document:{document_id}")
    removed.ids += deleted


async def purge_expired(database: Database, originals: OriginalStore, *, retention_days: int) -> PurgeReceipt:
    """Purge documents trashed more than `retention_days` ago. 0 disables it. Called by a periodic job."""
    if retention_days == 0:
        return await purge_documents(database, originals, actor="system", document_ids=[])
    async with database.session(SYSTEM_SCOPE) as session:
        ids = await repository.list_expired(session, days=retention_days, limit=10 * _AT_ONCE)
    return await purge_documents(database, originals, actor="system", document_ids=ids)
