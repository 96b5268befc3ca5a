"""`/keys`: manage and introspect API keys."""

import uuid
from typing import Annotated

from fastapi import APIRouter, Depends, Request

from lectern.accounts.dependencies import (
    CurrentAccounts,
    CurrentDatabase,
    CurrentSettings,
    Person,
    SystemSession,
    from_app,
    require_service,
)
from lectern.accounts.keys import connection, service
from lectern.accounts.keys.schemas import (
    ApiKeyCreate,
    ApiKeyCreated,
    ApiKeyResponse,
    ApiKeyRotate,
    ApiKeyUpdate,
    IntrospectRequest,
    KeyIntrospection,
    KeyPolicyResponse,
    KeyTestResponse,
    KeyViewResponse,
)
from lectern.accounts.keys.service import ResolveReferences
from lectern.db.scope import SYSTEM_SCOPE
from lectern.http.addresses import find_mcp_target, public_address
from lectern.http.page_parameters import CursorParameter, Limit
from lectern.http.pagination import Page

router = APIRouter(prefix="/api/v1/keys", tags=["keys"])


Resolver = Annotated[ResolveReferences, from_app("resolve_references")]


@router.get("")
async def list_api_keys(
    principal: Person, session: SystemSession, cursor: CursorParameter = None, limit: Limit = 50
) -> Page[ApiKeyResponse]:
    """List the caller's keys. Administrators see all keys."""
    return await service.list_keys(session, principal, cursor=cursor, limit=limit)


@router.post("", status_code=201)
async def create_api_key(
    body: ApiKeyCreate, principal: Person, database: CurrentDatabase, resolve: Resolver, accounts: CurrentAccounts
) -> ApiKeyCreated:
    """Create a key. Its permissions never exceed those of its creator, now or later."""
    wanted = await service.prepare_key(database, principal, body, resolve=resolve)
    max_days = accounts.settings.key_max_days
    async with database.session(SYSTEM_SCOPE) as session:
        return await service.create_key(session, principal, wanted=wanted, max_days=max_days)


@router.get("/policy")
async def get_key_policy(_: Person, accounts: CurrentAccounts) -> KeyPolicyResponse:
    """Get the longest lifetime of keys, and what each toolset permits."""
    return service.describe_policy(max_days=accounts.settings.key_max_days)


@router.get("/{key_id}")
async def get_api_key(key_id: uuid.UUID, principal: Person, session: SystemSession) -> ApiKeyResponse:
    """Get one key without its secret."""
    return ApiKeyResponse.model_validate(await service.get_key(session, principal, key_id))


@router.patch("/{key_id}")
async def update_api_key(
    key_id: uuid.UUID, body: ApiKeyUpdate, principal: Person, session: SystemSession
) -> ApiKeyResponse:
    """Change the name, toolsets or allowed networks of a key."""
    return await service.update_key(session, principal, key_id, wanted=body)


@router.post("/{key_id}/rotate")
async def rotate_api_key(
    key_id: uuid.UUID,
    principal: Person,
    session: SystemSession,
    accounts: CurrentAccounts,
    body: ApiKeyRotate | None = None,
) -> ApiKeyCreated:
    """Give a key a new secret. The old one keeps working for `overlap_hours`."""
    wanted, max_days = body or ApiKeyRotate(), accounts.settings.key_max_days
    return await service.rotate_key(session, principal, key_id, wanted=wanted, max_days=max_days)


@router.get("/{key_id}/view")
async def view_api_key(key_id: uuid.UUID, principal: Person, database: CurrentDatabase) -> KeyViewResponse:
    """Count what a key sees, and list what it may do."""
    async with database.session(SYSTEM_SCOPE) as session:
        key = await service.get_key_principal(session, principal, key_id)
    async with database.session(key.scope) as session:
        return await service.describe_view(session, key)


@router.post("/{key_id}/test")
async def test_api_key(
    key_id: uuid.UUID,
    principal: Person,
    database: CurrentDatabase,
    accounts: CurrentAccounts,
    settings: CurrentSettings,
) -> KeyTestResponse:
    """List the tools that a key sees over MCP, and measure a call. This server makes the calls."""
    async with database.session(SYSTEM_SCOPE) as session:
        await service.get_key_principal(session, principal, key_id)
    target = find_mcp_target(http=settings.http, mcp_port=settings.embedded.mcp_port)
    return await connection.call_mcp(target, connection.sign_test_token(accounts.tokens, principal, key_id))


@router.delete("/{key_id}", status_code=204)
async def revoke_api_key(key_id: uuid.UUID, principal: Person, session: SystemSession) -> None:
    """Revoke a key."""
    await service.revoke_key(session, principal, key_id)


@router.post("/introspect", dependencies=[Depends(require_service)])
async def introspect_api_key(
    body: IntrospectRequest, request: Request, database: CurrentDatabase, accounts: CurrentAccounts
) -> KeyIntrospection:
    """Get the permissions of a key. Only for services of this installation."""
    web_url = public_address(str(request.base_url), http=request.app.state.settings.http)
    async with database.session(SYSTEM_SCOPE) as session:
        return await service.introspect(session, body.key, tokens=accounts.tokens, client=body.client, web_url=web_url)
