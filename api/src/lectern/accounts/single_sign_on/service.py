"""Sign in over the identity provider: the way there, and the way back.

The browser keeps a random secret in a cookie. The nonce and the PKCE verifier are derived from it, so the database
holds hashes only. A state works once, and in the browser that began.
"""

import base64
import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from pydantic import BaseModel, ConfigDict, Field

from lectern.accounts.context import Accounts
from lectern.accounts.errors import SignInNotCompleted, SignInRequestExpired, SingleSignOnOff
from lectern.accounts.models import User
from lectern.accounts.reauthentication import count_attempt
from lectern.accounts.repository import return_token
from lectern.accounts.sessions.service import Client, SignedIn, open_session
from lectern.accounts.sign_in import repository as settings_repository
from lectern.accounts.single_sign_on import repository
from lectern.accounts.single_sign_on.provisioning import admit, read_identity
from lectern.accounts.tokens import hash_token
from lectern.db.scope import SYSTEM_SCOPE
from lectern.http.limits import client_block

if TYPE_CHECKING:
    from lectern.accounts.identity_provider import IdentityProvider

REQUEST_LIFE: Final = timedelta(minutes=10)
_CLIENT_FACTOR: Final = 5  # as for passwords: many people may share an address
_ERROR_CODE: Final = re.compile(r"[a-z_]{1,50}")  # of OAuth and OpenID Connect
MAX_NEXT: Final = 8_000  # the consent screen of OAuth carries the state of an app, which may be a signed token
_LOCAL_PATH: Final = re.compile(r"/(?![/\\])[\x21-\x5b\x5d-\x7e]*")


class CallbackQuery(BaseModel):
    """The parameters with which a browser comes back. Providers add others."""

    model_config = ConfigDict(extra="allow")

    state: str = Field(default="", max_length=500)
    code: str | None = Field(default=None, max_length=10_000)
    iss: str | None = Field(default=None, max_length=2_000)
    error: str | None = Field(default=None, max_length=300)


@dataclass(frozen=True, slots=True)
class Departure:
    """Where the browser goes, and the secret that it keeps."""

    url: str
    browser_secret: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Arrival:
    """A new session, and the page to open."""

    signed_in: SignedIn
    next_path: str


def read_next(path: str | None) -> str:
    """Return a path of this installation, or the start page for anything else."""
    return path if path and _LOCAL_PATH.fullmatch(path) and not path.startswith("/api/") else "/"


async def begin(
    accounts: Accounts, *, client: Client, next_path: str, redirect_uri: str, browser_secret: str | None
) -> Departure:
    """Begin a sign-in. Raises SingleSignOnOff, TooManySignIns, IdentityProviderFailed."""
    provider = _require_provider(accounts)
    await _count(accounts, client)
    secret = browser_secret or secrets.token_urlsafe(32)
    state = secrets.token_urlsafe(32)
    url = await provider.build_sign_in_url(
        redirect_uri=redirect_uri,
        state=state,
        nonce=_derive(secret, state, "nonce"),
        verifier=_derive(secret, state, "verifier"),
    )
    async with accounts.database.session(SYSTEM_SCOPE) as session:
        await repository.add_request(
            session,
            state_hash=hash_token(state),
            browser_hash=hash_token(secret),
            next_path=next_path,
            life=REQUEST_LIFE,
        )
    return Departure(url, secret)


async def finish(
    accounts: Accounts, query: CallbackQuery, *, client: Client, redirect_uri: str, browser_secret: str | None
) -> Arrival:
    """Open a session for who comes back from the identity provider.

    Raises:
        SignInRequestExpired: The state is unknown, used, expired or of another browser.
        SignInNotCompleted: The provider reports an error.
        IdentityProviderFailed, IdentityTokenInvalid: See `IdentityProvider.redeem`.
        Forbidden: The identity may not sign in. See `admit`.
        SingleSignOnOff, TooManySignIns.
    """
    provider = _require_provider(accounts)
    bucket = await _count(accounts, client)
    next_path = None
    if browser_secret:
        async with accounts.database.session(SYSTEM_SCOPE) as session:
            next_path = await repository.use_request(
                session, state_hash=hash_token(query.state), browser_hash=hash_token(browser_secret)
            )
    if next_path is None or not browser_secret:
        raise SignInRequestExpired
    if query.error is not None and _ERROR_CODE.fullmatch(query.error):
        raise SignInNotCompleted(f"The identity provider did not complete the sign-in: {query.error}.")
    if query.error is not None or query.code is None:
        raise SignInNotCompleted
    async with accounts.database.session(SYSTEM_SCOPE) as session:
        group_claim = (await settings_repository.get_settings(session)).group_claim
    tokens = await provider.redeem(
        query.code,
        redirect_uri=redirect_uri,
        verifier=_derive(browser_secret, query.state, "verifier"),
        nonce=_derive(browser_secret, query.state, "nonce"),
        returned_issuer=query.iss,
        group_claim=group_claim,
    )
    identity = read_identity(tokens.issuer, tokens.claims, group_claim=group_claim)
    async with accounts.database.session(SYSTEM_SCOPE) as session:
        admitted = await admit(session, identity, await settings_repository.get_settings(session, is_locked=True))
        if isinstance(admitted, User):
            signed_in = await open_session(accounts, session, user=admitted, client=client, id_token=tokens.id_token)
            for _ in range(2):  # the way there and the way back
                await return_token(session, bucket)
            return Arrival(signed_in, next_path)
    raise admitted


def _derive(secret: str, state: str, purpose: str) -> str:
    """Return a value that nobody without the browser's secret can compute."""
    digest = hmac.digest(secret.encode(), f"{purpose}:{state}".encode(), hashlib.sha256)
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


def _require_provider(accounts: Accounts) -> "IdentityProvider":
    if accounts.provider is None:
        raise SingleSignOnOff
    return accounts.provider


async def _count(accounts: Accounts, client: Client) -> str:
    """Count an attempt of the client, and return its bucket. Raises TooManySignIns."""
    bucket = f"single-sign-on:{client_block(client.ip)}"
    await count_attempt(accounts, bucket, factor=_CLIENT_FACTOR)
    return bucket
