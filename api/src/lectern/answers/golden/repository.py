"""Rows of golden queries. Row-level security shows those of documents in sight."""

import uuid
from datetime import datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import delete, func, select, tuple_
from sqlalchemy.dialects.postgresql import insert

from lectern.answers.golden.models import GoldenQuery
from lectern.db.session import Session
from lectern.documents.models import Document, Page


class GoldenRow(NamedTuple):
    """A golden query and the filename of its document."""

    id: uuid.UUID
    query: str
    document_id: uuid.UUID
    document: str
    page_number: int
    created_by: str
    created_at: datetime


_COLUMNS: Final[tuple[Any, ...]] = (
    GoldenQuery.id,
    GoldenQuery.query,
    GoldenQuery.document_id,
    Document.filename.label("document"),
    GoldenQuery.page_number,
    GoldenQuery.created_by,
    GoldenQuery.created_at,
)


async def has_page(session: Session, document_id: uuid.UUID, page_number: int) -> bool:
    found = select(Page.page_number).where(Page.document_id == document_id, Page.page_number == page_number)
    return await session.scalar(found) is not None


async def add(session: Session, *, query: str, document_id: uuid.UUID, page_number: int, actor: str) -> GoldenRow:
    """The row, which may have been there before."""
    values = {"query": query, "document_id": document_id, "page_number": page_number}
    statement = insert(GoldenQuery).values(id=uuid.uuid4(), created_by=actor, **values)
    await session.execute(statement.on_conflict_do_nothing())
    same = (getattr(GoldenQuery, name) == value for name, value in values.items())
    return GoldenRow(*(await session.execute(select(*_COLUMNS).join(Document).where(*same))).one())


async def list_golden(
    session: Session, *, after: tuple[datetime, uuid.UUID] | None, limit: int
) -> tuple[list[GoldenRow], int]:
    """Newest first, of documents that are not in the trash, and how many there are."""
    total = await session.scalar(
        select(func.count()).select_from(GoldenQuery).join(Document).where(Document.deleted_at.is_(None))
    )
    query = select(*_COLUMNS).join(Document).where(Document.deleted_at.is_(None))
    if after:
        query = query.where(tuple_(GoldenQuery.created_at, GoldenQuery.id) < after)
    query = query.order_by(GoldenQuery.created_at.desc(), GoldenQuery.id.desc()).limit(limit)
    return [GoldenRow(*row) for row in (await session.execute(query)).all()], total or 0


async def remove(session: Session, golden_id: uuid.UUID) -> bool:
    """Whether there was one that the scope may remove."""
    removed = delete(GoldenQuery).where(GoldenQuery.id == golden_id).returning(GoldenQuery.id)
    return (await session.execute(removed)).one_or_none() is not None
