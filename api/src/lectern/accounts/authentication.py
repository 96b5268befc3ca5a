"""From credentials to a principal, within its rate: one short transaction for each request."""

import uuid
from dataclasses import dataclass

from lectern.accounts import limits, repository
from lectern.accounts.context import Accounts
from lectern.accounts.errors import NotSignedIn, TooManyRequests
from lectern.accounts.principals import Principal, key_principal, user_principal
from lectern.accounts.repository import FoundKey
from lectern.accounts.tokens import token_hash
from lectern.db.scope import SYSTEM_SCOPE
from lectern.db.session import Session

API_KEY_PREFIX = "lk_"
_MINUTE_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Authenticated:
    """A principal and what is left of its rate; None when rates are off."""

    principal: Principal
    remaining: int | None


async def authenticate_token(accounts: Accounts, token: str) -> Authenticated:
    """By an access token or an API key. Raises NotSignedIn, TooManyRequests."""
    async with accounts.database.session(SYSTEM_SCOPE) as session:
        principal = await _find_principal(accounts, session, token)
        remaining = await _take(accounts, session, principal) if principal else None
    return _admit(accounts, principal, remaining)


async def authenticate_on_behalf(accounts: Accounts, principal_name: str) -> Authenticated:
    """A service that proved itself acts for the key it names as `key:<uuid>`. Raises NotSignedIn, TooManyRequests."""
    kind, _, value = principal_name.partition(":")
    try:
        key_id = uuid.UUID(value)
    except ValueError:
        key_id = None
    if kind != "key" or key_id is None:
        raise NotSignedIn("X-Lectern-Principal must be `key:<uuid>`.")
    async with accounts.database.session(SYSTEM_SCOPE) as session:
        principal = await _use_key(session, await repository.find_key_by_id(session, key_id))
        remaining = await _take(accounts, session, principal) if principal else None
    return _admit(accounts, principal, remaining)


async def _find_principal(accounts: Accounts, session: Session, token: str) -> Principal | None:
    if token.startswith(API_KEY_PREFIX):
        return await _use_key(session, await repository.find_key_by_hash(session, token_hash(token)))
    claims = accounts.tokens.read(token, audience="lectern:access")
    if claims is None:
        # a key from the environment need not look like one of ours
        return await _use_key(session, await repository.find_key_by_hash(session, token_hash(token)))
    found = await repository.find_session_reach(session, session_id=claims.session_id, user_id=claims.user_id)
    if found is None:
        return None
    name, reach = found
    return user_principal(reach, name=name, session_id=claims.session_id)


async def _use_key(session: Session, found: FoundKey | None) -> Principal | None:
    if found is None:
        return None
    if found.is_use_unnoted:
        await repository.note_use(session, found.grant.key_id)
    return key_principal(found.grant, found.owner)


async def _take(accounts: Accounts, session: Session, principal: Principal) -> float | None:
    per_minute = accounts.http.rate_limit_per_minute
    if not per_minute:
        return None
    return await limits.take(session, principal.actor, limits.BucketSize(per_minute, _MINUTE_SECONDS))


def _admit(accounts: Accounts, principal: Principal | None, remaining: float | None) -> Authenticated:
    """After the transaction: refusing must not undo what it noted."""
    if principal is None:
        raise NotSignedIn
    per_minute = accounts.http.rate_limit_per_minute
    if per_minute and remaining is None:
        wait = limits.BucketSize(per_minute, _MINUTE_SECONDS).longest_wait_seconds
        raise TooManyRequests(
            f"More than {per_minute} requests a minute.",
            details={"retry_after_seconds": wait, "limit_per_minute": per_minute},
        )
    return Authenticated(principal, None if remaining is None else int(remaining))
