"""Read the chunks, pages, outline, text and copies of a document."""

import asyncio
import hashlib
import uuid
from bisect import bisect_right
from collections.abc import Sequence
from functools import partial

from lectern.db.session import Session
from lectern.documents import repository as documents_repository
from lectern.documents.errors import DocumentHasNoText, DocumentNotFound, PageNotFound
from lectern.documents.images.printed import PrintedPlace, TextInContext
from lectern.documents.models import Document
from lectern.documents.originals import StoredFile
from lectern.documents.parts import repository
from lectern.documents.parts.schemas import (
    ChunkResponse,
    ContentResponse,
    CopiesResponse,
    CopyResponse,
    HighlightsResponse,
    OutlineHeading,
    OutlineResponse,
    PageEntry,
    PageHighlight,
    PageResponse,
    PageWord,
    RectangleResponse,
    TextMatch,
)
from lectern.documents.parts.text_search import Match, find_words, get_context
from lectern.documents.schemas import CollectionRef
from lectern.errors import InvalidRequest
from lectern.extraction.layout.boxes import Rect, rectangles, unpack_boxes
from lectern.extraction.layout.page_tables import TableRows, read_rows
from lectern.http.pagination import Page, decode_cursor, encode_cursor, list_page

MAX_HIGHLIGHT_CHARACTERS = 100_000
CONTEXT_CHARACTERS = 60
# Queries that other packages call directly.
get_page_number = repository.get_page_number


async def _require(session: Session, document_id: uuid.UUID) -> None:
    if not await repository.has_document(session, document_id):
        raise DocumentNotFound


async def _require_text(session: Session, document_id: uuid.UUID) -> Document:
    """Return a document whose file was read: no text is no empty text. Raises DocumentNotFound, DocumentHasNoText."""
    document = await documents_repository.get_document(session, document_id)
    if document.page_count is not None:
        return document
    details = {"document_status": document.status, "error_code": document.error_code}
    if document.status == "failed":
        raise DocumentHasNoText(document.error_message, hint=document.error_hint, details=details)
    raise DocumentHasNoText(f"The document has no text yet: it is {document.status}.", details=details)


async def get_original(session: Session, document_id: uuid.UUID) -> StoredFile:
    """Return the file of the current version. Raises DocumentNotFound."""
    original = await repository.find_original(session, document_id)
    if original is None:
        raise DocumentNotFound
    return original


async def list_chunks(
    session: Session, document_id: uuid.UUID, *, page_number: int | None, cursor: str | None, limit: int
) -> Page[ChunkResponse]:
    """List a page of the chunks in reading order. Raises DocumentNotFound, BrokenCursor."""
    await _require(session, document_id)
    order = f"chunks:{document_id}:{page_number}"
    read, keys = partial(repository.list_chunks, session, document_id, page_number=page_number), {"chunk_index": int}
    return await list_page(read, ChunkResponse.model_validate, order=order, keys=keys, cursor=cursor, limit=limit)


async def list_pages(session: Session, document_id: uuid.UUID, *, cursor: str | None, limit: int) -> Page[PageEntry]:
    """List a page of the document's pages. Raises DocumentNotFound, BrokenCursor."""
    await _require(session, document_id)
    read, order = partial(repository.list_pages, session, document_id), f"pages:{document_id}"
    return await list_page(
        read, PageEntry.model_validate, order=order, keys={"page_number": int}, cursor=cursor, limit=limit
    )


async def get_page(
    session: Session, document_id: uuid.UUID, page_number: int, *, has_words: bool = False
) -> PageResponse:
    """Return a page with its text, and its words if wanted.

    Raises DocumentNotFound, DocumentHasNoText, PageNotFound.
    """
    await _require_text(session, document_id)
    page = await repository.find_page(session, document_id, page_number)
    if page is None:
        raise PageNotFound
    response = PageResponse.model_validate(page)
    if has_words:
        response.words = _list_words(await repository.find_boxes(session, document_id, page_number))
    return response


def _list_words(boxes: bytes | None) -> list[PageWord]:
    if not boxes:
        return []
    words = unpack_boxes(boxes)
    corners: list[list[float]] = words.corners.tolist()
    columns = zip(words.starts.tolist(), words.ends.tolist(), words.runs.tolist(), corners, strict=True)
    return [
        PageWord(start=start, end=end, line=line, x=left, y=top, w=right - left, h=bottom - top)
        for start, end, line, (left, top, right, bottom) in columns
    ]


async def get_outline(session: Session, document_id: uuid.UUID) -> OutlineResponse:
    """Return the outline. Raises DocumentNotFound, DocumentHasNoText."""
    document = await _require_text(session, document_id)
    return OutlineResponse(items=[OutlineHeading.model_validate(entry) for entry in document.outline])


async def get_content(
    session: Session, document_id: uuid.UUID, *, char_start: int, max_characters: int
) -> ContentResponse:
    """Return a range of the text: page texts joined by line feeds. Raises DocumentNotFound, DocumentHasNoText."""
    await _require_text(session, document_id)
    char_count = await repository.count_characters(session, document_id)
    start = min(char_start, char_count)
    end = min(start + max_characters, char_count)
    rows = await repository.list_page_excerpts(session, document_id, start=start, end=end) if end > start else []
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
    """Return the rectangles of the range `[char_start, char_end)`.

    Raises DocumentNotFound, DocumentHasNoText, InvalidRequest.
    """
    _check_range(char_start, char_end)
    await _require_text(session, document_id)
    pages = await repository.list_boxes(session, document_id, start=char_start, end=char_end)
    return HighlightsResponse(highlights=_build_highlights(pages, start=char_start, end=char_end))


async def get_passage(session: Session, document_id: uuid.UUID, *, char_start: int, char_end: int) -> TextInContext:
    """Return a range of the text with what is around it. Raises DocumentNotFound, InvalidRequest."""
    _check_range(char_start, char_end)
    start = max(char_start - CONTEXT_CHARACTERS, 0)
    content = await get_content(
        session, document_id, char_start=start, max_characters=char_end - start + CONTEXT_CHARACTERS
    )
    first, last = char_start - start, char_end - start
    before, text, after = content.text[:first], content.text[first:last], content.text[last:]
    return TextInContext(text, char_start / max(content.char_count, 1), before, after)


async def list_passages(session: Session, document_id: uuid.UUID, matches: Sequence[TextMatch]) -> list[TextInContext]:
    char_count = max(await repository.count_characters(session, document_id), 1)
    return [TextInContext(match.text, match.char_start / char_count, match.before, match.after) for match in matches]


def build_printed_highlights(places: Sequence[PrintedPlace]) -> list[PageHighlight]:
    return [PageHighlight(page_number=place.page_number, rects=_build_rects(place.rects)) for place in places]


def _check_range(char_start: int, char_end: int) -> None:
    if not char_start < char_end <= char_start + MAX_HIGHLIGHT_CHARACTERS:
        raise InvalidRequest(
            f"`char_end` must be 1 to {MAX_HIGHLIGHT_CHARACTERS:,} characters after `char_start`.",
            details={"max_characters": MAX_HIGHLIGHT_CHARACTERS},
        )


async def read_table_rows(
    session: Session, document_id: uuid.UUID, *, page_number: int, text: str, start: int, end: int
) -> TableRows | None:
    """Return the table rows in characters start..end of a page's text, with their header. None if there are none."""
    boxes = await repository.find_boxes(session, document_id, page_number)
    return await asyncio.to_thread(read_rows, text, boxes, start, end) if boxes else None


def _build_highlights(pages: Sequence[tuple[int, int, int, bytes]], *, start: int, end: int) -> list[PageHighlight]:
    """Build the rectangles of `[start, end)` by page."""
    highlights: list[PageHighlight] = []
    for page_number, first, count, boxes in pages:
        if first < end and first + count > start:
            rects = rectangles(boxes, max(start - first, 0), min(end - first, count))
            highlights.append(PageHighlight(page_number=page_number, rects=_build_rects(rects)))
    return highlights


def _build_rects(rects: Sequence[Rect]) -> list[RectangleResponse]:
    return [RectangleResponse(x=rect.x, y=rect.y, w=rect.width, h=rect.height) for rect in rects]


async def find_in_document(
    session: Session, document_id: uuid.UUID, *, words: str, cursor: str | None, limit: int
) -> Page[TextMatch]:
    """Return the matches of the words in reading order, at most 10,000.

    Raises DocumentNotFound, DocumentHasNoText, BrokenCursor.
    """
    await _require_text(session, document_id)
    order = f"find:{document_id}:{hashlib.sha256(words.encode()).hexdigest()}"
    first = decode_cursor(cursor, order=order, types=(int,))[0] if cursor else 0
    pages = await repository.list_texts(session, document_id)
    text = "\n".join(page_text for _, _, page_text in pages)
    matches = await asyncio.to_thread(find_words, text, words)
    page_matches = matches[first : first + limit]
    end = first + len(page_matches)
    return Page(
        items=await _present(session, document_id, text=text, pages=pages, matches=page_matches),
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
) -> list[TextMatch]:
    if not matches:
        return []
    starts = [char_start for _, char_start, _ in pages]
    boxes = await repository.list_boxes(session, document_id, start=matches[0].char_start, end=matches[-1].char_end)
    responses: list[TextMatch] = []
    for match in matches:
        before, after = get_context(text, match, max_characters=CONTEXT_CHARACTERS)
        responses.append(
            TextMatch(
                page_number=pages[bisect_right(starts, match.char_start) - 1][0],
                char_start=match.char_start,
                char_end=match.char_end,
                before=before,
                text=text[match.char_start : match.char_end],
                after=after,
                highlights=_build_highlights(boxes, start=match.char_start, end=match.char_end),
            )
        )
    return responses


async def list_copies(session: Session, document_id: uuid.UUID, *, share: float, limit: int) -> CopiesResponse:
    """List documents with the same file or most of the same chunks. Raises DocumentNotFound."""
    await _require(session, document_id)
    rows = await repository.list_copies(session, document_id, share=share, limit=limit)
    return CopiesResponse(
        items=[
            CopyResponse.from_row(row, collection=CollectionRef(id=row.collection_id, name=row.collection_name))
            for row in rows
        ]
    )
