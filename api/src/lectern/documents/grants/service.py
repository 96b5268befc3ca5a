"""Grants and owners: share a document, list who may read it, take a grant back, and change or transfer owners."""

import uuid
from typing import Final

from lectern.accounts.audit.service import record
from lectern.accounts.errors import ReadOnly
from lectern.accounts.principals import Principal
from lectern.accounts.users.service import get_user
from lectern.db.session import Session, elevated
from lectern.documents.errors import DocumentNotFound, GrantNotFound, UnknownAccount
from lectern.documents.grants import repository
from lectern.documents.grants.repository import SharedDocument
from lectern.documents.grants.schemas import (
    DocumentGrantsResponse,
    GrantResponse,
    OwnerResponse,
    OwnershipTransferred,
    TagShareResponse,
)
from lectern.documents.models import Document, DocumentGrant
from lectern.errors import InvalidRequest
from lectern.tags.models import Tag

MAX_GRANTS: Final = 100  # of one document


async def list_grants(session: Session, principal: Principal, document_id: uuid.UUID) -> DocumentGrantsResponse:
    """Return who may read a document. Raises DocumentNotFound, ReadOnly."""
    document = await _find_shareable(session, principal, document_id)
    async with elevated(session, principal.scope):
        return await _present(session, document)


async def add_grant(
    session: Session, principal: Principal, document_id: uuid.UUID, *, email: str
) -> DocumentGrantsResponse:
    """Share a document with a person. Raises DocumentNotFound, ReadOnly, InvalidRequest."""
    document = await _find_shareable(session, principal, document_id)
    async with elevated(session, principal.scope):
        if await repository.add_grant(
            session, DocumentGrant, document_id=document_id, email=email, granted_by=principal.actor
        ):
            if await repository.count_grants(session, DocumentGrant, document_id=document_id) > MAX_GRANTS:
                raise InvalidRequest(
                    f"A document can be shared with at most {MAX_GRANTS} people.",
                    hint="Move it to a collection of which they are members.",
                )
            await _record(session, principal, document_id, email, action="document.share")
        return await _present(session, document)


async def set_owner(
    session: Session, principal: Principal, document_id: uuid.UUID, *, email: str
) -> DocumentGrantsResponse:
    """Change the owner of a document. Raises DocumentNotFound, UnknownAccount.

    For administrators, because the response says whether there is such an account.
    """
    document = await _find_shareable(session, principal, document_id)
    async with elevated(session, principal.scope):
        owner_id = await find_new_owner(session, email)
        if await repository.set_owner(session, Document, owner_id, ids=[document_id]):
            await _record(session, principal, document_id, email, action="document.change_owner")
        return await _present(session, document._replace(owner_id=owner_id))


async def remove_grant(session: Session, principal: Principal, document_id: uuid.UUID, grant_id: uuid.UUID) -> None:
    """Take a grant back. Raises DocumentNotFound, ReadOnly, GrantNotFound."""
    await _find_shareable(session, principal, document_id)
    async with elevated(session, principal.scope):
        email = await repository.remove_grant(session, DocumentGrant, document_id=document_id, id=grant_id)
        if email is None:
            raise GrantNotFound
        await _record(session, principal, document_id, email, action="document.unshare")


async def _find_shareable(session: Session, principal: Principal, document_id: uuid.UUID) -> SharedDocument:
    """Return a document that the principal may share: its owner, editors of its collection and administrators."""
    document = await repository.find_document(session, document_id)
    if document is None:
        raise DocumentNotFound
    if document.owner_id != principal.user_id and not principal.can_write_to(document.collection_id):
        raise ReadOnly(
            "You may not share this document.", hint="Ask its owner or an editor of its collection to share it."
        )
    return document


async def _present(session: Session, document: SharedDocument) -> DocumentGrantsResponse:
    return DocumentGrantsResponse(
        owner=await present_owner(session, document.owner_id),
        collection=document.collection,
        is_collection_open=document.is_open,
        grants=[GrantResponse.model_validate(grant) for grant in await repository.list_grants(session, document.id)],
        tag_shares=[
            TagShareResponse.model_validate(share) for share in await repository.list_tag_shares(session, document.id)
        ],
    )


async def _record(session: Session, principal: Principal, document_id: uuid.UUID, email: str, *, action: str) -> None:
    target, details = f"document:{document_id}", {"email": email}
    await record(session, principal.actor, action=action, target=target, details=details)


async def find_new_owner(session: Session, email: str) -> uuid.UUID:
    """Return the account with an address, for administrators only. Needs a system session. Raises UnknownAccount."""
    user = await repository.find_active_user(session, email)
    if user is None:
        raise UnknownAccount
    return user.id


async def present_owner(session: Session, owner_id: uuid.UUID | None) -> OwnerResponse | None:
    """Return the address and name of an owner. Needs a system session."""
    owner = await repository.find_user(session, owner_id)
    return None if owner is None else OwnerResponse(email=owner.email, name=owner.name)


async def transfer_ownership(
    session: Session, principal: Principal, user_id: uuid.UUID, *, email: str
) -> OwnershipTransferred:
    """Give the documents and tags of an account to another. Grants stay. Needs a system session.

    Raises UserNotFound, UnknownAccount.
    """
    await get_user(session, user_id)
    owner_id = await find_new_owner(session, email)
    await repository.allow_long_statements(session)
    documents = await repository.set_owner(session, Document, owner_id, former_id=user_id)
    tags = await repository.set_owner(session, Tag, owner_id, former_id=user_id)
    if documents or tags:
        details = {"email": email, "documents": documents, "tags": tags}
        await record(session, principal.actor, action="user.transfer", target=f"user:{user_id}", details=details)
    return OwnershipTransferred(documents=documents, tags=tags)
