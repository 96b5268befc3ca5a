"""Gather the words of table rows whose cells are wrapped.

A wrapped cell puts the words of its row on several baselines.
Rules, or the drawing order, say which of them are one row.
"""

from dataclasses import dataclass, field
from itertools import chain, groupby

import numpy as np

from lectern.extraction.layout.drawn_rows import find_drawn_rows
from lectern.extraction.layout.reading_order import Floats, Indices, PlacedWords
from lectern.extraction.layout.ruled_rows import Row, find_ruled_rows

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
