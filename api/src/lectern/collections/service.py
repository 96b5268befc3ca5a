"""Manage collections and their members."""

import uuid
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any

from lectern.accounts.audit.service import changes_with_before, record
from lectern.accounts.errors import ReadOnly, UserNotFound
from lectern.accounts.principals import Principal
from lectern.collections import repository
from lectern.collections.errors import (
    AmbiguousCollection,
    CollectionNotEmpty,
    CollectionNotFound,
    DefaultCollection,
    UnknownCollection,
)
from lectern.collections.schemas import CollectionCreate, CollectionResponse, CollectionUpdate, MemberResponse
from lectern.db.session import Session
from lectern.http.pagination import Page, list_page
from lectern.http.references import as_uuid, unknown_reference

_MAX_COMPARED = 2_000
_NAME_IT = "Make a key that lists the collection in `collections`."

MoveDocuments = Callable[[Session, uuid.UUID, uuid.UUID], Awaitable[int]]


def _response(row: Any, principal: Principal) -> CollectionResponse:  # noqa: ANN401 - a row of joined columns
    is_in_reach = row.is_open or not principal.is_narrowed or row.id in principal.scope.named_collections
    can_add = is_in_reach and principal.scope.documents is None and principal.can_write_to(row.id)
    return CollectionResponse.from_row(row, can_write=can_add)


async def list_collections(
    session: Session, principal: Principal, *, cursor: str | None, limit: int
) -> Page[CollectionResponse]:
    """List a page of the collections in scope, by name. Raises BrokenCursor."""
    return await list_page(
        partial(repository.list_collections, session),
        partial(_response, principal=principal),
        order="collections",
        keys={"name": str, "id": uuid.UUID},
        cursor=cursor,
        limit=limit,
    )


async def get_collection(session: Session, principal: Principal, collection_id: uuid.UUID) -> CollectionResponse:
    """Return a collection. Raises CollectionNotFound."""
    row = await repository.find(session, collection_id)
    if row is None:
        raise CollectionNotFound
    return _response(row, principal)


async def get_named_collection(session: Session, principal: Principal, name: str) -> CollectionResponse:
    """Return the collection with this id or name. Raises UnknownCollection."""
    (collection_id,) = await resolve_collections(session, [name])
    return await get_collection(session, principal, collection_id)


async def create_collection(session: Session, principal: Principal, *, wanted: CollectionCreate) -> CollectionResponse:
    """Create a collection. Raises CollectionNameTaken."""
    collection_id = await repository.add(session, **wanted.model_dump())
    await record(
        session,
        principal.actor,
        action="collection.create",
        target=f"collection:{collection_id}",
        details=wanted.model_dump(),
    )
    return await get_collection(session, principal, collection_id)


async def update_collection(
    session: Session, principal: Principal, collection_id: uuid.UUID, *, wanted: CollectionUpdate
) -> CollectionResponse:
    """Change a collection. Raises CollectionNotFound, CollectionNameTaken, DefaultCollection."""
    current = await get_collection(session, principal, collection_id)
    changes = wanted.model_dump(exclude_unset=True, exclude_none=True)
    is_default = changes.pop("is_default", None)
    if is_default is False and current.is_default:
        raise DefaultCollection("One collection must be the default.")
    if changes:
        await repository.change(session, collection_id, changes)
    if is_default:
        await repository.make_default(session, collection_id)
        changes["is_default"] = True
    target = f"collection:{collection_id}"
    details = changes_with_before(changes, current)
    await record(session, principal.actor, action="collection.update", target=target, details=details)
    return await get_collection(session, principal, collection_id)


async def delete_collection(
    session: Session,
    principal: Principal,
    collection_id: uuid.UUID,
    *,
    move_to: str | None,
    move_documents: MoveDocuments,
) -> None:
    """Delete an empty collection, or move its documents to another one first.

    Raises CollectionNotFound, UnknownCollection, CollectionNotEmpty, DefaultCollection.
    """
    collection = await get_collection(session, principal, collection_id)
    if collection.is_default:
        raise DefaultCollection
    details: dict[str, Any] = {"name": collection.name}
    if move_to is not None:
        (target_id,) = await resolve_collections(session, [move_to])
        if target_id == collection_id:
            raise CollectionNotEmpty("Documents cannot move to the deleted collection.")
        details |= {"moved_to": target_id, "moved": await move_documents(session, collection_id, target_id)}
    if not await repository.remove(session, collection_id):
        raise CollectionNotEmpty
    target = f"collection:{collection_id}"
    await record(session, principal.actor, action="collection.delete", target=target, details=details)


async def resolve_collections(session: Session, references: Sequence[str]) -> list[uuid.UUID]:
    """Resolve ids and names, in any case, to ids of collections, without duplicates.

    Raises UnknownCollection, AmbiguousCollection.
    """
    ids = [value for value in map(as_uuid, references) if value]
    rows = await repository.find_by_references(session, ids=ids, names=references)
    resolved = [_choose(reference, rows) for reference in references]
    unknown = [reference for reference, value in zip(references, resolved, strict=True) if value is None]
    if unknown:
        available = await repository.list_names(session, limit=_MAX_COMPARED)
        raise unknown_reference(UnknownCollection, unknown, noun="collection", available=available)
    return list(dict.fromkeys(value for value in resolved if value))


def _choose(reference: str, rows: Sequence[tuple[uuid.UUID, str]]) -> uuid.UUID | None:
    """Return the collection with this id, this name, or this name in another case, in that order."""
    by_id, by_name = dict(rows), {name: one for one, name in rows}
    wanted = as_uuid(reference)
    if wanted in by_id or reference in by_name:
        return wanted if wanted in by_id else by_name[reference]
    alike = {name: one for one, name in rows if name.lower() == reference.lower()}
    if len(alike) > 1:
        raise AmbiguousCollection(hint=f"Write the name as it is: {', '.join(map(repr, sorted(alike)))}.")
    return next(iter(alike.values()), None)


async def choose_collection(session: Session, principal: Principal, reference: str | None) -> uuid.UUID:
    """Return the given or the default collection for a new document.

    A key that tags or documents limit may add to open collections, and to closed ones that it names.
    Raises UnknownCollection, ReadOnly.
    """
    if reference is not None:
        (collection_id,) = await resolve_collections(session, [reference])
    else:
        default_id = await repository.find_default(session)
        if default_id is None:
            hint = _NAME_IT if principal.is_narrowed else "Set `collection`."
            raise UnknownCollection("You have no access to the default collection.", hint=hint)
        collection_id = default_id
    principal.require_writing_to([collection_id])
    if principal.is_narrowed and collection_id not in principal.scope.named_collections:
        collection = await get_collection(session, principal, collection_id)
        if not collection.is_open:
            raise ReadOnly("This key does not name this closed collection.", hint=_NAME_IT)
    return collection_id


async def list_members(session: Session, principal: Principal, collection_id: uuid.UUID) -> list[MemberResponse]:
    """List the members of a collection. Raises CollectionNotFound."""
    await get_collection(session, principal, collection_id)
    return [MemberResponse.model_validate(row) for row in await repository.list_members(session, collection_id)]


async def put_member(
    session: Session, principal: Principal, collection_id: uuid.UUID, user_id: uuid.UUID, *, can_write: bool
) -> list[MemberResponse]:
    """Add or change a member. Raises CollectionNotFound, UserNotFound."""
    await get_collection(session, principal, collection_id)
    if not await repository.put_member(session, collection_id, user_id, can_write=can_write):
        raise UserNotFound
    details = {"user_id": user_id, "can_write": can_write}
    target = f"collection:{collection_id}"
    await record(session, principal.actor, action="collection.put_member", target=target, details=details)
    return await list_members(session, principal, collection_id)


async def remove_member(session: Session, principal: Principal, collection_id: uuid.UUID, user_id: uuid.UUID) -> None:
    """Remove a member. Raises CollectionNotFound, UserNotFound."""
    await get_collection(session, principal, collection_id)
    if not await repository.remove_member(session, collection_id, user_id):
        raise UserNotFound("This user is not a member.")
    target, details = f"collection:{collection_id}", {"user_id": user_id}
    await record(session, principal.actor, action="collection.remove_member", target=target, details=details)
