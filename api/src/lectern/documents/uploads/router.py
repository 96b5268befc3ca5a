"""`POST /documents`: files as a form or as the body itself, read as they arrive."""

from collections.abc import AsyncIterator
from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, Query, Request
from starlette.requests import ClientDisconnect

from lectern.accounts.dependencies import CurrentDatabase, CurrentSettings, Writer
from lectern.documents.errors import InvalidUpload, TooManyFiles
from lectern.documents.uploads import service
from lectern.documents.uploads.multipart import MultipartReader, Part
from lectern.documents.uploads.names import filename_of_disposition, safe_filename
from lectern.documents.uploads.schemas import UploadResponse
from lectern.errors import LecternError
from lectern.extraction.errors import ExtractionFailed
from lectern.extraction.registry import ACCEPTED_TYPES
from lectern.http.schemas import is_storable
from lectern.storage.store import OriginalStore

PATH: Final = "/api/v1/documents"
_MAX_FIELD_BYTES: Final = 10_000
_MAX_TAGS: Final = 200
_FIELDS: Final = ("tags", "collection", "language")

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
    tags: Annotated[list[str] | None, Query(max_length=_MAX_TAGS, description="Ids or names; may be repeated.")] = None,
    collection: Named = None,
    language: Named = None,
    filename: Annotated[str | None, Query(max_length=1_000, description="Of a file sent as the body itself.")] = None,
) -> UploadResponse:
    """Take one or many files in. They are kept when this answers; reading them goes on in the background.

    What a form says of tags is added to the query's; its collection and language go before the query's.
    """
    service.require_uploading(principal)
    intake = _Intake(request, originals, max_bytes=settings.http.max_upload_bytes)
    intake.fields["tags"] = list(tags or [])
    intake.fields["collection"] = [collection] if collection else []
    intake.fields["language"] = [language] if language else []
    try:
        if request.headers.get("content-type", "").lower().startswith("multipart/"):
            await intake.read_form(max_files=settings.documents.max_files_per_upload)
        else:
            await intake.read_body(filename)
    except BaseException:
        await service.discard_files(database, originals, intake.stored())
        raise
    return await service.register_files(
        database,
        originals,
        principal,
        intake.files,
        options=intake.options(),
        languages=settings.chunking.languages,
    )


class _Intake:
    """Reads one request: files go to storage, fields are kept."""

    def __init__(self, request: Request, originals: OriginalStore, *, max_bytes: int) -> None:
        self._request = request
        self._originals = originals
        self._max_bytes = max_bytes
        self.files: list[service.StoredFile | service.RefusedFile] = []
        self.fields: dict[str, list[str]] = {}

    def stored(self) -> list[service.StoredFile]:
        return [file for file in self.files if isinstance(file, service.StoredFile)]

    def options(self) -> service.UploadOptions:
        last = {name: values[-1] for name, values in self.fields.items() if values}
        return service.UploadOptions(
            collection=last.get("collection"), tags=self.fields["tags"], language=last.get("language")
        )

    async def read_body(self, filename: str | None) -> None:
        """The body is the file."""
        name = filename or filename_of_disposition(self._request.headers.get("content-disposition"))
        self.files.append(await self._store(self._pieces(), name))

    async def read_form(self, *, max_files: int) -> None:
        """Each part named `files` (or `file`) is a file; with several, a refused one does not refuse the others."""
        refused: LecternError | None = None
        form = MultipartReader(self._request.headers["content-type"], self._pieces(), max_skipped_bytes=self._max_bytes)
        async for part in form:
            if part.filename is None:
                await self._read_field(part)
                continue
            if part.name not in {"files", "file"}:
                raise InvalidUpload(f"Files are sent as `files`, not as {part.name!r}.")
            if len(self.files) >= max_files:
                raise TooManyFiles(f"One upload carries {max_files} files at most.", details={"max_files": max_files})
            try:
                self.files.append(await self._store(part.stream(), part.filename))
            except ExtractionFailed as error:  # of an unsupported type, or broken at its beginning
                refused = error
                self.files.append(service.RefusedFile(safe_filename(part.filename), error))
        if not self.files:
            raise InvalidUpload("There is no file in the form.", hint="Send at least one part named `files`.")
        if refused is not None and len(self.files) == 1:
            raise refused

    async def _read_field(self, part: Part) -> None:
        if part.name not in _FIELDS:
            raise InvalidUpload(f"The field {part.name!r} is not known here. Known: files, {', '.join(_FIELDS)}.")
        value = await part.text(max_bytes=_MAX_FIELD_BYTES)
        if not is_storable(value):
            raise InvalidUpload(f"The field {part.name!r} holds characters that are not text.")
        if value.strip():
            self.fields[part.name].append(value.strip())
        if len(self.fields["tags"]) > _MAX_TAGS:
            raise InvalidUpload(f"One upload carries {_MAX_TAGS} tags at most.", details={"max_tags": _MAX_TAGS})

    async def _store(self, pieces: AsyncIterator[bytes], filename: str | None) -> service.StoredFile:
        return await service.store_file(self._originals, pieces, filename=filename, max_bytes=self._max_bytes)

    async def _pieces(self) -> AsyncIterator[bytes]:
        """Raises InvalidUpload when the client leaves before the end."""
        try:
            async for piece in self._request.stream():
                if piece:
                    yield piece
        except ClientDisconnect as error:
            raise InvalidUpload("The upload ended early.") from error
