"""Read the document, pages and chunks of an expected passage."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from lectern.documents.parts.schemas import ChunkResponse
from lectern.search.why.diagnosis import DocumentState

_STATE: Final = text("""
SELECT id AS document_id, filename, status, error_code, error_message, error_details,
       coalesce(page_count, 0) AS page_count, chunk_count, unreadable_page_count
FROM documents WHERE id = :document_id
""")
_PAGES: Final = text("""
SELECT page_number, kind, text FROM pages
WHERE document_id = :document_id AND (CAST(:page_number AS integer) IS NULL OR page_number = :page_number)
ORDER BY page_number
""")
_CHUNKS: Final = text("""
SELECT id, chunk_index, section_heading, section_path, page_number, last_page_number, char_start, char_end, token_count,
       content_type, importance, language, text FROM chunks
WHERE document_id = :document_id
  AND (CAST(:page_number AS integer) IS NULL OR :page_number BETWEEN page_number AND last_page_number)
ORDER BY chunk_index
""")
_TOKENS: Final = text("SELECT id, token_count FROM chunks WHERE id = ANY (:ids)")


@dataclass(frozen=True, slots=True, kw_only=True)
class PageContent:
    """The kind and text of a page."""

    page_number: int
    kind: str
    text: str


async def get_state(session: AsyncSession, document_id: uuid.UUID) -> DocumentState:
    """Return the processing state of the document."""
    row = (await session.execute(_STATE, {"document_id": document_id})).mappings().one()
    return DocumentState(**row)


async def list_pages(session: AsyncSession, document_id: uuid.UUID, page_number: int | None) -> list[PageContent]:
    """List the page, or all pages."""
    values = {"document_id": document_id, "page_number": page_number}
    return [PageContent(**row) for row in (await session.execute(_PAGES, values)).mappings()]


async def list_chunks(session: AsyncSession, document_id: uuid.UUID, page_number: int | None) -> list[ChunkResponse]:
    """List the chunks on the page, or all chunks."""
    values = {"document_id": document_id, "page_number": page_number}
    return [ChunkResponse.model_validate(row) for row in (await session.execute(_CHUNKS, values)).mappings()]


async def count_tokens(session: AsyncSession, ids: Sequence[uuid.UUID]) -> int:
    """Sum the tokens of these chunks."""
    return sum(row.token_count for row in await session.execute(_TOKENS, {"ids": list(ids)}))
