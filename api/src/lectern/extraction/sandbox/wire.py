"""How a child tells its parent what it read: frames of JSON and bytes on a pipe, never pickles.

A frame is a kind (1 byte), the length of its JSON (4 bytes), the length of its bytes (4 bytes), then both. A hostile
file that takes over the child can therefore send wrong text, but not run code in the parent.
"""

import json
import struct
from dataclasses import asdict
from typing import Any, NamedTuple

from lectern.extraction.errors import FAILURES, ExtractionFailed
from lectern.extraction.types import (
    DocumentMetadata,
    EmbeddedImage,
    EmbeddedImages,
    ExtractedPage,
    ExtractionLimits,
    LineKind,
    OcrEngine,
    OcrOptions,
    OcrRequest,
    OutlineItem,
    PageImageStatus,
    PageKind,
    PageLine,
)

MALFORMED = (ValueError, TypeError, LookupError, ArithmeticError, RecursionError)
"""What reading a frame raises that no honest child writes: the child was taken over by its file."""

HEADER = struct.Struct("<cII")
MAX_FRAME_BYTES = 268_435_456
_LARGEST = 2**63

PAGE, FACTS, FAILURE = b"P", b"F", b"E"


class Task(NamedTuple):
    """What the child is asked to do; it travels on standard input, so that a password is in no process list."""

    path: str
    content_type: str
    limits: ExtractionLimits
    password: str | None
    parent_pid: int
    recognition: OcrRequest | None = None


def write_task(task: Task) -> bytes:
    """The task as one line of JSON."""
    wanted = task.recognition
    recognition = None if wanted is None else [wanted.page_numbers, asdict(wanted.options), wanted.pictures]
    return json.dumps({**task._asdict(), "limits": asdict(task.limits), "recognition": recognition}).encode()


def read_task(raw: bytes) -> Task:
    """The task that `write_task` wrote."""
    fields: dict[str, Any] = json.loads(raw)
    fields["limits"] = ExtractionLimits(**fields["limits"])
    if fields["recognition"] is not None:
        page_numbers, options, pictures = fields["recognition"]
        options |= {"engine": OcrEngine(options["engine"]), "languages": tuple(options["languages"])}
        wanted = tuple(EmbeddedImages(number, _pictures(of_page)) for number, of_page in pictures)
        fields["recognition"] = OcrRequest(tuple(page_numbers), OcrOptions(**options), wanted)
    return Task(**fields)


def page_frame(page: ExtractedPage, page_count: int) -> bytes:
    """A page that was read, and how many there are."""
    fields = [
        page_count,
        page.page_number,
        page.kind.value,
        page.text,
        page.width_points,
        page.height_points,
        page.note,
        page.is_partial,
        page.lines,
        page.pictures,
    ]
    return _frame(PAGE, fields, page.boxes)


def read_page(head: bytes, boxes: bytes) -> tuple[ExtractedPage, int]:
    """The page and the page count of a page frame; any of `MALFORMED` for anything else."""
    count, number, kind, text, width, height, note, is_partial, lines, *more = json.loads(head)
    page = ExtractedPage(
        page_number=int(number),
        kind=PageKind(kind),
        text=_text(text),
        width_points=float(width),
        height_points=float(height),
        boxes=boxes,
        lines=tuple(_line(line) for line in lines),
        note=None if note is None else _text(note),
        is_partial=bool(is_partial),
        pictures=_pictures(more[0]) if more else (),  # a checkpoint may be of an older version
    )
    return page, int(count)


def facts_frame(facts: DocumentMetadata) -> bytes:
    """What the file says of itself; the last frame of a file that could be read."""
    return _frame(FACTS, asdict(facts), b"")


def read_facts(head: bytes) -> DocumentMetadata:
    """The facts of a facts frame."""
    fields: dict[str, Any] = json.loads(head)
    return DocumentMetadata(
        title=None if fields["title"] is None else _text(fields["title"]),
        language=fields["language"],
        outline=tuple(OutlineItem(_text(title), int(level), int(page)) for title, level, page in fields["outline"]),
        information=tuple((_text(key), _text(value)) for key, value in fields["information"]),
        page_images=PageImageStatus(
            fields.get("page_images", PageImageStatus.NONE)
        ),  # a checkpoint may be of an older version
    )


def failure_frame(failure: ExtractionFailed) -> bytes:
    """Why the file could not be read; the last frame of such a file."""
    return _frame(FAILURE, [failure.code, failure.message, failure.hint, failure.values], b"")


def read_failure(head: bytes) -> ExtractionFailed:
    """The failure of a failure frame with its declared numbers; any of `MALFORMED` for anything else."""
    code, message, hint, values = json.loads(head)
    kind = next((failure for failure in FAILURES if failure.code == _text(code)), None)
    if kind is None:
        raise ValueError(f"{code} is no failure of a file.")
    named = {name: value for name, value in dict(values).items() if name in kind.value_names and _is_value(value)}
    return kind(_text(message), hint=None if hint is None else _text(hint), details=named)


def _is_value(value: object) -> bool:
    return isinstance(value, int | float) and abs(value) <= _LARGEST  # false of what is no number


def _frame(kind: bytes, fields: object, body: bytes) -> bytes:
    head = json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
    return HEADER.pack(kind, len(head), len(body)) + head + body


def _line(fields: list[Any]) -> PageLine:
    start, end, size, is_bold, left, top, right, bottom, cells, level, kind = fields
    return PageLine(start, end, size, is_bold, left, top, right, bottom, cells, level, _LINE_KINDS[kind])


def _pictures(found: list[list[Any]]) -> tuple[EmbeddedImage, ...]:
    return tuple(
        EmbeddedImage(
            float(left), float(top), float(right), float(bottom), int(pixels), float(dpi), _text(key),
            part=_text(office[0]) if office else "", line=int(office[1]) if office else 0,
        )
        for left, top, right, bottom, pixels, dpi, key, *office in found  # a checkpoint may be of an older version
    )  # fmt: skip


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("A text was expected.")
    return value


_LINE_KINDS = {kind.value: kind for kind in LineKind}
