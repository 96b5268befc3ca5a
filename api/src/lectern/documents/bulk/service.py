"""One action on many documents, in one transaction: those listed, or all that match a filter."""

import uuid
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from lectern.accounts.audit.service import record
from lectern.accounts.principals import Principal
from lectern.collections.service import choose_collection
from lectern.db.session import Database, Session
from lectern.documents import repository
from lectern.documents.errors import DocumentAlreadyThere, TooManyDocuments
from lectern.documents.schemas import BulkRequest, BulkResponse
from lectern.documents.selection import DocumentSelection
from lectern.documents.service import ingest_again, select_documents
from lectern.documents.trash.service import purge_documents
from lectern.storage.store import OriginalStore
from lectern.tags.service import get_or_create_tags, resolve_tags

MAX_DOCUMENTS = 10_000


@dataclass(frozen=True, slots=True)
class _Work:
    """What an action is given."""

    session: Session
    principal: Principal
    ids: Sequence[uuid.UUID]
    wanted: BulkRequest


async def change_documents(
    database: Database, originals: OriginalStore, principal: Principal, *, wanted: BulkRequest
) -> BulkResponse:
    """Raises UnknownTag, UnknownCollection, ReadOnly, TooManyDocuments; then nothing is changed.

    Ids that are unknown, out of sight or (but for `restore` and `purge`) in the trash are not matched.
    """
    principal.require_writing()
    async with database.session(principal.scope) as session:
        selection = await _selection(session, wanted)
        found = await repository.lock_selected(session, selection, limit=MAX_DOCUMENTS + 1)
        if len(found) > MAX_DOCUMENTS:
            raise TooManyDocuments(details={"max_documents": MAX_DOCUMENTS})
        principal.require_writing_to({collection_id for _, collection_id in found})
        ids = [document_id for document_id, _ in found]
        changed = await _ACTIONS[wanted.action](_Work(session, principal, ids, wanted)) if ids else 0
        await record(
            session,
            principal.actor,
            action=f"documents.{wanted.action}",
            details={**wanted.model_dump(mode="json", exclude_unset=True), "matched": len(ids), "changed": changed},
        )
    response = BulkResponse(action=wanted.action, matched=len(ids), changed=changed, skipped=len(ids) - changed)
    if wanted.action == "delete" and not (wanted.filter and wanted.filter.is_deleted):
        response.ids = ids
    if wanted.action == "purge":
        receipt = await purge_documents(database, originals, actor=principal.actor, document_ids=ids)
        count = len(receipt.document_ids)
        response = response.model_copy(update={"receipt": receipt, "changed": count, "skipped": len(ids) - count})
    return response


async def _selection(session: Session, wanted: BulkRequest) -> DocumentSelection:
    if wanted.filter is not None:
        return await select_documents(session, wanted.filter)
    is_deleted = {"restore": True, "purge": None}.get(wanted.action, False)
    return DocumentSelection(ids=wanted.ids, is_deleted=is_deleted)


async def _tag(work: _Work) -> int:
    tag_ids = await get_or_create_tags(work.session, work.principal, work.wanted.tags or [])
    changed = await repository.add_tags(work.session, work.ids, tag_ids)
    await repository.change(work.session, list(changed), {})
    return len(changed)


async def _untag(work: _Work) -> int:
    tag_ids = await resolve_tags(work.session, work.wanted.tags or [])
    changed = await repository.remove_these_tags(work.session, work.ids, tag_ids)
    await repository.change(work.session, list(changed), {})
    return len(changed)


async def _move(work: _Work) -> int:
    target = await choose_collection(work.session, work.principal, work.wanted.collection)
    return len(await repository.move(work.session, work.ids, target))


async def move_collection(session: Session, source: uuid.UUID, target: uuid.UUID) -> int:
    """Move all documents of a collection, but for those whose file the target has already; how many moved."""
    return len(await repository.move(session, await repository.list_ids(session, source), target))


async def _delete(work: _Work) -> int:
    return len(await repository.change(work.session, work.ids, {"deleted_at": datetime.now(UTC)}))


async def _restore(work: _Work) -> int:
    changed = 0
    for document_id in work.ids:
        try:
            changed += len(await repository.change(work.session, [document_id], {"deleted_at": None}))
        except DocumentAlreadyThere:
            continue
    unfinished = await repository.list_unfinished(work.session, work.ids)
    await ingest_again(work.session, unfinished)
    return changed


async def _reingest(work: _Work) -> int:
    return len(await ingest_again(work.session, work.ids))


async def _purge(work: _Work) -> int:
    """Counted afterwards: rows go in transactions of their own."""
    return len(work.ids)


_ACTIONS: dict[str, Callable[[_Work], Awaitable[int]]] = {
    "tag": _tag,
    "untag": _untag,
    "move": _move,
    "delete": _delete,
    "restore": _restore,
    "reingest": _reingest,
    "purge": _purge,
}
