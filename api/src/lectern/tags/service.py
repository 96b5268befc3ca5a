"""Manage tags. Everybody shares them, and row-level security shows those of visible documents."""

import uuid
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from lectern.accounts.audit.service import record
from lectern.accounts.principals import Principal
from lectern.db.session import Session, elevated
from lectern.errors import InvalidRequest
from lectern.http.pagination import Page, decode_cursor, paginate
from lectern.http.references import as_uuid, unknown_reference
from lectern.tags import repository
from lectern.tags.errors import InvalidTagName, TagNotFound, TagsNotYours, UnknownTag
from lectern.tags.schemas import (
    MAX_NAME_CHARACTERS,
    TagCreate,
    TagMerged,
    TagResponse,
    TagUpdate,
    normalize_name,
)

_MAX_COMPARED = 2_000
_KEY_TYPES = {"name": str, "document_count": int, "created_at": datetime}


async def list_tags(
    session: Session, *, sort: str = "name", matching: str | None = None, cursor: str | None = None, limit: int = 50
) -> Page[TagResponse]:
    """List a page of the tags in scope. Raises BrokenCursor."""
    order, key = f"tags:{sort}:{matching or ''}", sort.lstrip("-")
    after = tuple(decode_cursor(cursor, order=order, types=(_KEY_TYPES[key], uuid.UUID))) if cursor else None
    rows, total = await repository.list_tags(session, sort=sort, matching=matching, after=after, limit=limit + 1)
    column = "normalized_name" if key == "name" else key
    return paginate(
        rows,
        TagResponse.model_validate,
        order=order,
        keys=lambda row: [getattr(row, column), row.id],
        limit=limit,
        total=total,
    )


async def get_tag(session: Session, tag_id: uuid.UUID) -> TagResponse:
    """Return one tag. Raises TagNotFound."""
    row = await repository.find(session, tag_id)
    if row is None:
        raise TagNotFound
    return TagResponse.model_validate(row)


async def create_tag(session: Session, principal: Principal, *, wanted: TagCreate) -> TagResponse:
    """Create a tag. Raises TagNameTaken, TagsNotYours."""
    _require_whole_view(principal)
    tag_id = await repository.add(session, **wanted.model_dump())
    details = wanted.model_dump()
    await record(session, principal.actor, action="tag.create", target=f"tag:{tag_id}", details=details)
    return await get_tag(session, tag_id)


async def update_tag(session: Session, principal: Principal, tag_id: uuid.UUID, *, wanted: TagUpdate) -> TagResponse:
    """Change a tag. Raises TagNotFound, TagNameTaken, TagsNotYours."""
    await get_tag(session, tag_id)
    await _require_all_uses(session, principal, [tag_id])
    changes = wanted.model_dump(exclude_unset=True, exclude_none=True)
    if changes:
        await repository.change(session, tag_id, changes)
    await record(session, principal.actor, action="tag.update", target=f"tag:{tag_id}", details=changes)
    return await get_tag(session, tag_id)


async def delete_tag(session: Session, principal: Principal, tag_id: uuid.UUID) -> None:
    """Delete a tag and remove it from every document. Raises TagNotFound, TagsNotYours."""
    tag = await get_tag(session, tag_id)
    await _require_all_uses(session, principal, [tag_id])
    await repository.remove(session, [tag_id])
    details = {"name": tag.name, "documents": tag.document_count}
    await record(session, principal.actor, action="tag.delete", target=f"tag:{tag_id}", details=details)


async def merge_tags(
    session: Session, principal: Principal, target_id: uuid.UUID, *, references: Sequence[str]
) -> TagMerged:
    """Merge tags into the target in one transaction. API keys limited to a merged tag do not get the target.

    Raises TagNotFound, UnknownTag, TagsNotYours, InvalidRequest.
    """
    await get_tag(session, target_id)
    source_ids = await resolve_tags(session, references)
    if target_id in source_ids:
        raise InvalidRequest("A tag cannot be merged into itself.")
    await _require_all_uses(session, principal, [target_id, *source_ids])
    retagged = await repository.merge(session, target_id=target_id, source_ids=source_ids)
    details: dict[str, Any] = {"merged": source_ids, "retagged_documents": retagged}
    await record(session, principal.actor, action="tag.merge", target=f"tag:{target_id}", details=details)
    tag = await get_tag(session, target_id)
    return TagMerged(tag=tag, merged_tags=len(source_ids), retagged_documents=retagged)


def _require_whole_view(principal: Principal) -> None:
    principal.require_writing()
    if principal.is_narrowed:
        raise TagsNotYours


async def _require_all_uses(session: Session, principal: Principal, tag_ids: Sequence[uuid.UUID]) -> None:
    """Raise TagsNotYours if a document outside the principal's scope has one of the tags."""
    _require_whole_view(principal)
    visible = await repository.count_uses(session, tag_ids)
    async with elevated(session, principal.scope):
        uses = await repository.count_uses(session, tag_ids)
    if visible != uses:
        raise TagsNotYours


async def resolve_tags(session: Session, references: Sequence[str]) -> list[uuid.UUID]:
    """Resolve ids and names to ids of tags in scope, without duplicates. Raises UnknownTag."""
    ids = [value for value in map(as_uuid, references) if value]
    rows = await repository.find_by_references(session, ids=ids, names=references)
    known = {str(tag_id): tag_id for tag_id, _ in rows} | {name: tag_id for tag_id, name in rows}
    resolved = [known.get(str(as_uuid(name))) or known.get(normalize_name(name)) for name in references]
    unknown = [name for name, value in zip(references, resolved, strict=True) if value is None]
    if unknown:
        available = await repository.list_names(session, limit=_MAX_COMPARED)
        raise unknown_reference(UnknownTag, unknown, noun="tag", available=available)
    return list(dict.fromkeys(value for value in resolved if value))


async def get_or_create_tags(session: Session, principal: Principal, references: Sequence[str]) -> list[uuid.UUID]:
    """Resolve tags for documents. New names create tags, unless the principal is limited to tags or documents.

    Raises InvalidTagName, UnknownTag.
    """
    if not references:
        return []
    if principal.is_narrowed:
        return await resolve_tags(session, references)
    ids = [value for value in map(as_uuid, references) if value]
    by_id = {str(tag_id): tag_id for tag_id, _ in await repository.find_by_references(session, ids=ids, names=[])}
    names = [name for name in references if str(as_uuid(name)) not in by_id]
    for name in names:
        if not 0 < len(normalize_name(name)) <= MAX_NAME_CHARACTERS:
            raise InvalidTagName(details={"max_characters": MAX_NAME_CHARACTERS})
    async with elevated(session, principal.scope):
        created = await repository.get_or_create(session, names)
    return list(dict.fromkeys([*by_id.values(), *created]))


async def list_document_tags(session: Session, document_ids: Sequence[uuid.UUID]) -> dict[uuid.UUID, list[str]]:
    """Return the names of the tags of each document that has tags."""
    return await repository.list_names_by_document(session, document_ids)


async def tag_documents(
    session: Session, document_ids: Sequence[uuid.UUID], tag_ids: Sequence[uuid.UUID]
) -> set[uuid.UUID]:
    """Add every tag to every document. Return the documents that changed."""
    return await repository.add_to_documents(session, document_ids, tag_ids)


async def untag_documents(
    session: Session, document_ids: Sequence[uuid.UUID], tag_ids: Sequence[uuid.UUID]
) -> set[uuid.UUID]:
    """Remove tags from documents. Return the documents that changed."""
    return await repository.remove_from_documents(session, document_ids, only=tag_ids)


async def replace_document_tags(session: Session, document_id: uuid.UUID, tag_ids: Sequence[uuid.UUID]) -> None:
    """Set the tags of a document. Tags outside the session's scope stay."""
    await repository.add_to_documents(session, [document_id], tag_ids)
    await repository.remove_from_documents(session, [document_id], except_for=tag_ids)
