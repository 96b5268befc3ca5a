"""EML: mail messages as in RFC 5322. Attached messages are read, other attachments are listed."""

from collections.abc import Iterator
from email import message_from_bytes
from email.errors import MessageError
from email.header import decode_header
from email.message import Message
from pathlib import Path

from lectern.extraction.budget import Budget
from lectern.extraction.errors import Corrupt
from lectern.extraction.formats.archive import PARSER_ERRORS
from lectern.extraction.formats.mail import message_pages as mail
from lectern.extraction.formats.page_builder import PageBuilder
from lectern.extraction.formats.text import decode
from lectern.extraction.formats.xml_tree import decode_declared
from lectern.extraction.types import DocumentMetadata, ExtractionLimits, OnPage

_MAX_PARTS = 5_000
_MAX_HEADER_CHARACTERS = 5_000


def extract(path: Path, *, limits: ExtractionLimits, password: str | None, on_page: OnPage) -> DocumentMetadata:
    """Pass the message and those attached to it to `on_page(page, page_count)`; the subject is the title."""
    del password
    Budget(limits).check_file(path, bytes_per_character=mail.BYTES_PER_CHARACTER)
    pages = PageBuilder(limits)
    try:
        outermost: Message = message_from_bytes(path.read_bytes().removeprefix(mail.BYTE_ORDER_MARK))
        for position, message in enumerate(_messages(outermost)):
            _add_message(pages, message, is_attached=position > 0)
    except (*PARSER_ERRORS, MessageError) as error:
        raise Corrupt(mail.NOT_A_MESSAGE) from error
    return mail.finish_messages(pages, _headers(outermost), on_page)


def _messages(message: Message) -> Iterator[Message]:
    """Yield the message and those attached, the outermost first."""
    pending = [message]
    for _ in range(mail.MAX_MESSAGES):
        if not pending:
            return
        current = pending.pop(0)
        yield current
        pending.extend(
            inner
            for part, _ in _parts(current)
            if part.get_content_type() == "message/rfc822"
            for inner in _payloads(part)
        )


def _parts(message: Message) -> list[tuple[Message, Message | None]]:
    """Return the parts of a message, each with the `multipart/alternative` around it, if any.

    Those of attached messages are left out. Raises `Corrupt` for too many.
    """
    parts: list[tuple[Message, Message | None]] = []
    pending: list[tuple[Message, Message | None]] = [(message, None)]
    while pending:
        part, around = pending.pop()
        parts.append((part, around))
        if len(parts) > _MAX_PARTS:
            raise Corrupt(f"The message has more than {_MAX_PARTS:,} parts.")
        if part.is_multipart() and (part is message or part.get_content_maintype() == "multipart"):
            around = part if part.get_content_type() == "multipart/alternative" else around
            pending.extend((inner, around) for inner in reversed(_payloads(part)))
    return parts


def _payloads(part: Message) -> list[Message]:
    payload: object = part.get_payload()
    return [one for one in payload if isinstance(one, Message)] if isinstance(payload, list) else []  # pyright: ignore[reportUnknownVariableType] - the standard library says Any


def _add_message(pages: PageBuilder, message: Message, *, is_attached: bool) -> None:
    mail.begin_message(pages, _headers(message), is_attached=is_attached)
    parts = _parts(message)
    bodies = [(part, around) for part, around in parts if _is_body(part)]
    plain = {around for part, around in bodies if around is not None and part.get_content_type() == "text/plain"}
    for part, around in bodies:
        if around not in plain or part.get_content_type() == "text/plain":
            _add_body(pages, part)
    mail.list_attachments(pages, [name for part, _ in parts if (name := _attachment_name(part))])


def _is_body(part: Message) -> bool:
    is_text = part.get_content_type() in {"text/plain", "text/html"} and not part.is_multipart()
    return is_text and part.get_content_disposition() != "attachment" and bool(_content(part).strip())


def _content(part: Message) -> bytes:
    raw: object = part.get_payload(decode=True)
    return raw if isinstance(raw, bytes) else b""


def _add_body(pages: PageBuilder, part: Message) -> None:
    raw, charset = _content(part), part.get_content_charset()
    if part.get_content_type() == "text/plain":
        mail.add_plain_text(pages, decode_declared(raw, charset))
    else:
        mail.add_web_page(pages, mail.BYTE_ORDER_MARK + decode_declared(raw, charset).encode() if charset else raw)


def _attachment_name(part: Message) -> str:
    """Return name and type of an attachment; empty for other parts."""
    if part.is_multipart() and part.get_content_type() != "message/rfc822":
        return ""
    name = part.get_filename()
    if not name and part.get_content_disposition() != "attachment":
        return ""
    return f"{_decode_header(name or 'unnamed')} ({part.get_content_type()})"


def _headers(message: Message) -> dict[str, str]:
    """Return the first header of each name. Bytes beyond ASCII are decoded as those of a text (RFC 6532)."""
    raw = {name.lower(): str(value) for name, value in reversed(list(message.raw_items()))}
    values = {name: raw.get(name.lower(), "").encode("utf-8", "surrogateescape") for name in mail.HEADERS}
    return {name: _decode_header(decode(value)[0]) for name, value in values.items()}


def _decode_header(value: str) -> str:
    """Decode a header in any encoding (RFC 2047)."""
    value = value[:_MAX_HEADER_CHARACTERS]
    pieces: list[str] = []
    try:
        for piece, charset in decode_header(value):
            if isinstance(piece, str):
                pieces.append(piece)
            else:
                pieces.append(decode_declared(piece, charset))
    except (MessageError, ValueError):
        return " ".join(value.split())
    return " ".join("".join(pieces).split())
