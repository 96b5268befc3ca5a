"""Find the user of a session or the owner of a key, and take a token of its rate, in one round trip per request."""

import math
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any, Final

from sqlalchemy import text

from lectern.accounts.principals import KeyGrant, UserAccess
from lectern.db.driver import fetch
from lectern.db.scope import IdList
from lectern.db.session import Connection, Session

# A bucket fills by `per_second` up to `capacity`. With less than one token, the statement writes and returns no row.
# It uses the clock of the database, because those of the processes may differ.
_FILLED = """least(
    CAST(:capacity AS double precision),
    bucket.tokens
        + CAST(:per_second AS double precision) * greatest(extract(epoch FROM clock_timestamp() - bucket.updated_at), 0)
)"""
_TAKE_TOKEN: Final = f"""
INSERT INTO rate_buckets AS bucket (key, tokens, updated_at)
SELECT source.key, CAST(:capacity AS double precision) - 1, clock_timestamp() FROM source
ON CONFLICT (key) DO UPDATE SET tokens = {_FILLED} - 1, updated_at = clock_timestamp()
WHERE {_FILLED} >= 1
RETURNING tokens
"""  # noqa: S608 - made of constants
_TAKE_ONE = text(f"WITH source AS (SELECT CAST(:key AS text) AS key) {_TAKE_TOKEN}")
_RETURN = text("UPDATE rate_buckets SET tokens = tokens + 1 WHERE key = :key")
_RESET = text("DELETE FROM rate_buckets WHERE key = ANY(:keys)")
_DELETE_IDLE = text("DELETE FROM rate_buckets WHERE updated_at < clock_timestamp() - interval '1 day'")

_REACH = """
    u.id AS user_id, u.role AS role,
    ARRAY(SELECT c.id FROM collections c WHERE c.is_open) AS open_collections,
    ARRAY(SELECT m.collection_id FROM collection_members m WHERE m.user_id = u.id) AS member_collections,
    ARRAY(SELECT m.collection_id FROM collection_members m WHERE m.user_id = u.id AND m.can_write) AS
        writer_collections,
    CAST(ARRAY(SELECT lectern_list_granted_documents(u.id, u.email)) AS text) AS granted_documents
"""
_BY_SESSION = f"""
SELECT 'user:' || u.id AS actor, u.email AS name, {_REACH}
FROM sessions s JOIN users u ON u.id = s.user_id
WHERE s.id = :session_id AND u.id = :user_id AND u.is_active AND s.revoked_at IS NULL AND s.expires_at > now()
"""  # noqa: S608 - made of constants
_BY_KEY = f"""
SELECT 'key:' || k.id AS actor, k.id AS key_id, k.name, k.can_write, k.toolsets, k.collection_ids, k.tag_ids,
    k.document_ids, k.allowed_networks, secret.prefix, secret.expires_at,
    k.last_used_at IS NULL OR k.last_used_at < now() - interval '1 minute' AS is_use_due, {_REACH}
FROM api_keys k LEFT JOIN users u ON u.id = k.created_by CROSS JOIN LATERAL (VALUES
    (k.key_hash, k.prefix, least(k.secret_expires_at, k.expires_at)),
    (k.previous_key_hash, k.previous_prefix, least(k.previous_expires_at, k.expires_at))
) AS secret (hash, prefix, expires_at)
WHERE k.revoked_at IS NULL AND (secret.expires_at IS NULL OR secret.expires_at > now())
    AND (u.id IS NULL OR u.is_active)
"""  # noqa: S608 - made of constants
_HASH = "AND (k.key_hash = :key_hash OR k.previous_key_hash = :key_hash) AND secret.hash = :key_hash"
_ID = "AND k.id = :key_id AND secret.prefix = coalesce(CAST(:prefix AS text), k.prefix)"
_RECORD_USE = text("UPDATE api_keys SET last_used_at = now() WHERE id = :key_id")


@cache
def _limited(query: str) -> str:
    """Add to a query that it takes a token. A capacity of 0 takes none."""
    return f"""
    WITH found AS MATERIALIZED ({query}),
        source AS (SELECT actor AS key FROM found WHERE CAST(:capacity AS double precision) >= 1),
        taken AS ({_TAKE_TOKEN})
    SELECT found.*, (SELECT tokens FROM taken) AS tokens FROM found
    """  # noqa: S608 - made of constants


@dataclass(frozen=True, slots=True)
class BucketSize:
    """`capacity` tokens at once, refilled evenly in `seconds`."""

    capacity: int
    seconds: float

    @property
    def per_second(self) -> float:
        return self.capacity / self.seconds

    def parameters(self) -> dict[str, float]:
        """Return the parameters of a statement that takes a token."""
        return {"capacity": float(self.capacity), "per_second": self.per_second}

    @property
    def longest_wait_seconds(self) -> int:
        """Return the time after which the next token is available at the latest."""
        return max(1, math.ceil(1 / self.per_second))


@dataclass(frozen=True, slots=True)
class UserLookup:
    """An active user with a valid session. `tokens` is what is left of the rate, None if no token was left."""

    email: str
    reach: UserAccess
    tokens: float | None


@dataclass(frozen=True, slots=True)
class KeyLookup:
    """A valid key, and the access of its creator, None without one. `expires_at` is that of the secret in use."""

    grant: KeyGrant
    owner: UserAccess | None
    expires_at: datetime | None
    is_use_due: bool
    tokens: float | None = None


async def find_user(
    connection: Connection, *, session_id: uuid.UUID, user_id: uuid.UUID, size: BucketSize | None = None
) -> UserLookup | None:
    """Find an active user by a valid session, and take a token if the bucket has a size."""
    rows = await _fetch_limited(connection, _BY_SESSION, {"session_id": session_id, "user_id": user_id}, size)
    return UserLookup(rows[0]["name"], _reach(rows[0]), rows[0].get("tokens")) if rows else None


async def find_key_by_hash(
    on: Connection | Session, key_hash: str, *, size: BucketSize | None = None
) -> KeyLookup | None:
    """Find a key that is neither revoked nor expired and has an active creator. Take a token as `find_user`."""
    return _build_key(await _fetch_limited(on, f"{_BY_KEY} {_HASH}", {"key_hash": key_hash}, size))


async def find_key_by_id(
    on: Connection | Session, key_id: uuid.UUID, prefix: str | None = None, *, size: BucketSize | None = None
) -> KeyLookup | None:
    """Find such a key by its id, for services that act for it. `prefix` names a secret of it."""
    return _build_key(await _fetch_limited(on, f"{_BY_KEY} {_ID}", {"key_id": key_id, "prefix": prefix}, size))


async def _fetch_limited(
    on: Connection | Session, query: str, values: Mapping[str, Any], size: BucketSize | None
) -> list[dict[str, Any]]:
    if size is None:
        return await fetch(on, query, values)
    return await fetch(on, _limited(query), {**values, **size.parameters()})


async def record_use(connection: Connection, key_id: uuid.UUID) -> None:
    """Store the time of use. Call it once a minute at most."""
    await connection.execute(_RECORD_USE, {"key_id": key_id})


async def take_token(session: Session, key: str, size: BucketSize) -> float | None:
    """Take a token and return the number of tokens left, None if there was no token."""
    return (await session.execute(_TAKE_ONE, {"key": key, **size.parameters()})).scalar_one_or_none()


async def return_token(session: Session, key: str) -> None:
    """Put a token back. The next `take_token` caps the bucket at its capacity."""
    await session.execute(_RETURN, {"key": key})


async def reset_buckets(session: Session, *keys: str) -> None:
    """Fill the buckets again."""
    await session.execute(_RESET, {"keys": sorted(keys)})


async def delete_idle_buckets(session: Session) -> None:
    """Delete the buckets that nobody has used for a day."""
    await session.execute(_DELETE_IDLE)


def _reach(row: Mapping[str, Any]) -> UserAccess:
    return UserAccess(
        user_id=row["user_id"],
        role=row["role"],
        open_collections=frozenset(row["open_collections"]),
        member_collections=frozenset(row["member_collections"]),
        writer_collections=frozenset(row["writer_collections"]),
        granted_documents=IdList(row["granted_documents"]),
    )


def _ids(values: list[uuid.UUID] | None) -> frozenset[uuid.UUID] | None:
    return None if values is None else frozenset(values)


def _build_key(rows: Sequence[Mapping[str, Any]]) -> KeyLookup | None:
    if not rows:
        return None
    (row,) = rows
    grant = KeyGrant(
        key_id=row["key_id"],
        name=row["name"],
        can_write=row["can_write"],
        toolsets=tuple(row["toolsets"]),
        collections=_ids(row["collection_ids"]),
        tags=_ids(row["tag_ids"]),
        documents=_ids(row["document_ids"]),
        prefix=row["prefix"],
        allowed_networks=None if row["allowed_networks"] is None else tuple(row["allowed_networks"]),
    )
    owner = _reach(row) if row["user_id"] is not None else None
    return KeyLookup(grant, owner, row["expires_at"], row["is_use_due"], row.get("tokens"))
