"""Manage tags. Row-level security shows those of visible documents, and those that the caller made.

A tag out of sight makes no difference: its name is free, and changes of other tags do not touch its documents.
"""

import uuid
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from functools import partial
from typing import Any

from lectern.accounts.audit.service import changes_with_before, record
from lectern.accounts.principals import Principal
from lectern.db.session import Session, elevated
from lectern.errors import InvalidRequest
from lectern.http.pagination import Page, list_page
from lectern.http.references import as_uuid, unknown_reference
from lectern.tags import repository
from lectern.tags.errors import InvalidTagName, TagNameTaken, TagNotFound, TagsNotYours, UnknownTag
from lectern.tags.schemas import (
    MAX_NAME_CHARACTERS,
    TagCreate,
    TagMerged,
    TagResponse,
    TagUpdate,
    normalize_name,
)

_MAX_COMPARED = 2_000
_KEY_TYPES = {"normalized_name": str, "document_count": int, "created_at": datetime}
# Queries that other packages call directly.
delete_orphaned_tags = repository.delete_orphaned_tags
list_document_tags = repository.list_document_tags
tag_documents = repository.tag_documents


async def list_tags(
    session: Session, *, sort: str = "name", matching: str | None = None, cursor: str | None = None, limit: int = 50
) -> Page[TagResponse]:
    """List a page of the tags in scope. Raises BrokenCursor."""
    read, order = partial(repository.list_tags, session, sort=sort, matching=matching), f"tags:{sort}:{matching or ''}"
    key = repository.KEYS[sort.lstrip("-")]
    keys = {key: _KEY_TYPES[key], "id": uuid.UUID}
    return await list_page(read, TagResponse.model_validate, order=order, keys=keys, cursor=cursor, limit=limit)


async def get_tag(session: Session, tag_id: uuid.UUID) -> TagResponse:
    """Return one tag. Raises TagNotFound."""
    row = await repository.find(session, tag_id)
    if row is None:
        raise TagNotFound
    return TagResponse.model_validate(row)


async def create_tag(session: Session, principal: Principal, *, wanted: TagCreate) -> TagResponse:
    """Create a tag. Raises TagNameTaken, TagsNotYours."""
    _require_whole_view(principal)
    await _require_free_name(session, wanted.name)
    details = wanted.model_dump()
    more = {"color": wanted.color, "description": wanted.description, "created_by": principal.actor}
    (tag_id,) = await repository.add(session, [wanted.name], owner_id=principal.owner_id, **more)
    await record(session, principal.actor, action="tag.create", target=f"tag:{tag_id}", details=details)
    return await get_tag(session, tag_id)


async def update_tag(session: Session, principal: Principal, tag_id: uuid.UUID, *, wanted: TagUpdate) -> TagResponse:
    """Change a tag on the documents in scope. Raises TagNotFound, TagNameTaken, TagsNotYours."""
    current = await get_tag(session, tag_id)
    await _require_writable(session, principal, [tag_id])
    changes = wanted.model_dump(exclude_unset=True, exclude_none=True)
    if "name" in changes:
        await _require_free_name(session, changes["name"], except_for=tag_id)
    if changes:
        async with _separated(session, principal, [tag_id]):
            await repository.change(session, tag_id, changes, actor=principal.actor)
    details = changes_with_before(changes, current)
    await record(session, principal.actor, action="tag.update", target=f"tag:{tag_id}", details=details)
    return await get_tag(session, tag_id)


async def delete_tag(session: Session, principal: Principal, tag_id: uuid.UUID) -> None:
    """Delete a tag and remove it from every document in scope. Raises TagNotFound, TagsNotYours."""
    tag = await get_tag(session, tag_id)
    await _require_writable(session, principal, [tag_id])
    async with _separated(session, principal, [tag_id]):
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
    source_ids = [tag_id for tag_id in await resolve_tags(session, references) if tag_id != target_id]
    if not source_ids:
        raise InvalidRequest("A tag cannot be merged into itself.")
    await _require_writable(session, principal, [target_id, *source_ids])
    async with _separated(session, principal, source_ids):
        retagged = await repository.merge(session, target_id=target_id, source_ids=source_ids)
    details: dict[str, Any] = {"merged": source_ids, "retagged_documents": retagged}
    await record(session, principal.actor, action="tag.merge", target=f"tag:{target_id}", details=details)
    tag = await get_tag(session, target_id)
    return TagMerged(tag=tag, merged_tags=len(source_ids), retagged_documents=retagged)


def _require_whole_view(principal: Principal) -> None:
    principal.require_writing()
    if principal.is_narrowed:
        raise TagsNotYours("A key that is limited to tags or documents cannot change tags.")


async def _require_free_name(session: Session, name: str, *, except_for: uuid.UUID | None = None) -> None:
    """Lock a name. Raises TagNameTaken if another tag in scope has it."""
    await repository.lock_names(session, [name])
    rows = await repository.find_by_references(session, ids=[], names=[name])
    if any(tag_id != except_for for tag_id, _ in rows):
        raise TagNameTaken


async def _require_writable(session: Session, principal: Principal, tag_ids: Sequence[uuid.UUID]) -> None:
    """Raise TagsNotYours if the principal may not change every document in scope with one of the tags."""
    _require_whole_view(principal)
    writable = principal.writable_collections
    if writable is not None and await repository.is_fixed(session, tag_ids, writable=writable):
        raise TagsNotYours


@asynccontextmanager
async def _separated(session: Session, principal: Principal, tag_ids: Sequence[uuid.UUID]) -> AsyncGenerator[None]:
    """Run unrestricted statements on tags. Documents out of scope keep a copy, so the change shows nothing of them."""
    async with elevated(session, principal.scope):
        if not principal.scope.is_unrestricted:
            await repository.separate(session, tag_ids, actor=principal.actor)
        yield


def _match(rows: Sequence[tuple[uuid.UUID, str]], references: Sequence[str]) -> dict[str, list[uuid.UUID]]:
    """Return for each reference the tag with this id, or the tags with this name."""
    known: dict[str, list[uuid.UUID]] = {}
    for tag_id, name in rows:
        known.setdefault(name, []).append(tag_id)
    known |= {str(tag_id): [tag_id] for tag_id, _ in rows}
    return {name: known.get(str(as_uuid(name))) or known.get(normalize_name(name), []) for name in references}


async def _require_all(session: Session, matches: Mapping[str, Sequence[uuid.UUID]]) -> None:
    unknown = [reference for reference, ids in matches.items() if not ids]
    if unknown:
        available = await repository.list_names(session, limit=_MAX_COMPARED)
        raise unknown_reference(UnknownTag, unknown, noun="tag", available=available)


async def resolve_tags(session: Session, references: Sequence[str]) -> list[uuid.UUID]:
    """Resolve ids and names to ids of all such tags in scope, without duplicates. Raises UnknownTag."""
    ids = [value for value in map(as_uuid, references) if value]
    matches = _match(await repository.find_by_references(session, ids=ids, names=references), references)
    await _require_all(session, matches)
    return list(dict.fromkeys(tag_id for found in matches.values() for tag_id in found))


async def get_or_create_tags(
    session: Session, principal: Principal, references: Sequence[str], *, collections: Sequence[uuid.UUID]
) -> list[uuid.UUID]:
    """Resolve tags for documents of these collections. New names create tags, except for a narrowed principal.

    A name that only tags out of scope have is new. Raises InvalidTagName, UnknownTag.
    """
    if not references:
        return []
    ids = [value for value in map(as_uuid, references) if value]
    rows = await repository.find_to_attach(session, ids=ids, names=references, collections=collections)
    matches = _match(rows, references)
    missing = [reference for reference, found in matches.items() if not found]
    if missing and principal.is_narrowed:
        await _require_all(session, matches)
    if missing:
        matches |= await _create_tags(session, missing, collections=collections, owner_id=principal.owner_id)
    return list(dict.fromkeys(matches[reference][0] for reference in references))


async def _create_tags(
    session: Session, names: Sequence[str], *, collections: Sequence[uuid.UUID], owner_id: uuid.UUID | None
) -> dict[str, list[uuid.UUID]]:
    """Create tags without a maker. A tag that was created meanwhile is used. Raises InvalidTagName."""
    for name in names:
        if not 0 < len(normalize_name(name)) <= MAX_NAME_CHARACTERS:
            raise InvalidTagName(details={"max_characters": MAX_NAME_CHARACTERS})
    await repository.lock_names(session, names)
    rows = await repository.find_to_attach(session, ids=[], names=names, collections=collections)
    known = {name for _, name in rows}
    new = {normalize_name(name): name for name in reversed(names) if normalize_name(name) not in known}
    if new:
        rows += zip(await repository.add(session, list(new.values()), owner_id=owner_id), new, strict=True)
    return _match(rows, names)


async def untag_documents(
    session: Session, document_ids: Sequence[uuid.UUID], tag_ids: Sequence[uuid.UUID]
) -> set[uuid.UUID]:
    """Remove tags from documents. Return the documents that changed."""
    return await repository.remove_from_documents(session, document_ids, only=tag_ids)


async def replace_document_tags(session: Session, document_id: uuid.UUID, tag_ids: Sequence[uuid.UUID]) -> None:
    """Set the tags of a document. Tags outside the session's scope stay."""
    await repository.tag_documents(session, [document_id], tag_ids)
    await repository.remove_from_documents(session, [document_id], except_for=tag_ids)
