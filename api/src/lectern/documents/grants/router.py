"""`/documents/{id}/grants`, `/tags/{id}/grants`: documents and tags that are shared with people, and their owners."""

import uuid

from fastapi import APIRouter

from lectern.accounts.dependencies import Admin, Person, ScopedSession, SystemSession
from lectern.documents.grants import service, tag_service
from lectern.documents.grants.schemas import (
    DocumentGrantsResponse,
    GrantCreate,
    OwnershipTransferred,
    OwnerUpdate,
    TagGrantsResponse,
)

router = APIRouter(prefix="/api/v1/documents/{document_id}/grants", tags=["documents"])
tag_router = APIRouter(prefix="/api/v1/tags/{tag_id}/grants", tags=["tags"])
user_router = APIRouter(prefix="/api/v1/users/{user_id}", tags=["users"])


@router.get("")
async def list_document_grants(
    document_id: uuid.UUID, principal: Person, session: ScopedSession
) -> DocumentGrantsResponse:
    """List who may read a document. For its owner, editors of its collection and administrators."""
    return await service.list_grants(session, principal, document_id)


@router.put("")
async def put_document_grant(
    document_id: uuid.UUID, body: GrantCreate, principal: Person, session: ScopedSession
) -> DocumentGrantsResponse:
    """Let a person read a document, now or once they have an account."""
    return await service.add_grant(session, principal, document_id, email=body.email)


@router.put("/owner")
async def put_document_owner(
    document_id: uuid.UUID, body: OwnerUpdate, principal: Admin, session: ScopedSession
) -> DocumentGrantsResponse:
    """Change the owner of a document. Its grants stay. For administrators."""
    return await service.set_owner(session, principal, document_id, email=body.email)


@router.delete("/{grant_id}", status_code=204)
async def delete_document_grant(
    document_id: uuid.UUID, grant_id: uuid.UUID, principal: Person, session: ScopedSession
) -> None:
    """Take a grant back. The person loses access with the next request."""
    await service.remove_grant(session, principal, document_id, grant_id)


@tag_router.get("")
async def list_tag_grants(tag_id: uuid.UUID, principal: Person, session: ScopedSession) -> TagGrantsResponse:
    """List with whom you share the documents of a tag. Administrators see what everybody shares."""
    return await tag_service.list_grants(session, principal, tag_id)


@tag_router.put("")
async def put_tag_grant(
    tag_id: uuid.UUID, body: GrantCreate, principal: Person, session: ScopedSession
) -> TagGrantsResponse:
    """Let a person read the documents of a tag that you may share, and those that get the tag later."""
    return await tag_service.add_grant(session, principal, tag_id, email=body.email)


@tag_router.put("/owner")
async def put_tag_owner(
    tag_id: uuid.UUID, body: OwnerUpdate, principal: Admin, session: ScopedSession
) -> TagGrantsResponse:
    """Change the owner of a tag. Its grants stay. For administrators."""
    return await tag_service.set_owner(session, principal, tag_id, email=body.email)


@tag_router.delete("/{grant_id}", status_code=204)
async def delete_tag_grant(tag_id: uuid.UUID, grant_id: uuid.UUID, principal: Person, session: ScopedSession) -> None:
    """Take a grant back. The person loses access with the next request."""
    await tag_service.remove_grant(session, principal, tag_id, grant_id)


@user_router.post("/transfer")
async def transfer_ownership(
    user_id: uuid.UUID, body: OwnerUpdate, principal: Admin, session: SystemSession
) -> OwnershipTransferred:
    """Give the documents and tags that a user owns to another account. Grants stay. For administrators."""
    return await service.transfer_ownership(session, principal, user_id, email=body.email)
