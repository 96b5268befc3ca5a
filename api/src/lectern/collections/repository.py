"""Read and change rows of collections. Changes and members need a system session."""

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Row, delete, func, select, text, update
from sqlalchemy.exc import IntegrityError

from lectern.collections.errors import CollectionNameTaken
from lectern.collections.models import Collection
from lectern.db.driver import fetch
from lectern.db.session import Session

_COUNTED = """
SELECT c.id, c.name, c.description, c.is_open, c.is_default, c.created_at,
    (SELECT count(*) FROM documents d WHERE d.collection_id = c.id AND d.deleted_at IS NULL) AS document_count
FROM collections c
"""
_PAGE = text(f"""{_COUNTED} WHERE (CAST(:after_name AS text) IS NULL OR (c.name, c.id) > (:after_name, :after_id))
ORDER BY c.name, c.id LIMIT :limit""")
_ONE = text(f"{_COUNTED} WHERE c.id = :id")
_BY_REFERENCES = """
SELECT id, name FROM collections
WHERE id = ANY (CAST(:ids AS uuid[]))
    OR lower(name) = ANY (ARRAY(SELECT lower(reference) FROM unnest(CAST(:names AS text[])) reference))
"""
_MEMBERS = text("""
SELECT m.user_id, u.email, u.name, m.can_write, m.is_from_group
FROM collection_members m JOIN users u ON u.id = m.user_id
WHERE m.collection_id = :id ORDER BY u.email
""")
_PUT_MEMBER = text("""
INSERT INTO collection_members (collection_id, user_id, can_write)
SELECT :collection_id, u.id, :can_write FROM users u WHERE u.id = :user_id
ON CONFLICT (collection_id, user_id) DO UPDATE SET can_write = :can_write, is_from_group = false
RETURNING user_id
""")
_REMOVE_MEMBER = text(
    "DELETE FROM collection_members WHERE collection_id = :collection_id AND user_id = :user_id RETURNING user_id"
)


async def list_collections(
    session: Session, *, after: Sequence[Any] | None, limit: int
) -> tuple[Sequence[Row[Any]], int]:
    """Return a page of collections with counts, by name, and the total."""
    total = await session.scalar(select(func.count()).select_from(Collection))
    name, collection_id = after or (None, None)
    values = {"after_name": name, "after_id": collection_id, "limit": limit}
    return (await session.execute(_PAGE, values)).all(), total or 0


async def find(session: Session, collection_id: uuid.UUID) -> Row[Any] | None:
    return (await session.execute(_ONE, {"id": collection_id})).one_or_none()


async def find_by_references(
    session: Session, *, ids: Sequence[uuid.UUID], names: Sequence[str]
) -> list[tuple[uuid.UUID, str]]:
    """Return ids and names of the collections with one of the ids, or one of the names in any case."""
    values = {"ids": ids, "names": names}
    return [(row["id"], row["name"]) for row in await fetch(session, _BY_REFERENCES, values)]


async def list_names(session: Session, *, limit: int) -> list[str]:
    return list((await session.scalars(select(Collection.name).order_by(Collection.name).limit(limit))).all())


async def find_default(session: Session) -> uuid.UUID | None:
    return await session.scalar(select(Collection.id).where(Collection.is_default).limit(1))


async def add(session: Session, *, name: str, description: str, is_open: bool) -> uuid.UUID:
    """Add a collection. Raises CollectionNameTaken."""
    row = Collection(id=uuid.uuid4(), name=name, description=description, is_open=is_open)
    try:
        async with session.begin_nested():
            session.add(row)
    except IntegrityError as error:
        raise CollectionNameTaken from error
    return row.id


async def change(session: Session, collection_id: uuid.UUID, values: Mapping[str, Any]) -> None:
    """Set columns of a collection. Raises CollectionNameTaken."""
    try:
        async with session.begin_nested():
            await session.execute(update(Collection).where(Collection.id == collection_id).values(dict(values)))
    except IntegrityError as error:
        raise CollectionNameTaken from error


async def make_default(session: Session, collection_id: uuid.UUID) -> None:
    """Make this collection the only default. Rows are locked in one order to avoid deadlocks."""
    await session.execute(select(Collection.id).order_by(Collection.id).with_for_update())
    await session.execute(update(Collection).values(is_default=Collection.id == collection_id))


async def remove(session: Session, collection_id: uuid.UUID) -> bool:
    """Delete a collection. Return False if documents refer to it."""
    try:
        async with session.begin_nested():
            await session.execute(delete(Collection).where(Collection.id == collection_id))
    except IntegrityError:
        return False
    return True


async def list_members(session: Session, collection_id: uuid.UUID) -> Sequence[Row[Any]]:
    return (await session.execute(_MEMBERS, {"id": collection_id})).all()


async def put_member(session: Session, collection_id: uuid.UUID, user_id: uuid.UUID, *, can_write: bool) -> bool:
    """Add or change a member. Return False if there is no such user."""
    values = {"collection_id": collection_id, "user_id": user_id, "can_write": can_write}
    return (await session.execute(_PUT_MEMBER, values)).one_or_none() is not None


async def remove_member(session: Session, collection_id: uuid.UUID, user_id: uuid.UUID) -> bool:
    """Remove a member. Return False if the user was none."""
    values = {"collection_id": collection_id, "user_id": user_id}
    return (await session.execute(_REMOVE_MEMBER, values)).one_or_none() is not None
