"""Rows of golden queries. Row-level security shows those of documents in sight."""

import uuid
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, case, delete, func, select, true, tuple_, update
from sqlalchemy.dialects.postgresql import insert

from lectern.answers.golden.models import GoldenQuery
from lectern.db.session import Session
from lectern.documents.models import Chunk, Document, Page


class GoldenRow(NamedTuple):
    """A golden query, the filename of its document, and its passage as long as the document says it."""

    id: uuid.UUID
    query: str
    document_id: uuid.UUID
    document: str
    page_number: int
    created_by: str
    created_at: datetime
    last_rank: int | None
    last_asked_at: datetime | None
    is_chunk: bool
    chunk_id: uuid.UUID | None
    char_start: int | None
    char_end: int | None


# What is said twice in a document is the one that stands nearest to the page.
_PASSAGE: Final = (
    select(Chunk.id, Chunk.char_start, Chunk.char_end)
    .where(Chunk.document_id == GoldenQuery.document_id, Chunk.content_hash == GoldenQuery.content_hash)
    .order_by(func.abs(Chunk.page_number - GoldenQuery.page_number), Chunk.chunk_index)
    .limit(1)
    .lateral("passage")
)
_COLUMNS: Final[tuple[Any, ...]] = (
    GoldenQuery.id,
    GoldenQuery.query,
    GoldenQuery.document_id,
    Document.filename.label("document"),
    GoldenQuery.page_number,
    GoldenQuery.created_by,
    GoldenQuery.created_at,
    GoldenQuery.last_rank,
    GoldenQuery.last_asked_at,
    GoldenQuery.content_hash.is_not(None).label("is_chunk"),
    _PASSAGE.c.id.label("chunk_id"),
    _PASSAGE.c.char_start,
    _PASSAGE.c.char_end,
)
_ROWS: Final = select(*_COLUMNS).select_from(GoldenQuery).join(Document).outerjoin(_PASSAGE, true())


async def has_page(session: Session, document_id: uuid.UUID, page_number: int) -> bool:
    found = select(Page.page_number).where(Page.document_id == document_id, Page.page_number == page_number)
    return await session.scalar(found) is not None


async def find_hash(session: Session, chunk_id: uuid.UUID, *, document_id: uuid.UUID, page_number: int) -> bytes | None:
    """The hash of what a passage of this page says."""
    on_page = (Chunk.page_number <= page_number, Chunk.last_page_number >= page_number)
    found = select(Chunk.content_hash).where(Chunk.id == chunk_id, Chunk.document_id == document_id, *on_page)
    return await session.scalar(found)


async def add(
    session: Session,
    *,
    query: str,
    document_id: uuid.UUID,
    page_number: int,
    content_hash: bytes | None,
    actor: str,
) -> GoldenRow:
    """The row, which may have been there before."""
    values = {"query": query, "document_id": document_id, "page_number": page_number, "content_hash": content_hash}
    statement = insert(GoldenQuery).values(id=uuid.uuid4(), created_by=actor, **values)
    await session.execute(statement.on_conflict_do_nothing())
    same = (getattr(GoldenQuery, name).is_not_distinct_from(value) for name, value in values.items())
    return GoldenRow(*(await session.execute(_ROWS.where(*same))).one())


async def list_golden(
    session: Session, *, text: str | None, after: tuple[datetime, uuid.UUID] | None, limit: int
) -> tuple[list[GoldenRow], int]:
    """Newest first, of documents that are not in the trash, and how many there are; `text`: of this query only."""
    wanted: list[ColumnElement[bool]] = [Document.deleted_at.is_(None)]
    if text is not None:
        wanted.append(GoldenQuery.query == text)
    total = await session.scalar(select(func.count()).select_from(GoldenQuery).join(Document).where(*wanted))
    query = _ROWS.where(*wanted)
    if after:
        query = query.where(tuple_(GoldenQuery.created_at, GoldenQuery.id) < after)
    query = query.order_by(GoldenQuery.created_at.desc(), GoldenQuery.id.desc()).limit(limit)
    return [GoldenRow(*row) for row in (await session.execute(query)).all()], total or 0


async def note_ranks(session: Session, ranks: Mapping[uuid.UUID, int | None]) -> None:
    """Where each was found just now; None: not."""
    found = [(GoldenQuery.id == golden_id, rank) for golden_id, rank in ranks.items() if rank is not None]
    rank = case(*found, else_=None) if found else None
    noted = update(GoldenQuery).where(GoldenQuery.id.in_(ranks))
    await session.execute(noted.values(last_rank=rank, last_asked_at=func.now()))


async def remove(session: Session, golden_id: uuid.UUID) -> bool:
    """Whether there was one that the scope may remove."""
    removed = delete(GoldenQuery).where(GoldenQuery.id == golden_id).returning(GoldenQuery.id)
    return (await session.execute(removed)).one_or_none() is not None
