"""MSG, the messages of Outlook: a page for the message with its headers, one for each message attached to it.

The properties are those of [MS-OXMSG] and [MS-OXPROPS]: a stream `__substg1.0_IIIITTTT` for each text or bytes, with
its id and type in hexadecimal, and one stream with the others.
"""

import re
import struct
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

from olefile import OleFileIO
from olefile.olefile import OleFileError

from lectern.extraction.errors import Corrupt, FileTooLarge
from lectern.extraction.formats.archive import PARSER_ERRORS
from lectern.extraction.formats.markup import add_markup
from lectern.extraction.formats.page_builder import PageBuilder
from lectern.extraction.formats.text import decode
from lectern.extraction.formats.xml_tree import can_decode, parse_html
from lectern.extraction.metadata import sensible_title
from lectern.extraction.types import DocumentMetadata, ExtractionLimits, OnPage

Storage = tuple[str, ...]
"""The path of a message or an attachment within the file; that of the file's own message is empty."""

_SUBJECT, _BODY, _HTML, _RTF = 0x0037, 0x1000, 0x1013, 0x1009
_SENDER, _SENDER_ADDRESS, _SENDER_SMTP, _IN_WHOSE_NAME = 0x0C1A, 0x0C1F, 0x5D01, 0x0042
_TO, _CC = 0x0E04, 0x0E03
_SUBMITTED, _DELIVERED = 0x0039, 0x0E06
_CODE_PAGE, _BODY_CODE_PAGE = 0x3FFD, 0x3FDE
_LONG_NAME, _NAME, _MEDIA_TYPE = 0x3707, 0x3704, 0x370E
_PROPERTIES = "__properties_version1.0"
_INNER_MESSAGE = "__substg1.0_3701000D"
_UNICODE, _EIGHT_BIT, _BINARY = 0x001F, 0x001E, 0x0102
_ENTRY = struct.Struct("<HHI8s")
_HEADER_OF_FILE, _HEADER_OF_INNER = 32, 24
_FIRST_DAY = datetime(1601, 1, 1, tzinfo=UTC)
_TICKS_PER_MICROSECOND = 10
_CODE_PAGES = {65001: "utf-8", 20127: "ascii", 28591: "iso-8859-1", 28605: "iso-8859-15", 10000: "mac-roman"}
_MAX_MESSAGES = 200
_BYTES_PER_CHARACTER = 6
_BLANK_LINES = re.compile(r"\n{3,}")


def extract(path: Path, *, limits: ExtractionLimits, password: str | None, on_page: OnPage) -> DocumentMetadata:
    """Hand the message and those attached to it to `on_page(page, page_count)`; the subject is the title.

    Raises `Corrupt`, `FileTooLarge`.
    """
    del password
    pages = PageBuilder(limits)
    try:
        with OleFileIO(str(path)) as file:
            mail = _Mail(file, limits)
            outermost = mail.headers(())
            for position, storage in enumerate(mail.messages()):
                if position:
                    pages.begin_page(note="A message attached to the first.")
                _add_message(pages, mail, storage)
            title = sensible_title(mail.text((), _SUBJECT))
    except (*PARSER_ERRORS, OleFileError, OSError) as error:
        raise Corrupt("The file is damaged: it is no message that could be read.") from error
    information = tuple((name.lower(), value) for name, value in outermost if value)
    return DocumentMetadata(title=title, outline=pages.finish(on_page), information=information)


class _Mail:
    """The properties of the messages in a file."""

    def __init__(self, file: "OleFileIO[str]", limits: ExtractionLimits) -> None:
        self._file = file
        self._max_characters = limits.max_characters
        names: list[list[str]] = file.listdir(streams=True, storages=True)
        self._paths = {tuple(path) for path in names}
        if (_PROPERTIES,) not in self._paths:
            raise Corrupt("The file is called .msg, but there is no message in it.")

    def messages(self) -> list[Storage]:
        """That of the file and those attached, the outermost first."""
        found: list[Storage] = [()]
        for message in found:  # grows meanwhile
            for attachment in self.attachments(message):
                inner = (*attachment, _INNER_MESSAGE)
                if inner in self._paths and len(found) < _MAX_MESSAGES:
                    found.append(inner)
        return found

    def attachments(self, message: Storage) -> list[Storage]:
        """In their order."""
        depth = len(message) + 1
        return sorted(
            path
            for path in self._paths
            if len(path) == depth and path[:-1] == message and path[-1].startswith("__attach_version1.0_")
        )

    def attachment_name(self, attachment: Storage) -> str:
        """With its media type where that is known; of a message its subject."""
        if (*attachment, _INNER_MESSAGE) in self._paths:
            subject = self.text((*attachment, _INNER_MESSAGE), _SUBJECT)
            return f"{subject or '(no subject)'} (message)"
        name = self.text(attachment, _LONG_NAME) or self.text(attachment, _NAME) or "unnamed"
        media_type = self.text(attachment, _MEDIA_TYPE)
        return f"{name} ({media_type})" if media_type else name

    def headers(self, message: Storage) -> list[tuple[str, str]]:
        """Names and values, empty ones too."""
        sender = self.text(message, _SENDER) or self.text(message, _IN_WHOSE_NAME)
        address = self.text(message, _SENDER_SMTP) or self.text(message, _SENDER_ADDRESS)
        if "@" in address and address != sender:
            sender = f"{sender} <{address}>".strip()
        return [
            ("From", sender),
            ("To", self.text(message, _TO)),
            ("Cc", self.text(message, _CC)),
            ("Date", self.date(message)),
            ("Subject", self.text(message, _SUBJECT)),
        ]

    def date(self, message: Storage) -> str:
        """When it was sent, or else when it arrived; empty where neither is known."""
        values = self._values(message)
        ticks = next((value for key in (_SUBMITTED, _DELIVERED) if (value := values.get(key, 0))), 0)
        try:
            moment = _FIRST_DAY + timedelta(microseconds=ticks // _TICKS_PER_MICROSECOND)
        except OverflowError:
            return ""
        return format_datetime(moment.replace(microsecond=0)) if ticks else ""

    def text(self, storage: Storage, key: int) -> str:
        """A text in one line; empty where there is none."""
        return " ".join(self.body(storage, key).split())

    def body(self, storage: Storage, key: int) -> str:
        """A text with its lines. Raises `FileTooLarge`."""
        raw = self._bytes(storage, key, _UNICODE)
        if raw is not None:
            return raw.decode("utf-16-le", "replace").rstrip("\0")
        raw = self._bytes(storage, key, _EIGHT_BIT)
        return "" if raw is None else self._decoded(storage, raw.rstrip(b"\0"), _CODE_PAGE)

    def html(self, message: Storage) -> bytes:
        """The body as a web page in UTF-8; empty where there is none. Raises `FileTooLarge`."""
        raw = self._bytes(message, _HTML, _BINARY)
        written = self.body(message, _HTML) if raw is None else self._decoded(message, raw, _BODY_CODE_PAGE)
        # the mark overrules what the page says of its encoding
        return b"\xef\xbb\xbf" + written.encode("utf-8", "replace") if written.strip() else b""

    def has_rtf(self, message: Storage) -> bool:
        """Whether there is a body that is not read here."""
        return self._bytes(message, _RTF, _BINARY) is not None

    def _decoded(self, storage: Storage, raw: bytes, key: int) -> str:
        number = self._values(storage).get(key, 0) or self._values(()).get(key, 0)
        encoding = _CODE_PAGES.get(number, f"cp{number}")
        return raw.decode(encoding) if number and can_decode(raw, encoding) else decode(raw)[0]

    def _bytes(self, storage: Storage, key: int, kind: int) -> bytes | None:
        path = (*storage, f"__substg1.0_{key:04X}{kind:04X}")
        if path not in self._paths:
            return None
        size: int = self._file.get_size(list(path))
        if size > self._max_characters * _BYTES_PER_CHARACTER:
            raise FileTooLarge(
                f"A text of the message has {size:,} bytes, too many for {self._max_characters:,} characters.",
                hint="Save it without that text.",
                details={"size_bytes": size, "max_characters": self._max_characters},
            )
        return self._file.openstream(list(path)).read()

    def _values(self, storage: Storage) -> dict[int, int]:
        """Numbers and times by their keys."""
        path = (*storage, _PROPERTIES)
        if path not in self._paths:
            return {}
        raw = self._file.openstream(list(path)).read()[_HEADER_OF_INNER if storage else _HEADER_OF_FILE :]
        return {
            key: int.from_bytes(value, "little") & (0xFFFFFFFF if kind == 0x0003 else -1)  # noqa: PLR2004 - a long
            for kind, key, _, value in _entries(raw)
        }


def _entries(raw: bytes) -> Iterator[tuple[int, int, int, bytes]]:
    whole = len(raw) - len(raw) % _ENTRY.size
    yield from _ENTRY.iter_unpack(raw[:whole])


def _add_message(pages: PageBuilder, mail: _Mail, message: Storage) -> None:
    pages.heading(mail.text(message, _SUBJECT) or "(no subject)", 1)
    pages.paragraph("\n".join(f"{name}: {value}" for name, value in mail.headers(message)[:-1] if value))
    body = mail.body(message, _BODY).replace("\r\n", "\n")
    if body.strip():
        for block in _BLANK_LINES.sub("\n\n", body).split("\n\n"):
            pages.paragraph(block)
    elif (root := parse_html(mail.html(message))) is not None:
        add_markup(pages, root)
    elif mail.has_rtf(message):
        pages.note("Its text is only there as RTF, which is not read: save the message as EML.")
    names = [mail.attachment_name(attachment) for attachment in mail.attachments(message)]
    if names:
        pages.paragraph("Attachments (listed, not read):")
        for name in names:
            pages.item(name)
