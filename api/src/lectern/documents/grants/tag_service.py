"""Grants of tags: share the documents with a tag, those of today and those that get it later.

A grant covers the documents that whoever shared may share, as long as they may
(db/sql/functions/access/granted_documents.sql). To own a tag adds none to them.
"""

import uuid
from typing import Final

from lectern.accounts.audit.service import record
from lectern.accounts.errors import ReadOnly
from lectern.accounts.principals import Principal
from lectern.db.session import Session, elevated
from lectern.documents.errors import GrantNotFound
from lectern.documents.grants import repository
from lectern.documents.grants.schemas import TagGrantResponse, TagGrantsResponse
from lectern.documents.grants.service import find_new_owner, present_owner
from lectern.documents.models import TagGrant
from lectern.errors import InvalidRequest
from lectern.tags.errors import TagNotFound
from lectern.tags.models import Tag
from lectern.tags.service import get_tag

MAX_GRANTS: Final = 100  # of one tag, by one person


async def list_grants(session: Session, principal: Principal, tag_id: uuid.UUID) -> TagGrantsResponse:
    """Return with whom the caller shares a tag. Raises TagNotFound, ReadOnly."""
    user_id = await _require_sharing(session, principal, tag_id)
    return await _present(session, principal, tag_id, user_id=user_id)


async def add_grant(session: Session, principal: Principal, tag_id: uuid.UUID, *, email: str) -> TagGrantsResponse:
    """Share a tag with a person. Raises TagNotFound, ReadOnly, InvalidRequest."""
    user_id = await _require_sharing(session, principal, tag_id)
    async with elevated(session, principal.scope):
        if not await repository.keep_tag(session, tag_id, actor=principal.actor):
            raise TagNotFound
        if await repository.add_grant(session, TagGrant, tag_id=tag_id, email=email, granted_by=user_id):
            if await repository.count_grants(session, TagGrant, tag_id=tag_id, granted_by=user_id) > MAX_GRANTS:
                raise InvalidRequest(
                    f"A tag can be shared with at most {MAX_GRANTS} people.",
                    hint="Move its documents to a collection of which they are members.",
                )
            await _record(session, principal, tag_id, email, action="tag.share")
    return await _present(session, principal, tag_id, user_id=user_id)


async def set_owner(session: Session, principal: Principal, tag_id: uuid.UUID, *, email: str) -> TagGrantsResponse:
    """Change the owner of a tag. For administrators. Raises TagNotFound, InvalidRequest."""
    user_id = await _require_sharing(session, principal, tag_id)
    async with elevated(session, principal.scope):
        owner_id = await find_new_owner(session, email)
        if await repository.set_owner(session, Tag, owner_id, ids=[tag_id]):
            await _record(session, principal, tag_id, email, action="tag.change_owner")
    return await _present(session, principal, tag_id, user_id=user_id)


async def remove_grant(session: Session, principal: Principal, tag_id: uuid.UUID, grant_id: uuid.UUID) -> None:
    """Take a grant back. Raises TagNotFound, ReadOnly, GrantNotFound."""
    user_id = await _require_sharing(session, principal, tag_id)
    async with elevated(session, principal.scope):
        own = {} if principal.is_admin else {"granted_by": user_id}
        email = await repository.remove_grant(session, TagGrant, tag_id=tag_id, id=grant_id, **own)
        if email is None:
            raise GrantNotFound(
                "This tag has no grant with this id.", hint="It may have been removed. List its grants again."
            )
        await _record(session, principal, tag_id, email, action="tag.unshare")


async def _require_sharing(session: Session, principal: Principal, tag_id: uuid.UUID) -> uuid.UUID:
    """Return the account of a person who sees the tag, and owns it or may change documents."""
    user_id = principal.require_person()
    tag = await get_tag(session, tag_id)
    if not tag.is_owner and not principal.scope.can_write:
        raise ReadOnly("You may not share this tag.", hint="Ask an editor of the collection to share its documents.")
    return user_id


async def _present(
    session: Session, principal: Principal, tag_id: uuid.UUID, *, user_id: uuid.UUID
) -> TagGrantsResponse:
    writable = principal.writable_collections
    documents = await repository.count_shareable(session, tag_id, writable=writable, owner_id=user_id)
    async with elevated(session, principal.scope):
        by = None if principal.is_admin else user_id
        rows = await repository.list_tag_grants(session, tag_id, granted_by=by)
        owner_id = await repository.find_tag_owner(session, tag_id)
        # Others may use the tag out of sight, so the caller may have no way to know of its owner.
        owner = await present_owner(session, owner_id) if principal.is_admin or owner_id == user_id else None
    grants = [TagGrantResponse.model_validate(row) for row in rows]
    return TagGrantsResponse(owner=owner, documents=documents, grants=grants)


async def _record(session: Session, principal: Principal, tag_id: uuid.UUID, email: str, *, action: str) -> None:
    await record(session, principal.actor, action=action, target=f"tag:{tag_id}", details={"email": email})
