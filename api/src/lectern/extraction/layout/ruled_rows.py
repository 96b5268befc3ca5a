"""Find wrapped table rows from the rules around their cells."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from operator import itemgetter
from typing import Final

import numpy as np

from lectern.extraction.layout.reading_order import ROW_STEP, Floats, Indices, PlacedWords

_THIN: Final = 2.5  # points: a thicker rectangle has four sides
_SAME_LINE: Final = 1.5
_MAX_BREAK: Final = 4.0  # points between the borders of two cells
_MAX_PAIRS: Final = 4_000_000  # of a rule and a word
_MAX_WORDS: Final = 60  # in a row
_MAX_STEP: Final = 1.8  # line heights between two lines of a cell
_MIN_GUTTER: Final = 0.4  # line heights between two columns
_WIDE_GUTTER: Final = 0.6  # line heights between columns without rules
_CENTRED: Final = 0.3  # line heights between the middles of two cells


@dataclass(frozen=True, slots=True)
class _Edges:
    """Horizontal or vertical edges: their place across, in ascending order, and where they begin and end."""

    place: Floats
    start: Floats
    end: Floats


Row = list[list[Indices]]
"""The lines of each cell, from left to right."""

Band = tuple[list[Indices], float, float]
"""Lines between two horizontal lines, and the places of these two."""


def find_ruled_rows(
    lines: list[Indices], placed: PlacedWords, rules: Floats, *, is_recognized: bool = False
) -> Iterator[Row]:
    """Yield the rows that rules enclose and that have at least two cells and are read as several lines."""
    if not 0 < len(rules) <= _MAX_PAIRS / len(placed.texts):
        return
    horizontal = _edges(rules)
    bands = _bands(lines, placed, horizontal)
    if not bands:
        return
    vertical = _edges(rules[:, [1, 0, 3, 2]])
    height = max(1.0, float(np.median(placed.heights)))
    for enclosed, above, below in bands:
        gutters = _gutters(placed, np.concatenate(enclosed), height)
        ruled = [
            gutter
            for gutter in gutters
            if _has_rule(gutter, (above + below) / 2, vertical)
            # The boxes of a sloping rule end anywhere.
            or (not is_recognized and _has_ends(gutter, (above, below), horizontal))
        ]
        columns = ruled or [gutter for gutter in gutters if gutter[1] - gutter[0] > _WIDE_GUTTER * height]
        if columns:
            row = _split_cells(enclosed, placed, [sum(gutter) / 2 for gutter in columns], ROW_STEP * height)
            if _is_row(row, placed, height, is_ruled=bool(ruled), is_recognized=is_recognized):
                yield row


def _edges(rules: Floats) -> _Edges:
    """Return place, start and end of the flat rules, and of the upper and lower sides of rectangles."""
    rules = rules[rules[:, 2] - rules[:, 0] > _THIN]
    left, top, right, bottom = rules.T
    is_flat = bottom - top <= _THIN
    flat = np.column_stack([(top + bottom) / 2, left, right])[is_flat]
    boxes = rules[~is_flat]
    tenths = np.rint(np.concatenate([flat, boxes[:, [1, 0, 2]], boxes[:, [3, 0, 2]]]) * 10)
    _, first = np.unique(tenths @ np.array([1e10, 1e5, 1.0]), return_index=True)
    return _Edges(*(tenths[first] / 10).T)


def _bands(lines: list[Indices], placed: PlacedWords, horizontal: _Edges) -> list[Band]:
    """Return the lines that are alone between two horizontal lines, and fit on one line."""
    if len(horizontal.place) <= 1:
        return []
    order = np.concatenate(lines)
    lengths = np.array(list(map(len, lines)), np.int64)
    starts = np.cumsum(lengths) - lengths
    corners = placed.corners[order]
    middles = (corners[:, :2] + corners[:, 2:]) / 2
    level = _join_edges(horizontal)
    # Most pages end here, after one look at each line.
    band, *_ = _band_of(horizontal, level, middles[starts])
    if not _list_short(band, lengths):
        return []
    band, above, below = _band_of(horizontal, level, middles)
    # A line with other words shows that the rules do not enclose one row.
    is_mixed = np.repeat(np.minimum.reduceat(band, starts) != np.maximum.reduceat(band, starts), lengths)
    of_line = np.where(np.isin(band, band[is_mixed]), -1, band)[starts]
    bands: list[Band] = []
    for one in _list_short(of_line, lengths):
        numbers: list[int] = np.flatnonzero(of_line == one).tolist()
        first = starts[numbers[0]]
        top, bottom = horizontal.place[[above[first], below[first]]].tolist()
        bands.append(([lines[number] for number in numbers], top, bottom))
    return bands


def _band_of(horizontal: _Edges, level: Indices, points: Floats) -> tuple[Indices, Indices, Indices]:
    """Return a number for the two horizontal lines around each point, or -1, and the edges above and below it."""
    above, below = _around(horizontal, points[:, 1], points[:, 0])
    return np.where((above >= 0) & (below >= 0), level[above] * (len(level) + 1) + level[below], -1), above, below


def _list_short(band: Indices, lengths: Indices) -> list[int]:
    """Return the bands of several lines that fit on one line, from top to bottom."""
    bands, place, count = np.unique(band, return_inverse=True, return_counts=True)
    words = np.bincount(place, lengths)
    return bands[(bands >= 0) & (count > 1) & (words <= _MAX_WORDS)].tolist()


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
    covers = (edges.start - 1 <= along[:, None]) & (along[:, None] <= edges.end + 1)
    is_before = covers & (edges.place <= place[:, None])
    is_after = covers & ~is_before
    before = len(edges.place) - 1 - is_before[:, ::-1].argmax(axis=1)
    after = is_after.argmax(axis=1)
    words = np.arange(len(place))
    return np.where(is_before[words, before], before, -1), np.where(is_after[words, after], after, -1)


def _gutters(placed: PlacedWords, words: Indices, height: float) -> list[tuple[float, float]]:
    """Return the sides of each space between columns, where no word is."""
    sides = sorted(placed.corners[words][:, [0, 2]].tolist())
    reached = sides[0][1]
    gutters: list[tuple[float, float]] = []
    for left, right in sides:
        if left - reached >= _MIN_GUTTER * height:
            gutters.append((reached, left))
        reached = max(reached, right)
    return gutters


def _has_rule(gutter: tuple[float, float], middle: float, vertical: _Edges) -> bool:
    """Return whether a vertical edge is in a space between columns, at the middle of the band."""
    left, right = gutter[0] - _SAME_LINE, gutter[1] + _SAME_LINE
    is_here = (vertical.start <= middle) & (middle <= vertical.end)
    return bool(np.any(is_here & (left < vertical.place) & (vertical.place < right)))


def _has_ends(gutter: tuple[float, float], band: tuple[float, float], horizontal: _Edges) -> bool:
    """Return whether both horizontal edges of the band have an end in a space between columns."""
    left, right = gutter[0] - _SAME_LINE, gutter[1] + _SAME_LINE
    ends = np.stack([horizontal.start, horizontal.end])
    is_end = ((left < ends) & (ends < right)).any(axis=0)
    return all(np.any(is_end & (np.abs(horizontal.place - place) < _SAME_LINE)) for place in band)


def _split_cells(lines: list[Indices], placed: PlacedWords, columns: list[float], step: float) -> Row:
    """Return the lines of each cell, from top to bottom. Words that are read in one line stay together."""
    pieces: list[tuple[float, int, Indices]] = []
    for line in lines:
        column = np.searchsorted(columns, placed.corners[line, 0])
        for start, end in pairwise([0, *(np.flatnonzero(np.diff(column)) + 1).tolist(), len(line)]):
            pieces.append((float(placed.origins[line[start], 1]), int(column[start]), line[start:end]))
    row: Row = [[] for _ in range(len(columns) + 1)]
    for baseline, number, piece in sorted(pieces, key=itemgetter(0)):
        cell = row[number]
        if cell and baseline - placed.origins[cell[-1][0], 1] <= step:
            joined = np.concatenate([cell[-1], piece])
            cell[-1] = joined[np.argsort(placed.corners[joined, 0], kind="stable")]
        else:
            cell.append(piece)
    return [cell for cell in row if cell]


def _is_row(row: Row, placed: PlacedWords, height: float, *, is_ruled: bool, is_recognized: bool) -> bool:
    """Return whether the cells are one row that is wrapped, shifted or read in parts.

    Without rules between the columns, cells must have their middles at one height. The drawing order says whether cells
    are several rows. Recognized words have none: one row has cells with different numbers of lines.
    """
    levels = [[float(placed.origins[line[0], 1]) for line in cell] for cell in row]
    middles = [(level[0] + level[-1]) / 2 for level in levels]
    is_level = max(middles) - min(middles) <= _CENTRED * height
    counts = list(map(len, row))
    if max(counts) == 1:
        # Words that are drawn apart may be lines of wrapped cells, each with rules of its own.
        words = np.concatenate([cell[0] for cell in row])
        return (is_ruled or is_level) and (is_recognized or int(np.ptp(words)) == len(words) - 1)
    if any(below - above > _MAX_STEP * height for level in levels for above, below in pairwise(level)):
        return False
    if is_recognized:
        tops = [level[0] for level in levels]
        is_level |= counts.count(1) > 1 and max(tops) - min(tops) <= _CENTRED * height
        return len(set(counts)) > 1 and (is_ruled or is_level)
    return (is_ruled or (is_level and len(set(counts)) > 1)) and not _are_drawn_in_turns(row)


def _are_drawn_in_turns(row: Row) -> bool:
    """Return whether two wrapped cells are drawn line by line in turns: these are several rows."""
    cells = [np.concatenate(cell) for cell in row if len(cell) > 1]
    spans = sorted((int(words.min()), int(words.max())) for words in cells)
    return any(left[1] > right[0] for left, right in pairwise(spans))
