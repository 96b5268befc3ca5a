"""`PUT /documents/{id}/content`, and the versions of a document: listed, downloaded, restored."""

import re
import uuid
from typing import Annotated, Any, Final

from fastapi import APIRouter, Query, Request, Response
from starlette.responses import StreamingResponse

from lectern.accounts.dependencies import CurrentDatabase, CurrentPrincipal, CurrentSettings, ScopedSession, Writer
from lectern.documents.errors import InvalidUpload
from lectern.documents.files import StoredFile
from lectern.documents.parts.delivery import (
    ORIGINAL_RESPONSES,
    AskedFor,
    serve_original,
)
from lectern.documents.uploads.intake import Intake, is_form
from lectern.documents.uploads.router import CurrentOriginals
from lectern.documents.uploads.service import discard_files
from lectern.documents.versions import service
from lectern.documents.versions.schemas import VersionAccepted, VersionResponse
from lectern.extraction.registry import ACCEPTED_TYPES
from lectern.http.pagination import CursorParameter, Limit, Page

router = APIRouter(prefix="/api/v1/documents/{document_id}", tags=["documents"])

PATH: Final = re.compile(r"/api/v1/documents/[^/]+/content")
_LARGEST: Final = 2**31 - 1
_BINARY: Final = {"schema": {"type": "string", "format": "binary"}}
_BODY: Final[dict[str, Any]] = {
    "requestBody": {
        "required": True,
        "description": "The bytes of the file, or a form with it as `file`. The type is told from the bytes.",
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["file"],
                    "properties": {"file": {"type": "string", "format": "binary"}},
                }
            },
            **dict.fromkeys(ACCEPTED_TYPES, _BINARY),
            "application/octet-stream": _BINARY,
        },
    }
}


@router.put("/content", status_code=202, openapi_extra=_BODY)
async def replace_document_content(
    document_id: uuid.UUID,
    request: Request,
    principal: Writer,
    database: CurrentDatabase,
    originals: CurrentOriginals,
    settings: CurrentSettings,
    filename: Annotated[str | None, Query(max_length=1_000, description="Of a file sent as the body itself.")] = None,
) -> VersionAccepted:
    """Give a document another content: its next version.

    Id, name, tags and collection stay, and so do the passages that did not change, with their embeddings. The document
    is searched and read as it was until the new version is complete; one that cannot be read changes nothing.
    """
    async with database.session(principal.scope) as session:  # before the body is read
        document = await service.require_replaceable(session, principal, document_id)
        name = document.filename
    intake = Intake(request, originals, max_bytes=settings.http.max_upload_bytes, known=())
    try:
        await (intake.read_form(max_files=1) if is_form(request) else intake.read_body(filename or name))
    except BaseException:
        await discard_files(database, originals, intake.stored())
        raise
    return await service.replace_content(database, originals, principal, document_id, file=_only(intake))


def _only(intake: Intake) -> StoredFile:
    stored = intake.stored()
    if len(stored) != 1:
        raise InvalidUpload("A document has one file.")
    return stored[0]


@router.get("/versions")
async def list_document_versions(
    document_id: uuid.UUID,
    _: CurrentPrincipal,
    session: ScopedSession,
    cursor: CursorParameter = None,
    limit: Limit = 50,
) -> Page[VersionResponse]:
    """The versions of a document, the newest first."""
    return await service.list_versions(session, document_id, cursor=cursor, limit=limit)


@router.get("/versions/{number}/original", response_class=StreamingResponse, responses=ORIGINAL_RESPONSES)
async def get_version_original(
    document_id: uuid.UUID,
    number: int,
    request: Request,
    principal: CurrentPrincipal,
    database: CurrentDatabase,
    originals: CurrentOriginals,
    *,
    asked: AskedFor,
) -> Response:
    """The file of one version as it was uploaded, or a range of its bytes."""
    async with database.session(principal.scope) as session:
        original = await service.get_original(session, document_id, _number(number))
    return await serve_original(originals, original, path=request.url.path, asked=asked)


@router.post("/versions/{number}/restore", status_code=202)
async def restore_document_version(
    document_id: uuid.UUID, number: int, principal: Writer, session: ScopedSession, originals: CurrentOriginals
) -> VersionAccepted:
    """Make the file of an older version the next one; most of it is embedded already."""
    return await service.restore_version(session, originals, principal, document_id, number=_number(number))


def _number(number: int) -> int:
    """No version has the number 0."""
    return number if 0 < number <= _LARGEST else 0
