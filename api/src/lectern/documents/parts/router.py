"""`/documents/{id}/...`: chunks, pages, page images, outline, text, copies and the original."""

import uuid
from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, Header, Query, Request, Response
from starlette.responses import StreamingResponse

from lectern.accounts.audit.reads import RecordedRead
from lectern.accounts.dependencies import CurrentDatabase, CurrentPrincipal, SnapshotSession
from lectern.documents.dependencies import BINARY, CurrentOriginals, CurrentPageImages
from lectern.documents.errors import PageNotFound
from lectern.documents.filenames import build_content_disposition
from lectern.documents.images.service import DEFAULT_WIDTH, MAX_WIDTH, MIN_WIDTH, entity_tag
from lectern.documents.parts import service
from lectern.documents.parts.delivery import (
    ORIGINAL_RESPONSES,
    RequestedDelivery,
    is_cached_by_client,
    serve_original,
)
from lectern.documents.parts.schemas import (
    ChunkResponse,
    ContentResponse,
    CopiesResponse,
    HighlightsResponse,
    OutlineResponse,
    PageEntry,
    PageResponse,
    TextMatch,
)
from lectern.extraction.sandbox.drawing import PDF
from lectern.http.page_parameters import CursorParameter, Limit
from lectern.http.pagination import Page
from lectern.http.schemas import MAX_INTEGER

router = APIRouter(prefix="/api/v1/documents/{document_id}", tags=["documents"])

_IMAGE_MEDIA_TYPE: Final = "image/webp"
_DRAWN_HEADERS: Final = {
    # A new version has the same address: browsers ask by the ETag whether their copy is current.
    "Cache-Control": "private, no-cache",
    "Content-Security-Policy": "sandbox; default-src 'none'",
    "X-Content-Type-Options": "nosniff",
}
_IMAGE_RESPONSES: Final[dict[int | str, dict[str, Any]]] = {
    200: {"content": {_IMAGE_MEDIA_TYPE: BINARY}, "description": "The image."},
    304: {"description": "The client's cached copy is current."},
}
Offset = Annotated[int, Query(ge=0, le=MAX_INTEGER)]
OnPrintedPages = Annotated[
    bool, Query(description="Office files: on printed pages, found by the words. Empty if these are not found there.")
]


@router.get("/chunks")
async def list_document_chunks(
    document_id: uuid.UUID,
    _: CurrentPrincipal,
    session: SnapshotSession,
    page_number: Annotated[int | None, Query(ge=1, le=MAX_INTEGER, description="Only chunks on this page.")] = None,
    cursor: CursorParameter = None,
    limit: Limit = 50,
) -> Page[ChunkResponse]:
    """List the chunks of a document in reading order."""
    return await service.list_chunks(session, document_id, page_number=page_number, cursor=cursor, limit=limit)


@router.get("/pages")
async def list_document_pages(
    document_id: uuid.UUID,
    _: CurrentPrincipal,
    session: SnapshotSession,
    cursor: CursorParameter = None,
    limit: Limit = 50,
) -> Page[PageEntry]:
    """List the pages of a document with their kind, language and counts."""
    return await service.list_pages(session, document_id, cursor=cursor, limit=limit)


@router.get("/pages/{page_number}")
async def get_document_page(
    document_id: uuid.UUID,
    page_number: int,
    _: CurrentPrincipal,
    session: SnapshotSession,
    *,
    words: Annotated[bool, Query(description="Add the rectangles of its words.")] = False,
) -> PageResponse:
    """Get one page with its text."""
    if not 0 < page_number <= MAX_INTEGER:
        page_number = 0  # No page has this number.
    return await service.get_page(session, document_id, page_number, has_words=words)


@router.get("/pages/{page_number}/image", response_class=Response, responses=_IMAGE_RESPONSES)
async def get_document_page_image(
    document_id: uuid.UUID,
    page_number: int,
    principal: CurrentPrincipal,
    database: CurrentDatabase,
    images: CurrentPageImages,
    *,
    width: Annotated[int, Query(ge=MIN_WIDTH, le=MAX_WIDTH, description="Pixels.")] = DEFAULT_WIDTH,
    if_none_match: Annotated[str | None, Header()] = None,
) -> Response:
    """Draw a page as WebP. Pages of Office files are drawn as LibreOffice prints them, if the server has it.

    Slides have their own numbers. The numbers of other printed pages may differ from those of `/pages`.
    """
    # End the transaction before drawing, which is slow and needs no connection.
    async with database.session(principal.scope) as session:
        original = await service.get_original(session, document_id)
    if not 0 < page_number <= MAX_INTEGER:
        raise PageNotFound
    headers = {**_DRAWN_HEADERS, "ETag": entity_tag(original, page_number=page_number, width_pixels=width)}
    if is_cached_by_client(headers["ETag"], if_none_match):
        return Response(status_code=304, headers=headers)
    image = await images.draw(document_id, original, page_number=page_number, width_pixels=width)
    return Response(image, headers=headers, media_type=_IMAGE_MEDIA_TYPE)


@router.get("/outline")
async def get_document_outline(
    document_id: uuid.UUID, _: CurrentPrincipal, session: SnapshotSession
) -> OutlineResponse:
    """Get the headings of a document and their pages."""
    return await service.get_outline(session, document_id)


@router.get("/content")
async def get_document_content(
    document_id: uuid.UUID,
    _: CurrentPrincipal,
    session: SnapshotSession,
    char_start: Offset = 0,
    max_characters: Annotated[int, Query(ge=1, le=1_000_000)] = 100_000,
) -> ContentResponse:
    """Get the text of a document. Offsets of chunks and citations refer to it."""
    return await service.get_content(session, document_id, char_start=char_start, max_characters=max_characters)


@router.get("/rectangles")
async def get_document_rectangles(
    document_id: uuid.UUID,
    principal: CurrentPrincipal,
    database: CurrentDatabase,
    images: CurrentPageImages,
    char_start: Offset,
    char_end: Offset,
    *,
    is_printed: OnPrintedPages = False,
) -> HighlightsResponse:
    """Get the rectangles of a text range on its pages."""
    async with database.session(principal.scope, is_snapshot=True) as session:
        if not is_printed:
            return await service.get_highlights(session, document_id, char_start=char_start, char_end=char_end)
        original = await service.get_original(session, document_id)
        passage = await service.get_passage(session, document_id, char_start=char_start, char_end=char_end)
    (places,) = await images.find_printed(document_id, original, [passage])
    return HighlightsResponse(highlights=service.build_printed_highlights(places))


@router.get("/find")
async def find_in_document(
    document_id: uuid.UUID,
    principal: CurrentPrincipal,
    database: CurrentDatabase,
    images: CurrentPageImages,
    q: Annotated[str, Query(min_length=1, max_length=200, description="The text to find.")],
    cursor: CursorParameter = None,
    limit: Limit = 50,
    *,
    is_printed: OnPrintedPages = False,
) -> Page[TextMatch]:
    """Find text in one document, ignoring case, accents and line breaks. At most 10,000 matches."""
    async with database.session(principal.scope, is_snapshot=True) as session:
        found = await service.find_in_document(session, document_id, words=q, cursor=cursor, limit=limit)
        if not is_printed:
            return found
        original = await service.get_original(session, document_id)
        passages = await service.list_passages(session, document_id, found.items)
    for match, places in zip(found.items, await images.find_printed(document_id, original, passages), strict=True):
        match.highlights = service.build_printed_highlights(places)
    return found


@router.get("/copies")
async def list_document_copies(
    document_id: uuid.UUID,
    _: CurrentPrincipal,
    session: SnapshotSession,
    share: Annotated[float, Query(gt=0, le=1, description="Minimum share of the document's chunks in a copy.")] = 0.5,
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
) -> CopiesResponse:
    """List documents with the same file or most of the same chunks."""
    return await service.list_copies(session, document_id, share=share, limit=limit)


@router.head("/original", include_in_schema=False, dependencies=[Depends(RecordedRead("document.download"))])
@router.get(
    "/original",
    response_class=StreamingResponse,
    responses=ORIGINAL_RESPONSES,
    dependencies=[Depends(RecordedRead("document.download"))],
)
async def get_document_original(
    document_id: uuid.UUID,
    request: Request,
    principal: CurrentPrincipal,
    database: CurrentDatabase,
    originals: CurrentOriginals,
    *,
    wanted: RequestedDelivery,
    images: CurrentPageImages,
    is_printed: Annotated[bool, Query(description="Office files: as the PDF that LibreOffice makes of them.")] = False,
) -> Response:
    """Download the uploaded file, or a range of its bytes."""
    # End the transaction before the first byte: a slow client must not occupy a connection.
    async with database.session(principal.scope) as session:
        original = await service.get_original(session, document_id)
    if is_printed:
        disposition = build_content_disposition(f"{original.filename}.pdf", is_inline=wanted.is_inline)
        headers = {**_DRAWN_HEADERS, "Content-Disposition": disposition}
        return Response(await images.read_pdf(document_id, original), media_type=PDF, headers=headers)
    return await serve_original(originals, original, request=request, wanted=wanted)
