"""`POST /documents/from-url`: add a file on the public Internet to the library."""

from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import APIRouter
from pydantic import Field, StringConstraints

from lectern.accounts.dependencies import CurrentDatabase, CurrentSettings, Writer
from lectern.documents.dependencies import CurrentOriginals
from lectern.documents.uploads.schemas import UploadResponse
from lectern.documents.uploads.service import UploadOptions, register_files, require_uploading, store_file
from lectern.extracts.router import Processor
from lectern.http.schemas import RequestModel

router = APIRouter(prefix="/api/v1/documents", tags=["documents"])
Reference = Annotated[str, StringConstraints(min_length=1, max_length=500)]


class AddFromUrl(RequestModel):
    """A file on the public Internet that becomes a document."""

    url: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=2_048)] = Field(
        description="Public http(s) URL."
    )
    filename: Annotated[str, StringConstraints(min_length=1, max_length=200)] | None = Field(
        default=None, description="Name of the document. Null: the last part of the URL."
    )
    tags: Annotated[list[Reference], Field(max_length=200)] = Field(default=[], description="Ids or names.")
    collection: Reference | None = Field(default=None, description="Id or name.")
    language: Reference | None = None


@router.post("/from-url", status_code=202)
async def add_document_from_url(
    body: AddFromUrl,
    principal: Writer,
    database: CurrentDatabase,
    originals: CurrentOriginals,
    settings: CurrentSettings,
    processor: Processor,
) -> UploadResponse:
    """Fetch a file from the public Internet and add it to the library. It is processed in the background."""
    require_uploading(principal)
    fetched = await processor.fetcher.fetch(body.url)
    file = await store_file(
        originals,
        _one_piece(fetched.content),
        filename=body.filename or fetched.filename,
        max_bytes=settings.http.max_upload_bytes,
    )
    return await register_files(
        database,
        originals,
        principal,
        [file],
        options=UploadOptions(collection=body.collection, tags=body.tags, language=body.language),
        languages=settings.chunking.languages,
    )


async def _one_piece(content: bytes) -> AsyncIterator[bytes]:
    yield content
