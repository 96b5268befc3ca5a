"""`/documents/{id}/...`: chunks, pages, text, outline, places, and the original."""

import uuid
from typing import Annotated, Final

from fastapi import APIRouter, Query, Request, Response
from starlette.responses import StreamingResponse

from lectern.accounts.dependencies import CurrentDatabase, CurrentPrincipal, SnapshotSession
from lectern.documents.parts import service
from lectern.documents.parts.delivery import (
    ORIGINAL_RESPONSES,
    AskedFor,
    serve_original,
)
from lectern.documents.parts.schemas import (
    ChunkResponse,
    ContentResponse,
    FoundWords,
    HighlightsResponse,
    OutlineResponse,
    PageEntry,
    PageResponse,
)
from lectern.documents.uploads.router import CurrentOriginals
from lectern.http.pagination import CursorParameter, Limit, Page

router = APIRouter(prefix="/api/v1/documents/{document_id}", tags=["documents"])

_LARGEST: Final = 2**31 - 1
Offset = Annotated[int, Query(ge=0, le=_LARGEST)]


@router.get("/chunks")
async def list_document_chunks(
    document_id: uuid.UUID,
    _: CurrentPrincipal,
    session: SnapshotSession,
    page_number: Annotated[int | None, Query(ge=1, le=_LARGEST, description="Those that touch this page.")] = None,
    cursor: CursorParameter = None,
    limit: Limit = 50,
) -> Page[ChunkResponse]:
    """The passages of a document in reading order."""
    return await service.list_chunks(session, document_id, page_number=page_number, cursor=cursor, limit=limit)


@router.get("/pages")
async def list_document_pages(
    document_id: uuid.UUID,
    _: CurrentPrincipal,
    session: SnapshotSession,
    cursor: CursorParameter = None,
    limit: Limit = 50,
) -> Page[PageEntry]:
    """The page ledger: what each page is, and what became of it."""
    return await service.list_pages(session, document_id, cursor=cursor, limit=limit)


@router.get("/pages/{page_number}")
async def get_document_page(
    document_id: uuid.UUID, page_number: int, _: CurrentPrincipal, session: SnapshotSession
) -> PageResponse:
    """One page with its text."""
    if not 0 < page_number <= _LARGEST:
        page_number = 0  # no page has this number
    return await service.get_page(session, document_id, page_number)


@router.get("/outline")
async def get_document_outline(
    document_id: uuid.UUID, _: CurrentPrincipal, session: SnapshotSession
) -> OutlineResponse:
    """Headings and their pages."""
    return await service.get_outline(session, document_id)


@router.get("/content")
async def get_document_content(
    document_id: uuid.UUID,
    _: CurrentPrincipal,
    session: SnapshotSession,
    char_start: Offset = 0,
    max_characters: Annotated[int, Query(ge=1, le=1_000_000)] = 100_000,
) -> ContentResponse:
    """The text of a document, as chunks and citations count it."""
    return await service.get_content(session, document_id, char_start=char_start, max_characters=max_characters)


@router.get("/rectangles")
async def get_document_rectangles(
    document_id: uuid.UUID, _: CurrentPrincipal, session: SnapshotSession, char_start: Offset, char_end: Offset
) -> HighlightsResponse:
    """Where a passage is to be seen on its pages."""
    return await service.get_highlights(session, document_id, char_start=char_start, char_end=char_end)


@router.get("/find")
async def find_in_document(
    document_id: uuid.UUID,
    _: CurrentPrincipal,
    session: SnapshotSession,
    q: Annotated[str, Query(min_length=1, max_length=200, description="The words, as they stand.")],
    cursor: CursorParameter = None,
    limit: Limit = 50,
) -> Page[FoundWords]:
    """Where words stand in one document, literally; case, accents and line breaks do not matter. At most 10,000."""
    return await service.find_in_document(session, document_id, words=q, cursor=cursor, limit=limit)


@router.get("/original", response_class=StreamingResponse, responses=ORIGINAL_RESPONSES)
async def get_document_original(
    document_id: uuid.UUID,
    request: Request,
    principal: CurrentPrincipal,
    database: CurrentDatabase,
    originals: CurrentOriginals,
    *,
    asked: AskedFor,
) -> Response:
    """The file as it was uploaded, or a range of its bytes."""
    # the transaction ends before the first byte is sent: a slow reader must not hold a connection
    async with database.session(principal.scope) as session:
        original = await service.get_original(session, document_id)
    return await serve_original(originals, original, path=request.url.path, asked=asked)
