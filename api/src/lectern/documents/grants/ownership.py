"""Owners of documents and tags: find the account that becomes the owner, and give it all that another account owns."""

import uuid

from lectern.accounts.audit.service import record
from lectern.accounts.principals import Principal
from lectern.accounts.users.service import get_user
from lectern.db.session import Session
from lectern.documents.grants import repository
from lectern.documents.grants.schemas import OwnerResponse, OwnershipTransferred
from lectern.documents.models import Document
from lectern.errors import InvalidRequest
from lectern.tags.models import Tag


async def find_new_owner(session: Session, email: str) -> uuid.UUID:
    """Return the account with an address, for administrators only. Needs a system session. Raises InvalidRequest."""
    user = await repository.find_active_user(session, email)
    if user is None:
        raise InvalidRequest("No active account has this address.", hint="See *Users*, or run `lectern users list`.")
    return user.id


async def present_owner(session: Session, owner_id: uuid.UUID | None) -> OwnerResponse | None:
    """Return the address and name of an owner. Needs a system session."""
    owner = await repository.find_user(session, owner_id)
    return None if owner is None else OwnerResponse(email=owner.email, name=owner.name)


async def transfer_ownership(
    session: Session, principal: Principal, user_id: uuid.UUID, *, email: str
) -> OwnershipTransferred:
    """Give the documents and tags of an account to another. Grants stay. Needs a system session.

    Raises UserNotFound, InvalidRequest.
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
