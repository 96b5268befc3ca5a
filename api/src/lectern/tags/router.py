"""`/tags`: list, create, change, merge and delete."""

import uuid
from typing import Annotated

from fastapi import APIRouter, Query

from lectern.accounts.dependencies import CurrentPrincipal, ScopedSession, Writer
from lectern.http.page_parameters import CursorParameter, Limit
from lectern.http.pagination import Page
from lectern.tags import service
from lectern.tags.schemas import TagCreate, TagMerge, TagMerged, TagResponse, TagSort, TagUpdate

router = APIRouter(prefix="/api/v1/tags", tags=["tags"])


@router.get("")
async def list_tags(
    _: CurrentPrincipal,
    session: ScopedSession,
    sort: TagSort = "name",
    q: Annotated[str | None, Query(min_length=1, max_length=100, description="Part of the name.")] = None,
    cursor: CursorParameter = None,
    limit: Limit = 50,
) -> Page[TagResponse]:
    """List the tags in the caller's scope with their document counts."""
    return await service.list_tags(session, sort=sort, matching=q, cursor=cursor, limit=limit)


@router.post("", status_code=201)
async def create_tag(body: TagCreate, principal: Writer, session: ScopedSession) -> TagResponse:
    """Create a tag."""
    return await service.create_tag(session, principal, wanted=body)


@router.get("/{tag_id}")
async def get_tag(tag_id: uuid.UUID, _: CurrentPrincipal, session: ScopedSession) -> TagResponse:
    """Get one tag."""
    return await service.get_tag(session, tag_id)


@router.patch("/{tag_id}")
async def update_tag(tag_id: uuid.UUID, body: TagUpdate, principal: Writer, session: ScopedSession) -> TagResponse:
    """Change the name, colour or description of a tag."""
    return await service.update_tag(session, principal, tag_id, wanted=body)


@router.delete("/{tag_id}", status_code=204)
async def delete_tag(tag_id: uuid.UUID, principal: Writer, session: ScopedSession) -> None:
    """Delete a tag and remove it from every document."""
    await service.delete_tag(session, principal, tag_id)


@router.post("/{tag_id}/merge")
async def merge_tags(tag_id: uuid.UUID, body: TagMerge, principal: Writer, session: ScopedSession) -> TagMerged:
    """Merge other tags into this one."""
    return await service.merge_tags(session, principal, tag_id, references=body.tags)
