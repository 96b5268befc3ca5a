"""The document-wide text stream and its lines, with their offsets in it."""

import bisect
from dataclasses import dataclass
from typing import NamedTuple

from lectern.chunking.figures import count_cells, is_row
from lectern.extraction.types import ExtractedDocument, ExtractedPage, PageLine

PAGE_SEPARATOR = "\n"


class DocumentLine(NamedTuple):
    """A line of the document: its page, its offsets in the stream, its text, its looks, and whether it is a row."""

    page_number: int
    start: int
    end: int
    text: str
    looks: PageLine
    cells: int
    is_row: bool


@dataclass(frozen=True, slots=True)
class DocumentText:
    """Page texts joined by one line feed."""

    text: str
    page_starts: tuple[int, ...]
    page_numbers: tuple[int, ...]
    lines: tuple[DocumentLine, ...]

    def page_number_at(self, offset: int) -> int:
        """The page that the character at `offset` is on."""
        return self.page_numbers[bisect.bisect_right(self.page_starts, offset) - 1]

    def page_end(self, index: int) -> int:
        """Where the text of the page at `index` ends."""
        if index + 1 < len(self.page_starts):
            return self.page_starts[index + 1] - len(PAGE_SEPARATOR)
        return len(self.text)


def build_document_text(document: ExtractedDocument) -> DocumentText:
    """The stream of a document."""
    starts: list[int] = []
    lines: list[DocumentLine] = []
    position = 0
    for page in document.pages:
        starts.append(position)
        lines.extend(_line(page, line, page_start=position) for line in page.lines)
        position += len(page.text) + len(PAGE_SEPARATOR)
    return DocumentText(
        text=PAGE_SEPARATOR.join(page.text for page in document.pages),
        page_starts=tuple(starts),
        page_numbers=tuple(page.page_number for page in document.pages),
        lines=tuple(lines),
    )


def _line(page: ExtractedPage, line: PageLine, *, page_start: int) -> DocumentLine:
    text = page.text[line.start : line.end]
    cells = count_cells(text, line)
    return DocumentLine(
        page.page_number,
        page_start + line.start,
        page_start + line.end,
        text,
        line,
        cells=cells,
        is_row=is_row(text, line, cells=cells),
    )
