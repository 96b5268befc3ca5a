"""`/keys`: manage and introspect API keys."""

import uuid
from typing import Annotated

from fastapi import APIRouter, Depends, Request

from lectern.accounts.dependencies import CurrentDatabase, Person, SystemSession, require_service
from lectern.accounts.errors import ScopeNotYours
from lectern.accounts.keys import service
from lectern.accounts.keys.schemas import (
    ApiKeyCreate,
    ApiKeyCreated,
    ApiKeyRename,
    ApiKeyResponse,
    IntrospectRequest,
    KeyIntrospection,
)
from lectern.accounts.keys.service import ResolveReferences, ScopeReferences
from lectern.db.scope import SYSTEM_SCOPE
from lectern.http.pagination import CursorParameter, Limit, Page

router = APIRouter(prefix="/api/v1/keys", tags=["keys"])


async def get_resolver(request: Request) -> ResolveReferences:
    """Return the resolver of the application."""
    return request.app.state.resolve_references


Resolver = Annotated[ResolveReferences, Depends(get_resolver)]


@router.get("")
async def list_api_keys(
    principal: Person, session: SystemSession, cursor: CursorParameter = None, limit: Limit = 50
) -> Page[ApiKeyResponse]:
    """List the caller's keys. Administrators see all keys."""
    return await service.list_keys(session, principal, cursor=cursor, limit=limit)


@router.post("", status_code=201)
async def create_api_key(
    body: ApiKeyCreate, principal: Person, database: CurrentDatabase, resolve: Resolver
) -> ApiKeyCreated:
    """Create a key. Its permissions never exceed those of its creator, now or later."""
    if body.can_write and not principal.scope.can_write:
        raise ScopeNotYours("Only a user with write access can create a key that can write.")
    async with database.session(principal.scope) as session:
        ids = await resolve(session, ScopeReferences(body.tags, body.documents, body.collections))
    wanted = service.NewKey(
        name=body.name,
        can_write=body.can_write,
        toolsets=body.toolsets,
        collection_ids=ids.collections,
        tag_ids=ids.tags,
        document_ids=ids.documents,
        expires_at=body.expires_at,
    )
    async with database.session(SYSTEM_SCOPE) as session:
        return await service.create_key(session, actor=principal.actor, created_by=principal.user_id, wanted=wanted)


@router.get("/{key_id}")
async def get_api_key(key_id: uuid.UUID, principal: Person, session: SystemSession) -> ApiKeyResponse:
    """Get one key without its secret."""
    return ApiKeyResponse.model_validate(await service.get_key(session, principal, key_id))


@router.patch("/{key_id}")
async def rename_api_key(
    key_id: uuid.UUID, body: ApiKeyRename, principal: Person, session: SystemSession
) -> ApiKeyResponse:
    """Rename a key."""
    return await service.rename_key(session, principal, key_id, name=body.name)


@router.delete("/{key_id}", status_code=204)
async def revoke_api_key(key_id: uuid.UUID, principal: Person, session: SystemSession) -> None:
    """Revoke a key."""
    await service.revoke_key(session, principal, key_id)


@router.post("/introspect", dependencies=[Depends(require_service)])
async def introspect_api_key(body: IntrospectRequest, database: CurrentDatabase) -> KeyIntrospection:
    """Get the permissions of a key. Only for services of this installation."""
    async with database.session(SYSTEM_SCOPE) as session:
        return await service.introspect(session, body.key)
