"""EML: mail messages as in RFC 5322. Attached messages and invitations are read, other attachments are listed."""

import re
from base64 import b64decode
from email import message_from_bytes
from email.errors import MessageError
from email.header import decode_header
from email.message import Message
from itertools import chain
from pathlib import Path

from lectern.extraction.budget import Budget
from lectern.extraction.errors import Corrupt
from lectern.extraction.formats.archive import PARSER_ERRORS
from lectern.extraction.formats.mail import message_pages as mail
from lectern.extraction.formats.mail.calendar import describe_events
from lectern.extraction.formats.page_builder import PageBuilder
from lectern.extraction.formats.text import decode
from lectern.extraction.formats.xml_tree import decode_declared
from lectern.extraction.types import DocumentMetadata, ExtractionLimits, OnPage

_MAX_PARTS = 5_000
_MAX_HEADER_CHARACTERS = 5_000
_COMMAND = re.compile(r"<<|<param>[^<]*</param>|</?[\w-]{1,60}>", re.IGNORECASE)
"""A command of `text/enriched` (RFC 1896), or an escaped "<"."""
_TAG = re.compile(r"<[^<>]*>")
_WRAPPED = "Its text is encrypted or signed as a whole, which is not read. Decrypt it, and save the message as EML."
_PROGRAM_NOTES = {
    "application/pkcs7-mime": _WRAPPED,
    "application/x-pkcs7-mime": _WRAPPED,
    "application/pgp-encrypted": _WRAPPED,
    "application/ms-tnef": "Outlook put parts of it into winmail.dat, which is not read. Save the message as MSG.",
    "application/vnd.ms-tnef": "Outlook put parts of it into winmail.dat, which is not read. Save the message as MSG.",
}
_REPORTS = frozenset(
    f"message/{kind}"
    for kind in (
        *("delivery-status", "global-delivery-status", "disposition-notification", "global-disposition-notification"),
        *("feedback-report", "external-body"),
    )
)
"""Parts of fields like headers. Any other `message/*` is an attached message."""


def extract(path: Path, *, limits: ExtractionLimits, password: str | None, on_page: OnPage) -> DocumentMetadata:
    """Pass the message and those attached to it to `on_page(page, page_count)`; the subject is the title."""
    del password
    Budget(limits).check_file(path, bytes_per_character=mail.BYTES_PER_CHARACTER)
    pages = PageBuilder(limits)
    try:
        outermost: Message = message_from_bytes(path.read_bytes().removeprefix(mail.BYTE_ORDER_MARK))
        add_messages(pages, outermost)
    except (*PARSER_ERRORS, MessageError) as error:
        raise Corrupt(mail.NOT_A_MESSAGE) from error
    return mail.finish_messages(pages, read_headers(outermost), on_page)


def add_messages(pages: PageBuilder, outermost: Message) -> None:
    """Add the message, and each one attached to it on a page of its own."""
    pending = [outermost]
    for position in range(mail.MAX_MESSAGES):
        if position == len(pending):
            return
        if position:
            pages.begin_page(note=mail.ATTACHED)
        pending += _add_message(pages, pending[position])
    if len(pending) > mail.MAX_MESSAGES:
        pages.note(f"Of {len(pending):,} messages in it, the first {mail.MAX_MESSAGES} are read.")


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
        if part.is_multipart() and part.get_content_maintype() == "multipart":
            around = part if part.get_content_type() == "multipart/alternative" else around
            pending.extend((inner, around) for inner in reversed(_payloads(part)))
    return parts


def _payloads(part: Message) -> list[Message]:
    payload: object = part.get_payload()
    return [one for one in payload if isinstance(one, Message)] if isinstance(payload, list) else []  # pyright: ignore[reportUnknownVariableType] - the standard library says Any


def _attached_messages(part: Message) -> list[Message]:
    """Return the messages of a part. Some programs encode them against RFC 2046, 5.2.1."""
    if part.get_content_maintype() != "message" or part.get_content_type() in _REPORTS:
        return []
    inner = _payloads(part)
    encoded: object = inner[0].get_payload() if inner and not inner[0].keys() else None
    if isinstance(encoded, str) and str(part.get("Content-Transfer-Encoding", "")).strip().lower() == "base64":
        return [message_from_bytes(b64decode(encoded.encode("ascii", "ignore")))]
    return inner


def _add_message(pages: PageBuilder, message: Message) -> list[Message]:
    """Add headers, bodies, invitations and the names of other parts. Return the attached messages."""
    mail.add_headers(pages, read_headers(message))
    parts = _parts(message)
    bodies = _choose_bodies(parts)
    for part in bodies:
        _add_body(pages, part)
    calendars = _add_calendars(pages, [part for part, _ in parts if _is_calendar(part)], bodies)
    for part, _ in parts:
        _add_report(pages, part)
    for note in dict.fromkeys(_PROGRAM_NOTES.get(part.get_content_type(), "") for part, _ in parts):
        if note:
            pages.note(note)
    is_read = {*bodies, *calendars}
    unread = [part for part, around in parts if part not in is_read and not _is_alternative(part, around)]
    mail.list_attachments(pages, [name for part in unread if (name := _attachment_name(part))])
    return [inner for part, _ in parts for inner in _attached_messages(part)]


def _add_calendars(pages: PageBuilder, calendars: list[Message], bodies: list[Message]) -> list[Message]:
    """Add the events of calendars. Return the calendars that have one."""
    written = "\n".join(_TAG.sub("", _text(part)) for part in bodies) if calendars else ""
    events = {part: list(chain.from_iterable(describe_events(_text(part), known_text=written))) for part in calendars}
    for block in dict.fromkeys(chain.from_iterable(events.values())):
        pages.paragraph(block)
    return [part for part in calendars if events[part]]


def _add_report(pages: PageBuilder, part: Message) -> None:
    """Add the fields of a delivery report."""
    if part.get_content_type() in _REPORTS:
        for fields in _payloads(part):
            lines = [f"{name}: {_decode_header(str(value))}" for name, value in fields.raw_items()]
            pages.paragraph("\n".join(lines))


def _is_calendar(part: Message) -> bool:
    return part.get_content_type() == "text/calendar" and _is_shown(part)


def _attachment_name(part: Message) -> str:
    """Return name and type of a part; empty for one without name and content, and for one that has parts."""
    name, payload = part.get_filename(), part.get_payload()
    has_content = isinstance(payload, str) and bool(payload.strip())
    if part.is_multipart() or not (name or has_content):
        return ""
    return f"{_decode_header(name or 'unnamed')} ({part.get_content_type()})"


def _choose_bodies(parts: list[tuple[Message, Message | None]]) -> list[Message]:
    """Return the parts to read as text. Of alternatives these are plain texts, else web pages, else other texts."""
    bodies = [(part, around) for part, around in parts if _is_body(part)]
    best: dict[Message, int] = {}
    for part, around in bodies:
        if around is not None:
            best[around] = min(best.get(around, _preference(part)), _preference(part))
    return [part for part, around in bodies if around is None or _preference(part) == best[around]]


def _preference(part: Message) -> int:
    return {"text/plain": 0, "text/html": 1}.get(part.get_content_type(), 2)


def _is_alternative(part: Message, around: Message | None) -> bool:
    """Return whether the part is another form of a text that is read."""
    return around is not None and _is_body(part)


def _is_body(part: Message) -> bool:
    """Return whether the part is text to read in its place. Unknown kinds of text are plain text (RFC 2046, 4.1.4).

    So is a `multipart` without a boundary.
    """
    kind = part.get_content_type()
    is_text = part.get_content_maintype() in {"text", "multipart"} and kind != "text/calendar"
    return is_text and not part.is_multipart() and _is_shown(part) and bool(_content(part).strip())


def _is_shown(part: Message) -> bool:
    return part.get_content_disposition() != "attachment"


def _content(part: Message) -> bytes:
    raw: object = part.get_payload(decode=True)
    return raw if isinstance(raw, bytes) else b""


def _text(part: Message) -> str:
    return decode_declared(_content(part), part.get_content_charset())


def _add_body(pages: PageBuilder, part: Message) -> None:
    if part.get_content_type() == "text/html":
        is_declared = part.get_content_charset() is not None
        mail.add_web_page(pages, mail.BYTE_ORDER_MARK + _text(part).encode() if is_declared else _content(part))
    elif part.get_content_type() == "text/enriched":
        mail.add_plain_text(pages, _COMMAND.sub(lambda match: "<" if match[0] == "<<" else "", _text(part)))
    else:
        mail.add_plain_text(pages, _text(part))


def read_headers(message: Message) -> dict[str, str]:
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
