"""Read rows of pages and chunks. Row-level security limits them to the session's scope."""

import uuid
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import Row, func, select, text
from sqlalchemy.orm import defer

from lectern.db.pages import fetch_page
from lectern.db.session import Session
from lectern.documents.models import Chunk, Document, DocumentPage
from lectern.documents.originals import StoredFile

_RANGE = text("""
SELECT page_number, char_start, char_count,
    substr(text, greatest(:start - char_start, 0) + 1,
           least(:end - char_start, char_count) - greatest(:start - char_start, 0)) AS text,
    char_start + char_count < :end AND page_number < (SELECT max(page_number) FROM pages WHERE document_id = :id)
        AS has_break
FROM pages
WHERE document_id = :id AND char_start < :end AND char_start + char_count >= :start
ORDER BY page_number
""")
# Chunks are compared by the hash of their text, which has an index.
_COPIES: Final = text("""
WITH mine AS MATERIALIZED (SELECT DISTINCT content_hash FROM chunks WHERE document_id = :id),
total AS (SELECT count(*) AS chunk_count FROM mine),
shared AS (
    SELECT c.document_id, count(DISTINCT c.content_hash) AS shared_chunk_count
    FROM chunks c JOIN mine USING (content_hash)
    WHERE c.document_id <> :id
    GROUP BY c.document_id
)
SELECT d.id, d.filename, d.title, d.collection_id, s.name AS collection_name, d.created_at,
       d.sha256 = document.sha256 AS is_exact,
       coalesce(shared.shared_chunk_count, 0) AS shared_chunk_count, total.chunk_count
FROM documents document
CROSS JOIN total
JOIN documents d ON d.id <> document.id AND d.deleted_at IS NULL
JOIN collections s ON s.id = d.collection_id
LEFT JOIN shared ON shared.document_id = d.id
WHERE document.id = :id AND (d.sha256 = document.sha256 OR shared.shared_chunk_count >= :share * total.chunk_count)
ORDER BY is_exact DESC, coalesce(shared.shared_chunk_count, 0) DESC, d.created_at, d.id
LIMIT :limit
""")


class PageExcerpt(NamedTuple):
    """The part of a page's text in a range."""

    text: str
    has_break: bool


async def find_original(session: Session, document_id: uuid.UUID) -> StoredFile | None:
    query = select(Document.filename, Document.content_type, Document.size_bytes, Document.sha256)
    row = (await session.execute(query.where(Document.id == document_id))).one_or_none()
    return StoredFile(*row) if row else None


async def has_document(session: Session, document_id: uuid.UUID) -> bool:
    return await session.scalar(select(Document.id).where(Document.id == document_id)) is not None


async def list_chunks(
    session: Session, document_id: uuid.UUID, *, page_number: int | None, after: Sequence[Any] | None, limit: int
) -> tuple[Sequence[Chunk], int]:
    """Return a page of chunks in reading order, and the total."""
    query = select(Chunk).where(Chunk.document_id == document_id)
    if page_number is not None:
        query = query.where(Chunk.page_number <= page_number, Chunk.last_page_number >= page_number)
    return await fetch_page(session, query, Chunk.chunk_index, after=after, limit=limit)


async def list_pages(
    session: Session, document_id: uuid.UUID, *, after: Sequence[Any] | None, limit: int
) -> tuple[Sequence[DocumentPage], int]:
    """Return pages without their texts and boxes, and the total."""
    query = select(DocumentPage).where(DocumentPage.document_id == document_id)
    query = query.options(defer(DocumentPage.text), defer(DocumentPage.boxes))
    return await fetch_page(session, query, DocumentPage.page_number, after=after, limit=limit)


async def find_page(session: Session, document_id: uuid.UUID, page_number: int) -> DocumentPage | None:
    query = select(DocumentPage).where(DocumentPage.document_id == document_id, DocumentPage.page_number == page_number)
    return await session.scalar(query.options(defer(DocumentPage.boxes)))


async def find_boxes(session: Session, document_id: uuid.UUID, page_number: int) -> bytes | None:
    """Return the packed boxes of a page's words."""
    return await session.scalar(
        select(DocumentPage.boxes).where(
            DocumentPage.document_id == document_id, DocumentPage.page_number == page_number
        )
    )


async def get_page_number(session: Session, document_id: uuid.UUID, char_start: int) -> int | None:
    """Return the page with a character, None beyond the end of the text."""
    query = select(func.max(DocumentPage.page_number)).where(
        DocumentPage.document_id == document_id, DocumentPage.char_start <= char_start
    )
    return await session.scalar(query)


async def count_characters(session: Session, document_id: uuid.UUID) -> int:
    """Count the characters of the whole text, with the breaks between pages."""
    query = select(func.max(DocumentPage.char_start + DocumentPage.char_count)).where(
        DocumentPage.document_id == document_id
    )
    return await session.scalar(query) or 0


async def list_page_excerpts(session: Session, document_id: uuid.UUID, *, start: int, end: int) -> list[PageExcerpt]:
    """Return the text of each page within `[start, end)`, and whether a page break follows in the range."""
    rows = await session.execute(_RANGE, {"id": document_id, "start": start, "end": end})
    return [PageExcerpt(row.text, row.has_break) for row in rows]


async def list_boxes(
    session: Session, document_id: uuid.UUID, *, start: int, end: int
) -> list[tuple[int, int, int, bytes]]:
    """Return number, offset, length and boxes of the pages in `[start, end)`."""
    query = (
        select(DocumentPage.page_number, DocumentPage.char_start, DocumentPage.char_count, DocumentPage.boxes)
        .where(
            DocumentPage.document_id == document_id,
            DocumentPage.char_start < end,
            DocumentPage.char_start + DocumentPage.char_count > start,
        )
        .order_by(DocumentPage.page_number)
    )
    rows = (await session.execute(query)).all()
    return [(row.page_number, row.char_start, row.char_count, row.boxes) for row in rows]


async def list_texts(session: Session, document_id: uuid.UUID) -> list[tuple[int, int, str]]:
    """Return number, offset and text of every page, in order."""
    query = select(DocumentPage.page_number, DocumentPage.char_start, DocumentPage.text).where(
        DocumentPage.document_id == document_id
    )
    rows = (await session.execute(query.order_by(DocumentPage.page_number))).all()
    return [(row.page_number, row.char_start, row.text) for row in rows]


async def list_copies(session: Session, document_id: uuid.UUID, *, share: float, limit: int) -> Sequence[Row[Any]]:
    """Return documents with the same file or with at least `share` (0..1) of the document's chunks."""
    values = {"id": document_id, "share": share, "limit": limit}
    return (await session.execute(_COPIES, values)).all()
