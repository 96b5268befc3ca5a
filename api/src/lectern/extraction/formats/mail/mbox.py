"""Mailboxes (RFC 4155): each message is read as an EML file, on pages of its own."""

import re
from collections.abc import Iterator
from dataclasses import replace
from email import message_from_bytes
from email.errors import MessageError
from email.message import Message
from pathlib import Path
from typing import Final

from lectern.extraction.budget import Budget
from lectern.extraction.errors import Corrupt, FileTooLarge
from lectern.extraction.formats.archive import PARSER_ERRORS
from lectern.extraction.formats.mail import message_pages as mail
from lectern.extraction.formats.mail.eml import add_messages, read_headers
from lectern.extraction.formats.page_builder import PageBuilder
from lectern.extraction.types import DocumentMetadata, ExtractionLimits, OnPage

_SEPARATOR: Final = re.compile(rb"From .{0,400}\d:\d\d.{0,40}\b(?:19|20)\d\d\b.{0,40}")
_HEADER: Final = re.compile(rb"[!-9;-~]{1,76}:|>From ")
_QUOTED: Final = re.compile(rb"^>(>*From )", re.MULTILINE)
_MAX_LINE_BYTES: Final = 1_048_576
_DELETED: Final = 0x8  # in X-Mozilla-Status, until the mailbox is compacted


def extract(path: Path, *, limits: ExtractionLimits, password: str | None, on_page: OnPage) -> DocumentMetadata:
    """Pass the messages in their order to `on_page(page, page_count)`. The subject of a single one is the title."""
    del password
    pages, budget = PageBuilder(limits), Budget(limits)
    first: Message | None = None
    count = deleted = 0
    for raw in _split(path, max_characters=limits.max_characters):
        message: Message = message_from_bytes(_QUOTED.sub(rb"\1", raw))
        if _is_deleted(message):
            deleted += 1
            continue
        count += 1
        budget.check_page_count(count)
        if first is None:
            first = message
        else:
            pages.begin_page()
        _add(pages, message)
    if not count and not deleted:
        raise Corrupt("The file is called a mailbox, but there is no message in it.")
    headers = read_headers(first) if first is not None and count == 1 else {}
    metadata = mail.finish_messages(pages, headers, on_page)
    return replace(metadata, note=f"Messages marked as deleted are left out: {deleted:,}." if deleted else "")


def _add(pages: PageBuilder, message: Message) -> None:
    """Add a message and those attached to it. A damaged one does not end the mailbox."""
    try:
        add_messages(pages, message)
    except (*PARSER_ERRORS, MessageError, Corrupt):
        pages.note("A part of this message is damaged and was not read.")


def _split(path: Path, *, max_characters: int) -> Iterator[bytes]:
    """Yield each message without the separator line before it.

    A line "From ..." separates if it has a date and a header follows. Others belong to a text that was not quoted.
    """
    message = bytearray()
    separator = b""
    is_first, begins_line = True, True
    for line in _lines(path):
        if separator and _HEADER.match(line):
            if not is_first:
                yield bytes(message)
            message, is_first = bytearray(), False
        else:
            message += separator
        separator = line if begins_line and _SEPARATOR.fullmatch(line.rstrip(b"\r\n")) else b""
        begins_line = line.endswith(b"\n")
        if not separator:
            message += line
        if len(message) > max_characters * mail.BYTES_PER_CHARACTER:
            raise FileTooLarge(
                f"A message has at least {len(message):,} bytes, too many for {max_characters:,} characters.",
                hint="Save the mailbox without that message.",
                details={"size_bytes": len(message), "max_characters": max_characters},
            )
    if not is_first:
        yield bytes(message + separator)


def _lines(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        yield file.readline(_MAX_LINE_BYTES).removeprefix(mail.BYTE_ORDER_MARK)
        while line := file.readline(_MAX_LINE_BYTES):
            yield line


def _is_deleted(message: Message) -> bool:
    try:
        return bool(int(str(message.get("X-Mozilla-Status", "0")), 16) & _DELETED)
    except ValueError:
        return False
