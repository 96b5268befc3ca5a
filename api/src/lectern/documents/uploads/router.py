"""`POST /documents`: files as a form or as the body itself, read as they arrive."""

from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, Query, Request

from lectern.accounts.dependencies import CurrentDatabase, CurrentSettings, Writer
from lectern.documents.uploads import service
from lectern.documents.uploads.intake import MAX_TAGS, Intake, is_form
from lectern.documents.uploads.schemas import OnSameName, UploadResponse
from lectern.extraction.registry import ACCEPTED_TYPES
from lectern.storage.store import OriginalStore

PATH: Final = "/api/v1/documents"

router = APIRouter(prefix=PATH, tags=["documents"])


async def get_originals(request: Request) -> OriginalStore:
    """The storage of originals."""
    return request.app.state.originals


CurrentOriginals = Annotated[OriginalStore, Depends(get_originals)]
Named = Annotated[str | None, Query(min_length=1, max_length=500)]

_BINARY: Final = {"schema": {"type": "string", "format": "binary"}}
_BODY: Final[dict[str, Any]] = {
    "requestBody": {
        "required": True,
        "description": "A form with one or many `files`, or the bytes of one file. The type is told from the bytes.",
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["files"],
                    "properties": {
                        "files": {"type": "array", "items": {"type": "string", "format": "binary"}},
                        "tags": {"type": "array", "items": {"type": "string"}},
                        "collection": {"type": "string"},
                        "language": {"type": "string"},
                        "on_same_name": {"type": "string", "enum": ["keep_both", "new_version"]},
                    },
                }
            },
            **dict.fromkeys(ACCEPTED_TYPES, _BINARY),
            "application/octet-stream": _BINARY,
        },
    }
}


@router.post("", status_code=202, openapi_extra=_BODY)
async def upload_documents(
    request: Request,
    principal: Writer,
    database: CurrentDatabase,
    originals: CurrentOriginals,
    settings: CurrentSettings,
    tags: Annotated[list[str] | None, Query(max_length=MAX_TAGS, description="Ids or names; may be repeated.")] = None,
    collection: Named = None,
    language: Named = None,
    filename: Annotated[str | None, Query(max_length=1_000, description="Of a file sent as the body itself.")] = None,
    on_same_name: Annotated[
        OnSameName,
        Query(description="When the collection has a document of this name: another one, or its next version."),
    ] = OnSameName.KEEP_BOTH,
) -> UploadResponse:
    """Take one or many files in. They are kept when this answers; reading them goes on in the background.

    What a form says of tags is added to the query's; its other fields go before the query's.
    """
    service.require_uploading(principal)
    intake = Intake(request, originals, max_bytes=settings.http.max_upload_bytes)
    intake.fields["tags"] = list(tags or [])
    intake.fields["collection"] = [collection] if collection else []
    intake.fields["language"] = [language] if language else []
    intake.fields["on_same_name"] = [on_same_name.value]
    try:
        if is_form(request):
            await intake.read_form(max_files=settings.documents.max_files_per_upload)
        else:
            await intake.read_body(filename)
        options = intake.options()
    except BaseException:
        await service.discard_files(database, originals, intake.stored())
        raise
    return await service.register_files(
        database,
        originals,
        principal,
        intake.files,
        options=options,
        languages=settings.chunking.languages,
    )
