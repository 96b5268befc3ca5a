"""Read and change rows of API keys. System sessions only."""

import uuid
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from sqlalchemy import Text, cast, func, or_, select, text

from lectern.accounts.models import ApiKey
from lectern.db.driver import fetch
from lectern.db.pages import fetch_page
from lectern.db.session import Session

_UPSERT = text("""
INSERT INTO api_keys (id, name, prefix, key_hash, toolsets)
VALUES (:id, :name, :prefix, :key_hash, :toolsets)
ON CONFLICT (id) DO UPDATE SET key_hash = :key_hash, prefix = :prefix, revoked_at = NULL
""")
_REVOKE = text("UPDATE api_keys SET revoked_at = now() WHERE id = :id AND revoked_at IS NULL")
_REVOKE_OF_USER = text("""
UPDATE api_keys SET revoked_at = now() WHERE created_by = :user_id AND revoked_at IS NULL RETURNING id
""")
_COUNT_VISIBLE = """
SELECT (SELECT count(*) FROM documents WHERE deleted_at IS NULL) AS document_count,
    (SELECT count(*) FROM collections) AS collection_count, (SELECT count(*) FROM tags) AS tag_count
"""


async def find(session: Session, key_id: uuid.UUID, *, created_by: uuid.UUID | None) -> ApiKey | None:
    """Find a key. `created_by` limits it to the keys of a user."""
    query = select(ApiKey).where(ApiKey.id == key_id)
    if created_by is not None:
        query = query.where(ApiKey.created_by == created_by)
    return await session.scalar(query)


async def find_named(session: Session, name: str) -> Sequence[ApiKey]:
    """List the keys with this id, prefix or name."""
    is_named = or_(cast(ApiKey.id, Text) == name, ApiKey.prefix == name, ApiKey.name == name)
    return (await session.scalars(select(ApiKey).where(is_named))).all()


async def list_keys(
    session: Session, *, created_by: uuid.UUID | None, after: Sequence[Any] | None, limit: int
) -> tuple[Sequence[ApiKey], int]:
    """Return a page of keys, newest first, and the total."""
    query = select(ApiKey) if created_by is None else select(ApiKey).where(ApiKey.created_by == created_by)
    return await fetch_page(session, query, ApiKey.created_at, ApiKey.id, after=after, limit=limit, is_descending=True)


async def revoke(session: Session, key_id: uuid.UUID) -> None:
    await session.execute(_REVOKE, {"id": key_id})


async def revoke_keys_of_user(session: Session, user_id: uuid.UUID) -> int:
    """Revoke all keys that a user created. Return how many were not revoked before."""
    return len((await session.execute(_REVOKE_OF_USER, {"user_id": user_id})).all())


async def count_visible(session: Session) -> dict[str, int]:
    """Count the documents, collections and tags in the session's scope."""
    return (await fetch(session, _COUNT_VISIBLE, {}))[0]


async def list_keys_outliving(session: Session, days: int) -> list[ApiKey]:
    """List valid keys that do not expire within so many days. The key from the environment has no expiry."""
    is_late = or_(ApiKey.expires_at.is_(None), ApiKey.expires_at > func.now() + timedelta(days=days))
    query = select(ApiKey).where(ApiKey.revoked_at.is_(None), is_late).order_by(ApiKey.created_at, ApiKey.id)
    return list((await session.scalars(query)).all())


async def upsert(
    session: Session, *, key_id: uuid.UUID, name: str, prefix: str, key_hash: str, toolsets: list[str]
) -> None:
    """Add a key with a fixed id, or replace its secret."""
    values = {"id": key_id, "name": name, "prefix": prefix, "key_hash": key_hash, "toolsets": toolsets}
    await session.execute(_UPSERT, values)
