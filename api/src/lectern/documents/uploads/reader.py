"""Read the body of an upload while it arrives: files go to storage, form fields stay in memory."""

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from fastapi import Request
from starlette.requests import ClientDisconnect

from lectern.db.session import Database
from lectern.documents.errors import InvalidUpload, TooManyFiles
from lectern.documents.filenames import parse_content_disposition, sanitize_filename
from lectern.documents.originals import RefusedFile, StoredFile, discard_files
from lectern.documents.uploads.multipart import FormPart, read_parts
from lectern.documents.uploads.schemas import OnSameName
from lectern.documents.uploads.service import UploadOptions, store_file
from lectern.errors import LecternError
from lectern.extraction.errors import EmptyFile, ExtractionFailed
from lectern.extraction.registry import fit_suffix
from lectern.http.schemas import is_storable
from lectern.storage.store import OriginalStore

MAX_TAGS: Final = 200
_MAX_FIELD_BYTES: Final = 10_000
_JSON_HINT: Final = "Send a file, with curl: `-F files=@report.pdf`. For a JSON file, add `?filename=report.json`."
_FILE_PARTS: Final = frozenset({"files", "file"})


class UploadReader:
    """Read one request. `fields` are the known form fields. Form values are appended to their values from the query."""

    def __init__(
        self,
        request: Request,
        database: Database,
        originals: OriginalStore,
        *,
        max_bytes: int,
        fields: Mapping[str, Sequence[str]],
    ) -> None:
        self._request = request
        self._database = database
        self._originals = originals
        self._max_bytes = max_bytes
        self._fields = {name: list(values) for name, values in fields.items()}
        self.files: list[StoredFile | RefusedFile] = []

    @property
    def stored_files(self) -> list[StoredFile]:
        """The files that were not refused."""
        return [file for file in self.files if isinstance(file, StoredFile)]

    def _options(self) -> UploadOptions:
        """Build the options from the fields. Raises InvalidUpload."""
        last = {name: values[-1] for name, values in self._fields.items() if values}
        try:
            on_same_name = OnSameName(last.get("on_same_name") or OnSameName.KEEP_BOTH)
        except ValueError as error:
            raise InvalidUpload(
                f"`on_same_name` cannot be {last['on_same_name']!r:.50}.", hint=f"Use one of: {', '.join(OnSameName)}."
            ) from error
        return UploadOptions(
            collection=last.get("collection"),
            tags=self._fields.get("tags", []),
            language=last.get("language"),
            on_same_name=on_same_name,
        )

    async def read(self, *, filename: str | None, max_files: int, current_name: str | None = None) -> UploadOptions:
        """Store the files of a form, or the body as one file. On an error, discard them.

        Args:
            filename: The name of a body, as the client says it.
            max_files: The most files of a form.
            current_name: The name of a body to which the client gives none. It gets the suffix of another format.
        """
        try:
            if self._request.headers.get("content-type", "").lower().startswith("multipart/"):
                await self._read_form(max_files=max_files)
            else:
                await self._read_body(filename, current_name)
            return self._options()
        except BaseException:
            await discard_files(self._database, self._originals, self.stored_files)
            raise

    async def _read_body(self, filename: str | None, current_name: str | None) -> None:
        name = filename or parse_content_disposition(self._request.headers.get("content-disposition"))
        # Without a name, the Content-Type distinguishes Markdown, CSV and other texts.
        declared = self._request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if declared == "application/json" and not name:  # Some programs declare it for files too, with a name.
            raise InvalidUpload("An upload is a file, not JSON.", hint=_JSON_HINT)
        try:
            file = await self._store(self._pieces(), name or current_name, declared_type=declared)
        except EmptyFile as error:
            if name:
                raise
            hint = "Send the bytes of a file as the body, or a form with a part named `files`."
            raise InvalidUpload("The request has no body.", hint=hint) from error
        if not name and current_name:
            file = replace(file, filename=sanitize_filename(fit_suffix(file.filename, file.content_type)))
        self.files.append(file)

    async def _read_form(self, *, max_files: int) -> None:
        """Store each part named `files` or `file`. A refused file does not affect the others."""
        refusal: LecternError | None = None
        form = read_parts(self._request.headers["content-type"], self._pieces(), max_skipped_bytes=self._max_bytes)
        async for part in form:
            if part.filename is None:
                await self._read_field(part)
                continue
            if part.name not in _FILE_PARTS:
                raise InvalidUpload(f"Files are sent as `files`, not as {part.name!r}.")
            if len(self.files) >= max_files:
                raise TooManyFiles(f"An upload has at most {max_files} files.", details={"max_files": max_files})
            try:
                self.files.append(await self._store(part.stream(), part.filename))
            except ExtractionFailed as error:  # It is empty or corrupt, or its type is not supported.
                refusal = error
                self.files.append(RefusedFile(sanitize_filename(part.filename), error))
        if not self.files:
            raise InvalidUpload("There is no file in the form.", hint="Send at least one part named `files`.")
        if refusal is not None and len(self.files) == 1:
            raise refusal

    async def _read_field(self, part: FormPart) -> None:
        if part.name in _FILE_PARTS:
            hint = "Send it as a file, with curl: `-F files=@report.pdf`."
            raise InvalidUpload(f"The part {part.name!r} has no filename.", hint=hint)
        if part.name not in self._fields:
            listed = ", ".join(["files", *self._fields])
            raise InvalidUpload(f"The field {part.name!r:.50} is not known.", hint=f"Known fields: {listed}.")
        value = await part.text(max_bytes=_MAX_FIELD_BYTES)
        if not is_storable(value):
            raise InvalidUpload(f"The field {part.name!r} contains characters that are not text.")
        if value.strip():
            self._fields[part.name].append(value.strip())
        if len(self._fields.get("tags", [])) > MAX_TAGS:
            raise InvalidUpload(f"An upload has at most {MAX_TAGS} tags.", details={"max_tags": MAX_TAGS})

    async def _store(
        self, pieces: AsyncIterator[bytes], filename: str | None, *, declared_type: str | None = None
    ) -> StoredFile:
        return await store_file(
            self._originals, pieces, filename=filename, max_bytes=self._max_bytes, declared_type=declared_type
        )

    async def _pieces(self) -> AsyncIterator[bytes]:
        """Yield the body. Raises InvalidUpload when the client disconnects before the end."""
        try:
            async for piece in self._request.stream():
                if piece:
                    yield piece
        except ClientDisconnect as error:
            raise InvalidUpload("The upload ended early.") from error
