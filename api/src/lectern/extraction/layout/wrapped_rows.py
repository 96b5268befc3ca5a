"""Gather the words of table rows whose cells are wrapped.

A wrapped cell puts the words of its row on several baselines.
Rules, or the drawing order, say which of them are one row.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, groupby, pairwise
from typing import Final

import numpy as np

from lectern.extraction.layout.reading_order import ROW_STEP, Floats, Indices, PlacedWords
from lectern.extraction.layout.ruled_rows import Row, find_ruled_rows

_CELL_GAP: Final = 0.7  # line heights between two cells
_MAX_WORDS: Final = 60  # in a row
_MAX_STEP: Final = 1.8  # line heights between two lines of a cell
_MARK_AND_TEXT: Final = 2  # cells
_LEVEL: Final = 0.3  # line heights between the first lines, or the middles, of two cells


@dataclass(slots=True)
class _Cell:
    """Pieces `start` to `end` (exclusive), drawn one below the other, with their sides and baselines in points."""

    start: int
    end: int
    left: float
    right: float
    first: float
    last: float

    def overlaps(self, other: "_Cell") -> bool:
        """Return true if both cells share a part of the page's width."""
        return self.left < other.right and other.left < self.right


@dataclass(frozen=True, slots=True)
class _Pieces:
    """Runs of words that are drawn on one baseline without a gap, with the width of each and of its first word."""

    words: list[Indices]
    widths: Floats
    first_widths: Floats


def find_drawn_rows(lines: list[Indices], placed: PlacedWords) -> Iterator[list[list[Indices]]]:
    """Yield the rows with a wrapped cell, as the lines of each cell from left to right.

    The row that is drawn before or after must have the same columns.
    """
    words = np.sort(np.concatenate(lines))
    left, right, heights = placed.corners[words, 0], placed.corners[words, 2], placed.heights[words]
    baselines = placed.origins[words, 1]
    height = max(1.0, float(np.median(heights)))
    step = np.diff(baselines)
    gap = (left[1:] - right[:-1]) / np.maximum(np.minimum(heights[1:], heights[:-1]), 1.0)
    if not np.any((gap > _CELL_GAP) & (step <= ROW_STEP * height)):
        return
    breaks = np.flatnonzero((np.abs(step) > ROW_STEP * height) | (np.abs(gap) > _CELL_GAP)) + 1
    starts = np.append(0, breaks)
    lefts, rights = np.minimum.reduceat(left, starts), np.maximum.reduceat(right, starts)
    rows = _build_rows(
        _build_cells(lefts.tolist(), rights.tolist(), baselines[starts].tolist(), _MAX_STEP * height),
        ROW_STEP * height,
    )
    pieces = _Pieces(np.split(words, breaks), rights - lefts, right[starts] - left[starts])
    for before, row, after in zip([[], *rows], rows, [*rows[1:], []], strict=False):
        if (
            _is_level(row, pieces, _LEVEL * height)
            and all(_is_wrapped(cell, pieces) for cell in row)
            and (_have_same_columns(row, before) or _have_same_columns(row, after))
        ):
            yield [pieces.words[cell.start : cell.end] for cell in row]


def _build_cells(
    lefts: Sequence[float], rights: Sequence[float], baselines: Sequence[float], max_step: float
) -> list[_Cell]:
    cells: list[_Cell] = []
    above: _Cell | None = None
    for number, (left, right, baseline) in enumerate(zip(lefts, rights, baselines, strict=True)):
        if above and 0 < baseline - above.last <= max_step and above.left < right and left < above.right:
            above.end, above.last = number + 1, baseline
            above.left, above.right = min(above.left, left), max(above.right, right)
        else:
            above = _Cell(number, number + 1, left, right, baseline, baseline)
            cells.append(above)
    return cells


def _build_rows(cells: Sequence[_Cell], tolerance: float) -> list[list[_Cell]]:
    """Join cells that follow each other to the right, at a common height."""
    rows: list[list[_Cell]] = []
    for cell in cells:
        row = rows[-1] if rows else []
        if (
            row
            and row[-1].right <= cell.left
            and min(one.first for one in row) - tolerance <= cell.last
            and cell.first <= max(one.last for one in row) + tolerance
        ):
            row.append(cell)
        else:
            rows.append([cell])
    return rows


def _is_level(row: Sequence[_Cell], pieces: _Pieces, tolerance: float) -> bool:
    """Return true if a cell has more lines than another one, and the tops or the middles are level.

    Cells that are level at the bottom may be a heading above the first label. Cells with as many lines each may be
    rows that are drawn column by column. A mark before a paragraph is no row.
    """
    counts = [cell.end - cell.start for cell in row]
    if len(set(counts)) == 1 or (len(row) == _MARK_AND_TEXT and counts[0] == 1):
        return False
    if sum(map(len, pieces.words[row[0].start : row[-1].end])) > _MAX_WORDS:
        return False
    tops = [cell.first for cell in row]
    middles = [(cell.first + cell.last) / 2 for cell in row]
    return min(max(tops) - min(tops), max(middles) - min(middles)) <= tolerance


def _is_wrapped(cell: _Cell, pieces: _Pieces) -> bool:
    """Return true if the first word of each further line had no space in the line above. In a list it often has."""
    widths, firsts = pieces.widths[cell.start : cell.end], pieces.first_widths[cell.start + 1 : cell.end]
    return bool(np.all(widths[:-1] + firsts > widths.max()))


def _have_same_columns(row: Sequence[_Cell], other: Sequence[_Cell]) -> bool:
    """Return true if the other row has several cells, each above or below one cell of its own."""
    columns = [[column for column, cell in enumerate(row) if cell.overlaps(one)] for one in other]
    return len(other) > 1 and all(len(one) == 1 for one in columns) and all(a < b for a, b in pairwise(columns))


_FORWARD = 0


@dataclass(frozen=True, slots=True)
class GatheredLines:
    """Lines in reading order. Words of `begins_cell` and `wraps` begin a cell or a line of one, within a row."""

    lines: list[Indices]
    begins_cell: set[int] = field(default_factory=set[int])
    wraps: set[int] = field(default_factory=set[int])


def gather_rows(
    lines: list[Indices], placed: PlacedWords, rules: Floats, *, is_recognized: bool = False
) -> GatheredLines:
    """Return the lines with the words of each wrapped row together, cell by cell.

    A row becomes one line. Long rows and other lines stay as they are.
    """
    upright = [line for line in lines if len(line) and placed.directions[line[0]] == _FORWARD]
    if not upright:
        return GatheredLines(lines)
    row_of: dict[int, Row] = {}
    ruled = find_ruled_rows(upright, placed, rules, is_recognized=is_recognized)
    for row in chain(ruled, find_drawn_rows(upright, placed)):
        words = [word for cell in row for line in cell for word in line.tolist()]
        if row_of.keys().isdisjoint(words):
            row_of.update(dict.fromkeys(words, row))
    gathered = GatheredLines([])
    done: set[int] = set()
    for line in lines:
        for row, words in groupby(line.tolist(), row_of.get):
            if row is None:
                gathered.lines.append(np.array(list(words), np.int64))
            elif id(row) not in done:
                done.add(id(row))
                gathered.lines.append(np.concatenate([line for cell in row for line in cell]))
                gathered.begins_cell.update(int(cell[0][0]) for cell in row[1:])
                gathered.wraps.update(int(line[0]) for cell in row for line in cell[1:])
    return gathered
