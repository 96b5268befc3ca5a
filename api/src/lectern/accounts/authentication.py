"""Authenticate a request and limit its rate, with one statement."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address, ip_network

from lectern.accounts import repository
from lectern.accounts.context import Accounts
from lectern.accounts.errors import AddressNotAllowed, CredentialsInvalid, NotSignedIn, TooManyRequests
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


async def authenticate_token(accounts: Accounts, token: str, *, address: str) -> Authenticated:
    """Authenticate by an access token or an API key. Raises CredentialsInvalid, AddressNotAllowed, TooManyRequests."""
    claims = None if token.startswith(API_KEY_PREFIX) else accounts.tokens.read(token, audience="lectern:access")
    async with accounts.system_engine.connect() as connection:
        if claims is None:  # A key from the environment may have any format.
            key = await repository.find_key_by_hash(connection, hash_token(token), size=_size(accounts))
            return await _use_key(accounts, connection, key, address)
        user = await repository.find_user(
            connection, session_id=claims.session_id, user_id=claims.user_id, size=_size(accounts)
        )
    if user is None:
        raise CredentialsInvalid
    principal = user_principal(user.reach, name=user.email, session_id=claims.session_id)
    return _admit(accounts, principal, user.tokens)


async def authenticate_on_behalf(accounts: Accounts, principal_name: str, *, address: str) -> Authenticated:
    """Authenticate a service that acts for the key `key:<uuid>`, or for one secret of it, `key:<uuid>:<prefix>`.

    Raises NotSignedIn, AddressNotAllowed, TooManyRequests.
    """
    kind, _, named = principal_name.partition(":")
    value, _, prefix = named.partition(":")
    try:
        key_id = uuid.UUID(value)
    except ValueError:
        key_id = None
    if kind != "key" or key_id is None:
        raise NotSignedIn("X-Lectern-Principal must be `key:<uuid>`.")
    async with accounts.system_engine.connect() as connection:
        key = await repository.find_key_by_id(connection, key_id, prefix or None, size=_size(accounts))
        return await _use_key(accounts, connection, key, address)


async def is_current(accounts: Accounts, principal: Principal) -> bool:
    """Return True if authenticating again would give the same principal with the same permissions."""
    async with accounts.system_engine.connect() as connection:
        if principal.key is not None:
            key = await repository.find_key_by_id(connection, principal.id, principal.key.prefix)
            return key is not None and key_principal(key.grant, key.owner) == principal
        if principal.session_id is None:
            return False
        user = await repository.find_user(connection, session_id=principal.session_id, user_id=principal.id)
        return user is not None and (
            user_principal(user.reach, name=user.email, session_id=principal.session_id) == principal
        )


def is_address_allowed(networks: Sequence[str] | None, address: str) -> bool:
    """Return True if an address is in one of the networks. None allows every address."""
    if networks is None:
        return True
    try:
        client = ip_address(address)
    except ValueError:
        return False
    client = (client.ipv4_mapped if isinstance(client, IPv6Address) else None) or client
    return any(client in ip_network(network) for network in networks)


async def _use_key(accounts: Accounts, connection: Connection, key: KeyLookup | None, address: str) -> Authenticated:
    if key is None:
        raise CredentialsInvalid
    if not is_address_allowed(key.grant.allowed_networks, address):
        raise AddressNotAllowed(f"This key does not work from {address[:45]}.")
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
