"""`/auth/single-sign-on`: the browser goes to the identity provider, and comes back with a code."""

import logging
from typing import Annotated, Final
from urllib.parse import urlencode

from fastapi import APIRouter, Cookie, Query, Request, Response
from fastapi.responses import RedirectResponse

from lectern.accounts.context import Accounts
from lectern.accounts.dependencies import CurrentAccounts
from lectern.accounts.sessions.router import client_of, is_secure, set_session_cookies
from lectern.accounts.sign_in.router import SINGLE_SIGN_ON_PREFIX, callback_address
from lectern.accounts.single_sign_on import service
from lectern.errors import LecternError

BROWSER_COOKIE: Final = "lectern_single_sign_on"
SIGN_IN_PAGE: Final = "/sign-in"
_SEE_OTHER: Final = 303

logger: Final = logging.getLogger(__name__)
router = APIRouter(prefix=SINGLE_SIGN_ON_PREFIX, tags=["auth"])
BrowserSecret = Annotated[str | None, Cookie(alias=BROWSER_COOKIE, max_length=200)]


def _redirect(url: str) -> Response:
    return RedirectResponse(url, _SEE_OTHER, headers={"Cache-Control": "no-store"})


def _show(request: Request, error: LecternError) -> Response:
    """Return to the sign-in page with an error if a person is looking. Programs get the problem.

    The log has the reason: the page must not show settings to somebody who is not signed in.
    """
    logger.warning("Single sign-on failed: %s %s", error.message, error.hint or "", extra={"code": error.code})
    if "text/html" not in request.headers.get("accept", ""):
        raise error
    return _redirect(f"{SIGN_IN_PAGE}?{urlencode({'problem': error.code})}")


@router.get("", status_code=_SEE_OTHER, response_class=RedirectResponse)
async def begin_single_sign_on(
    request: Request,
    accounts: CurrentAccounts,
    cookie: BrowserSecret = None,
    next: Annotated[  # noqa: A002 - the usual name of the parameter
        str | None, Query(max_length=service.MAX_NEXT, description="Page of the web UI to open afterwards.")
    ] = None,
) -> Response:
    """Redirect a browser to the identity provider. Errors show on the sign-in page."""
    try:
        departure = await service.begin(
            accounts,
            client=client_of(request),
            next_path=service.read_next(next),
            redirect_uri=callback_address(request, accounts),
            browser_secret=cookie,
        )
    except LecternError as error:
        return _show(request, error)
    response = _redirect(departure.url)
    _keep(request, response, accounts, departure.browser_secret)
    return response


@router.get("/callback", status_code=_SEE_OTHER, response_class=RedirectResponse)
async def finish_single_sign_on(
    query: Annotated[service.CallbackQuery, Query()],
    request: Request,
    accounts: CurrentAccounts,
    cookie: BrowserSecret = None,
) -> Response:
    """Sign in who comes back from the identity provider, and open the page that was wanted."""
    try:
        arrival = await service.finish(
            accounts,
            query,
            client=client_of(request),
            redirect_uri=callback_address(request, accounts),
            browser_secret=cookie,
        )
    except LecternError as error:
        return _show(request, error)
    response = _redirect(arrival.next_path)
    set_session_cookies(request, response, accounts, arrival.signed_in)
    return response


def _keep(request: Request, response: Response, accounts: Accounts, secret: str) -> None:
    """Set the cookie that binds a sign-in to this browser. `lax`, because the provider sends the browser back."""
    response.set_cookie(
        BROWSER_COOKIE,
        secret,
        max_age=int(service.REQUEST_LIFE.total_seconds()),
        path=SINGLE_SIGN_ON_PREFIX,
        httponly=True,
        secure=is_secure(request, accounts),
        samesite="lax",
    )
