"""EML: a page for a message with its headers, one for each message attached to it; other attachments are listed."""

import re
from collections.abc import Iterator
from email import message_from_bytes
from email.errors import MessageError
from email.header import decode_header
from email.message import Message
from pathlib import Path

from lectern.extraction.budget import Budget
from lectern.extraction.errors import Corrupt
from lectern.extraction.formats.archive import PARSER_ERRORS
from lectern.extraction.formats.markup import add_markup
from lectern.extraction.formats.page_builder import PageBuilder
from lectern.extraction.formats.text import decode
from lectern.extraction.formats.xml_tree import can_decode, parse_html
from lectern.extraction.metadata import sensible_title
from lectern.extraction.types import DocumentMetadata, ExtractionLimits, OnPage

_SHOWN = ("From", "To", "Cc", "Date", "Subject")
_BYTES_PER_CHARACTER = 6
_MAX_MESSAGES = 200
_MAX_PARTS = 5_000
_MAX_HEADER_CHARACTERS = 5_000
_QUOTED = re.compile(r"\n{3,}")


def extract(path: Path, *, limits: ExtractionLimits, password: str | None, on_page: OnPage) -> DocumentMetadata:
    """Hand the message and those attached to it to `on_page(page, page_count)`; the subject is the title.

    Raises `Corrupt`, `FileTooLarge`.
    """
    del password
    Budget(limits).check_file(path, bytes_per_character=_BYTES_PER_CHARACTER)
    pages = PageBuilder(limits)
    try:
        message: Message = message_from_bytes(path.read_bytes())
        for position, one in enumerate(_messages(message)):
            if position:
                pages.begin_page(note="A message attached to the first.")
            _add_message(pages, one)
    except (*PARSER_ERRORS, MessageError) as error:
        raise Corrupt("The file is damaged: it is no message that could be read.") from error
    information = tuple((name.lower(), value) for name in _SHOWN if (value := _header(message, name)))
    title = sensible_title(_header(message, "Subject"))
    return DocumentMetadata(title=title, outline=pages.finish(on_page), information=information)


def _messages(message: Message) -> Iterator[Message]:
    """The message and those attached, the outermost first."""
    waiting = [message]
    for _ in range(_MAX_MESSAGES):
        if not waiting:
            return
        current = waiting.pop(0)
        yield current
        waiting.extend(
            inner
            for part in _parts(current)
            if part.get_content_type() == "message/rfc822"
            for inner in _payloads(part)
        )


def _parts(message: Message) -> list[Message]:
    """The parts of a message, not those of messages attached to it. Raises `Corrupt` for too many."""
    found: list[Message] = []
    waiting = [message]
    while waiting:
        part = waiting.pop()
        found.append(part)
        if len(found) > _MAX_PARTS:
            raise Corrupt(f"The message has more than {_MAX_PARTS:,} parts.")
        if part.is_multipart() and (part is message or part.get_content_maintype() == "multipart"):
            waiting.extend(reversed(_payloads(part)))
    return found


def _payloads(part: Message) -> list[Message]:
    payload: object = part.get_payload()
    return [one for one in payload if isinstance(one, Message)] if isinstance(payload, list) else []  # pyright: ignore[reportUnknownVariableType] - the standard library says Any


def _add_message(pages: PageBuilder, message: Message) -> None:
    pages.heading(_header(message, "Subject") or "(no subject)", 1)
    headers = [f"{name}: {value}" for name in _SHOWN[:-1] if (value := _header(message, name))]
    pages.paragraph("\n".join(headers))
    bodies = [part for part in _parts(message) if _is_body(part)]
    plain = [part for part in bodies if part.get_content_type() == "text/plain"]
    for part in plain or bodies:
        _add_body(pages, part)
    names = [name for part in _parts(message) if (name := _attachment(part))]
    if names:
        pages.paragraph("Attachments (listed, not read):")
        for name in names:
            pages.item(name)


def _is_body(part: Message) -> bool:
    return (
        part.get_content_type() in {"text/plain", "text/html"}
        and not part.is_multipart()
        and part.get_content_disposition() != "attachment"
    )


def _add_body(pages: PageBuilder, part: Message) -> None:
    raw: object = part.get_payload(decode=True)
    if not isinstance(raw, bytes):
        return
    charset = str(part.get_content_charset() or "")
    if charset and can_decode(raw, charset):
        raw = raw.decode(charset).encode()
        if part.get_content_type() == "text/html":
            raw = b"\xef\xbb\xbf" + raw  # the mark overrules what the page says of its encoding
    if part.get_content_type() == "text/html":
        root = parse_html(raw)
        if root is not None:
            add_markup(pages, root)
        return
    for block in _QUOTED.sub("\n\n", decode(raw)[0]).split("\n\n"):
        pages.paragraph(block)


def _attachment(part: Message) -> str:
    """The name of a part that is not shown; empty for others."""
    if part.is_multipart() and part.get_content_type() != "message/rfc822":
        return ""
    name = part.get_filename()
    if not name and part.get_content_disposition() != "attachment":
        return ""
    return f"{_decoded(name or 'unnamed')} ({part.get_content_type()})"


def _header(message: Message, name: str) -> str:
    value: object = message.get(name)
    return "" if value is None else _decoded(str(value))


def _decoded(value: str) -> str:
    """A header's words, whatever they are encoded in (RFC 2047)."""
    pieces: list[str] = []
    try:
        for piece, charset in decode_header(value[:_MAX_HEADER_CHARACTERS]):
            if isinstance(piece, str):
                pieces.append(piece)
            else:
                is_known = charset is not None and can_decode(piece, charset)
                pieces.append(piece.decode(charset) if charset is not None and is_known else decode(piece)[0])
    except (MessageError, ValueError):
        return " ".join(value[:_MAX_HEADER_CHARACTERS].split())
    return " ".join("".join(pieces).split())
