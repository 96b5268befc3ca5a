"""Who stands behind a session or a key: asked for every request, so each is one statement and one round trip."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from lectern.accounts import limits
from lectern.accounts.limits import BucketSize
from lectern.accounts.principals import KeyGrant, UserReach
from lectern.db.driver import fetch
from lectern.db.session import Session

_REACH = """
    u.id AS user_id, u.role AS role,
    ARRAY(SELECT c.id FROM collections c WHERE c.is_open) AS open_collections,
    ARRAY(SELECT m.collection_id FROM collection_members m WHERE m.user_id = u.id) AS member_collections,
    ARRAY(SELECT m.collection_id FROM collection_members m WHERE m.user_id = u.id AND m.can_write) AS writer_collections
"""
_BY_SESSION = f"""
SELECT 'user:' || u.id AS actor, u.email AS name, {_REACH}
FROM sessions s JOIN users u ON u.id = s.user_id
WHERE s.id = :session_id AND u.id = :user_id AND u.is_active AND s.revoked_at IS NULL AND s.expires_at > now()
"""  # noqa: S608 - made of constants
_BY_KEY = f"""
SELECT 'key:' || k.id AS actor, k.id AS key_id, k.name, k.can_write, k.toolsets, k.collection_ids, k.tag_ids,
    k.document_ids, k.expires_at,
    k.last_used_at IS NULL OR k.last_used_at < now() - interval '1 minute' AS is_use_unnoted, {_REACH}
FROM api_keys k LEFT JOIN users u ON u.id = k.created_by
WHERE k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now()) AND (u.id IS NULL OR u.is_active)
"""  # noqa: S608 - made of constants
_HASH = "AND k.key_hash = :key_hash"
_ID = "AND k.id = :key_id"
_NOTE_USE = text("UPDATE api_keys SET last_used_at = now() WHERE id = :key_id")


def _limited(query: str) -> str:
    """Who it is and a token of its rate, in one statement; a capacity of 0 takes none."""
    return f"""
    WITH found AS MATERIALIZED ({query}),
        source AS (SELECT actor AS key FROM found WHERE CAST(:capacity AS double precision) >= 1),
        taken AS ({limits.TAKE_SQL})
    SELECT found.*, (SELECT tokens FROM taken) AS tokens FROM found
    """  # noqa: S608 - made of constants


_SESSION = _limited(_BY_SESSION)
_KEY_BY_HASH = _limited(f"{_BY_KEY} {_HASH}")
_KEY_BY_ID = _limited(f"{_BY_KEY} {_ID}")
_KEY_UNLIMITED = f"{_BY_KEY} {_HASH}"


@dataclass(frozen=True, slots=True)
class FoundUser:
    """An active user whose sign-in still stands. `tokens` is what is left of the rate, None when there was nothing."""

    email: str
    reach: UserReach
    tokens: float | None


@dataclass(frozen=True, slots=True)
class FoundKey:
    """A key that may be used now, and the reach of the person who made it (None: nobody in particular)."""

    grant: KeyGrant
    owner: UserReach | None
    expires_at: datetime | None
    is_use_unnoted: bool
    tokens: float | None = None


async def find_user(
    door: AsyncConnection, size: BucketSize, *, session_id: uuid.UUID, user_id: uuid.UUID
) -> FoundUser | None:
    """An active user whose sign-in still stands; takes a token."""
    values = {"session_id": session_id, "user_id": user_id, **size.parameters()}
    rows = await fetch(door, _SESSION, values)
    return FoundUser(rows[0]["name"], _reach(rows[0]), rows[0]["tokens"]) if rows else None


async def find_key_by_hash(door: AsyncConnection, size: BucketSize, key_hash: str) -> FoundKey | None:
    """A key that is neither revoked nor expired and whose maker is active; takes a token."""
    return _found(await fetch(door, _KEY_BY_HASH, {"key_hash": key_hash, **size.parameters()}))


async def find_key_by_id(door: AsyncConnection, size: BucketSize, key_id: uuid.UUID) -> FoundKey | None:
    """The same by the id of the key, for services that vouch for it."""
    return _found(await fetch(door, _KEY_BY_ID, {"key_id": key_id, **size.parameters()}))


async def inspect_key(session: Session, key_hash: str) -> FoundKey | None:
    """The same without using it: no token is taken."""
    return _found(await fetch(session, _KEY_UNLIMITED, {"key_hash": key_hash}))


async def note_use(door: AsyncConnection, key_id: uuid.UUID) -> None:
    """Remember that the key was used now; called once a minute at most."""
    await door.execute(_NOTE_USE, {"key_id": key_id})


def _reach(row: Mapping[str, Any]) -> UserReach:
    return UserReach(
        user_id=row["user_id"],
        role=row["role"],
        open_collections=frozenset(row["open_collections"]),
        member_collections=frozenset(row["member_collections"]),
        writer_collections=frozenset(row["writer_collections"]),
    )


def _ids(values: list[uuid.UUID] | None) -> frozenset[uuid.UUID] | None:
    return None if values is None else frozenset(values)


def _found(rows: Sequence[Mapping[str, Any]]) -> FoundKey | None:
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
    )
    owner = _reach(row) if row["user_id"] is not None else None
    return FoundKey(grant, owner, row["expires_at"], row["is_use_unnoted"], row.get("tokens"))
