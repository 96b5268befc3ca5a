"""`/documents/{id}/...`: chunks, pages, text, outline, places, and the original."""

import uuid
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import Annotated, Any, Final, cast

from fastapi import APIRouter, Header, Query, Request, Response
from starlette.responses import StreamingResponse

from lectern.accounts.dependencies import CurrentDatabase, CurrentPrincipal, ScopedSession
from lectern.documents.errors import InvalidRange
from lectern.documents.parts import service
from lectern.documents.parts.ranges import ByteRange, read_range
from lectern.documents.parts.repository import OriginalFacts
from lectern.documents.parts.schemas import (
    ChunkResponse,
    ContentResponse,
    FoundWords,
    HighlightsResponse,
    OutlineResponse,
    PageEntry,
    PageResponse,
)
from lectern.documents.uploads.names import disposition_of_filename
from lectern.documents.uploads.router import CurrentOriginals
from lectern.http.pagination import CursorParameter, Limit, Page
from lectern.http.problems import problem_response

router = APIRouter(prefix="/api/v1/documents/{document_id}", tags=["documents"])

_LARGEST: Final = 2**31 - 1
Offset = Annotated[int, Query(ge=0, le=_LARGEST)]
# What a browser may show beside our own pages; everything else is saved. SVG and HTML could run scripts.
_INLINE: Final = frozenset({"application/pdf", "text/plain", "image/png", "image/jpeg", "image/webp"})
_SANDBOX: Final = "sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'"
_ORIGINAL: Final[dict[int | str, dict[str, Any]]] = {
    200: {"content": {"application/octet-stream": {}}, "description": "The whole file."},
    206: {"content": {"application/octet-stream": {}}, "description": "The range asked for."},
    304: {"description": "The client has it already."},
}


@router.get("/chunks")
async def list_document_chunks(
    document_id: uuid.UUID,
    _: CurrentPrincipal,
    session: ScopedSession,
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
    session: ScopedSession,
    cursor: CursorParameter = None,
    limit: Limit = 50,
) -> Page[PageEntry]:
    """The page ledger: what each page is, and what became of it."""
    return await service.list_pages(session, document_id, cursor=cursor, limit=limit)


@router.get("/pages/{page_number}")
async def get_document_page(
    document_id: uuid.UUID, page_number: int, _: CurrentPrincipal, session: ScopedSession
) -> PageResponse:
    """One page with its text."""
    if not 0 < page_number <= _LARGEST:
        page_number = 0  # no page has this number
    return await service.get_page(session, document_id, page_number)


@router.get("/outline")
async def get_document_outline(document_id: uuid.UUID, _: CurrentPrincipal, session: ScopedSession) -> OutlineResponse:
    """Headings and their pages."""
    return await service.get_outline(session, document_id)


@router.get("/content")
async def get_document_content(
    document_id: uuid.UUID,
    _: CurrentPrincipal,
    session: ScopedSession,
    char_start: Offset = 0,
    max_characters: Annotated[int, Query(ge=1, le=1_000_000)] = 100_000,
) -> ContentResponse:
    """The text of a document, as chunks and citations count it."""
    return await service.get_content(session, document_id, char_start=char_start, max_characters=max_characters)


@router.get("/rectangles")
async def get_document_rectangles(
    document_id: uuid.UUID, _: CurrentPrincipal, session: ScopedSession, char_start: Offset, char_end: Offset
) -> HighlightsResponse:
    """Where a passage is to be seen on its pages."""
    return await service.get_highlights(session, document_id, char_start=char_start, char_end=char_end)


@router.get("/find")
async def find_in_document(
    document_id: uuid.UUID,
    _: CurrentPrincipal,
    session: ScopedSession,
    q: Annotated[str, Query(min_length=1, max_length=200, description="The words, as they stand.")],
    cursor: CursorParameter = None,
    limit: Limit = 50,
) -> Page[FoundWords]:
    """Where words stand in one document, literally; case, accents and line breaks do not matter. At most 10,000."""
    return await service.find_in_document(session, document_id, words=q, cursor=cursor, limit=limit)


@router.get("/original", response_class=StreamingResponse, responses=_ORIGINAL)
async def get_document_original(
    document_id: uuid.UUID,
    request: Request,
    principal: CurrentPrincipal,
    database: CurrentDatabase,
    originals: CurrentOriginals,
    *,
    is_inline: Annotated[bool, Query(description="Shown by the browser where that is safe, else saved.")] = False,
    range_: Annotated[str | None, Header(alias="range")] = None,
    if_range: Annotated[str | None, Header()] = None,
    if_none_match: Annotated[str | None, Header()] = None,
) -> Response:
    """The file as it was uploaded, or a range of its bytes."""
    # the transaction ends before the first byte is sent: a slow reader must not hold a connection
    async with database.session(principal.scope) as session:
        original = await service.get_original(session, document_id)
    tag = f'"{original.sha256}"'
    headers = _headers(original, is_inline=is_inline) | {"ETag": tag}
    if if_none_match is not None and tag in [value.strip() for value in if_none_match.split(",")]:
        return Response(status_code=304, headers={"ETag": tag, "Cache-Control": headers["Cache-Control"]})
    try:
        wanted = read_range(range_, size_bytes=original.size_bytes) if if_range in {None, tag} else None
    except InvalidRange as error:
        response = problem_response(error, instance=request.url.path)
        response.headers["Content-Range"] = f"bytes */{original.size_bytes}"
        return response
    start, end = wanted or ByteRange(0, original.size_bytes)
    headers["Content-Length"] = str(end - start)
    if wanted is not None:
        headers["Content-Range"] = f"bytes {start}-{end - 1}/{original.size_bytes}"
    body = await originals.open(original.sha256, start=start, end=end)
    return StreamingResponse(
        _closing(body), status_code=206 if wanted else 200, headers=headers, media_type=original.content_type
    )


def _headers(original: OriginalFacts, *, is_inline: bool) -> dict[str, str]:
    is_shown = is_inline and original.content_type in _INLINE
    return {
        "Content-Disposition": disposition_of_filename(original.filename, is_inline=is_shown),
        "Accept-Ranges": "bytes",
        "Cache-Control": "private, max-age=0, must-revalidate",
        "Content-Security-Policy": _SANDBOX,
        "X-Content-Type-Options": "nosniff",
    }


async def _closing(body: AsyncIterator[bytes]) -> AsyncGenerator[bytes]:
    """Stops reading from storage when the client leaves."""
    async with aclosing(cast("AsyncGenerator[bytes]", body)):
        async for piece in body:
            yield piece
