"""Rows of pages and chunks. Row-level security decides what a session sees."""

import uuid
from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import func, select, text
from sqlalchemy.orm import defer

from lectern.db.session import Session
from lectern.documents.models import Chunk, Document, Page

_STRETCH = text("""
SELECT page_number, char_start, char_count,
    substr(text, greatest(:start - char_start, 0) + 1,
           least(:end - char_start, char_count) - greatest(:start - char_start, 0)) AS text,
    char_start + char_count < :end AND page_number < (SELECT max(page_number) FROM pages WHERE document_id = :id)
        AS has_break
FROM pages
WHERE document_id = :id AND char_start < :end AND char_start + char_count >= :start
ORDER BY page_number
""")


class Stretch(NamedTuple):
    """A piece of a page's text."""

    text: str
    has_break: bool


class OriginalFacts(NamedTuple):
    """What is needed to hand out an original."""

    filename: str
    content_type: str
    size_bytes: int
    sha256: str


async def find_original(session: Session, document_id: uuid.UUID) -> OriginalFacts | None:
    query = select(Document.filename, Document.content_type, Document.size_bytes, Document.sha256)
    row = (await session.execute(query.where(Document.id == document_id))).one_or_none()
    return OriginalFacts(*row) if row else None


async def find_outline(session: Session, document_id: uuid.UUID) -> list[dict[str, Any]] | None:
    """None when there is no such document."""
    return await session.scalar(select(Document.outline).where(Document.id == document_id))


async def has_document(session: Session, document_id: uuid.UUID) -> bool:
    return await session.scalar(select(Document.id).where(Document.id == document_id)) is not None


async def list_chunks(
    session: Session, document_id: uuid.UUID, *, page_number: int | None, after: int | None, limit: int
) -> tuple[Sequence[Chunk], int]:
    """In reading order, and how many there are."""
    wanted = [Chunk.document_id == document_id]
    if page_number is not None:
        wanted += [Chunk.page_number <= page_number, Chunk.last_page_number >= page_number]
    total = await session.scalar(select(func.count()).select_from(Chunk).where(*wanted))
    query = select(Chunk).where(*wanted).order_by(Chunk.chunk_index).limit(limit)
    if after is not None:
        query = query.where(Chunk.chunk_index > after)
    return (await session.scalars(query)).all(), total or 0


async def list_pages(
    session: Session, document_id: uuid.UUID, *, after: int | None, limit: int
) -> tuple[Sequence[Page], int]:
    """Without their texts and boxes, and how many there are."""
    wanted = Page.document_id == document_id
    total = await session.scalar(select(func.count()).select_from(Page).where(wanted))
    query = select(Page).where(wanted).order_by(Page.page_number).limit(limit)
    query = query.options(defer(Page.text), defer(Page.boxes))
    if after is not None:
        query = query.where(Page.page_number > after)
    return (await session.scalars(query)).all(), total or 0


async def find_page(session: Session, document_id: uuid.UUID, page_number: int) -> Page | None:
    query = select(Page).where(Page.document_id == document_id, Page.page_number == page_number)
    return await session.scalar(query.options(defer(Page.boxes)))


async def count_characters(session: Session, document_id: uuid.UUID) -> int:
    """Of the whole text, the breaks between pages included."""
    query = select(func.max(Page.char_start + Page.char_count)).where(Page.document_id == document_id)
    return await session.scalar(query) or 0


async def list_stretches(session: Session, document_id: uuid.UUID, *, start: int, end: int) -> list[Stretch]:
    """The text of each page within `[start, end)`, and whether a break between pages follows within it."""
    rows = await session.execute(_STRETCH, {"id": document_id, "start": start, "end": end})
    return [Stretch(row.text, row.has_break) for row in rows]


async def list_boxes(
    session: Session, document_id: uuid.UUID, *, start: int, end: int
) -> list[tuple[int, int, int, bytes]]:
    """Number, first character, characters and boxes of the pages that `[start, end)` touches."""
    query = (
        select(Page.page_number, Page.char_start, Page.char_count, Page.boxes)
        .where(Page.document_id == document_id, Page.char_start < end, Page.char_start + Page.char_count > start)
        .order_by(Page.page_number)
    )
    rows = (await session.execute(query)).all()
    return [(row.page_number, row.char_start, row.char_count, row.boxes) for row in rows]


async def list_texts(session: Session, document_id: uuid.UUID) -> list[tuple[int, int, str]]:
    """Number, first character and text of every page, in order."""
    query = select(Page.page_number, Page.char_start, Page.text).where(Page.document_id == document_id)
    rows = (await session.execute(query.order_by(Page.page_number))).all()
    return [(row.page_number, row.char_start, row.text) for row in rows]
