"""Who stands behind a session or a key: read for every request, so each is one statement. System sessions only."""

import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Row, text

from lectern.accounts.principals import KeyGrant, UserReach
from lectern.db.session import Session

_REACH = """
    u.id AS user_id, u.role AS role, u.is_active AS is_active,
    ARRAY(SELECT c.id FROM collections c WHERE c.is_open) AS open_collections,
    ARRAY(SELECT m.collection_id FROM collection_members m WHERE m.user_id = u.id) AS member_collections,
    ARRAY(SELECT m.collection_id FROM collection_members m WHERE m.user_id = u.id AND m.can_write) AS writer_collections
"""
_BY_SESSION = text(f"""
SELECT u.email AS name, {_REACH}
FROM sessions s JOIN users u ON u.id = s.user_id
WHERE s.id = :session_id AND u.id = :user_id AND u.is_active AND s.revoked_at IS NULL AND s.expires_at > now()
""")  # noqa: S608 - made of constants
_BY_KEY = f"""
SELECT k.id AS key_id, k.name, k.can_write, k.toolsets, k.collection_ids, k.tag_ids, k.document_ids, k.expires_at,
    k.last_used_at IS NULL OR k.last_used_at < now() - interval '1 minute' AS is_use_unnoted, {_REACH}
FROM api_keys k LEFT JOIN users u ON u.id = k.created_by
WHERE k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now()) AND (u.id IS NULL OR u.is_active)
"""  # noqa: S608 - made of constants
_BY_KEY_HASH = text(f"{_BY_KEY} AND k.key_hash = :key_hash")
_BY_KEY_ID = text(f"{_BY_KEY} AND k.id = :key_id")
_NOTE_USE = text("UPDATE api_keys SET last_used_at = now() WHERE id = :key_id")


@dataclass(frozen=True, slots=True)
class FoundKey:
    """A key that may be used now, and the reach of the person who made it (None: nobody in particular)."""

    grant: KeyGrant
    owner: UserReach | None
    expires_at: datetime | None
    is_use_unnoted: bool


async def find_session_reach(
    session: Session, *, session_id: uuid.UUID, user_id: uuid.UUID
) -> tuple[str, UserReach] | None:
    """The e-mail address and the reach of an active user whose sign-in still stands."""
    row = (await session.execute(_BY_SESSION, {"session_id": session_id, "user_id": user_id})).one_or_none()
    return (row.name, _reach(row)) if row else None


async def find_key_by_hash(session: Session, key_hash: str) -> FoundKey | None:
    """A key that is neither revoked nor expired and whose maker is active."""
    return _found((await session.execute(_BY_KEY_HASH, {"key_hash": key_hash})).one_or_none())


async def find_key_by_id(session: Session, key_id: uuid.UUID) -> FoundKey | None:
    """The same by the id of the key, for services that vouch for it."""
    return _found((await session.execute(_BY_KEY_ID, {"key_id": key_id})).one_or_none())


async def note_use(session: Session, key_id: uuid.UUID) -> None:
    """Remember that the key was used now; called once a minute at most."""
    await session.execute(_NOTE_USE, {"key_id": key_id})


def _reach(row: Row[Any]) -> UserReach:
    return UserReach(
        user_id=row.user_id,
        role=row.role,
        open_collections=frozenset(row.open_collections),
        member_collections=frozenset(row.member_collections),
        writer_collections=frozenset(row.writer_collections),
    )


def _ids(values: list[uuid.UUID] | None) -> frozenset[uuid.UUID] | None:
    return None if values is None else frozenset(values)


def _found(row: Row[Any] | None) -> FoundKey | None:
    if row is None:
        return None
    grant = KeyGrant(
        key_id=row.key_id,
        name=row.name,
        can_write=row.can_write,
        toolsets=tuple(row.toolsets),
        collections=_ids(row.collection_ids),
        tags=_ids(row.tag_ids),
        documents=_ids(row.document_ids),
    )
    owner = _reach(row) if row.user_id is not None else None
    return FoundKey(grant=grant, owner=owner, expires_at=row.expires_at, is_use_unnoted=row.is_use_unnoted)
