"""`/documents/{id}/versions`: list, download and restore."""

import uuid

from fastapi import APIRouter, Depends, Request, Response
from starlette.responses import StreamingResponse

from lectern.accounts.audit.reads import RecordedRead
from lectern.accounts.dependencies import CurrentDatabase, CurrentPrincipal, ScopedSession, Writer
from lectern.documents.dependencies import CurrentOriginals
from lectern.documents.parts.delivery import ORIGINAL_RESPONSES, RequestedDelivery, serve_original
from lectern.documents.versions import service
from lectern.documents.versions.schemas import VersionAccepted, VersionResponse
from lectern.http.page_parameters import CursorParameter, Limit
from lectern.http.pagination import Page
from lectern.http.schemas import MAX_INTEGER

router = APIRouter(prefix="/api/v1/documents/{document_id}/versions", tags=["documents"])


@router.get("")
async def list_document_versions(
    document_id: uuid.UUID,
    _: CurrentPrincipal,
    session: ScopedSession,
    cursor: CursorParameter = None,
    limit: Limit = 50,
) -> Page[VersionResponse]:
    """List the versions of a document, newest first."""
    return await service.list_versions(session, document_id, cursor=cursor, limit=limit)


@router.head("/{number}/original", include_in_schema=False, dependencies=[Depends(RecordedRead("document.download"))])
@router.get(
    "/{number}/original",
    response_class=StreamingResponse,
    responses=ORIGINAL_RESPONSES,
    dependencies=[Depends(RecordedRead("document.download"))],
)
async def get_version_original(
    document_id: uuid.UUID,
    number: int,
    request: Request,
    principal: CurrentPrincipal,
    database: CurrentDatabase,
    originals: CurrentOriginals,
    *,
    wanted: RequestedDelivery,
) -> Response:
    """Download the file of one version, or a range of its bytes."""
    async with database.session(principal.scope) as session:
        original = await service.get_original(session, document_id, _number(number))
    return await serve_original(originals, original, request=request, wanted=wanted)


@router.post("/{number}/restore", status_code=202)
async def restore_document_version(
    document_id: uuid.UUID, number: int, principal: Writer, session: ScopedSession, originals: CurrentOriginals
) -> VersionAccepted:
    """Restore an older version as a new version. Cached embeddings are reused."""
    return await service.restore_version(session, originals, principal, document_id, number=_number(number))


def _number(number: int) -> int:
    """Map numbers outside the integer range to 0, which no version has."""
    return number if 0 < number <= MAX_INTEGER else 0
