"""Plain text: a page for each form feed; a very long page continues on the next."""

from pathlib import Path

from lectern.extraction.budget import Budget
from lectern.extraction.errors import Corrupt
from lectern.extraction.formats.encodings import (
    BYTE_ORDER_MARKS,
    UNDEFINED_IN_1252,
    codec_of,
    encoding_of,
    has_binary_block,
)
from lectern.extraction.layout.text_cleaning import clean_text, has_meaning
from lectern.extraction.types import DocumentMetadata, ExtractedPage, ExtractionLimits, OnPage, PageKind, PageLine


def extract(path: Path, *, limits: ExtractionLimits, password: str | None, on_page: OnPage) -> DocumentMetadata:
    """Pass every page to `on_page(page, page_count)`; a text file has no metadata."""
    del password
    budget = Budget(limits)
    text, note = read_text(path, limits)
    budget.spend(len(text), lines=text.count("\n"))
    pages = [part for page in text.split("\f") for part in split_page(page, limits.max_page_characters)]
    while len(pages) > 1 and not pages[-1].strip():  # a form feed ends the last page
        pages.pop()
    budget.check_page_count(len(pages))
    for number, page in enumerate(pages, start=1):
        kind = PageKind.TEXT if has_meaning(page) else PageKind.EMPTY
        on_page(ExtractedPage(number, kind, page, lines=page_lines(page), note=note), len(pages))
    return DocumentMetadata()


def read_text(path: Path, limits: ExtractionLimits) -> tuple[str, str | None]:
    """Return the text of a file, and a note on how it was decoded unless it is plain UTF-8.

    Raises `FileTooLarge`, and `Corrupt` if a part of it is binary data.
    """
    Budget(limits).check_file(path)
    raw = path.read_bytes()
    text, encoding = decode(raw)
    if has_binary_block(raw, encoding):
        raise Corrupt("The text has binary data in it.", hint="Remove what is not text, and save it as UTF-8.")
    return text, _encoding_note(text, encoding)


def decode(raw: bytes) -> tuple[str, str]:
    """Return the text with line feeds as line ends, and its encoding (`encodings.encoding_of`).

    The five bytes that Windows-1252 leaves undefined are read as Latin-1.
    """
    encoding = encoding_of(raw)
    mark = next((mark for mark, _ in BYTE_ORDER_MARKS if raw.startswith(mark)), b"")
    is_latin_1 = encoding == "windows-1252" and any(byte in raw for byte in UNDEFINED_IN_1252)
    text = raw.decode("latin-1") if is_latin_1 else raw[len(mark) :].decode(codec_of(encoding), "replace")
    return clean_text(text.replace("\r\n", "\n").replace("\r", "\n")), encoding


def _encoding_note(text: str, encoding: str) -> str | None:
    damaged = text.count("\ufffd")
    if damaged:
        return f"Read as {encoding}; {damaged:,} {'character is' if damaged == 1 else 'characters are'} damaged."
    return None if encoding == "utf-8" else f"Read as {encoding}."


def page_lines(text: str) -> tuple[PageLine, ...]:
    """Return the lines of a text that are not blank, stripped."""
    lines: list[PageLine] = []
    position = 0
    for line in text.split("\n"):
        stripped = line.strip()
        if stripped:
            start = position + line.index(stripped)
            lines.append(PageLine(start, start + len(stripped)))
        position += len(line) + 1
    return tuple(lines)


def split_page(page: str, max_characters: int) -> list[str]:
    """Split a long page at line ends, else at spaces, else anywhere."""
    parts: list[str] = []
    while len(page) > max_characters:
        cut = max(page.rfind("\n", 0, max_characters), 0) or max(page.rfind(" ", 0, max_characters), 0)
        cut = cut or max_characters
        parts.append(page[:cut])
        page = page[cut:].removeprefix("\n")
    return [*parts, page]
