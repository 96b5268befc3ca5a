"""The codec for everything that crosses a process boundary, and for checkpoints.

A frame is a kind (1 byte), two lengths (4 bytes each), JSON, and the bytes of the value. Records are lists of
their fields. Decoding checks each value against the declared type and executes nothing. A hijacked child can send wrong
text, but no unexpected object.
"""

import json
import struct
from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, NamedTuple, TypeGuard, TypeVar, cast, get_args, get_origin, get_type_hints

from lectern.extraction.errors import FAILURES, ExtractionFailed
from lectern.extraction.types import DocumentMetadata, ExtractedDocument, ExtractedPage

T = TypeVar("T")

MALFORMED = (ValueError, TypeError, LookupError, ArithmeticError, RecursionError, struct.error)
"""Errors of decoding a frame that no honest child writes."""

HEADER = struct.Struct("<cII")
MAX_FRAME_BYTES = 268_435_456
PAGE, METADATA, DOCUMENT, FAILURE = b"P", b"M", b"D", b"E"
_LARGEST = 2**63


class Frame(NamedTuple):
    """A message as received."""

    kind: bytes
    head: bytes
    body: bytes

    def decode(self, expected: type[T]) -> T:
        """Return the value of the frame. Raises any of `MALFORMED`."""
        blobs = _Blobs(self.body)
        value = _decoder(expected)(json.loads(self.head), blobs)
        if blobs.position != len(self.body):
            raise ValueError("The frame has more bytes than its value.")
        return value


class PageOfDocument(NamedTuple):
    """A page and the page count of its file."""

    page: ExtractedPage
    page_count: int


class _DocumentEnd(NamedTuple):
    content_type: str
    metadata: DocumentMetadata


class _Failure(NamedTuple):
    code: str
    message: str
    hint: str | None
    values: tuple[tuple[str, int | float], ...]


def pack_frame(kind: bytes, value: object) -> bytes:
    """Encode a value as a frame."""
    blobs: list[bytes] = []

    def encode(part: object) -> object:
        if isinstance(part, bytes):
            blobs.append(part)
            return len(part)
        return [getattr(part, name) for name in _field_names(type(part))]

    head = json.dumps(value, default=encode, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
    body = b"".join(blobs)
    return HEADER.pack(kind, len(head), len(body)) + head + body


def split_frames(raw: bytes) -> Iterator[Frame]:
    """Split concatenated frames. Raises any of `MALFORMED`."""
    view, position = memoryview(raw), 0
    while position < len(view):
        kind, head_bytes, body_bytes = HEADER.unpack_from(view, position)
        start = position + HEADER.size
        position = start + head_bytes + body_bytes
        if position > len(view):
            raise ValueError("The frame is incomplete.")
        yield Frame(kind, bytes(view[start : start + head_bytes]), bytes(view[start + head_bytes : position]))


def pack_document(document: ExtractedDocument) -> Iterator[bytes]:
    """Encode a document, one frame for each page and a last one."""
    for page in document.pages:
        yield pack_frame(PAGE, PageOfDocument(page, len(document.pages)))
    yield pack_frame(DOCUMENT, _DocumentEnd(document.content_type, document.metadata))


def unpack_document(frames: Iterable[Frame]) -> ExtractedDocument:
    """Decode what `pack_document` wrote, and read no further. Raises any of `MALFORMED`."""
    pages: list[ExtractedPage] = []
    for frame in frames:
        if frame.kind == DOCUMENT:
            content_type, metadata = frame.decode(_DocumentEnd)
            return ExtractedDocument(content_type, tuple(pages), metadata)
        pages.append(frame.decode(PageOfDocument).page)
    raise ValueError("The document has no end.")


def pack_failure(failure: ExtractionFailed) -> bytes:
    """Encode why a file could not be read, with its declared numbers."""
    values = tuple((name, value) for name, value in failure.values.items() if is_number(value))
    return pack_frame(FAILURE, _Failure(failure.code, failure.message, failure.hint, values))


def unpack_failure(frame: Frame) -> ExtractionFailed:
    """Decode a failure; numbers that it does not declare are dropped. Raises any of `MALFORMED`."""
    code, message, hint, values = frame.decode(_Failure)
    kind = next((failure for failure in FAILURES if failure.code == code), None)
    if kind is None:
        raise ValueError(f"{code} is no failure of a file.")
    return kind(message, hint=hint, details={name: value for name, value in values if name in kind.value_names})


class _Blobs:
    """The bytes of a frame, read in the order of the value's fields."""

    def __init__(self, body: bytes) -> None:
        self._body = body
        self.position = 0

    def take(self, length: object) -> bytes:
        start = self.position
        if type(length) is not int or not 0 <= length <= len(self._body) - start:
            raise ValueError("The frame lacks bytes of its value.")
        self.position = start + length
        return self._body[start : self.position]


_Decoder = Callable[[Any, _Blobs], Any]


@cache
def _field_names(kind: type) -> tuple[str, ...]:
    if not is_dataclass(kind):
        raise TypeError(f"{kind} cannot be encoded.")
    return tuple(field.name for field in fields(kind))


@cache
def _decoder(expected: Any) -> _Decoder:  # noqa: ANN401 - any annotation
    if expected is bytes:
        return lambda value, blobs: blobs.take(value)
    if expected in _SCALARS:
        return _scalar_decoder(expected)
    origin, arguments = get_origin(expected), get_args(expected)
    if origin is tuple:
        return _tuple_decoder(arguments)
    if origin is UnionType:
        return _union_decoder(arguments)
    if origin is Literal or issubclass(expected, Enum):
        choices = {choice: choice for choice in arguments} or {member.value: member for member in expected}
        return lambda value, _: choices[value]
    return _record_decoder(expected)


def _scalar_decoder(expected: type) -> _Decoder:
    accepted = _SCALARS[expected]

    def decode(value: object, _: _Blobs) -> object:
        if type(value) not in accepted:
            raise TypeError(f"{expected.__name__} was expected.")
        return float(value) if expected is float else value  # pyright: ignore[reportArgumentType] - a number

    return decode


def _tuple_decoder(arguments: tuple[Any, ...]) -> _Decoder:
    if arguments[-1] is Ellipsis:
        item = _decoder(arguments[0])
        return lambda value, blobs: tuple([item(part, blobs) for part in _list(value)])
    items = [_decoder(argument) for argument in arguments]
    return lambda value, blobs: tuple([item(part, blobs) for item, part in zip(items, _list(value), strict=True)])


def _union_decoder(arguments: tuple[Any, ...]) -> _Decoder:
    """Decode `X | None` and `int | float`."""
    if set(arguments) == {int, float}:
        return _number
    (present,) = (argument for argument in arguments if argument is not NoneType)
    decode = _decoder(present)
    return lambda value, blobs: None if value is None else decode(value, blobs)


def _record_decoder(expected: Any) -> _Decoder:  # noqa: ANN401 - a dataclass or named tuple
    build, hints = cast("Callable[..., object]", expected), get_type_hints(expected)
    names = getattr(expected, "_fields", None) or _field_names(expected)
    decoders = [_decoder(hints[name]) for name in names]
    return lambda value, blobs: build(
        *[decode(part, blobs) for decode, part in zip(decoders, _list(value), strict=True)]
    )


def _list(value: object) -> list[Any]:
    if type(value) is not list:
        raise TypeError("A list was expected.")
    return cast("list[Any]", value)


def _number(value: object, _: _Blobs) -> int | float:
    if not is_number(value):
        raise TypeError("A number was expected.")
    return value


def is_number(value: object) -> TypeGuard[int | float]:
    """Return whether this is a number of a sensible size. NaN and bool are not."""
    return (type(value) is int or type(value) is float) and abs(value) <= _LARGEST


_SCALARS: dict[type, tuple[type, ...]] = {int: (int,), float: (float, int), str: (str,), bool: (bool,)}
