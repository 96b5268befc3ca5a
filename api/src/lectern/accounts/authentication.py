"""Authenticate a request and limit its rate, with one statement."""

import uuid
from dataclasses import dataclass

from lectern.accounts import repository
from lectern.accounts.context import Accounts
from lectern.accounts.errors import NotSignedIn, TooManyRequests
from lectern.accounts.principals import Principal, key_principal, user_principal
from lectern.accounts.repository import BucketSize, KeyLookup
from lectern.accounts.tokens import hash_token
from lectern.db.session import Connection

API_KEY_PREFIX = "lk_"


@dataclass(frozen=True, slots=True)
class Authenticated:
    """A principal and its remaining requests, None if rates are not limited."""

    principal: Principal
    remaining: int | None


async def authenticate_token(accounts: Accounts, token: str) -> Authenticated:
    """Authenticate by an access token or an API key. Raises NotSignedIn, TooManyRequests."""
    claims = None if token.startswith(API_KEY_PREFIX) else accounts.tokens.read(token, audience="lectern:access")
    async with accounts.system_engine.connect() as connection:
        if claims is None:  # A key from the environment may have any format.
            return await _use_key(accounts, connection, await _key_by_hash(accounts, connection, token))
        user = await repository.find_user(
            connection, _size(accounts), session_id=claims.session_id, user_id=claims.user_id
        )
    if user is None:
        raise NotSignedIn
    principal = user_principal(user.reach, name=user.email, session_id=claims.session_id)
    return _admit(accounts, principal, user.tokens)


async def authenticate_on_behalf(accounts: Accounts, principal_name: str) -> Authenticated:
    """Authenticate a service that acts for the key `key:<uuid>`. Raises NotSignedIn, TooManyRequests."""
    kind, _, value = principal_name.partition(":")
    try:
        key_id = uuid.UUID(value)
    except ValueError:
        key_id = None
    if kind != "key" or key_id is None:
        raise NotSignedIn("X-Lectern-Principal must be `key:<uuid>`.")
    async with accounts.system_engine.connect() as connection:
        return await _use_key(
            accounts, connection, await repository.find_key_by_id(connection, _size(accounts), key_id)
        )


async def _key_by_hash(accounts: Accounts, connection: Connection, token: str) -> KeyLookup | None:
    return await repository.find_key_by_hash(connection, _size(accounts), hash_token(token))


async def _use_key(accounts: Accounts, connection: Connection, key: KeyLookup | None) -> Authenticated:
    if key is None:
        raise NotSignedIn
    if key.is_use_due:
        await repository.record_use(connection, key.grant.key_id)
    return _admit(accounts, key_principal(key.grant, key.owner), key.tokens)


def _size(accounts: Accounts) -> BucketSize:
    return BucketSize(accounts.http.rate_limit_per_minute, 60.0)


def _admit(accounts: Accounts, principal: Principal, tokens: float | None) -> Authenticated:
    per_minute = accounts.http.rate_limit_per_minute
    if not per_minute:
        return Authenticated(principal, None)
    if tokens is None:
        raise TooManyRequests(
            f"More than {per_minute} requests a minute.",
            details={"retry_after_seconds": _size(accounts).longest_wait_seconds, "limit_per_minute": per_minute},
        )
    return Authenticated(principal, int(tokens))
