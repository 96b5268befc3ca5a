"""`/auth/methods` and `/sign-in-settings`: how people sign in."""

from typing import Final

from fastapi import APIRouter, Request

from lectern.accounts.context import Accounts
from lectern.accounts.dependencies import Admin, CurrentAccounts, CurrentDatabase, SystemSession
from lectern.accounts.keys.router import Resolver
from lectern.accounts.sign_in import service
from lectern.accounts.sign_in.schemas import SignInMethods, SignInSettingsResponse, SignInSettingsUpdate
from lectern.db.scope import SYSTEM_SCOPE
from lectern.db.session import Session
from lectern.http.addresses import public_address

SINGLE_SIGN_ON_PREFIX: Final = "/api/v1/auth/single-sign-on"

router = APIRouter(prefix="/api/v1")


def callback_address(request: Request, accounts: Accounts) -> str:
    """Return the redirect URI of this installation."""
    return f"{public_address(str(request.base_url), http=accounts.http)}{SINGLE_SIGN_ON_PREFIX}/callback"


async def _respond(request: Request, accounts: Accounts, session: Session) -> SignInSettingsResponse:
    base = public_address(str(request.base_url), http=accounts.http)
    redirect_uri = callback_address(request, accounts)
    return await service.get_settings(accounts, session, redirect_uri=redirect_uri, sign_out_uri=f"{base}/")


@router.get("/auth/methods", tags=["auth"])
async def get_sign_in_methods(accounts: CurrentAccounts, database: CurrentDatabase) -> SignInMethods:
    """Get how people can sign in, for the sign-in page."""
    async with database.session(SYSTEM_SCOPE) as session:
        return await service.get_methods(accounts, session)


@router.get("/sign-in-settings", tags=["users"])
async def get_sign_in_settings(
    _: Admin, request: Request, accounts: CurrentAccounts, session: SystemSession
) -> SignInSettingsResponse:
    """Get how people sign in, and what their groups give."""
    return await _respond(request, accounts, session)


@router.put("/sign-in-settings", tags=["users"])
async def update_sign_in_settings(
    body: SignInSettingsUpdate,
    principal: Admin,
    request: Request,
    accounts: CurrentAccounts,
    session: SystemSession,
    resolve: Resolver,
) -> SignInSettingsResponse:
    """Replace how people sign in. To switch local passwords off, sign in over single sign-on first."""
    named = {str(given.collection_id) for group in body.groups for given in group.collections}
    await resolve(session, collections=sorted(named))
    await service.update_settings(session, principal, body)
    return await _respond(request, accounts, session)
