"""`/oauth` and its metadata: connect MCP clients with OAuth 2.1. The consent screen is a page of the web UI."""

from collections import Counter
from dataclasses import replace
from typing import Annotated, Any, Final, get_args
from urllib.parse import parse_qsl

from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi.responses import JSONResponse

from lectern.accounts.dependencies import CurrentAccounts, CurrentDatabase, CurrentSettings, Person, from_app
from lectern.accounts.errors import OAuthError
from lectern.accounts.keys.router import Resolver
from lectern.accounts.keys.service import prepare_key
from lectern.accounts.oauth import service
from lectern.accounts.oauth.clients import FetchDocument, find_client, register_client
from lectern.accounts.oauth.schemas import (
    AuthorizationDecision,
    AuthorizationPreview,
    AuthorizationRedirect,
    AuthorizationRequest,
    AuthorizationServerMetadata,
    ProtectedResourceMetadata,
    RegisteredClient,
    TokenResponse,
)
from lectern.accounts.toolsets import Toolset
from lectern.db.scope import SYSTEM_SCOPE
from lectern.http.addresses import mcp_address, public_address

PREFIX: Final = "/api/v1/oauth"
CONSENT_PATH: Final = "/oauth/authorize"
NO_STORE: Final = {"Cache-Control": "no-store", "Pragma": "no-cache"}
_SCOPES: Final = list(get_args(Toolset))

router = APIRouter(prefix=PREFIX, tags=["oauth"])
metadata_router = APIRouter(prefix="/.well-known", tags=["oauth"])


def _form_body(*names: str) -> dict[str, Any]:
    """Describe a form for OpenAPI."""
    schema = {"type": "object", "properties": {name: {"type": "string"} for name in names}}
    return {"requestBody": {"content": {"application/x-www-form-urlencoded": {"schema": schema}}, "required": True}}


_REGISTRATION: Final[dict[str, Any]] = {
    "requestBody": {
        "content": {
            "application/json": {
                "schema": {
                    "type": "object",
                    "required": ["redirect_uris"],
                    "properties": {
                        "redirect_uris": {"type": "array", "items": {"type": "string"}},
                        "client_name": {"type": "string"},
                    },
                }
            }
        },
        "required": True,
    }
}


async def oauth_error_response(_: Request, error: Exception) -> JSONResponse:
    """Render an error for a client."""
    assert isinstance(error, OAuthError)
    return JSONResponse({"error": error.code, "error_description": error.description}, 400, headers=NO_STORE)


async def get_addresses(request: Request, settings: CurrentSettings) -> service.Addresses:
    """Return the issuer and the audience of tokens."""
    asked_at = str(request.base_url)
    resource = mcp_address(asked_at, http=settings.http, mcp_port=settings.embedded.mcp_port)
    return service.Addresses(public_address(asked_at, http=settings.http), resource)


async def read_form(request: Request) -> dict[str, str]:
    """Parse a form. Raises OAuthError for a repeated parameter."""
    try:
        pairs = parse_qsl((await request.body()).decode(), keep_blank_values=True, max_num_fields=50)
    except ValueError:
        raise OAuthError("invalid_request", "Send application/x-www-form-urlencoded.") from None
    if any(count > 1 for count in Counter(name for name, _ in pairs).values()):
        raise OAuthError("invalid_request", "Send each parameter once.")
    return dict(pairs)


CurrentAddresses = Annotated[service.Addresses, Depends(get_addresses)]
Fetch = Annotated[FetchDocument, from_app("fetch_client_document")]
Form = Annotated[dict[str, str], Depends(read_form)]


@metadata_router.get("/oauth-authorization-server")
async def get_authorization_server_metadata(addresses: CurrentAddresses) -> AuthorizationServerMetadata:
    """Get the addresses and abilities of the authorization server (RFC 8414)."""
    base = addresses.issuer
    return AuthorizationServerMetadata(
        issuer=base,
        authorization_endpoint=base + CONSENT_PATH,
        token_endpoint=f"{base}{PREFIX}/token",
        registration_endpoint=f"{base}{PREFIX}/register",
        revocation_endpoint=f"{base}{PREFIX}/revoke",
        scopes_supported=[*_SCOPES, service.WRITE],
    )


@metadata_router.get("/oauth-protected-resource")
@metadata_router.get("/oauth-protected-resource/{_:path}", include_in_schema=False)
async def get_protected_resource_metadata(addresses: CurrentAddresses) -> ProtectedResourceMetadata:
    """Get the MCP service as a protected resource (RFC 9728). The MCP service has it too."""
    return ProtectedResourceMetadata(
        resource=addresses.resource, authorization_servers=[addresses.issuer], scopes_supported=_SCOPES
    )


@router.post("/register", status_code=201, openapi_extra=_REGISTRATION)
async def register_oauth_client(request: Request, response: Response, accounts: CurrentAccounts) -> RegisteredClient:
    """Register a client (RFC 7591). Anybody may, as often in 15 minutes as sign-in may fail."""
    response.headers.update(NO_STORE)
    ip = request.client.host if request.client else ""
    return await register_client(accounts, await request.body(), ip=ip)


@router.get("/authorization")
async def preview_authorization(
    wanted: Annotated[AuthorizationRequest, Query()],
    _: Person,
    accounts: CurrentAccounts,
    addresses: CurrentAddresses,
    fetch: Fetch,
) -> AuthorizationPreview:
    """Get the client that asks for access, and what it asks for."""
    client = await find_client(accounts, wanted.client_id, fetch=fetch)
    return service.preview(client, wanted, addresses)


@router.post("/authorization")
async def decide_authorization(
    body: AuthorizationDecision,
    principal: Person,
    accounts: CurrentAccounts,
    database: CurrentDatabase,
    addresses: CurrentAddresses,
    fetch: Fetch,
    resolve: Resolver,
) -> AuthorizationRedirect:
    """Give a client a key with the chosen limits, or refuse. The browser must go to `redirect_to`."""
    request = body.request
    client = await find_client(accounts, request.client_id, fetch=fetch)
    service.check_redirect(client, request)
    fault = service.find_fault(request, addresses)
    if body.key is None or fault is not None:
        error = fault or OAuthError("access_denied", "The person refused.")
        return AuthorizationRedirect(redirect_to=service.build_error_redirect(request, addresses, error))
    wanted = await prepare_key(database, principal, body.key, resolve=resolve)
    wanted = replace(wanted, client_id=client.id, client_name=client.name)
    max_days = accounts.settings.key_max_days
    async with database.session(SYSTEM_SCOPE) as session:
        code = await service.create_code(session, principal, request, wanted=wanted, max_days=max_days)
    return AuthorizationRedirect(redirect_to=service.build_redirect(request, addresses, {"code": code}))


@router.post(
    "/token",
    openapi_extra=_form_body(
        "grant_type", "client_id", "code", "redirect_uri", "code_verifier", "refresh_token", "resource"
    ),
)
async def exchange_oauth_token(
    form: Form, response: Response, accounts: CurrentAccounts, addresses: CurrentAddresses
) -> TokenResponse:
    """Exchange a code or a refresh token. Each works once, and using one twice revokes the key."""
    response.headers.update(NO_STORE)
    return await service.exchange(accounts, form, addresses)


@router.post("/revoke", openapi_extra=_form_body("token", "client_id", "token_type_hint"))
async def revoke_oauth_token(form: Form, accounts: CurrentAccounts) -> None:
    """Revoke the key of an access token or a refresh token (RFC 7009)."""
    await service.revoke_token(accounts, form)
