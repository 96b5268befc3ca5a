"""Dependencies of endpoints: the principal, its permissions, and a session in its scope.

    async def list_documents(principal: CurrentPrincipal, session: ScopedSession) -> ...

`ScopedSession` is committed when the endpoint returns, before the response is sent, and rolled back when it raises.
"""

from collections.abc import AsyncGenerator
from typing import Annotated, Any

from fastapi import Depends, Request, Security
from fastapi.security import APIKeyCookie, APIKeyHeader, HTTPAuthorizationCredentials, HTTPBearer
from fastapi.security.utils import get_authorization_scheme_param
from starlette.requests import HTTPConnection

from lectern.accounts.authentication import Authenticated, authenticate_on_behalf, authenticate_token
from lectern.accounts.context import Accounts
from lectern.accounts.errors import NotSignedIn, ServiceOnly
from lectern.accounts.principals import Principal
from lectern.accounts.toolsets import require_operation
from lectern.db.scope import SYSTEM_SCOPE
from lectern.db.session import Database, Session
from lectern.http.metrics import Metrics
from lectern.http.middleware import response_headers
from lectern.http.request_checks import refuse_cross_site
from lectern.logs import ACTOR
from lectern.settings import Settings

SESSION_COOKIE = "lectern_session"
REFRESH_COOKIE = "lectern_refresh"
PRINCIPAL_HEADER = "X-Lectern-Principal"
CLIENT_HEADER = "X-Lectern-Client"

_bearer = HTTPBearer(auto_error=False, description="An access token or an API key (`lk_...`).")
_cookie = APIKeyCookie(name=SESSION_COOKIE, auto_error=False, description="Set by signing in with a browser.")
_on_behalf = APIKeyHeader(
    name=PRINCIPAL_HEADER, auto_error=False, description="`key:<uuid>`, together with the service key only."
)

Bearer = Annotated[HTTPAuthorizationCredentials | None, Security(_bearer)]


def from_app(name: str) -> Any:  # noqa: ANN401 - what Depends returns
    """Return a dependency on a part of the application, that of this name in its state."""

    async def get(request: Request) -> object:
        return getattr(request.app.state, name)

    return Depends(get)


CurrentAccounts = Annotated[Accounts, from_app("accounts")]
CurrentDatabase = Annotated[Database, from_app("database")]
"""For endpoints with transactions shorter than the request."""
CurrentSettings = Annotated[Settings, from_app("settings")]
CurrentMetrics = Annotated[Metrics, from_app("metrics")]


async def get_principal(
    request: Request,
    bearer: Bearer,
    cookie: Annotated[str | None, Security(_cookie)],
    on_behalf: Annotated[str | None, Security(_on_behalf)],
) -> Principal:
    """Authenticate the request by a bearer token or the session cookie.

    Raises:
        NotSignedIn: No credentials, or they are unknown, expired or revoked.
        AddressNotAllowed, ToolsetRequired, PeopleOnly: A key that may not do this.
        CrossSiteRequest: The cookie was sent with a change from another site.
        TooManyRequests: The principal exceeded its rate.
    """
    accounts: Accounts = request.app.state.accounts
    address = request.client.host if request.client else ""
    if bearer is not None:
        address = request.headers.get(CLIENT_HEADER, address) if on_behalf else address
        authenticated = await _by_bearer(accounts, bearer.credentials, on_behalf, address=address)
    elif cookie and on_behalf is None:
        refuse_cross_site(request.method, request.headers, allowed_origins=accounts.http.allowed_origins)
        authenticated = await authenticate_token(accounts, cookie, address=address)
    else:
        raise NotSignedIn
    _set_rate_headers(request, accounts, authenticated)
    principal = authenticated.principal
    if principal.kind == "key":
        operation = getattr(request.scope.get("route"), "name", "")
        require_operation(operation, principal.toolsets, can_write=principal.scope.can_write)
    return principal


async def _by_bearer(accounts: Accounts, token: str, on_behalf: str | None, *, address: str) -> Authenticated:
    if accounts.is_service_key(token):
        if on_behalf is None:
            raise ServiceOnly("The service key needs the header `X-Lectern-Principal: key:<uuid>`.")
        return await authenticate_on_behalf(accounts, on_behalf, address=address)
    if on_behalf is not None:
        raise NotSignedIn("Only services of this installation may send X-Lectern-Principal.")
    return await authenticate_token(accounts, token, address=address)


def _set_rate_headers(request: Request, accounts: Accounts, authenticated: Authenticated) -> None:
    request.state.actor = authenticated.principal.actor
    ACTOR.set(authenticated.principal.actor)
    if authenticated.remaining is not None:
        limit = accounts.http.rate_limit_per_minute
        response_headers(request.scope).update(
            {
                "RateLimit-Limit": str(limit),
                "RateLimit-Remaining": str(authenticated.remaining),
                "RateLimit-Reset": str(round((limit - authenticated.remaining) * 60 / limit)),
            }
        )


def is_signed(accounts: Accounts, connection: HTTPConnection) -> bool:
    """Return True if the request has an access token or a refresh cookie of this installation, without a query."""
    _, bearer = get_authorization_scheme_param(connection.headers.get("authorization"))
    access, refresh = connection.cookies.get(SESSION_COOKIE, ""), connection.cookies.get(REFRESH_COOKIE, "")
    return (
        accounts.is_service_key(bearer)
        or any(accounts.tokens.read(token, audience="lectern:access") for token in (bearer, access) if token)
        or accounts.tokens.read(refresh, audience="lectern:refresh") is not None
    )


CurrentPrincipal = Annotated[Principal, Depends(get_principal)]


async def get_writer(principal: CurrentPrincipal) -> Principal:
    """Return a principal with write access. Raises ReadOnly."""
    principal.require_writing()
    return principal


async def get_admin(principal: CurrentPrincipal) -> Principal:
    """Return an administrator. Raises AdminsOnly."""
    principal.require_admin()
    return principal


async def get_person(principal: CurrentPrincipal) -> Principal:
    """Return a signed-in user. Raises PeopleOnly for an API key."""
    principal.require_person()
    return principal


Writer = Annotated[Principal, Depends(get_writer)]
Admin = Annotated[Principal, Depends(get_admin)]
Person = Annotated[Principal, Depends(get_person)]


async def require_service(accounts: CurrentAccounts, bearer: Bearer) -> None:
    """Require the service key. Raises ServiceOnly, NotSignedIn."""
    if bearer is None:
        raise NotSignedIn
    if not accounts.is_service_key(bearer.credentials):
        raise ServiceOnly


async def open_scoped_session(database: CurrentDatabase, principal: CurrentPrincipal) -> AsyncGenerator[Session]:
    """Open a transaction in the principal's scope."""
    async with database.session(principal.scope) as session:
        yield session


async def open_snapshot_session(database: CurrentDatabase, principal: CurrentPrincipal) -> AsyncGenerator[Session]:
    """Open a read-only snapshot in the principal's scope: all statements see the same data."""
    async with database.session(principal.scope, is_snapshot=True) as session:
        yield session


async def open_system_session(database: CurrentDatabase, _: CurrentPrincipal) -> AsyncGenerator[Session]:
    """Open an unrestricted transaction, for code that checks the principal itself."""
    async with database.session(SYSTEM_SCOPE) as session:
        yield session


ScopedSession = Annotated[Session, Depends(open_scoped_session, scope="function")]
SnapshotSession = Annotated[Session, Depends(open_snapshot_session, scope="function")]
SystemSession = Annotated[Session, Depends(open_system_session, scope="function")]
