"""Gather the words of table rows from the rules around their cells.

A wrapped cell puts the words of its row on several baselines. The rules say which of them are one row.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from itertools import chain, groupby, pairwise, product
from typing import Final

import numpy as np
import numpy.typing as npt

from lectern.extraction.layout.reading_order import (
    CELL_GAP,
    NUMERIC_CELL,
    ROW_STEP,
    Floats,
    Indices,
    PlacedWords,
    baselines,
)

_THIN: Final = 2.5  # points: a thicker rectangle has four sides
_MIN_LENGTH: Final = 6.0
_SAME_LINE: Final = 1.5
_MAX_BREAK: Final = 4.0  # points between the borders of two cells
_MAX_PAIRS: Final = 4_000_000  # of a rule and a word
_MIN_ROWS: Final = 3
_MAX_CELL_LINES: Final = 6
_MAX_CHARACTERS: Final = 400
_MAX_STEP: Final = 1.8  # line heights between two lines of a cell
_MAX_SHIFT: Final = 0.7  # line heights between two cells of one line each
_MIN_CELL_GAP: Final = 0.4  # line heights
_MAX_APART: Final = 2.0  # line heights between the end of a cell and the start of another
_UNDERLINE: Final = 0.4  # line heights below a baseline
_MIN_GUTTER: Final = 0.6  # line heights between columns without rules
_CENTRED: Final = 0.3  # line heights between the middles of two cells
_FORWARD: Final = 0

Booleans = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class GatheredLines:
    """Lines in reading order. Words of `begins_cell` and `wraps` begin a cell or a line of one, within a row."""

    lines: list[Indices]
    begins_cell: set[int] = field(default_factory=set[int])
    wraps: set[int] = field(default_factory=set[int])


@dataclass(frozen=True, slots=True)
class _Edges:
    """Horizontal or vertical edges: their place across, in ascending order, and where they begin and end."""

    place: Floats
    start: Floats
    end: Floats


Row = list[list[Indices]]
"""The lines of each cell, from left to right."""

Bands = list[dict[tuple[int, int], Indices]]
"""The words of each cell between two horizontal lines, by the sides of the cell. From top to bottom."""


@dataclass(frozen=True, slots=True)
class _Page:
    """Words and rules of a page, and the line and position of each word in reading order."""

    placed: PlacedWords
    rules: Floats
    line_of: Indices
    rank: Indices

    def split_cells(self, words: Indices, gutters: list[float]) -> Row:
        """Return the cells between gutters, without empty ones."""
        column = (self.placed.corners[words, :1] > np.array(gutters)).sum(axis=1)
        cells = (words[column == number] for number in range(len(gutters) + 1))
        return [self.cell_lines(cell) for cell in cells if len(cell)]

    def cell_lines(self, words: Indices) -> list[Indices]:
        """Return the lines of a cell, from top to bottom. Words that are read in one line stay together."""
        words = words[np.argsort(self.rank[words], kind="stable")]
        pieces = np.split(words, np.flatnonzero(np.diff(self.line_of[words])) + 1)
        pieces.sort(key=self.baseline)
        step = ROW_STEP * max(1.0, float(np.median(self.placed.heights[words])))
        lines: list[Indices] = []
        for piece in pieces:
            if lines and self.baseline(piece) - self.baseline(lines[-1]) <= step:
                joined = np.concatenate([lines[-1], piece])
                lines[-1] = joined[np.argsort(self.rank[joined], kind="stable")]
            else:
                lines.append(piece)
        return lines

    def is_on_lines(self, words: Indices) -> bool:
        """Return whether the words are on more than one line."""
        return bool(np.ptp(self.line_of[words]))

    def baseline(self, words: Indices) -> float:
        return float(np.median(baselines(self.placed, words)))


def gather_rows(lines: list[Indices], placed: PlacedWords, rules: Floats, *, joined: AbstractSet[int]) -> GatheredLines:
    """Return the lines with the words of each wrapped row together, cell by cell.

    A row becomes one line. Long rows and other lines stay as they are. Words of `joined` are second halves.
    """
    is_possible = _MIN_ROWS <= len(rules) <= _MAX_PAIRS / max(1, len(placed.texts))
    if not is_possible or (placed.directions != _FORWARD).any():
        return GatheredLines(lines)
    order = np.concatenate(lines)
    line_of, rank = np.zeros((2, len(placed.texts)), np.int64)
    line_of[order] = np.repeat(np.arange(len(lines)), [len(line) for line in lines])
    rank[order] = np.arange(len(order))
    row_of: dict[int, Row] = {}
    for row in _rows(_Page(_with_halves_joined(placed, joined), rules, line_of, rank)):
        words = np.concatenate([*chain.from_iterable(row)])
        numbers: list[int] = np.unique(line_of[words]).tolist()
        touched = [lines[number] for number in numbers]
        # A line with other words shows that the rules do not enclose one row.
        is_whole = sum(map(len, touched)) == len(words)
        if len(touched) > 1 and is_whole and _is_short(row, placed) and not _are_drawn_in_turns(row):
            row_of.update(dict.fromkeys(words.tolist(), row))
    gathered = GatheredLines([])
    done: set[int] = set()
    for line in lines if row_of else ():
        for row, words in groupby(line.tolist(), row_of.get):
            if row is None:
                gathered.lines.append(np.array(list(words), np.int64))
            elif id(row) not in done:
                done.add(id(row))
                _append(gathered, row)
    return gathered if row_of else GatheredLines(lines)


def _are_drawn_in_turns(row: Row) -> bool:
    """Return whether two wrapped cells are drawn line by line in turns: these are several rows."""
    cells = [np.concatenate(cell) for cell in row if len(cell) > 1]
    spans = sorted((int(words.min()), int(words.max())) for words in cells)
    return any(left[1] > right[0] for left, right in pairwise(spans))


def _with_halves_joined(placed: PlacedWords, joined: AbstractSet[int]) -> PlacedWords:
    """Return the words with each second half in the place of the first one."""
    if not joined:
        return placed
    halves = np.array(sorted(joined), np.int64)
    corners, origins = placed.corners.copy(), placed.origins.copy()
    corners[halves], origins[halves] = corners[halves - 1], origins[halves - 1]
    return replace(placed, corners=corners, origins=origins)


def _is_short(row: Row, placed: PlacedWords) -> bool:
    """Return whether a row fits on one line."""
    words: list[int] = np.concatenate([*chain.from_iterable(row)]).tolist()
    characters = sum(len(placed.texts[word]) + 1 for word in words)
    return characters <= _MAX_CHARACTERS


def _append(gathered: GatheredLines, row: Row) -> None:
    gathered.lines.append(np.concatenate([line for cell in row for line in cell]))
    gathered.begins_cell.update(int(cell[0][0]) for cell in row[1:])
    gathered.wraps.update(int(line[0]) for cell in row for line in cell[1:])


def _rows(page: _Page) -> Iterator[Row]:
    """Yield the rows that rules enclose and that have at least two cells, one of them wrapped or shifted."""
    placed = page.placed
    horizontal = _horizontal_edges(placed, page.rules)
    height = max(1.0, float(np.median(placed.heights)))
    line = _join_edges(horizontal) if len(horizontal.place) else np.zeros(0, np.int64)
    if not _may_have_rows(page, horizontal, line, height):
        return
    vertical = _vertical_edges(page.rules)
    bands = _bands(placed, horizontal, vertical, line)
    yield from _rows_without_columns(page, bands, height)
    common = Counter(sides for cells in bands for sides in cells)
    for cells in bands:
        is_table = sum(common[sides] >= _MIN_ROWS for sides in cells) > 1
        if is_table and page.is_on_lines(np.concatenate(list(cells.values()))):
            row = [page.cell_lines(cells[sides]) for sides in sorted(cells)]
            if _is_row(placed, row, height):
                yield row


def _rows_without_columns(page: _Page, bands: Bands, height: float) -> Iterator[Row]:
    """Yield the centred rows of tables that have rules between their rows only."""
    for table in _tables(page.placed, bands, height):
        gutters = _gutters(page.placed, np.concatenate(table), height)
        for words in filter(page.is_on_lines, table):
            row = page.split_cells(words, gutters)
            if _is_row(page.placed, row, height) and _is_centred(page.placed, row, height):
                yield row


def _may_have_rows(page: _Page, horizontal: _Edges, line: Indices, height: float) -> bool:
    """Return whether several lines of a page are between two rules and have cells. Words are not looked at one by one.

    Cells are apart on a line, or begin at different places.
    """
    order = np.argsort(page.rank)
    starts = np.flatnonzero(np.diff(page.line_of[order], prepend=-1))
    left, right = page.placed.corners[order, 0], page.placed.corners[order, 2]
    gaps = np.append(0.0, left[1:] - right[:-1])
    gaps[starts] = 0.0
    has_gap = np.maximum.reduceat(gaps, starts) > CELL_GAP * height
    middle = (page.placed.corners[order, 1] + page.placed.corners[order, 3])[starts] / 2
    above, below = _around(horizontal, middle, (left + right)[starts] / 2)
    is_inside = (above >= 0) & (below >= 0)
    place = np.flatnonzero(is_inside)
    first, middle = left[starts][is_inside], middle[is_inside]
    band = line[above[place]] * (len(line) + 1) + line[below[place]]
    _, band, count = np.unique(band, return_inverse=True, return_counts=True)
    is_apart = (_extent(first, band) > height) | (np.bincount(band, has_gap[place]) > 0)
    is_low = _extent(middle, band) <= _MAX_CELL_LINES * _MAX_STEP * height
    return bool(np.any((count > 1) & is_apart & is_low))


def _extent(values: Floats, group: Indices) -> Floats:
    """Return the difference between the largest and the smallest value of each group."""
    extent = np.full(int(group.max(initial=-1)) + 1, -np.inf)
    smallest = -extent
    np.maximum.at(extent, group, values)
    np.minimum.at(smallest, group, values)
    return extent - smallest


def _tables(placed: PlacedWords, bands: Bands, height: float) -> Iterator[list[Indices]]:
    """Yield the words of bands that follow each other with the same sides, and have columns without rules."""
    table: list[Indices] = []
    last: tuple[int, int] | None = None
    for cells in [*bands, {}]:
        sides = next(iter(cells)) if len(cells) == 1 else None
        has_columns = sides is not None and bool(_gutters(placed, cells[sides], height))
        if (not has_columns or sides != last) and len(table) >= _MIN_ROWS:
            yield table
        table = [] if not has_columns or sides != last else table
        if has_columns and sides is not None:
            table.append(cells[sides])
        last = sides if has_columns else None


def _horizontal_edges(placed: PlacedWords, rules: Floats) -> _Edges:
    """Return the horizontal edges of rules, without lines under or through words."""
    edges = _edges(rules)
    return _Edges(*(edges[~_is_underline(placed, edges)] if len(edges) else edges).T)


def _vertical_edges(rules: Floats) -> _Edges:
    return _Edges(*_edges(rules[:, [1, 0, 3, 2]]).T)


def _edges(rules: Floats) -> Floats:
    """Return place, start and end of the flat rules, and of the upper and lower sides of rectangles."""
    left, top, right, bottom = rules.T
    is_long = right - left >= _MIN_LENGTH
    is_flat = is_long & (bottom - top <= _THIN)
    is_box = is_long & (bottom - top >= _MIN_LENGTH)
    flat = np.column_stack([(top + bottom) / 2, left, right])[is_flat]
    edges = np.concatenate([flat, rules[is_box][:, [1, 0, 2]], rules[is_box][:, [3, 0, 2]]])
    tenths = np.rint(edges * 10)
    _, first = np.unique(tenths @ np.array([1e10, 1e5, 1.0]), return_index=True)
    return tenths[first] / 10


def _is_underline(placed: PlacedWords, horizontal: Floats) -> Booleans:
    """Return which edges begin and end with words on the baseline above them, or run through these words."""
    baseline, height = placed.origins[:, 1], float(np.median(placed.heights))
    order = np.argsort(baseline)
    low, high = (np.searchsorted(baseline[order], horizontal[:, 0] + by * height) for by in (-_UNDERLINE, 1.0))
    counts = high - low
    edge = np.repeat(np.arange(len(horizontal)), counts)
    word = order[np.arange(len(edge)) - np.repeat(np.cumsum(counts) - counts, counts) + np.repeat(low, counts)]
    begins = np.abs(horizontal[edge, 1] - placed.corners[word, 0]) < _SAME_LINE
    ends = np.abs(horizontal[edge, 2] - placed.corners[word, 2]) < _SAME_LINE
    is_underline = np.zeros((2, len(horizontal)), dtype=bool)
    is_underline[0, edge[begins]] = True
    is_underline[1, edge[ends]] = True
    return np.logical_and(*is_underline)


def _bands(placed: PlacedWords, horizontal: _Edges, vertical: _Edges, line: Indices) -> Bands:
    """Return the cells between each two horizontal lines."""
    x, y = ((placed.corners[:, side] + placed.corners[:, side + 2]) / 2 for side in (0, 1))
    above, below = _around(horizontal, y, x)
    left, right = _around(vertical, x, y)
    sides = np.full((len(x), 2), [-np.inf, np.inf])
    sides[left >= 0, 0] = vertical.place[left[left >= 0]]
    sides[right >= 0, 1] = vertical.place[right[right >= 0]]
    is_inside = (above >= 0) & (below >= 0)
    for column, ends, tighter in ((0, horizontal.start, np.maximum), (1, horizontal.end, np.minimum)):
        # Borders drawn cell by cell end where a column does.
        agrees = is_inside & (np.abs(ends[above] - ends[below]) < _SAME_LINE)
        sides[agrees, column] = tighter(sides[agrees, column], ends[above][agrees])
    is_inside &= np.isfinite(sides).all(axis=1)
    found: dict[tuple[int, int], dict[tuple[int, int], list[int]]] = defaultdict(lambda: defaultdict(list))
    inside = np.flatnonzero(is_inside)
    bands = np.column_stack([line[above[inside]], line[below[inside]]]).tolist()
    for word, (top, bottom), (start, end) in zip(inside.tolist(), bands, sides[inside].tolist(), strict=True):
        found[top, bottom][round(start / _SAME_LINE), round(end / _SAME_LINE)].append(word)
    return [{cell: np.array(words, np.int64) for cell, words in found[band].items()} for band in sorted(found)]


def _join_edges(edges: _Edges) -> Indices:
    """Return the line of each edge: edges that continue each other are one line. Lines count downwards."""
    order = np.argsort(edges.place, kind="stable")
    level = np.zeros(len(order))
    level[order] = np.cumsum(np.diff(edges.place[order], prepend=edges.place[order[0]]) > _SAME_LINE)
    order = np.lexsort((edges.start, level))
    # Each level is moved to a range of its own, so that one pass follows the edges of all.
    shift = level[order] * (float(np.ptp([edges.start, edges.end])) + 2 * _MAX_BREAK)
    reached = np.maximum.accumulate(edges.end[order] + shift)
    begins = np.append(False, (edges.start[order] + shift)[1:] - reached[:-1] > _MAX_BREAK)
    line = np.zeros(len(order), np.int64)
    line[order] = np.cumsum(begins)
    return line


def _around(edges: _Edges, place: Floats, along: Floats) -> tuple[Indices, Indices]:
    """Return the nearest edge before and after each word; -1 for none."""
    if not len(edges.place):
        none = np.full(len(place), -1)
        return none, none
    covers = (edges.start - 1 <= along[:, None]) & (along[:, None] <= edges.end + 1)
    is_before = edges.place <= place[:, None]
    rows, last = np.arange(len(place)), len(edges.place) - 1
    before = last - (covers & is_before)[:, ::-1].argmax(axis=1)
    after = (covers & ~is_before).argmax(axis=1)
    has_before, has_after = (
        covers[rows, before] & is_before[rows, before],
        covers[rows, after] & ~is_before[rows, after],
    )
    return np.where(has_before, before, -1), np.where(has_after, after, -1)


def _is_row(placed: PlacedWords, row: Row, height: float) -> bool:
    """Return whether the cells are one row that is wrapped or shifted.

    Lines of figures are several rows, and words that touch are one cell.
    """
    if len(row) <= 1 or max(map(len, row)) > _MAX_CELL_LINES or any(_has_figures_only(placed, cell) for cell in row):
        return False
    levels = [np.array([baselines(placed, line)[0] for line in cell]) for cell in row]
    if max(map(len, row)) == 1:
        # Words that are drawn apart may be lines of wrapped cells, each with rules of its own.
        words = np.concatenate([*chain.from_iterable(row)])
        return int(np.ptp(words)) == len(words) - 1 and float(np.ptp(levels)) <= _MAX_SHIFT * height
    is_even = all((np.diff(level) <= _MAX_STEP * height).all() for level in levels)
    apart = max(level[0] for level in levels) - min(level[-1] for level in levels)
    return (
        is_even
        and float(apart) <= _MAX_APART * height
        and not any(_touch(placed, left, right, height) for left, right in pairwise(row))
    )


def _touch(placed: PlacedWords, cell: list[Indices], following: list[Indices], height: float) -> bool:
    """Return whether a line of a cell goes on in the next one, as in a sentence."""
    for line, other in product(cell, following):
        is_beside = abs(baselines(placed, line)[0] - baselines(placed, other)[0]) <= ROW_STEP * height
        gap = float(placed.corners[other, 0].min() - placed.corners[line, 2].max())
        if is_beside and gap < _MIN_CELL_GAP * height:
            return True
    return False


def _has_figures_only(placed: PlacedWords, cell: list[Indices]) -> bool:
    words: list[int] = np.concatenate(cell).tolist()
    return len(cell) > 1 and all(NUMERIC_CELL.fullmatch(placed.texts[word]) for word in words)


def _gutters(placed: PlacedWords, words: Indices, height: float) -> list[float]:
    """Return the middle of each space between columns, where no word is."""
    sides = sorted(placed.corners[words][:, [0, 2]].tolist())
    reached = sides[0][1]
    gutters: list[float] = []
    for left, right in sides:
        if left - reached > _MIN_GUTTER * height:
            gutters.append((left + reached) / 2)
        reached = max(reached, right)
    return gutters


def _is_centred(placed: PlacedWords, row: Row, height: float) -> bool:
    """Return whether cells with different numbers of lines have their middles at one height."""
    middles = [np.mean([baselines(placed, line)[0] for line in (cell[0], cell[-1])]) for cell in row]
    return len(set(map(len, row))) > 1 and float(np.ptp(middles)) <= _CENTRED * height
