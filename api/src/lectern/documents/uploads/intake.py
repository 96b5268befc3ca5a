"""The body of an upload, read as it arrives: files go to storage, fields are kept."""

from collections.abc import AsyncIterator, Sequence
from typing import Final

from fastapi import Request
from starlette.requests import ClientDisconnect

from lectern.documents.errors import InvalidUpload, TooManyFiles
from lectern.documents.files import RefusedFile, StoredFile
from lectern.documents.uploads.multipart import MultipartReader, Part
from lectern.documents.uploads.names import filename_of_disposition, safe_filename
from lectern.documents.uploads.schemas import OnSameName
from lectern.documents.uploads.service import UploadOptions, store_file
from lectern.errors import LecternError
from lectern.extraction.errors import ExtractionFailed
from lectern.http.schemas import is_storable
from lectern.storage.store import OriginalStore

FIELDS: Final = ("tags", "collection", "language", "on_same_name")
MAX_TAGS: Final = 200
_MAX_FIELD_BYTES: Final = 10_000


def is_form(request: Request) -> bool:
    """Whether the body is a form with files in it, and not a file itself."""
    return request.headers.get("content-type", "").lower().startswith("multipart/")


def _on_same_name(value: str | None) -> OnSameName:
    try:
        return OnSameName(value or OnSameName.KEEP_BOTH)
    except ValueError as error:
        listed = ", ".join(OnSameName)
        raise InvalidUpload(f"`on_same_name` is one of {listed}, not {value!r}.") from error


class Intake:
    """Reads one request: files go to storage, fields are kept."""

    def __init__(
        self, request: Request, originals: OriginalStore, *, max_bytes: int, known: Sequence[str] = FIELDS
    ) -> None:
        self._request = request
        self._originals = originals
        self._max_bytes = max_bytes
        self._known = known
        self.files: list[StoredFile | RefusedFile] = []
        self.fields: dict[str, list[str]] = {}

    def stored(self) -> list[StoredFile]:
        return [file for file in self.files if isinstance(file, StoredFile)]

    def options(self) -> UploadOptions:
        last = {name: values[-1] for name, values in self.fields.items() if values}
        return UploadOptions(
            collection=last.get("collection"),
            tags=self.fields.get("tags", []),
            language=last.get("language"),
            on_same_name=_on_same_name(last.get("on_same_name")),
        )

    async def read_body(self, filename: str | None) -> None:
        """The body is the file; without a name its Content-Type tells Markdown, CSV and other texts apart."""
        name = filename or filename_of_disposition(self._request.headers.get("content-disposition"))
        declared = self._request.headers.get("content-type", "").partition(";")[0].strip().lower()
        self.files.append(await self._store(self._pieces(), name, declared_type=declared))

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
                self.files.append(RefusedFile(safe_filename(part.filename), error))
        if not self.files:
            raise InvalidUpload("There is no file in the form.", hint="Send at least one part named `files`.")
        if refused is not None and len(self.files) == 1:
            raise refused

    async def _read_field(self, part: Part) -> None:
        if part.name not in self._known:
            listed = ", ".join(["files", *self._known])
            raise InvalidUpload(f"The field {part.name!r} is not known here. Known: {listed}.")
        value = await part.text(max_bytes=_MAX_FIELD_BYTES)
        if not is_storable(value):
            raise InvalidUpload(f"The field {part.name!r} holds characters that are not text.")
        if value.strip():
            self.fields.setdefault(part.name, []).append(value.strip())
        if len(self.fields.get("tags", [])) > MAX_TAGS:
            raise InvalidUpload(f"One upload carries {MAX_TAGS} tags at most.", details={"max_tags": MAX_TAGS})

    async def _store(
        self, pieces: AsyncIterator[bytes], filename: str | None, *, declared_type: str | None = None
    ) -> StoredFile:
        return await store_file(
            self._originals, pieces, filename=filename, max_bytes=self._max_bytes, declared_type=declared_type
        )

    async def _pieces(self) -> AsyncIterator[bytes]:
        """Raises InvalidUpload when the client leaves before the end."""
        try:
            async for piece in self._request.stream():
                if piece:
                    yield piece
        except ClientDisconnect as error:
            raise InvalidUpload("The upload ended early.") from error
