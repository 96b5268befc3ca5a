"""Runs of lines that make a table, with the header that its parts repeat when it must be split."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from lectern.chunking.figures import trailing_figures
from lectern.chunking.lines import DocumentLine
from lectern.chunking.rows import gap_between
from lectern.extraction.types import LineKind

_MIN_ROWS = 3
_MOST_CAPTIONS = 2
_CAPTION_CHARACTERS = 90
_CAPTION_GAP = 1.0
_WIDE_CAPTION_GAP = 3.0
_MOST_LEADING_LINES = 4
_MOST_HEADER_LINES = 6
_HEADER_WORDS = re.compile(
    r"^\(|\b(?:19|20)\d\d\b|\b(?:years?|months?|weeks?|quarters?|ended|as of|millions?|thousands?|esercizio|anno|anni|"
    r"trimestre|semestre|chiuso|migliaia|milioni|importi|valori)\b",
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


def find_tables(lines: Sequence[DocumentLine], *, borders: set[int]) -> list[Table]:
    """The tables among these lines, in order; a line in `borders` (a heading) never lies inside one.

    A table has at least three rows; up to two short captions in a row may stand between its rows. It goes on over a
    page's end only where the next page begins with a row.
    """
    tables: list[Table] = []
    position = 0
    while position < len(lines):
        if position in borders or not lines[position].is_row:
            position += 1
            continue
        last, rows = _extent(lines, position, borders=borders)
        if rows >= _MIN_ROWS or lines[position].looks.kind is LineKind.TABLE:
            first = _with_leading_lines(lines, position, borders=borders, after=tables[-1].last if tables else 0)
            tables.append(Table(first, last, _header_lines(lines[first:last])))
        position = last
    return tables


def find_captions(lines: Sequence[DocumentLine], *, borders: set[int], stream_text: str) -> set[int]:
    """Lines between the rows of a table that are no rows: `Current assets:` in bold is a caption, not a heading.

    A line set apart from the row above it may still be a heading between two tables: then columns are named below it,
    where a caption is followed by a row.
    """
    captions: set[int] = set()
    for table in find_tables(lines, borders=borders):
        for position in range(table.first + 1, table.last):
            if lines[position].is_row:
                continue
            gap = gap_between(lines[position - 1], lines[position], stream_text)
            if gap < _CAPTION_GAP or (gap < _WIDE_CAPTION_GAP and _is_data_row(lines[position + 1])):
                captions.add(position)
    return captions


def _is_data_row(line: DocumentLine) -> bool:
    """Whether a line has a label and figures that are not those of a date."""
    words = line.text.split()
    figures = trailing_figures(words)
    are_dates = all(_DATE.fullmatch(word) for word in words[len(words) - figures :])
    return bool(figures) and not are_dates and bool(_LETTERS.search(line.text))


def _extent(lines: Sequence[DocumentLine], first: int, *, borders: set[int]) -> tuple[int, int]:
    """Where the table that begins at `first` ends, and how many rows it has."""
    last, rows, captions = first + 1, 1, 0
    for position in range(first + 1, len(lines)):
        line = lines[position]
        if position in borders or (line.looks.kind is LineKind.TABLE) != (lines[first].looks.kind is LineKind.TABLE):
            break
        if _begins_marked_table(lines, position):
            break
        if line.is_row:
            rows, captions, last = rows + 1, 0, position + 1
            continue
        captions += 1
        is_new_page = line.page_number != lines[position - 1].page_number
        if captions > _MOST_CAPTIONS or is_new_page or len(line.text) > _CAPTION_CHARACTERS:
            break
    return last, rows


def _begins_marked_table(lines: Sequence[DocumentLine], position: int) -> bool:
    """Whether the next line is the rule below the names of a marked table's columns: `| --- | --- |`."""
    return (
        lines[position].looks.kind is LineKind.TABLE
        and position + 1 < len(lines)
        and lines[position + 1].looks.kind is LineKind.TABLE
        and bool(_RULE.fullmatch(lines[position + 1].text))
    )


def _with_leading_lines(lines: Sequence[DocumentLine], first: int, *, borders: set[int], after: int) -> int:
    """Where the column titles above the first row begin."""
    for position in range(first - 1, max(after, first - 1 - _MOST_LEADING_LINES) - 1, -1):
        line = lines[position]
        is_title = line.cells > 1 or _HEADER_WORDS.search(line.text)
        is_near = line.page_number == lines[first].page_number and len(line.text) <= _CAPTION_CHARACTERS
        if position in borders or not is_near or not is_title or line.text.endswith("."):
            break
        first = position
    return first


def _header_lines(lines: Sequence[DocumentLine]) -> int:
    """How many of the first lines name the columns: up to the first row with a label and a figure."""
    if lines[0].looks.kind is LineKind.TABLE:
        return 2 if len(lines) > 1 else 0
    for position, line in enumerate(lines[: _MOST_HEADER_LINES + 1]):
        if _is_data_row(line):
            return position
    return 1
