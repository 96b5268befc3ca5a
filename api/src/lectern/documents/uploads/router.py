"""Uploads: `POST /documents`, `PUT /documents/{id}/content` and `/samples`."""

import re
import uuid
from typing import Annotated, Any, Final

from fastapi import APIRouter, Query, Request

from lectern.accounts.dependencies import CurrentDatabase, CurrentPrincipal, CurrentSettings, ScopedSession, Writer
from lectern.documents.dependencies import BINARY, CurrentOriginals
from lectern.documents.errors import InvalidUpload
from lectern.documents.uploads import samples, service
from lectern.documents.uploads.reader import MAX_TAGS, UploadReader
from lectern.documents.uploads.schemas import OnSameName, SamplesResponse, UploadResponse
from lectern.documents.versions.schemas import VersionAccepted
from lectern.documents.versions.service import replace_content, require_replaceable
from lectern.extraction.registry import ACCEPTED_TYPES

router = APIRouter(prefix="/api/v1", tags=["documents"])

UPLOAD_PATH: Final = "/api/v1/documents"
CONTENT_PATH: Final = re.compile(r"/api/v1/documents/[^/]+/content")

Reference = Annotated[str | None, Query(min_length=1, max_length=500)]
Filename = Annotated[str | None, Query(max_length=1_000, description="The filename of a body that is not a form.")]


def _body(description: str, properties: dict[str, Any], *, required: str) -> dict[str, Any]:
    """Describe a body that is a form or a file."""
    form = {"type": "object", "required": [required], "properties": properties}
    files = dict.fromkeys((*ACCEPTED_TYPES, "application/octet-stream"), BINARY)
    content = {"multipart/form-data": {"schema": form}, **files}
    return {"requestBody": {"required": True, "description": description, "content": content}}


_UPLOAD_BODY: Final = _body(
    "A form with one or more `files`, or the bytes of one file. The file type is detected from the bytes.",
    {
        "files": {"type": "array", "items": BINARY["schema"]},
        "tags": {"type": "array", "items": {"type": "string"}},
        "collection": {"type": "string"},
        "language": {"type": "string"},
        "on_same_name": {"type": "string", "enum": [*OnSameName]},
    },
    required="files",
)
_CONTENT_BODY: Final = _body(
    "The bytes of the file, or a form with one `file`. The file type is detected from the bytes.",
    {"file": BINARY["schema"]},
    required="file",
)


@router.post("/documents", status_code=202, openapi_extra=_UPLOAD_BODY)
async def upload_documents(
    request: Request,
    principal: Writer,
    database: CurrentDatabase,
    originals: CurrentOriginals,
    settings: CurrentSettings,
    tags: Annotated[list[str] | None, Query(max_length=MAX_TAGS, description="Ids or names. Can be repeated.")] = None,
    collection: Reference = None,
    language: Reference = None,
    filename: Filename = None,
    on_same_name: Annotated[
        OnSameName,
        Query(description="What to do if the collection has a document with this filename."),
    ] = OnSameName.KEEP_BOTH,
) -> UploadResponse:
    """Upload one or more files. They are stored when the response arrives and processed in the background.

    Tags in the form are added to those in the query. Other form fields override the query.
    """
    service.require_uploading(principal)
    fields = {
        "tags": tags or [],
        "collection": [collection] if collection else [],
        "language": [language] if language else [],
        "on_same_name": [on_same_name.value],
    }
    reader = UploadReader(request, database, originals, max_bytes=settings.http.max_upload_bytes, fields=fields)
    options = await reader.read(filename=filename, max_files=settings.documents.max_files_per_upload)
    return await service.register_files(
        database,
        originals,
        principal,
        reader.files,
        options=options,
        languages=settings.chunking.languages,
    )


@router.put("/documents/{document_id}/content", status_code=202, openapi_extra=_CONTENT_BODY)
async def replace_document_content(
    document_id: uuid.UUID,
    request: Request,
    principal: Writer,
    database: CurrentDatabase,
    originals: CurrentOriginals,
    settings: CurrentSettings,
    filename: Filename = None,
) -> VersionAccepted:
    """Upload a new version of a document.

    Id, title, tags and collection stay. Unchanged chunks keep their embeddings. The current version stays in use until
    the new one is complete. A version that fails changes nothing.
    """
    async with database.session(principal.scope) as session:  # Check access before reading the body.
        document = await require_replaceable(session, principal, document_id)
        current_name = document.filename
    reader = UploadReader(request, database, originals, max_bytes=settings.http.max_upload_bytes, fields={})
    await reader.read(filename=filename, max_files=1, current_name=current_name)
    if len(reader.stored_files) != 1:
        raise InvalidUpload("A document has one file.")
    return await replace_content(database, originals, principal, document_id, file=reader.stored_files[0])


@router.get("/samples")
async def get_samples(_: CurrentPrincipal, session: ScopedSession, settings: CurrentSettings) -> SamplesResponse:
    """Get the number of sample documents, and how many are in the library."""
    return await samples.get_samples(session, folder=settings.documents.samples_dir)


@router.post("/samples", status_code=202)
async def load_samples(
    principal: Writer, database: CurrentDatabase, originals: CurrentOriginals, settings: CurrentSettings
) -> UploadResponse:
    """Upload the sample documents with their collections and tags. They are processed in the background."""
    return await samples.load_samples(database, originals, principal, settings=settings)
