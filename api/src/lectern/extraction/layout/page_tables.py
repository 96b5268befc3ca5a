"""Read the rows of a table from the places of its words on a page (pure)."""

import re
from bisect import bisect
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from lectern.extraction.layout.boxes import WordBoxes, unpack_boxes

_MAX_GAP: Final = 2.5  # line heights between two rows
_MAX_STEP_BACK: Final = 4.0  # line heights, from the end of a wrapped cell to the top of the next cell
_MIN_SPACE: Final = 1.5  # word spaces between two columns, if no line has a word there
_MIN_LINES: Final = 4  # with fewer, words may leave the same place free by chance
_FEW_COLUMNS: Final = 2
_MIN_UNNAMED: Final = 2  # one column alone may have no name
_MIN_ROWS: Final = 3
_MAX_TITLE_WORDS: Final = 5
_MOST: Final = 0.75
_WORD: Final = re.compile(r"\w")
_CURRENCY: Final = re.compile(r"[$€£¥(]")
_FIGURE: Final = re.compile(r"\d")
_STARTS_WITH_FIGURE: Final = re.compile(r"[^\w\s]*\d")
_NOTES: Final = re.compile(r"(?<=\w)\s?(?:\(\w\))+|(?:\(\w\)){2,}")  # one alone may be a loss
_YEAR: Final = re.compile(r"(?:19|20)\d\d")
_YEARS: Final = re.compile(r"(?:\D*\b(?:19|20)\d\d\b)+\D*")


@dataclass(frozen=True, slots=True)
class TableRows:
    """Rows of a table and the names of its columns, cell by cell. `start` and `end` are the characters of the rows."""

    header: list[str]
    rows: list[list[str]]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Line:
    """Words of a line: their characters, sides, and the run of each."""

    spans: Sequence[tuple[int, int]]
    sides: Sequence[tuple[float, float]]
    runs: Sequence[int]
    top: float
    bottom: float

    @property
    def is_row(self) -> bool:
        """True if a wide gap separates words, as between cells."""
        return self.runs[0] != self.runs[-1]

    @property
    def run_sides(self) -> list[tuple[float, float]]:
        """Left and right of each run."""
        sides: dict[int, tuple[float, float]] = {}
        for run, (left, right) in zip(self.runs, self.sides, strict=True):
            known = sides.get(run, (left, right))
            sides[run] = (min(known[0], left), max(known[1], right))
        return list(sides.values())


def read_rows(text: str, boxes: bytes, start: int, end: int) -> TableRows | None:
    """Return the table rows that characters start..end of a page touch, and the header above them.

    None if there is no table, or if nothing above the rows is sure to be its header.
    """
    lines = _list_lines(text, unpack_boxes(boxes))
    wanted = [number for number, line in enumerate(lines) if line.spans[0][0] < end and line.spans[-1][1] > start]
    if not any(lines[number].is_row for number in wanted):
        return None
    first, last = _find_table(text, lines, wanted[0], wanted[-1])
    cells = _join_marks(_split_lines(text, lines[first:last]))
    height = _count_header_lines(cells)
    top = max(wanted[0], first + height)
    if not height or wanted[0] < first or not top <= wanted[-1] < last:
        return None
    edges = _find_edges(lines[first:last])
    if any(_are_figures_joined(text, line, edges) for line in lines[top : wanted[-1] + 1]):
        return None
    rows = _join_wrapped(cells[top - first : wanted[-1] - first + 1])
    return TableRows(_join(cells[:height]), rows, lines[top].spans[0][0], lines[wanted[-1]].spans[-1][1])


def _list_lines(text: str, words: WordBoxes) -> list[_Line]:
    breaks = np.array([place for place, character in enumerate(text) if character == "\n"], np.int64)
    of_word = np.searchsorted(breaks, words.starts)
    edges = np.flatnonzero(np.diff(of_word, prepend=-1)).tolist()
    lines: list[_Line] = []
    for left, right in pairwise([*edges, len(of_word)]):
        inside = slice(left, right)
        corners = words.corners[inside]
        lines.append(
            _Line(
                list(zip(words.starts[inside].tolist(), words.ends[inside].tolist(), strict=True)),
                list(zip(corners[:, 0].tolist(), corners[:, 2].tolist(), strict=True)),
                words.runs[inside].tolist(),
                float(corners[:, 1].min()),
                float(corners[:, 3].max()),
            )
        )
    return lines


def _find_table(text: str, lines: Sequence[_Line], first: int, last: int) -> tuple[int, int]:
    """Return the first line of the table around lines first..last, and the line after it.

    A line with one run of words belongs to it if it crosses no column: a cell that is wrapped, or a caption. A line of
    years starts a table.
    """
    low, high = _extend(text, lines, first, last + 1, edges=None)
    edges = _find_edges(lines[low:high])
    if not edges:
        return first, first
    low, high = _extend(text, lines, low, high, edges=edges)
    while low < high and not lines[low].is_row:
        low += 1
    return low, high


def _extend(
    text: str, lines: Sequence[_Line], low: int, high: int, *, edges: Sequence[float] | None
) -> tuple[int, int]:
    """Extend lines low..high by rows, or by lines that fit between the edges of columns."""

    def belongs(number: int) -> bool:
        if edges is None:
            return lines[number].is_row and not _is_footnote(lines[number], _find_edges(lines[low:high]))
        return _fits(lines[number], edges)

    while low > 0 and not _names_years(text, lines[low]) and _are_near(lines[low - 1], lines[low]) and belongs(low - 1):
        low -= 1
    while (
        high < len(lines)
        and not _names_years(text, lines[high])
        and _are_near(lines[high - 1], lines[high])
        and belongs(high)
    ):
        high += 1
    return low, high


def _names_years(text: str, line: _Line) -> bool:
    """Return True if each run of words but the first is a year: "Category 2025 2024"."""
    values = [text[start:end] for (start, end), run in zip(line.spans, line.runs, strict=True) if run != line.runs[0]]
    return bool(values) and all(map(_YEAR.fullmatch, values))


def _are_near(above: _Line, below: _Line) -> bool:
    height = min(above.bottom - above.top, below.bottom - below.top)
    return -_MAX_STEP_BACK * height < below.top - above.bottom < _MAX_GAP * height


def _fits(line: _Line, edges: Sequence[float]) -> bool:
    """Return True if no run of words lies on both sides of the edge between two columns."""
    return not any(left < edge < right for left, right in line.run_sides for edge in edges)


def _is_footnote(line: _Line, edges: Sequence[float]) -> bool:
    """Return True if many words in a run lie across two edges, such as a footnote behind its mark."""
    counts = Counter(line.runs)
    sides = zip(counts.values(), line.run_sides, strict=True)
    return any(
        count > _MAX_TITLE_WORDS and sum(left < edge < right for edge in edges) > 1 for count, (left, right) in sides
    )


def _find_edges(lines: Sequence[_Line]) -> list[float]:
    """Return the middle of each space between columns, where no line has a word."""
    rows = [line for line in lines if line.is_row]
    spaces = [
        right[0] - left[1]
        for line in rows
        for (left, right), (run, following) in zip(pairwise(line.sides), pairwise(line.runs), strict=True)
        if run == following
    ]
    if len(rows) < _MIN_LINES or not spaces:
        min_space = 0.0
        taken = [sides for line in rows for sides in line.run_sides]
    else:
        min_space = max(_MIN_SPACE * float(np.median(spaces)), 0.0)
        taken = [sides for line in rows for sides in line.sides]
    edges: list[float] = []
    reached = None
    for left, right in sorted(taken):
        if reached is not None and left - reached > min_space:
            edges.append((reached + left) / 2)
        reached = right if reached is None else max(reached, right)
    return edges


def _split_lines(text: str, lines: Sequence[_Line]) -> list[list[str]]:
    """Return the text of each column of each line."""
    edges = _find_edges(lines)
    split: list[list[str]] = []
    for line in lines:
        cells: list[list[str]] = [[] for _ in range(len(edges) + 1)]
        for (start, end), (left, right) in zip(line.spans, line.sides, strict=True):
            cells[bisect(edges, (left + right) / 2)].append(text[start:end])
        split.append(list(map(" ".join, cells)))
    return split


def _are_figures_joined(text: str, line: _Line, edges: Sequence[float]) -> bool:
    """Return True if two runs that begin with a figure are in one column: its name is above several columns."""
    columns: list[int] = []
    for place, ((start, end), (left, right), run) in enumerate(zip(line.spans, line.sides, line.runs, strict=True)):
        is_first = place == 0 or line.runs[place - 1] != run
        if is_first and _STARTS_WITH_FIGURE.match(text, start, end):
            columns.append(bisect(edges, (left + right) / 2))
    return len(set(columns)) < len(columns)


def _join_marks(lines: Sequence[Sequence[str]]) -> list[list[str]]:
    """Join columns of marks with those of their figures: "$" with the next one, "%" and ")" with the one before.

    A column without any figure or word below its name is joined with the next one, too.
    """
    rows = [cells for cells in lines if any(map(_is_figure, cells))] or lines
    joined: list[list[str]] = [[] for _ in lines]
    is_before = False
    for column, cells in enumerate(zip(*lines, strict=True)):
        values = [row[column] for row in rows if row[column]]
        is_mark = not any(map(_WORD.search, values))
        is_behind = is_mark and bool(values) and column > 0 and not any(map(_CURRENCY.search, values))
        for line, cell in zip(joined, cells, strict=True):
            if is_before or is_behind:
                line[-1] += " " + cell if _WORD.match(line[-1][-1:]) and _WORD.match(cell) else cell
            else:
                line.append(cell)
        is_before = is_mark and not is_behind
    return joined


def _count_header_lines(lines: Sequence[Sequence[str]]) -> int:
    """Return how many lines name the columns; 0 if it is not certain.

    A header has no figures but years and those within names, such as "January 28, 2023" above "1,874". A wrapped
    header goes on in lines without a first column. Short names may stand below long ones: a line that leaves columns
    without a name goes on in one that names all. The second of two columns must have figures below a name without any:
    else the first row may be one like the others, as on a title page.
    """
    if len(lines) <= 1 or sum(map(bool, lines[0])) <= 1:
        return 0
    label, *names = lines[0]
    if _STARTS_WITH_FIGURE.match(label) and not _YEARS.fullmatch(label):
        return 0
    are_names = all(
        not _is_figure(_NOTES.sub("", name)) or _is_above(name, value)
        for name, value in zip(names, lines[1][1:], strict=True)
    )
    if not are_names or not any(map(_WORD.search, names)):
        return 0
    is_short = lines[0].count("") >= _MIN_UNNAMED and all(map(_is_name, lines[1]))
    height = 2 if is_short and len(lines) > 2 else 1  # noqa: PLR2004 - two lines of names, one of values
    while height < len(lines) - 1 and _continues_names(lines, height):
        height += 1
    if len(lines[0]) > _FEW_COLUMNS:
        return height
    values = [cells[1] for cells in lines[height:] if cells[1]]
    figures = sum(map(bool, map(_FIGURE.search, values)))
    is_title = len(lines[0][1].split()) <= _MAX_TITLE_WORDS and not _is_figure(lines[0][1])
    return height if is_title and len(values) >= _MIN_ROWS and figures >= _MOST * len(values) else 0


def _continues_names(lines: Sequence[Sequence[str]], height: int) -> bool:
    """Return True if a line goes on with the names above it. It may be the first to name the first column.

    Then all rows below it must have figures, since it may be a row of words.
    """
    label, *names = (_NOTES.sub("", cell) for cell in lines[height])
    if any(map(_is_figure, [label, *names])):
        return False
    if not label:
        return True
    values = [[cell for cell in line[1:] if _WORD.search(cell)] for line in lines[height + 1 :]]
    has_figures = len(values) > 1 and all(own and all(map(_is_figure, own)) for own in values)
    return has_figures and any(map(_WORD.search, names)) and not any(line[0] for line in lines[:height])


def _is_above(name: str, value: str) -> bool:
    """Return True if only the lower of two cells begins with a figure."""
    return _STARTS_WITH_FIGURE.match(name) is None and _STARTS_WITH_FIGURE.match(value) is not None


def _is_name(cell: str) -> bool:
    return _WORD.search(cell) is not None and not _is_figure(cell)


def _is_figure(cell: str) -> bool:
    return _FIGURE.search(cell) is not None and not _YEARS.fullmatch(cell)


def _join_wrapped(lines: Sequence[Sequence[str]]) -> list[list[str]]:
    """Join lines to rows. A line with one cell continues the row above."""
    rows: list[list[Sequence[str]]] = []
    for cells in lines:
        is_complete = bool(rows) and any(sum(map(bool, line)) > 1 for line in rows[-1])
        if rows and (not is_complete or sum(map(bool, cells)) <= 1 or not cells[0]):
            rows[-1].append(cells)
        else:
            rows.append([cells])
    return [_join(row) for row in rows]


def _join(lines: Sequence[Sequence[str]]) -> list[str]:
    return [" ".join(filter(None, cells)) for cells in zip(*lines, strict=True)]
