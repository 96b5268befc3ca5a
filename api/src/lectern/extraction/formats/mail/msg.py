"""MSG: messages of Outlook. Attached messages are read, other attachments are listed.

Properties follow [MS-OXMSG] and [MS-OXPROPS]. Each text has a stream `__substg1.0_IIIITTTT` with its id and type in
hexadecimal; another stream holds the numbers.
"""

import struct
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from uuid import UUID

from olefile import OleFileIO
from olefile.olefile import OleFileError

from lectern.extraction.errors import Corrupt, FileTooLarge
from lectern.extraction.formats.archive import PARSER_ERRORS
from lectern.extraction.formats.mail import message_pages as mail
from lectern.extraction.formats.mail.calendar import describe_period
from lectern.extraction.formats.page_builder import PageBuilder
from lectern.extraction.formats.xml_tree import decode_declared
from lectern.extraction.types import DocumentMetadata, ExtractionLimits, OnPage

Storage = tuple[str, ...]
"""The path of a message or an attachment within the file; empty for the outermost message."""

_SUBJECT, _BODY, _HTML, _RTF = 0x0037, 0x1000, 0x1013, 0x1009
_SENDER, _SENDER_ADDRESS, _SENDER_SMTP, _REPRESENTED_SENDER = 0x0C1A, 0x0C1F, 0x5D01, 0x0042
_TO, _CC = 0x0E04, 0x0E03
_SUBMITTED, _DELIVERED = 0x0039, 0x0E06
_START, _END = 0x0060, 0x0061
_LOCATION = 0x8208
_APPOINTMENT = UUID("00062002-0000-0000-c000-000000000046").bytes_le
_NAMES = ("__nameid_version1.0",)
_NAME_SETS, _NAME_ENTRIES = 0x0002, 0x0003
_NAMED_ENTRY = struct.Struct("<IHH")
_FIRST_NAME_SET, _NAME_SET_BYTES, _FIRST_NAMED = 3, 16, 0x8000
_CODE_PAGE, _BODY_CODE_PAGE = 0x3FFD, 0x3FDE
_LONG_NAME, _NAME, _MEDIA_TYPE = 0x3707, 0x3704, 0x370E
_PROPERTIES = "__properties_version1.0"
_INNER_MESSAGE = "__substg1.0_3701000D"
_LONG, _UNICODE, _EIGHT_BIT, _BINARY = 0x0003, 0x001F, 0x001E, 0x0102
_ENTRY = struct.Struct("<HHI8s")
_FILE_HEADER_BYTES, _INNER_HEADER_BYTES = 32, 24
_FIRST_DAY = datetime(1601, 1, 1, tzinfo=UTC)
_TICKS_PER_MICROSECOND = 10
_CODE_PAGES = {65001: "utf-8", 20127: "ascii", 28591: "iso-8859-1", 28605: "iso-8859-15", 10000: "mac-roman"}


def extract(path: Path, *, limits: ExtractionLimits, password: str | None, on_page: OnPage) -> DocumentMetadata:
    """Pass the message and those attached to it to `on_page(page, page_count)`; the subject is the title."""
    del password
    pages = PageBuilder(limits)
    try:
        with OleFileIO(str(path)) as file:
            reader = _MessageReader(file, limits)
            headers = reader.headers(())
            for position, message in enumerate(reader.messages):
                if position:
                    pages.begin_page(note=mail.ATTACHED)
                reader.add_message(pages, message)
    except (*PARSER_ERRORS, OleFileError, OSError) as error:
        raise Corrupt(mail.NOT_A_MESSAGE) from error
    return mail.finish_messages(pages, headers, on_page)


class _MessageReader:
    def __init__(self, file: "OleFileIO[str]", limits: ExtractionLimits) -> None:
        self._file = file
        self._max_characters = limits.max_characters
        names: list[list[str]] = file.listdir(streams=True, storages=True)
        self._paths = {tuple(path) for path in names}
        if (_PROPERTIES,) not in self._paths:
            raise Corrupt("The file is called .msg, but there is no message in it.")
        self.messages = self._list_messages()
        """The message and those attached, the outermost first."""

    def _list_messages(self) -> list[Storage]:
        messages: list[Storage] = [()]
        for message in messages:  # grows meanwhile
            for attachment in self._attachments(message):
                inner = (*attachment, _INNER_MESSAGE)
                if inner in self._paths and len(messages) < mail.MAX_MESSAGES:
                    messages.append(inner)
        return messages

    def headers(self, message: Storage) -> Mapping[str, str]:
        """Return the headers by name, empty ones too."""
        sender = self._line(message, _SENDER) or self._line(message, _REPRESENTED_SENDER)
        address = self._line(message, _SENDER_SMTP) or self._line(message, _SENDER_ADDRESS)
        if "@" in address and address != sender:
            sender = f"{sender} <{address}>".strip()
        to, cc, subject = (self._line(message, key) for key in (_TO, _CC, _SUBJECT))
        return dict(zip(mail.HEADERS, (sender, to, cc, self._date(message), subject), strict=True))

    def add_message(self, pages: PageBuilder, message: Storage) -> None:
        """Add headers, body and the names of attachments."""
        mail.add_headers(pages, self.headers(message))
        self._add_appointment(pages, message)
        body = self._text(message, _BODY).replace("\r\n", "\n")
        if body.strip():
            mail.add_plain_text(pages, body)
        elif not mail.add_web_page(pages, self._html(message)) and self._bytes(message, _RTF, _BINARY) is not None:
            pages.note("Its text is only there as RTF, which is not read: save the message as EML.")
        unread = [one for one in self._attachments(message) if (*one, _INNER_MESSAGE) not in self.messages]
        mail.list_attachments(pages, [self._attachment_name(one) for one in unread])

    def _add_appointment(self, pages: PageBuilder, message: Storage) -> None:
        """Add time and place of an appointment, a meeting request or a task."""
        numbers = self._numbers(message)
        start = _moment(numbers.get(_START, 0))
        place = self._line(message, self._named(_APPOINTMENT, _LOCATION))
        lines = [f"When: {describe_period(start, _moment(numbers.get(_END, 0)))}"] if start else []
        lines += [f"Where: {place}"] if place else []
        pages.paragraph("\n".join(lines))

    def _attachments(self, message: Storage) -> list[Storage]:
        depth = len(message) + 1
        return sorted(
            path
            for path in self._paths
            if len(path) == depth and path[:-1] == message and path[-1].startswith("__attach_version1.0_")
        )

    def _attachment_name(self, attachment: Storage) -> str:
        inner = (*attachment, _INNER_MESSAGE)
        if inner in self._paths:  # too many to read
            return f"{self._line(inner, _SUBJECT) or mail.NO_SUBJECT} (message)"
        name = self._line(attachment, _LONG_NAME) or self._line(attachment, _NAME) or "unnamed"
        media_type = self._line(attachment, _MEDIA_TYPE)
        return f"{name} ({media_type})" if media_type else name

    def _date(self, message: Storage) -> str:
        """Return when the message was sent, or else when it arrived; empty when unknown."""
        numbers = self._numbers(message)
        moment = _moment(numbers.get(_SUBMITTED) or numbers.get(_DELIVERED) or 0)
        return format_datetime(moment.replace(microsecond=0)) if moment else ""

    def _line(self, storage: Storage, key: int) -> str:
        return " ".join(self._text(storage, key).split())

    def _text(self, storage: Storage, key: int) -> str:
        """Return a text property; empty without one. Raises `FileTooLarge`."""
        raw = self._bytes(storage, key, _UNICODE)
        if raw is not None:
            return raw.decode("utf-16-le", "replace").rstrip("\0")
        raw = self._bytes(storage, key, _EIGHT_BIT)
        return "" if raw is None else self._decode(storage, raw.rstrip(b"\0"), _CODE_PAGE)

    def _html(self, message: Storage) -> bytes:
        """Return the HTML body in UTF-8; empty without one. Raises `FileTooLarge`."""
        raw = self._bytes(message, _HTML, _BINARY)
        text = self._text(message, _HTML) if raw is None else self._decode(message, raw, _BODY_CODE_PAGE)
        return mail.BYTE_ORDER_MARK + text.encode("utf-8", "replace") if text.strip() else b""

    def _decode(self, storage: Storage, raw: bytes, key: int) -> str:
        number = self._numbers(storage).get(key, 0) or self._numbers(()).get(key, 0)
        encoding = _CODE_PAGES.get(number, f"cp{number}")
        return decode_declared(raw, encoding if number else None)

    def _bytes(self, storage: Storage, key: int, kind: int) -> bytes | None:
        path = (*storage, f"__substg1.0_{key:04X}{kind:04X}")
        if path not in self._paths:
            return None
        size: int = self._file.get_size(list(path))
        if size > self._max_characters * mail.BYTES_PER_CHARACTER:
            raise FileTooLarge(
                f"A text of the message has {size:,} bytes, too many for {self._max_characters:,} characters.",
                hint="Save it without that text.",
                details={"size_bytes": size, "max_characters": self._max_characters},
            )
        return self._file.openstream(list(path)).read()

    def _named(self, name_set: bytes, name: int) -> int:
        """Return the key of a named property, or 0. The outermost message names those of all."""
        sets, entries = (self._bytes(_NAMES, key, _BINARY) or b"" for key in (_NAME_SETS, _NAME_ENTRIES))
        for number, kind, position in _NAMED_ENTRY.iter_unpack(
            entries[: len(entries) - len(entries) % _NAMED_ENTRY.size]
        ):
            first = ((kind >> 1) - _FIRST_NAME_SET) * _NAME_SET_BYTES
            if number == name and not kind & 1 and first >= 0 and sets[first:].startswith(name_set):
                return _FIRST_NAMED + position
        return 0

    def _numbers(self, storage: Storage) -> dict[int, int]:
        path = (*storage, _PROPERTIES)
        if path not in self._paths:
            return {}
        raw = self._file.openstream(list(path)).read()[_INNER_HEADER_BYTES if storage else _FILE_HEADER_BYTES :]
        return {
            key: int.from_bytes(value, "little") & (0xFFFFFFFF if kind == _LONG else -1)
            for kind, key, _, value in _ENTRY.iter_unpack(raw[: len(raw) - len(raw) % _ENTRY.size])
        }


def _moment(ticks: int) -> datetime | None:
    """Return the moment after so many ticks, or None if it is unknown."""
    try:
        return _FIRST_DAY + timedelta(microseconds=ticks // _TICKS_PER_MICROSECOND) if ticks else None
    except OverflowError:
        return None
