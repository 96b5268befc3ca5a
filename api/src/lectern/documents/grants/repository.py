"""Queries for grants. All but `find_document` and `count_shareable` need a system session."""

import uuid
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, TypeAlias

from sqlalchemy import Row, case, delete, exists, func, or_, select, text, update
from sqlalchemy.dialects.postgresql import insert

from lectern.accounts.models import User
from lectern.collections.models import Collection
from lectern.db.session import Session
from lectern.documents.models import Document, DocumentGrant, TagGrant
from lectern.tags.models import DocumentTag, Tag

_TAG_SHARES = text("""
SELECT t.name AS tag, s.email, s.granted_at
FROM lectern_list_tag_shares(NULL, :id, '{}', NULL) AS s JOIN tags AS t ON t.id = s.tag_id
ORDER BY s.email, t.normalized_name, s.granted_at
""")
_TAG_GRANTS = text("""
SELECT g.id, g.email, g.granted_at, u.email AS granted_by FROM tag_grants AS g JOIN users AS u ON u.id = g.granted_by
WHERE g.tag_id = :id AND (CAST(:by AS uuid) IS NULL OR u.id = :by) ORDER BY g.email, g.granted_at
""")


GrantTable: TypeAlias = type[DocumentGrant] | type[TagGrant]


class SharedDocument(NamedTuple):
    """A document with its owner and collection, which decide who may share it."""

    id: uuid.UUID
    owner_id: uuid.UUID | None
    collection_id: uuid.UUID
    collection: str
    is_open: bool


async def find_document(session: Session, document_id: uuid.UUID) -> SharedDocument | None:
    """Return a document in scope."""
    columns = (Document.id, Document.owner_id, Document.collection_id, Collection.name, Collection.is_open)
    query = select(*columns).join(Collection, Collection.id == Document.collection_id).where(Document.id == document_id)
    row = (await session.execute(query)).one_or_none()
    return SharedDocument(*row) if row else None


async def find_user(session: Session, user_id: uuid.UUID | None) -> User | None:
    return await session.scalar(select(User).where(User.id == user_id))


async def find_active_user(session: Session, email: str) -> User | None:
    """Return an active user. Nobody deletes or deactivates it before the transaction ends."""
    query = select(User).where(User.email == email, User.is_active).with_for_update(read=True)
    return await session.scalar(query)


async def find_tag_owner(session: Session, tag_id: uuid.UUID) -> uuid.UUID | None:
    return await session.scalar(select(Tag.owner_id).where(Tag.id == tag_id))


async def set_owner(
    session: Session,
    table: type[Document] | type[Tag],
    owner_id: uuid.UUID,
    *,
    ids: Sequence[uuid.UUID] | None = None,
    former_id: uuid.UUID | None = None,
) -> int:
    """Change the owner of documents or tags, by their ids or by their former owner. Return how many changed.

    Only its maker sees a tag without documents: it passes to the new owner.
    """
    wanted = table.owner_id == former_id if ids is None else table.id.in_(ids)
    values: dict[str, Any] = {"owner_id": owner_id}
    if table is Tag:
        is_used = exists().where(DocumentTag.tag_id == Tag.id)
        values["created_by"] = case((is_used, Tag.created_by), else_=f"user:{owner_id}")
    query = update(table).where(wanted, table.owner_id.is_distinct_from(owner_id)).values(values)
    query = query.returning(table.id).execution_options(synchronize_session=False)
    return len((await session.execute(query)).all())


async def allow_long_statements(session: Session) -> None:
    """Lift the time limit of statements until the transaction ends: an account may own 100,000 documents."""
    await session.execute(text("SET LOCAL statement_timeout = 0"))


async def list_grants(session: Session, document_id: uuid.UUID) -> list[DocumentGrant]:
    """Return the grants of a document by e-mail address."""
    query = select(DocumentGrant).where(DocumentGrant.document_id == document_id).order_by(DocumentGrant.email)
    return list((await session.scalars(query)).all())


async def list_tag_shares(session: Session, document_id: uuid.UUID) -> Sequence[Row[Any]]:
    """Return who reads a document through its tags, by e-mail address."""
    return (await session.execute(_TAG_SHARES, {"id": document_id})).all()


async def count_shareable(
    session: Session, tag_id: uuid.UUID, *, writable: Iterable[uuid.UUID] | None, owner_id: uuid.UUID
) -> int:
    """Count the documents in scope with a tag that are in a writable collection (None is any) or have this owner."""
    query = select(func.count()).select_from(Document).join(DocumentTag, DocumentTag.document_id == Document.id)
    query = query.where(DocumentTag.tag_id == tag_id, Document.deleted_at.is_(None))
    if writable is not None:
        query = query.where(or_(Document.collection_id.in_(writable), Document.owner_id == owner_id))
    return await session.scalar(query) or 0


async def list_tag_grants(session: Session, tag_id: uuid.UUID, *, granted_by: uuid.UUID | None) -> Sequence[Row[Any]]:
    """Return the grants of a tag by e-mail address, those of one account or of all."""
    return (await session.execute(_TAG_GRANTS, {"id": tag_id, "by": granted_by})).all()


async def keep_tag(session: Session, tag_id: uuid.UUID, *, actor: str) -> bool:
    """Lock a tag until the transaction ends, and keep it for the actor without documents too. False if it is gone."""
    query = update(Tag).where(Tag.id == tag_id).values(created_by=func.coalesce(Tag.created_by, actor))
    return await session.scalar(query.returning(Tag.id)) is not None


async def add_grant(session: Session, table: GrantTable, **columns: Any) -> bool:  # noqa: ANN401 - of the table
    """Insert a grant with these values. Returns False if there is one."""
    query = insert(table).values(id=uuid.uuid4(), **columns).on_conflict_do_nothing().returning(table.id)
    return await session.scalar(query) is not None


async def count_grants(session: Session, table: GrantTable, **columns: Any) -> int:  # noqa: ANN401 - of the table
    """Count the grants with these values."""
    return await session.scalar(select(func.count()).select_from(table).filter_by(**columns)) or 0


async def remove_grant(session: Session, table: GrantTable, **columns: Any) -> str | None:  # noqa: ANN401 - of the table
    """Delete the grant with these values and return its e-mail address, None without one."""
    return await session.scalar(delete(table).filter_by(**columns).returning(table.email))
