"""Run one action on many documents in one transaction."""

import uuid
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from lectern.accounts.audit.service import record
from lectern.accounts.principals import Principal
from lectern.collections.service import choose_collection
from lectern.db.session import Database, Session
from lectern.documents import repository
from lectern.documents.errors import TooManyDocuments
from lectern.documents.grants.repository import set_owner
from lectern.documents.grants.service import find_new_owner
from lectern.documents.models import Document
from lectern.documents.repository import DocumentSelection
from lectern.documents.schemas import BulkRequest, BulkResponse
from lectern.documents.service import ingest_again, select_documents
from lectern.documents.trash.service import purge_documents
from lectern.storage.store import OriginalStore
from lectern.tags.service import get_or_create_tags, resolve_tags, tag_documents, untag_documents

MAX_DOCUMENTS = 10_000


@dataclass(frozen=True, slots=True)
class _BulkAction:
    session: Session
    principal: Principal
    ids: Sequence[uuid.UUID]
    collections: Sequence[uuid.UUID]
    wanted: BulkRequest


async def change_documents(
    database: Database, originals: OriginalStore, principal: Principal, *, wanted: BulkRequest
) -> BulkResponse:
    """Run the action on the selected documents.

    Unknown ids and ids outside the scope match nothing. Only `restore` and `purge` match documents in the trash.
    An error changes nothing. Raises UnknownTag, UnknownCollection, ReadOnly, AdminsOnly, InvalidRequest,
    TooManyDocuments.
    """
    principal.require_writing()
    if wanted.action == "change_owner":
        principal.require_admin()  # the response says whether there is such an account
    async with database.session(principal.scope) as session:
        selection = await _selection(session, wanted)
        locked = await repository.lock_selected(session, selection, limit=MAX_DOCUMENTS + 1)
        if len(locked) > MAX_DOCUMENTS:
            raise TooManyDocuments(details={"max_documents": MAX_DOCUMENTS})
        collections = {collection_id for _, collection_id in locked}
        principal.require_writing_to(collections)
        ids = [document_id for document_id, _ in locked]
        action = _BulkAction(session, principal, ids, list(collections), wanted)
        changed = await _ACTIONS[wanted.action](action) if ids else 0
        await record(
            session,
            principal.actor,
            action=f"documents.{wanted.action}",
            details={
                **wanted.model_dump(mode="json", exclude_unset=True, exclude={"filter": {"q"}}),
                "matched": len(ids),
                "changed": changed,
            },
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


async def _tag(action: _BulkAction) -> int:
    tag_ids = await get_or_create_tags(
        action.session, action.principal, action.wanted.tags or [], collections=action.collections
    )
    changed = await tag_documents(action.session, action.ids, tag_ids)
    await repository.change(action.session, list(changed), {})
    return len(changed)


async def _untag(action: _BulkAction) -> int:
    tag_ids = await resolve_tags(action.session, action.wanted.tags or [])
    changed = await untag_documents(action.session, action.ids, tag_ids)
    await repository.change(action.session, list(changed), {})
    return len(changed)


async def _move(action: _BulkAction) -> int:
    target = await choose_collection(action.session, action.principal, action.wanted.collection)
    return len(await repository.move(action.session, action.ids, target))


async def move_collection(session: Session, source: uuid.UUID, target: uuid.UUID) -> int:
    """Move the documents of a collection, except those whose file the target has. Return how many moved."""
    ids = await repository.list_ids(session, DocumentSelection(collections=[source], is_deleted=None))
    return len(await repository.move(session, ids, target))


async def _delete(action: _BulkAction) -> int:
    return len(await repository.change(action.session, action.ids, {"deleted_at": datetime.now(UTC)}))


async def _restore(action: _BulkAction) -> int:
    changed = len(await repository.restore(action.session, action.ids))
    unfinished = await repository.list_unfinished(action.session, action.ids)
    await ingest_again(action.session, unfinished)
    return changed


async def _reingest(action: _BulkAction) -> int:
    return len(await ingest_again(action.session, action.ids))


async def _change_owner(action: _BulkAction) -> int:
    owner_id = await find_new_owner(action.session, action.wanted.owner or "")
    return await set_owner(action.session, Document, owner_id, ids=action.ids)


async def _purge(action: _BulkAction) -> int:
    """Count the selected documents. `change_documents` purges them in separate transactions."""
    return len(action.ids)


_ACTIONS: dict[str, Callable[[_BulkAction], Awaitable[int]]] = {
    "tag": _tag,
    "untag": _untag,
    "move": _move,
    "delete": _delete,
    "restore": _restore,
    "reingest": _reingest,
    "change_owner": _change_owner,
    "purge": _purge,
}
