"""Pages of mail messages: one for each message with its headers, one for each message attached to it."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from lectern.extraction.formats.markup import add_markup
from lectern.extraction.formats.page_builder import PageBuilder
from lectern.extraction.formats.xml_tree import parse_html
from lectern.extraction.metadata import sensible_title
from lectern.extraction.types import DocumentMetadata, OnPage

SUBJECT = "Subject"
HEADERS = ("From", "To", "Cc", "Date", SUBJECT)
ATTACHED = "An attached message."
NO_SUBJECT = "(no subject)"
NOT_A_MESSAGE = "The file is damaged: it is no message that could be read."
MAX_MESSAGES = 200
BYTES_PER_CHARACTER = 6
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
"""Put before a web page, it overrules the encoding that the page declares."""

_BLANK_LINES = re.compile(r"\n{3,}")
_QUOTED = re.compile(r">[> ]*")


def add_headers(pages: PageBuilder, headers: Mapping[str, str]) -> None:
    """Add the subject as a heading, and the other headers."""
    pages.heading(headers.get(SUBJECT) or NO_SUBJECT, 1)
    pages.paragraph("\n".join(f"{name}: {value}" for name, value in headers.items() if value and name != SUBJECT))


def add_plain_text(pages: PageBuilder, text: str) -> None:
    """Add a plain text body, a paragraph for each block."""
    for block in _BLANK_LINES.sub("\n\n", "\n".join(_join_quoted(text.split("\n")))).split("\n\n"):
        pages.paragraph(block)


def _join_quoted(lines: Iterable[str]) -> Iterator[str]:
    """Mark a quoted paragraph at its first line only. Marks within its sentences hide them from search."""
    depth = 0
    is_within = False
    for line in lines:
        match = _QUOTED.match(line)
        mark, text = (match[0], line[match.end() :]) if match else ("", line)
        if mark.count(">") != depth and is_within:
            yield ""
            is_within = False
        depth = mark.count(">")
        yield text if is_within or not text.strip() else mark + text
        is_within = bool(text.strip())


def add_web_page(pages: PageBuilder, raw: bytes) -> bool:
    """Add an HTML body; return whether there is anything in it."""
    root = parse_html(raw)
    if root is not None:
        add_markup(pages, root)
    return root is not None


def list_attachments(pages: PageBuilder, names: Sequence[str]) -> None:
    """List the names of attachments that are not read."""
    if names:
        pages.paragraph("Attachments (listed, not read):")
        for name in names:
            pages.item(name)


def finish_messages(pages: PageBuilder, headers: Mapping[str, str], on_page: OnPage) -> DocumentMetadata:
    """Pass the pages on; return the metadata that these headers state."""
    information = tuple((name.lower(), value) for name, value in headers.items() if value)
    title = sensible_title(headers.get(SUBJECT, ""))
    return DocumentMetadata(title=title, outline=pages.finish(on_page), information=information)
