"""`/auth`: sign in with cookies (browsers) or tokens (programs)."""

import logging
import uuid
from typing import Annotated

from fastapi import APIRouter, Cookie, Request, Response
from fastapi.security.utils import get_authorization_scheme_param

from lectern.accounts.context import Accounts
from lectern.accounts.dependencies import (
    REFRESH_COOKIE,
    SESSION_COOKIE,
    CurrentAccounts,
    CurrentPrincipal,
    Person,
    SystemSession,
)
from lectern.accounts.errors import NotSignedIn
from lectern.accounts.second_factor.schemas import SecondFactorSignIn
from lectern.accounts.sessions import service
from lectern.accounts.sessions.schemas import (
    PasswordChange,
    PrincipalResponse,
    RefreshRequest,
    SessionResponse,
    SignInRequest,
    SignInResponse,
    SignOutEverywhereRequest,
    SignOutResponse,
)
from lectern.http.addresses import public_address
from lectern.http.request_checks import refuse_cross_site

PREFIX = "/api/v1/auth"
_REFRESH_PATH = f"{PREFIX}/refresh"

_LOG = logging.getLogger(__name__)

router = APIRouter(prefix=PREFIX, tags=["auth"])


def client_of(request: Request) -> service.Client:
    """Return the address and the program of a request."""
    ip = request.client.host if request.client else ""
    return service.Client(ip=ip, user_agent=request.headers.get("user-agent", ""))


def _refuse_other_sites(request: Request, accounts: Accounts) -> None:
    """Raise CrossSiteRequest if another site made the browser sign in. Programs send no such headers."""
    if "sec-fetch-site" in request.headers:
        refuse_cross_site(request.method, request.headers, allowed_origins=accounts.http.allowed_origins)


def is_secure(request: Request, accounts: Accounts) -> bool:
    """Return True if browsers may send the cookies over HTTPS only."""
    is_https = request.url.scheme == "https"
    if accounts.http.cookie_secure is None:
        return is_https or accounts.http.has_https
    return accounts.http.cookie_secure


def set_session_cookies(request: Request, response: Response, accounts: Accounts, signed_in: service.SignedIn) -> None:
    is_for_https = is_secure(request, accounts)
    if is_for_https and request.url.scheme == "http":
        _LOG.warning("Sign-in over plain HTTP: the browser may drop the session cookie, which is for HTTPS only")
    for name, value, path, seconds in (
        # The access cookie outlives its token, so that sign-out can identify the session.
        (SESSION_COOKIE, signed_in.access_token, "/", signed_in.refresh_seconds),
        (REFRESH_COOKIE, signed_in.refresh_token, _REFRESH_PATH, signed_in.refresh_seconds),
    ):
        response.set_cookie(
            name,
            value,
            max_age=seconds,
            path=path,
            httponly=True,
            secure=is_for_https,
            samesite="lax",
        )


def _clear_cookies(request: Request, response: Response, accounts: Accounts) -> None:
    for name, path in ((SESSION_COOKIE, "/"), (REFRESH_COOKIE, _REFRESH_PATH)):
        response.delete_cookie(name, path=path, httponly=True, secure=is_secure(request, accounts), samesite="lax")


def _respond(
    request: Request, response: Response, accounts: Accounts, signed_in: service.SignedIn, *, use_cookies: bool
) -> SignInResponse:
    response.headers["Cache-Control"] = "no-store"
    if use_cookies:
        set_session_cookies(request, response, accounts, signed_in)
        return SignInResponse(user=signed_in.user, expires_in_seconds=signed_in.access_seconds)
    return SignInResponse(
        user=signed_in.user,
        expires_in_seconds=signed_in.access_seconds,
        access_token=signed_in.access_token,
        refresh_token=signed_in.refresh_token,
    )


@router.post("/sign-in")
async def sign_in(
    body: SignInRequest, request: Request, response: Response, accounts: CurrentAccounts
) -> SignInResponse:
    """Sign in with an e-mail address and a password. A second factor needs a second step (`second_factor_required`)."""
    _refuse_other_sites(request, accounts)
    signed_in = await service.sign_in(accounts, email=body.email, password=body.password, client=client_of(request))
    return _respond(request, response, accounts, signed_in, use_cookies=body.use_cookies)


@router.post("/sign-in/second-factor")
async def sign_in_with_code(
    body: SecondFactorSignIn, request: Request, response: Response, accounts: CurrentAccounts
) -> SignInResponse:
    """Sign in with the challenge token of the first step and a code. Each code is accepted once."""
    _refuse_other_sites(request, accounts)
    signed_in = await service.sign_in_with_code(
        accounts, challenge_token=body.challenge_token, code=body.code, client=client_of(request)
    )
    return _respond(request, response, accounts, signed_in, use_cookies=body.use_cookies)


@router.post("/refresh")
async def refresh_session(
    request: Request,
    response: Response,
    accounts: CurrentAccounts,
    body: RefreshRequest | None = None,
    cookie: Annotated[str | None, Cookie(alias=REFRESH_COOKIE)] = None,
) -> SignInResponse:
    """Exchange a refresh token for new tokens. Using it twice revokes the session."""
    given = body.refresh_token.get_secret_value() if body and body.refresh_token else None
    if given is None and cookie is not None:
        refuse_cross_site(request.method, request.headers, allowed_origins=accounts.http.allowed_origins)
    token = given or cookie
    if token is None:
        raise NotSignedIn
    return _respond(request, response, accounts, await service.refresh(accounts, token), use_cookies=given is None)


@router.post("/sign-out")
async def sign_out(
    request: Request,
    response: Response,
    accounts: CurrentAccounts,
    cookie: Annotated[str | None, Cookie(alias=SESSION_COOKIE)] = None,
) -> SignOutResponse:
    """Revoke the current session and delete its cookies. Open `redirect_to` to leave single sign-on too."""
    scheme, bearer = get_authorization_scheme_param(request.headers.get("authorization"))
    token = bearer if scheme.lower() == "bearer" and bearer else None
    if token is None and cookie is not None:
        refuse_cross_site(request.method, request.headers, allowed_origins=accounts.http.allowed_origins)
        token = cookie
    redirect_to = None
    if token is not None:
        return_to = public_address(str(request.base_url), http=accounts.http) + "/"
        redirect_to = await service.sign_out(accounts, token, return_to=return_to)
    _clear_cookies(request, response, accounts)
    return SignOutResponse(redirect_to=redirect_to)


@router.post("/sign-out-everywhere", status_code=204)
async def sign_out_everywhere(
    principal: Person,
    session: SystemSession,
    request: Request,
    response: Response,
    accounts: CurrentAccounts,
    body: SignOutEverywhereRequest | None = None,
) -> None:
    """Revoke all sessions of the caller. Their tokens are invalid at once."""
    await service.sign_out_everywhere(session, principal, revoke_keys=body is not None and body.revoke_keys)
    _clear_cookies(request, response, accounts)


@router.post("/password", status_code=204)
async def change_password(body: PasswordChange, principal: Person, accounts: CurrentAccounts) -> None:
    """Change the caller's password and revoke all other sessions."""
    await service.change_password(accounts, principal, wanted=body)


@router.get("/me")
async def get_me(principal: CurrentPrincipal, accounts: CurrentAccounts, request: Request) -> PrincipalResponse:
    """Get the caller and its permissions."""
    scope = principal.scope
    lists = (None if ids is None else sorted(ids) for ids in (scope.collections, scope.tags, scope.documents))
    collection_ids, tag_ids, document_ids = lists
    return PrincipalResponse.from_row(
        principal,
        has_password=await service.has_password(accounts, principal),
        can_write=scope.can_write,
        collection_ids=collection_ids,
        tag_ids=tag_ids,
        document_ids=document_ids,
        web_url=public_address(str(request.base_url), http=request.app.state.settings.http),
    )


@router.get("/sessions")
async def list_sessions(principal: Person, session: SystemSession) -> list[SessionResponse]:
    """List the caller's active sessions."""
    return await service.list_sessions(session, principal)


@router.delete("/sessions/{session_id}", status_code=204)
async def end_session(session_id: uuid.UUID, principal: Person, session: SystemSession) -> None:
    """Revoke one session of the caller. Its tokens are invalid at once."""
    await service.end_session(session, principal, session_id)
