"""Read a `multipart/form-data` body part by part while it arrives, without buffering whole files.

    async for part in read_parts(content_type, body, max_skipped_bytes=1_000_000):
        async for piece in part.stream(): ...

Read a part before the next one. The rest of an unread part is skipped.
"""

from collections.abc import AsyncGenerator, AsyncIterator
from typing import TYPE_CHECKING, Final

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header

from lectern.documents.errors import InvalidUpload

if TYPE_CHECKING:
    from python_multipart.multipart import MultipartCallbacks

MAX_PARTS: Final = 20_000
_MAX_HEADER_BYTES: Final = 8_192


class FormPart:
    """One part of a form. A part without a filename is a field."""

    def __init__(self, disposition: str, events: AsyncGenerator[str | bytes | None]) -> None:
        kind, options = parse_options_header(disposition)
        if kind != b"form-data" or b"name" not in options:
            raise InvalidUpload("A part of the form has no name.")
        self.name = options[b"name"].decode("utf-8", "replace")
        self.filename = options[b"filename"].decode("utf-8", "replace") if b"filename" in options else None
        self._events = events
        self._is_read = False

    async def stream(self) -> AsyncGenerator[bytes]:
        """Yield the content. It can be read once."""
        while not self._is_read:
            event = await anext(self._events)
            if isinstance(event, bytes):
                yield event
            self._is_read = event is None

    async def text(self, *, max_bytes: int) -> str:
        """Return the content of a field. Raises InvalidUpload if it is too long or not UTF-8."""
        content = bytearray()
        async for piece in self.stream():
            content += piece
            if len(content) > max_bytes:
                raise InvalidUpload(f"The field {self.name!r} is longer than {max_bytes:,} bytes.")
        try:
            return content.decode()
        except UnicodeDecodeError as error:
            raise InvalidUpload(f"The field {self.name!r} is not UTF-8.") from error


async def read_parts(
    content_type: str, body: AsyncIterator[bytes], *, max_skipped_bytes: int
) -> AsyncGenerator[FormPart]:
    """Yield the parts of a form. Raises InvalidUpload if the form is malformed or incomplete."""
    events = _parse(content_type, body)
    part_count = 0
    async for disposition in events:
        part_count += 1
        if part_count > MAX_PARTS:
            raise InvalidUpload(f"The form has more than {MAX_PARTS:,} parts.")
        part = FormPart(str(disposition), events)
        yield part
        skipped_bytes = 0
        async for piece in part.stream():
            skipped_bytes += len(piece)
            if skipped_bytes > max_skipped_bytes:
                raise InvalidUpload(f"The part {part.name!r} was refused and is too long to skip.")


async def _parse(content_type: str, body: AsyncIterator[bytes]) -> AsyncGenerator[str | bytes | None]:
    """Yield for each part its Content-Disposition, its content in pieces, and None at its end."""
    boundary = parse_options_header(content_type)[1].get(b"boundary")
    if not boundary:
        hint = "Let the client write the Content-Type of a form."
        raise InvalidUpload("The Content-Type has no boundary.", hint=hint)
    events: list[str | bytes | None] = []
    is_complete: list[bool] = []
    try:
        parser = MultipartParser(boundary, _callbacks(events, is_complete), max_header_size=_MAX_HEADER_BYTES)
        async for piece in body:
            parser.write(piece)
            for event in events:
                yield event
            events.clear()
            if is_complete:
                return
    except FormParserError as error:
        raise InvalidUpload(f"The form cannot be parsed: {error}.") from error
    raise InvalidUpload("The form ends before its last boundary.")


def _callbacks(events: list[str | bytes | None], is_complete: list[bool]) -> "MultipartCallbacks":
    headers: dict[str, str] = {}
    name, value = bytearray(), bytearray()

    def end_header() -> None:
        headers[name.decode("latin-1").lower()] = value.decode("latin-1")
        name.clear()
        value.clear()

    def end_headers() -> None:
        events.append(headers.get("content-disposition", ""))
        headers.clear()

    return {
        "on_header_field": lambda data, start, end: name.extend(data[start:end]),
        "on_header_value": lambda data, start, end: value.extend(data[start:end]),
        "on_header_end": end_header,
        "on_headers_finished": end_headers,
        "on_part_data": lambda data, start, end: events.append(data[start:end]),
        "on_part_end": lambda: events.append(None),
        "on_end": lambda: is_complete.append(True),
    }
