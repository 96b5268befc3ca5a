"""`/collections`: manage collections and their members."""

import uuid
from typing import Annotated

from fastapi import APIRouter, Query

from lectern.accounts.dependencies import Admin, CurrentPrincipal, ScopedSession, SystemSession, from_app
from lectern.collections import service
from lectern.collections.schemas import (
    CollectionCreate,
    CollectionResponse,
    CollectionUpdate,
    MemberResponse,
    MemberUpdate,
)
from lectern.http.page_parameters import CursorParameter, Limit
from lectern.http.pagination import Page

router = APIRouter(prefix="/api/v1/collections", tags=["collections"])


@router.get("")
async def list_collections(
    principal: CurrentPrincipal, session: ScopedSession, cursor: CursorParameter = None, limit: Limit = 50
) -> Page[CollectionResponse]:
    """List the collections in the caller's scope."""
    return await service.list_collections(session, principal, cursor=cursor, limit=limit)


@router.post("", status_code=201)
async def create_collection(body: CollectionCreate, principal: Admin, session: SystemSession) -> CollectionResponse:
    """Create a collection. Administrators only."""
    return await service.create_collection(session, principal, wanted=body)


@router.get("/named")
async def get_named_collection(
    principal: CurrentPrincipal,
    session: ScopedSession,
    name: Annotated[str, Query(min_length=1, max_length=500, description="Id or name.")],
) -> CollectionResponse:
    """Get the collection that a name refers to. No match is an error that lists close names."""
    return await service.get_named_collection(session, principal, name)


@router.get("/{collection_id}")
async def get_collection(
    collection_id: uuid.UUID, principal: CurrentPrincipal, session: ScopedSession
) -> CollectionResponse:
    """Get one collection."""
    return await service.get_collection(session, principal, collection_id)


@router.patch("/{collection_id}")
async def update_collection(
    collection_id: uuid.UUID, body: CollectionUpdate, principal: Admin, session: SystemSession
) -> CollectionResponse:
    """Change the name, description or access of a collection, or make it the default. Administrators only."""
    return await service.update_collection(session, principal, collection_id, wanted=body)


@router.delete("/{collection_id}", status_code=204)
async def delete_collection(
    collection_id: uuid.UUID,
    principal: Admin,
    session: SystemSession,
    move_documents: Annotated[service.MoveDocuments, from_app("move_documents")],
    move_to: Annotated[
        str | None, Query(max_length=500, description="Id or name of the collection that gets the documents.")
    ] = None,
) -> None:
    """Delete an empty collection, or move its documents first. Administrators only."""
    await service.delete_collection(session, principal, collection_id, move_to=move_to, move_documents=move_documents)


@router.get("/{collection_id}/members")
async def list_collection_members(
    collection_id: uuid.UUID, principal: Admin, session: SystemSession
) -> list[MemberResponse]:
    """List the members of a collection. Administrators only."""
    return await service.list_members(session, principal, collection_id)


@router.put("/{collection_id}/members/{user_id}")
async def put_collection_member(
    collection_id: uuid.UUID, user_id: uuid.UUID, body: MemberUpdate, principal: Admin, session: SystemSession
) -> list[MemberResponse]:
    """Give a user access to a closed collection. Administrators only."""
    return await service.put_member(session, principal, collection_id, user_id, can_write=body.can_write)


@router.delete("/{collection_id}/members/{user_id}", status_code=204)
async def remove_collection_member(
    collection_id: uuid.UUID, user_id: uuid.UUID, principal: Admin, session: SystemSession
) -> None:
    """Remove a user's access to a closed collection. Administrators only."""
    await service.remove_member(session, principal, collection_id, user_id)
