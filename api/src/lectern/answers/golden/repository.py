"""Queries for golden queries. Row-level security limits them to documents in scope."""

import uuid
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, case, delete, func, select, true, tuple_, update
from sqlalchemy.dialects.postgresql import insert

from lectern.answers.models import GoldenQuery
from lectern.db.session import Session
from lectern.documents.models import Chunk, Document, DocumentPage


class GoldenRow(NamedTuple):
    """A golden query with its filename, and its chunk while the document has it."""

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


# Of equal chunks, take the one closest to the page.
_CHUNK: Final = (
    select(Chunk.id, Chunk.char_start, Chunk.char_end)
    .where(Chunk.document_id == GoldenQuery.document_id, Chunk.content_hash == GoldenQuery.content_hash)
    .order_by(func.abs(Chunk.page_number - GoldenQuery.page_number), Chunk.chunk_index)
    .limit(1)
    .lateral("chunk")
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
    _CHUNK.c.id.label("chunk_id"),
    _CHUNK.c.char_start,
    _CHUNK.c.char_end,
)
_ROWS: Final = select(*_COLUMNS).select_from(GoldenQuery).join(Document).outerjoin(_CHUNK, true())


async def has_page(session: Session, document_id: uuid.UUID, page_number: int) -> bool:
    """Return True if the document has this page."""
    found = select(DocumentPage.page_number).where(
        DocumentPage.document_id == document_id, DocumentPage.page_number == page_number
    )
    return await session.scalar(found) is not None


async def find_hash(session: Session, chunk_id: uuid.UUID, *, document_id: uuid.UUID, page_number: int) -> bytes | None:
    """Return the content hash of a chunk on this page."""
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
    """Insert a golden query, or return the existing one."""
    values = {"query": query, "document_id": document_id, "page_number": page_number, "content_hash": content_hash}
    statement = insert(GoldenQuery).values(id=uuid.uuid4(), created_by=actor, **values)
    await session.execute(statement.on_conflict_do_nothing())
    same = (getattr(GoldenQuery, name).is_not_distinct_from(value) for name, value in values.items())
    return GoldenRow(*(await session.execute(_ROWS.where(*same))).one())


async def list_golden(
    session: Session, *, text: str | None, after: Sequence[Any] | None, limit: int
) -> tuple[list[GoldenRow], int]:
    """Return golden queries outside the trash, newest first, and their total. `text` selects one query."""
    wanted: list[ColumnElement[bool]] = [Document.deleted_at.is_(None)]
    if text is not None:
        wanted.append(GoldenQuery.query == text)
    total = await session.scalar(select(func.count()).select_from(GoldenQuery).join(Document).where(*wanted))
    query = _ROWS.where(*wanted)
    if after:
        query = query.where(tuple_(GoldenQuery.created_at, GoldenQuery.id) < tuple(after))
    query = query.order_by(GoldenQuery.created_at.desc(), GoldenQuery.id.desc()).limit(limit)
    return [GoldenRow(*row) for row in (await session.execute(query)).all()], total or 0


async def store_ranks(session: Session, ranks: Mapping[uuid.UUID, int | None]) -> None:
    """Store the rank of each golden query, None if it was not found."""
    found = [(GoldenQuery.id == golden_id, rank) for golden_id, rank in ranks.items() if rank is not None]
    rank = case(*found, else_=None) if found else None
    statement = update(GoldenQuery).where(GoldenQuery.id.in_(ranks))
    await session.execute(statement.values(last_rank=rank, last_asked_at=func.now()))


async def remove(session: Session, golden_id: uuid.UUID) -> bool:
    """Delete a golden query. Returns False if the scope has none to delete."""
    removed = delete(GoldenQuery).where(GoldenQuery.id == golden_id).returning(GoldenQuery.id)
    return (await session.execute(removed)).one_or_none() is not None
