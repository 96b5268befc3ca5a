"""What a document consists of."""

import asyncio
import hashlib
import uuid
from bisect import bisect_right
from collections.abc import Sequence

from lectern.db.session import Session
from lectern.documents.errors import DocumentNotFound, PageNotFound
from lectern.documents.parts import repository
from lectern.documents.parts.finding import Match, around, find_words
from lectern.documents.parts.repository import OriginalFacts
from lectern.documents.parts.schemas import (
    ChunkResponse,
    ContentResponse,
    FoundWords,
    HighlightsResponse,
    OutlineEntry,
    OutlineResponse,
    PageEntry,
    PageHighlight,
    PageResponse,
    RectangleResponse,
)
from lectern.errors import InvalidRequest
from lectern.extraction.layout.boxes import rectangles
from lectern.http.pagination import Page, decode_cursor, encode_cursor

MAX_HIGHLIGHT_CHARACTERS = 100_000
FOUND_CONTEXT_CHARACTERS = 60


async def _require(session: Session, document_id: uuid.UUID) -> None:
    if not await repository.has_document(session, document_id):
        raise DocumentNotFound


async def get_original(session: Session, document_id: uuid.UUID) -> OriginalFacts:
    """Raises DocumentNotFound."""
    found = await repository.find_original(session, document_id)
    if found is None:
        raise DocumentNotFound
    return found


async def list_chunks(
    session: Session, document_id: uuid.UUID, *, page_number: int | None, cursor: str | None, limit: int
) -> Page[ChunkResponse]:
    """A page of the passages in reading order. Raises DocumentNotFound, BrokenCursor."""
    await _require(session, document_id)
    order = f"chunks:{document_id}:{page_number}"
    after = decode_cursor(cursor, order=order, types=(int,))[0] if cursor else None
    chunks, total = await repository.list_chunks(
        session, document_id, page_number=page_number, after=after, limit=limit + 1
    )
    shown = chunks[:limit]
    return Page(
        items=[ChunkResponse.model_validate(chunk) for chunk in shown],
        next_cursor=encode_cursor(order, [shown[-1].chunk_index]) if len(chunks) > limit else None,
        total=total,
    )


async def list_pages(session: Session, document_id: uuid.UUID, *, cursor: str | None, limit: int) -> Page[PageEntry]:
    """A page of the page ledger. Raises DocumentNotFound, BrokenCursor."""
    await _require(session, document_id)
    order = f"pages:{document_id}"
    after = decode_cursor(cursor, order=order, types=(int,))[0] if cursor else None
    pages, total = await repository.list_pages(session, document_id, after=after, limit=limit + 1)
    shown = pages[:limit]
    return Page(
        items=[PageEntry.model_validate(page) for page in shown],
        next_cursor=encode_cursor(order, [shown[-1].page_number]) if len(pages) > limit else None,
        total=total,
    )


async def get_page(session: Session, document_id: uuid.UUID, page_number: int) -> PageResponse:
    """Raises DocumentNotFound, PageNotFound."""
    await _require(session, document_id)
    page = await repository.find_page(session, document_id, page_number)
    if page is None:
        raise PageNotFound
    return PageResponse.model_validate(page)


async def get_outline(session: Session, document_id: uuid.UUID) -> OutlineResponse:
    """Raises DocumentNotFound."""
    outline = await repository.find_outline(session, document_id)
    if outline is None:
        raise DocumentNotFound
    return OutlineResponse(items=[OutlineEntry.model_validate(entry) for entry in outline])


async def get_content(
    session: Session, document_id: uuid.UUID, *, char_start: int, max_characters: int
) -> ContentResponse:
    """A stretch of the text: page texts joined by a line feed. Raises DocumentNotFound."""
    await _require(session, document_id)
    char_count = await repository.count_characters(session, document_id)
    start = min(char_start, char_count)
    end = min(start + max_characters, char_count)
    rows = await repository.list_stretches(session, document_id, start=start, end=end) if end > start else []
    parts: list[str] = []
    for row in rows:
        parts.append(row.text)
        if row.has_break:
            parts.append("\n")
    return ContentResponse(
        document_id=document_id,
        char_start=start,
        char_end=end,
        char_count=char_count,
        next_char_start=end if end < char_count else None,
        text="".join(parts),
    )


async def get_highlights(
    session: Session, document_id: uuid.UUID, *, char_start: int, char_end: int
) -> HighlightsResponse:
    """Where the characters `[char_start, char_end)` are on their pages. Raises DocumentNotFound, InvalidRequest."""
    if not char_start < char_end <= char_start + MAX_HIGHLIGHT_CHARACTERS:
        raise InvalidRequest(
            f"char_end must be beyond char_start by 1 to {MAX_HIGHLIGHT_CHARACTERS:,} characters.",
            details={"max_characters": MAX_HIGHLIGHT_CHARACTERS},
        )
    await _require(session, document_id)
    return HighlightsResponse(highlights=await _highlights(session, document_id, start=char_start, end=char_end))


async def _highlights(session: Session, document_id: uuid.UUID, *, start: int, end: int) -> list[PageHighlight]:
    return _cut(await repository.list_boxes(session, document_id, start=start, end=end), start=start, end=end)


def _cut(pages: Sequence[tuple[int, int, int, bytes]], *, start: int, end: int) -> list[PageHighlight]:
    """The rectangles of `[start, end)` on those of the pages that it touches."""
    highlights: list[PageHighlight] = []
    for page_number, first, count, boxes in pages:
        if first < end and first + count > start:
            found = rectangles(boxes, max(start - first, 0), min(end - first, count))
            rects = [RectangleResponse(x=rect.x, y=rect.y, w=rect.width, h=rect.height) for rect in found]
            highlights.append(PageHighlight(page=page_number, rects=rects))
    return highlights


async def find_in_document(
    session: Session, document_id: uuid.UUID, *, words: str, cursor: str | None, limit: int
) -> Page[FoundWords]:
    """The places where the words stand, in reading order; at most 10,000 are counted.

    Raises DocumentNotFound, BrokenCursor.
    """
    await _require(session, document_id)
    order = f"find:{document_id}:{hashlib.sha256(words.encode()).hexdigest()}"
    first = decode_cursor(cursor, order=order, types=(int,))[0] if cursor else 0
    pages = await repository.list_texts(session, document_id)
    text = "\n".join(page_text for _, _, page_text in pages)
    matches = await asyncio.to_thread(find_words, text, words)
    shown = matches[first : first + limit]
    end = first + len(shown)
    return Page(
        items=await _present(session, document_id, text=text, pages=pages, matches=shown),
        next_cursor=encode_cursor(order, [end]) if end < len(matches) else None,
        total=len(matches),
    )


async def _present(
    session: Session,
    document_id: uuid.UUID,
    *,
    text: str,
    pages: Sequence[tuple[int, int, str]],
    matches: Sequence[Match],
) -> list[FoundWords]:
    if not matches:
        return []
    starts = [char_start for _, char_start, _ in pages]
    boxes = await repository.list_boxes(session, document_id, start=matches[0].char_start, end=matches[-1].char_end)
    found: list[FoundWords] = []
    for match in matches:
        before, after = around(text, match, most=FOUND_CONTEXT_CHARACTERS)
        found.append(
            FoundWords(
                page_number=pages[bisect_right(starts, match.char_start) - 1][0],
                char_start=match.char_start,
                char_end=match.char_end,
                before=before,
                text=text[match.char_start : match.char_end],
                after=after,
                highlights=_cut(boxes, start=match.char_start, end=match.char_end),
            )
        )
    return found
