"""Find tables, with the header lines to repeat when a table is split."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from lectern.chunking.lines import DocumentLine, count_trailing_numbers, gap_between
from lectern.chunking.types import PATTERNS
from lectern.extraction.patterns import any_of
from lectern.extraction.types import LineKind

_MIN_ROWS = 3
_MAX_CAPTIONS = 2
_CAPTION_CHARACTERS = 90
_CAPTION_GAP = 1.0
_WIDE_CAPTION_GAP = 3.0
_MAX_LEADING_LINES = 4
_MAX_HEADER_LINES = 6
_HEADER_WORDS = re.compile(
    rf"^\(|\b(?:19|20)\d\d\b|\b(?:{any_of('column_headers', PATTERNS)})\b",
    re.IGNORECASE,
)
_DATE = re.compile(r"\(?(?:19|20)\d\d\)?,?|\d{1,2},")
_RULE = re.compile(r"\|?(?:\s*:?-+:?\s*\|)+(?:\s*:?-+:?\s*)?")
_LETTERS = re.compile(r"[^\W\d_]{2}")


@dataclass(frozen=True, slots=True)
class Table:
    """Lines `first` to `last` (exclusive); the first `header_lines` of them name the columns."""

    first: int
    last: int
    header_lines: int


def find_tables(lines: Sequence[DocumentLine], *, barriers: set[int]) -> list[Table]:
    """Return the tables among these lines, in order. A table never contains `barriers`, such as headings.

    A table has at least three rows, with up to two short captions in a row between them. It crosses the end of a page
    only if the next page begins with a row.
    """
    tables: list[Table] = []
    position = 0
    while position < len(lines):
        if position in barriers or not lines[position].is_row:
            position += 1
            continue
        last, rows = _extent(lines, position, barriers=barriers)
        if rows >= _MIN_ROWS or lines[position].layout.kind is LineKind.TABLE:
            first = _with_leading_lines(lines, position, barriers=barriers, after=tables[-1].last if tables else 0)
            tables.append(Table(first, last, _header_lines(lines[first:last])))
        position = last
    return tables


def find_captions(lines: Sequence[DocumentLine], *, barriers: set[int], document_text: str) -> set[int]:
    """Return lines between table rows that are no rows, such as a bold `Current assets:`.

    A line set apart from the row above may still be a heading between two tables. Then column names follow it, while a
    row follows a caption.
    """
    captions: set[int] = set()
    for table in find_tables(lines, barriers=barriers):
        for position in range(table.first + 1, table.last):
            if lines[position].is_row:
                continue
            gap = gap_between(lines[position - 1], lines[position], document_text)
            if gap < _CAPTION_GAP or (gap < _WIDE_CAPTION_GAP and _is_data_row(lines[position + 1])):
                captions.add(position)
    return captions


def _is_data_row(line: DocumentLine) -> bool:
    """Return whether a line has a label and numbers other than dates."""
    words = line.text.split()
    numbers = count_trailing_numbers(words)
    are_dates = all(_DATE.fullmatch(word) for word in words[len(words) - numbers :])
    return bool(numbers) and not are_dates and bool(_LETTERS.search(line.text))


def _extent(lines: Sequence[DocumentLine], first: int, *, barriers: set[int]) -> tuple[int, int]:
    """Return the end of the table that begins at `first`, and its number of rows."""
    last, rows, captions = first + 1, 1, 0
    for position in range(first + 1, len(lines)):
        line = lines[position]
        if position in barriers or (line.layout.kind is LineKind.TABLE) != (lines[first].layout.kind is LineKind.TABLE):
            break
        if _begins_marked_table(lines, position):
            break
        if line.is_row:
            rows, captions, last = rows + 1, 0, position + 1
            continue
        captions += 1
        is_new_page = line.page_number != lines[position - 1].page_number
        if captions > _MAX_CAPTIONS or is_new_page or len(line.text) > _CAPTION_CHARACTERS:
            break
    return last, rows


def _begins_marked_table(lines: Sequence[DocumentLine], position: int) -> bool:
    """Return whether the next line is the rule below a Markdown table header: `| --- | --- |`."""
    return (
        lines[position].layout.kind is LineKind.TABLE
        and position + 1 < len(lines)
        and lines[position + 1].layout.kind is LineKind.TABLE
        and bool(_RULE.fullmatch(lines[position + 1].text))
    )


def _with_leading_lines(lines: Sequence[DocumentLine], first: int, *, barriers: set[int], after: int) -> int:
    """Return the first of the column titles above the first row."""
    for position in range(first - 1, max(after, first - 1 - _MAX_LEADING_LINES) - 1, -1):
        line = lines[position]
        is_title = line.cells > 1 or _HEADER_WORDS.search(line.text)
        is_near = line.page_number == lines[first].page_number and len(line.text) <= _CAPTION_CHARACTERS
        if position in barriers or not is_near or not is_title or line.text.endswith("."):
            break
        first = position
    return first


def _header_lines(lines: Sequence[DocumentLine]) -> int:
    """Count the first lines that name the columns, up to the first row with a label and a number."""
    if lines[0].layout.kind is LineKind.TABLE:
        return 2 if len(lines) > 1 else 0
    for position, line in enumerate(lines[: _MAX_HEADER_LINES + 1]):
        if _is_data_row(line):
            return position
    return 1
