"""A `multipart/form-data` body read part by part as it arrives: nothing is kept but the bytes in flight.

    async for part in MultipartReader(content_type, body):
        part.name, part.filename            # a field when there is no filename
        async for piece in part.stream(): ...

A part must be read (or is skipped) before the next one comes.
"""

from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator
from dataclasses import dataclass, field
from typing import Final

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header

from lectern.documents.errors import InvalidUpload

MAX_PARTS: Final = 20_000
_MAX_HEADER_BYTES: Final = 8_192


@dataclass(slots=True)
class _Part:
    """Headers of a part that begins."""

    headers: dict[str, str] = field(default_factory=dict[str, str])


_End = type("_End", (), {})
_END: Final = _End()
_Event = _Part | bytes | object


class Part:
    """One part of the body."""

    def __init__(self, reader: "MultipartReader", headers: dict[str, str]) -> None:
        disposition, options = parse_options_header(headers.get("content-disposition", ""))
        if disposition != b"form-data" or b"name" not in options:
            raise InvalidUpload("A part of the form has no name.")
        self.name = options[b"name"].decode("utf-8", "replace")
        filename = options.get(b"filename")
        self.filename = None if filename is None else filename.decode("utf-8", "replace")
        self._reader = reader
        self._is_read = False

    async def stream(self) -> AsyncGenerator[bytes]:
        """The content, once."""
        while not self._is_read:
            event = await self._reader.next_event()
            if event is _END:
                self._is_read = True
            elif isinstance(event, bytes):
                yield event

    async def text(self, *, max_bytes: int) -> str:
        """The content of a field. Raises InvalidUpload for one that is too long or not UTF-8."""
        content = bytearray()
        async for piece in self.stream():
            content += piece
            if len(content) > max_bytes:
                raise InvalidUpload(f"The field {self.name!r} is longer than {max_bytes:,} bytes.")
        try:
            return content.decode()
        except UnicodeDecodeError as error:
            raise InvalidUpload(f"The field {self.name!r} is not UTF-8.") from error


class MultipartReader:
    """Pulls parts out of a body."""

    def __init__(self, content_type: str, body: AsyncIterator[bytes], *, max_skipped_bytes: int) -> None:
        self._max_skipped_bytes = max_skipped_bytes
        _, options = parse_options_header(content_type)
        boundary = options.get(b"boundary")
        if not boundary:
            raise InvalidUpload("The Content-Type names no boundary.")
        self._body = body
        self._events: deque[_Event] = deque()
        self._header = (bytearray(), bytearray())
        self._opened: _Part | None = None
        self._has_ended = False
        self._parser = self._make_parser(boundary)

    def _make_parser(self, boundary: bytes) -> MultipartParser:
        try:
            return MultipartParser(
                boundary,
                {
                    "on_part_begin": self._begin_part,
                    "on_header_field": lambda data, start, end: self._header[0].extend(data[start:end]),
                    "on_header_value": lambda data, start, end: self._header[1].extend(data[start:end]),
                    "on_header_end": self._end_header,
                    "on_headers_finished": self._end_headers,
                    "on_part_data": lambda data, start, end: self._events.append(data[start:end]),
                    "on_part_end": lambda: self._events.append(_END),
                    "on_end": self._end,
                },
                max_header_size=_MAX_HEADER_BYTES,
            )
        except FormParserError as error:
            raise InvalidUpload(f"The form cannot be read: {error}.") from error

    def _begin_part(self) -> None:
        self._opened = _Part()

    def _end_header(self) -> None:
        name, value = self._header
        if self._opened is not None:
            self._opened.headers[name.decode("latin-1").lower()] = value.decode("latin-1")
        name.clear()
        value.clear()

    def _end_headers(self) -> None:
        if self._opened is not None:
            self._events.append(self._opened)

    def _end(self) -> None:
        self._has_ended = True

    async def __aiter__(self) -> AsyncGenerator[Part]:
        for _ in range(MAX_PARTS):
            event = await self._next_part()
            if event is None:
                return
            part = Part(self, event.headers)
            yield part
            await self._skip(part)
        raise InvalidUpload(f"The form has more than {MAX_PARTS:,} parts.")

    async def _skip(self, part: Part) -> None:
        """The rest of a part that nobody wanted; not without end."""
        skipped = 0
        async for piece in part.stream():
            skipped += len(piece)
            if skipped > self._max_skipped_bytes:
                raise InvalidUpload(f"The part {part.name!r} was refused and goes on for too long.")

    async def _next_part(self) -> _Part | None:
        while not (self._has_ended and not self._events):
            event = await self.next_event()
            if isinstance(event, _Part):
                return event
        return None

    async def next_event(self) -> _Event:
        """What comes next in the body. Raises InvalidUpload when it is broken or ends too early."""
        while not self._events:
            if self._has_ended:
                return _END
            piece = await anext(self._body, b"")
            if not piece:
                raise InvalidUpload("The form ends before its last boundary.")
            try:
                self._parser.write(piece)
            except FormParserError as error:
                raise InvalidUpload(f"The form cannot be read: {error}.") from error
        return self._events.popleft()
