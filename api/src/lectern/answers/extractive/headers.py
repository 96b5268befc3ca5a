"""Headers of rows of cells between tabs, read from the lines of a chunk (pure)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from lectern.search.presentation.sentences import Span

_STOP: Final = re.compile(r"[.!?;][\"”»')\]]*\s*$")
_VALUE: Final = re.compile(r"(?!\S*[’']000)[^\w\s]*\s?\d")  # "$’000" is a unit
_PERIOD: Final = re.compile(r"(?<![\d.,])(?:19|20)\d\d(?![\d%]|[.,]\d)")
_NOTES: Final = re.compile(r"(?:\(\w\)){2,}")  # one alone may be a loss
_PERIODS: Final = re.compile(
    r"(?:(?:[^\W\d]+\.? \d\d?|(?:19|20)\d\d)(?: \(\w\))?(?: |$)){2,}"
)  # columns too near for tabs
_LETTER: Final = re.compile(r"[^\W\d_]")
_TITLE: Final = re.compile(r"\W*[A-ZÀ-ÖØ-Þ\d]")  # not the rest of a label that is wrapped
_MAX_LINES: Final = 8
_MAX_WORDS: Final = 12  # of a line without cells


@dataclass(frozen=True, slots=True)
class Header:
    """The lines that name the columns of a row, and those that name its group of rows, if any."""

    columns: Span
    group: Span | None


def find_headers(text: str, spans: Sequence[Span]) -> dict[Span, Header]:
    """Return the header of each row of cells.

    It has the lines above the first row with a value, to the last with cells. In a table of words and values it ends
    with the first line with cells: the others are rows. Prose ends a table.
    """
    table = _Table()
    for span in spans:
        line = text[span.start : span.end]
        cells = line.split("\t")[1:]
        if _has_value(cells) or (table.has_words and cells and not table.above):
            table.add_row(span, has_words=any(map(_is_words, cells)))
        elif not cells and (ends_sentence(line) or len(line.split()) > _MAX_WORDS):
            table = _Table(table.headers)
        else:
            names_columns = bool(cells) or _PERIODS.fullmatch(line.strip()) is not None
            table.above = [*table.above[1 - _MAX_LINES :], _Name(span, names_columns, bool(_TITLE.match(line)))]
    return table.headers


def ends_sentence(text: str) -> bool:
    """Return True for a text that ends with a full stop or the like."""
    return _STOP.search(text) is not None


@dataclass(frozen=True, slots=True)
class _Name:
    span: Span
    names_columns: bool
    is_title: bool


@dataclass(slots=True)
class _Table:
    """The header of the rows so far, and the lines above the next row."""

    headers: dict[Span, Header] = field(default_factory=dict[Span, Header])
    above: list[_Name] = field(default_factory=list[_Name])
    columns: Span | None = None
    group: Span | None = None
    has_words: bool = False

    def add_row(self, row: Span, *, has_words: bool) -> None:
        """Add a row below the lines above it, which name columns, a group of rows, or nothing."""
        places = [place for place, name in enumerate(self.above) if name.names_columns]
        titles = self.above[places[-1] + 1 :] if places else self.above
        if places:
            self.has_words = has_words
            last = places[0 if has_words else -1]
            self.columns = Span(self.above[0].span.start, self.above[last].span.end)
            self.group = None
            self.headers |= {self.above[place].span: Header(self.columns, None) for place in places if place > last}
        if titles and (places or titles[0].is_title):
            self.group = Span(titles[0].span.start, titles[-1].span.end)
        if self.columns:
            self.headers[row] = Header(self.columns, self.group)
        self.above = []


def _has_value(cells: Sequence[str]) -> bool:
    """Return True if a cell is a figure, and neither a year, a date nor marks of notes."""
    return any(_VALUE.match(cell) and not _PERIOD.search(cell) and not _NOTES.fullmatch(cell) for cell in cells)


def _is_words(cell: str) -> bool:
    return _LETTER.search(cell) is not None and not _VALUE.match(cell)
