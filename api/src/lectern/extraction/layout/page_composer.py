"""Compose placed words to a page: text, lines, packed boxes and kind."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import chain

import numpy as np
import numpy.typing as npt

from lectern.extraction.layout.boxes import WordBoxes, pack_boxes
from lectern.extraction.layout.reading_order import CELL_GAP, Indices, PlacedWords, arrange, extents, gaps_before
from lectern.extraction.layout.wrapped_rows import gather_rows
from lectern.extraction.types import PageKind, PageLine

_FIGURE = re.compile(r"(?<!\S)[(\[$€£¥+\-–—]*\d[\d.,'’]*[)\]%]*(?!\S)")
_TABLE_SHARE = 0.5
_HYPHENATED_LINES = 0.05
_ALIGNED_GAP = 0.4  # line heights, before a cell that begins where one in the next line does
_SAME_LEFT = 0.15  # line heights between the left sides of two aligned cells

NO_RULES = np.zeros((0, 4))

IsBold = Callable[[int, int], bool]
"""Tells whether the words at two positions (first and last of a line) are both bold."""


@dataclass(frozen=True, slots=True)
class ComposedPage:
    """The text of a page with its lines, boxes and kind."""

    text: str
    lines: tuple[PageLine, ...]
    boxes: bytes
    kind: PageKind


@dataclass(frozen=True, slots=True)
class RecognizedWords:
    """The confidence (0..1) of each word of text recognition, and whether it is behind the rule of a cell."""

    confidences: npt.NDArray[np.float64]
    begins_cell: npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class _Flow:
    """Words in reading order, with line starts and words that continue the one before without a space.

    `begins_cell` and `wraps` are the words that begin a cell, or a line of a cell, within a row that rules enclose.
    """

    order: Indices
    begins_line: npt.NDArray[np.bool_]
    is_joined: npt.NDArray[np.bool_]
    texts: list[str]
    begins_cell: npt.NDArray[np.bool_]
    wraps: npt.NDArray[np.bool_]


def compose(
    placed: PlacedWords,
    *,
    hyphenated: frozenset[int],
    width_points: float,
    height_points: float,
    is_bold: IsBold,
    recognized: RecognizedWords | None = None,
    rules: npt.NDArray[np.float64] = NO_RULES,
) -> ComposedPage:
    """Compose words to a page. `hyphenated` are the positions of words that a line end breaks.

    `recognized` is given for words of text recognition. `rules` (n, 4) are the boxes of lines and rectangles in points.
    """
    flow = _flow(placed, hyphenated, rules, is_recognized=recognized is not None)
    if not len(flow.order):
        return ComposedPage(text="", lines=(), boxes=b"", kind=PageKind.EMPTY)
    gaps = gaps_before(placed, flow.order)
    gaps[flow.wraps] = 0.0
    gaps[flow.begins_cell] = np.inf
    if recognized:
        gaps[recognized.begins_cell[flow.order]] = np.inf
    begins_cell = _begins_cell(placed, flow, gaps)
    text, starts, ends = _join(flow, begins_cell)
    runs = np.cumsum(flow.begins_line | flow.is_joined | begins_cell | flow.wraps) - 1
    corners = placed.corners[flow.order] / np.array([width_points, height_points] * 2)
    ordered = recognized.confidences[flow.order] if recognized else None
    boxes = pack_boxes(WordBoxes(starts=starts, ends=ends, runs=runs, corners=corners, confidences=ordered))
    # A line counts its wide gaps only. With all cells, tables absorb more lines, and search finds fewer passages.
    wide = gaps > CELL_GAP
    lines = _page_lines(placed, flow, starts=starts, ends=ends, corners=corners, wide=wide, is_bold=is_bold)
    return ComposedPage(text=text, lines=lines, boxes=boxes, kind=_kind(text, lines))


def _flow(
    placed: PlacedWords, hyphenated: frozenset[int], rules: npt.NDArray[np.float64], *, is_recognized: bool
) -> _Flow:
    lines = arrange(placed)
    texts = placed.texts
    if hyphenated:
        texts = list(texts)
        lines, joined = _rejoin(lines, texts=texts, hyphenated=hyphenated)
    else:
        joined = set[int]()
    if not lines:
        none = np.zeros(0, bool)
        return _Flow(none.astype(np.int64), none, none, texts=[], begins_cell=none, wraps=none)
    gathered = gather_rows(lines, placed, rules, is_recognized=is_recognized)
    lines = gathered.lines
    order = np.concatenate(lines)
    begins = np.zeros(len(order), dtype=bool)
    begins[np.cumsum([0, *(len(line) for line in lines[:-1])])] = True
    is_joined, begins_cell, wraps = (
        np.isin(order, list(chosen)) if chosen else np.zeros(len(order), dtype=bool)
        for chosen in (joined, gathered.begins_cell, gathered.wraps)
    )
    return _Flow(order, begins, is_joined, [texts[word] for word in order], begins_cell, wraps)


def _begins_cell(placed: PlacedWords, flow: _Flow, gaps: npt.NDArray[np.float64]) -> npt.NDArray[np.bool_]:
    """Return true for words after a wide gap, and after a narrower one below or above a word that begins a cell."""
    begins = gaps > CELL_GAP
    if not begins.any():
        return begins
    line = np.cumsum(flow.begins_line)
    left, _ = extents(placed, flow.order)
    is_near = (gaps > _ALIGNED_GAP) & ~begins
    for word in np.flatnonzero(is_near).tolist():
        around = slice(*np.searchsorted(line, (line[word] - 1, line[word] + 2)))
        is_aligned = np.abs(left[around] - left[word]) < _SAME_LEFT * placed.heights[flow.order[word]]
        begins[word] = bool(np.any(begins[around] & is_aligned))
    return begins


def _rejoin(lines: list[Indices], *, texts: list[str], hyphenated: frozenset[int]) -> tuple[list[Indices], set[int]]:
    """Move the second half of a broken word up to the first, with or without the hyphen."""
    is_typeset = len(hyphenated) >= _HYPHENATED_LINES * len(lines)
    known = {text.casefold() for text in texts}
    rejoined: list[Indices] = []
    joined: set[int] = set()
    pending = list(lines)
    for number, line in enumerate(pending):
        if not len(line):
            continue
        word = int(line[-1])
        if word in hyphenated:
            following = pending[number + 1] if number + 1 < len(pending) else line[:0]
            if len(following) and int(following[0]) == word + 1:
                if _keeps_hyphen(texts[word], texts[word + 1], known=known, is_typeset=is_typeset):
                    texts[word] += "-"
                line = np.append(line, following[0])  # noqa: PLW2901 - the line grows by the half word
                pending[number + 1] = following[1:]
                joined.add(word + 1)
            else:
                texts[word] += "-"
        rejoined.append(line)
    return rejoined, joined


def _keeps_hyphen(first: str, second: str, *, known: set[str], is_typeset: bool) -> bool:
    """Return whether the hyphen belongs to the word (`content-based`) or to the line (`inter-national`).

    Another occurrence on the page decides. Otherwise a hyphenated page has many lines that end so.
    """
    if (first + second).casefold() in known:
        return False
    if f"{first}-{second}".casefold() in known:
        return True
    return not (is_typeset and first[-1:].islower() and second[:1].islower())


def _join(flow: _Flow, begins_cell: npt.NDArray[np.bool_]) -> tuple[str, Indices, Indices]:
    """Return the text, and the start and end of each word. A tab separates the cells of a line."""
    lengths = np.fromiter(map(len, flow.texts), np.int64, len(flow.texts))
    separators = np.where(begins_cell, "\t", " ")
    separators[flow.begins_line] = "\n"
    separators[flow.is_joined] = ""
    separators[0] = ""
    ends = np.cumsum(lengths + (separators != ""))
    return "".join(chain.from_iterable(zip(separators.tolist(), flow.texts, strict=True))), ends - lengths, ends


def _page_lines(
    placed: PlacedWords,
    flow: _Flow,
    *,
    starts: Indices,
    ends: Indices,
    corners: npt.NDArray[np.float64],
    wide: npt.NDArray[np.bool_],
    is_bold: IsBold,
) -> tuple[PageLine, ...]:
    first = np.flatnonzero(flow.begins_line)
    last = np.append(first[1:], len(flow.order)) - 1
    # Weight the type size by characters.
    weights = (ends - starts) * ~flow.is_joined
    heights = placed.heights[flow.order] * weights
    # A half word from the next line keeps its box, but does not extend the box of the line.
    own = np.where(flow.is_joined[:, None], np.array([2.0, 2.0, -2.0, -2.0]), corners)
    columns = (
        starts[first],
        ends[last],
        np.round(np.add.reduceat(heights, first) / np.add.reduceat(weights, first), 1),
        np.minimum.reduceat(own[:, 0], first).clip(0, 1).round(4),
        np.minimum.reduceat(own[:, 1], first).clip(0, 1).round(4),
        np.maximum.reduceat(own[:, 2], first).clip(0, 1).round(4),
        np.maximum.reduceat(own[:, 3], first).clip(0, 1).round(4),
        np.add.reduceat(wide & ~flow.begins_line & ~flow.is_joined, first) + 1,
        flow.order[first],
        flow.order[last - flow.is_joined[last]],
    )
    return tuple(
        PageLine(start, end, size, is_bold(word, other), left, top, right, bottom, cells)
        for start, end, size, left, top, right, bottom, cells, word, other in zip(
            *(column.tolist() for column in columns), strict=True
        )
    )


def _kind(text: str, lines: tuple[PageLine, ...]) -> PageKind:
    """Return `table` when most lines have at least two numbers."""
    rows = sum(len(_FIGURE.findall(text, line.start, line.end)) > 1 for line in lines)
    return PageKind.TABLE if rows >= _TABLE_SHARE * len(lines) and rows > 2 else PageKind.TEXT  # noqa: PLR2004 - two rows are no table
