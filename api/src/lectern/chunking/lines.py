"""The text of a document and its lines: table rows, list items, ends of sentences, gaps."""

import bisect
import re
from dataclasses import dataclass
from typing import NamedTuple

from lectern.extraction.types import ExtractedDocument, ExtractedPage, LineKind, PageLine

PAGE_SEPARATOR = "\n"
OTHER_PAGE_GAP = 9.0

_NUMBER = re.compile(r"[(\[$€£¥+\-–—]*\d[\d.,'’]*[)\]%]*")
_MARK = re.compile(r"[$€£¥%()–—-]+")
_WIDE_SPACES = re.compile(r"\S {3,}\S|\t")
_MAX_LABEL_WORDS = 16
_MAX_CELL_WORDS = 6
_ROW_CELLS = 3
_LIST_ITEM = re.compile(r"^(?:[-*+•–▪◦·‣●○■]|\(?\d{1,2}[.)]|\(?[a-z][.)]|\(?[ivx]{1,4}[.)])\s+\S")
_END_CHARACTERS = 6
_SENTENCE_END = re.compile(r"[.!?…:;][\"'”’»)\]]*$")


class DocumentLine(NamedTuple):
    """A line with its offsets in the document text, its layout on the page, and whether it is a table row."""

    page_number: int
    start: int
    end: int
    text: str
    layout: PageLine
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
        """Return the page of the character at `offset`."""
        return self.page_numbers[bisect.bisect_right(self.page_starts, offset) - 1]


def build_document_text(document: ExtractedDocument) -> DocumentText:
    """Join the pages of a document."""
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
    cells = line.cells if line.has_geometry else 1 + len(_WIDE_SPACES.findall(text))
    is_row = _is_row(text, line, cells=cells)
    return DocumentLine(page.page_number, page_start + line.start, page_start + line.end, text, line, cells, is_row)


def _is_row(text: str, layout: PageLine, *, cells: int) -> bool:
    """Return whether a line is a table row: marked by its format, with numbers at its end, or with several cells."""
    if layout.kind not in {LineKind.PLAIN, LineKind.IMAGE}:
        return layout.kind is LineKind.TABLE
    words = text.split()
    numbers = count_trailing_numbers(words)
    if len(words) - numbers > max(_MAX_LABEL_WORDS, cells * _MAX_CELL_WORDS):
        return False
    return numbers > 1 or cells >= _ROW_CELLS or (numbers == 1 and cells > 1)


def count_trailing_numbers(words: list[str]) -> int:
    """Count the numbers at the end of a line. Currency marks and dashes between them do not count."""
    numbers = 0
    for word in reversed(words):
        if _NUMBER.fullmatch(word) or word in {"—", "–", "-"}:
            numbers += 1
        elif not _MARK.fullmatch(word):
            break
    return numbers


def is_list_item(line: DocumentLine) -> bool:
    """Return whether the line begins an item of a list."""
    return line.layout.kind is LineKind.LIST or bool(_LIST_ITEM.match(line.text))


def ends_sentence(text: str) -> bool:
    """Return whether a line ends as a sentence or clause does."""
    return bool(_SENTENCE_END.search(text, max(0, len(text) - _END_CHARACTERS)))


def gap_between(before: DocumentLine, after: DocumentLine, document_text: str) -> float:
    """Return the space between two lines in line heights, or in blank lines without geometry; 9 between pages."""
    if before.page_number != after.page_number:
        return OTHER_PAGE_GAP
    if before.layout.has_geometry and after.layout.has_geometry:
        height = max(after.layout.bottom - after.layout.top, 1e-6)
        gap = (after.layout.top - before.layout.bottom) / height
        return gap if gap > -1 else OTHER_PAGE_GAP  # further up: another column
    return float(document_text.count("\n", before.end, after.start) - 1)
