"""Word boxes: packed into few bytes, and rectangles for any range of characters.

Coordinates are 0..1 of the page as displayed (CropBox after /Rotate), origin top-left. They have 16 bits: a step
is 0.01 points on A4.
"""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from lectern.extraction.types import Rect

_VERSION, _WITH_CONFIDENCES = 1, 2
_FULL = 255  # a confidence in one byte
_SCALE = 65_535
_HEADER_BYTES = 5
# Byte planes of the columns: four each, two for each side of a box, one.
_STEPS, _LENGTHS, _RUNS, _SIDES, _CONFIDENCES = slice(4), slice(4, 8), slice(8, 12), slice(12, 20), slice(20, 21)
_Numbers: TypeAlias = npt.NDArray[np.int64]
_SLOPING = 1.8  # times the largest word, of a run in both directions
_PAGE_STRIDE = 1 << 40  # characters between the pages of a stream: more than any page has


@dataclass(frozen=True, slots=True)
class WordBoxes:
    """Boxes of the words of a page in text order.

    `starts` and `ends` are character offsets in the page text. `runs` numbers the runs of words without a wide gap: a
    line of prose is one run, each cell of a table row another. `corners` is (n, 4): left, top, right, bottom.
    `confidences` (0..1) come from text recognition; None for text of the file itself.
    """

    starts: npt.NDArray[np.int64]
    ends: npt.NDArray[np.int64]
    runs: npt.NDArray[np.int64]
    corners: npt.NDArray[np.float64]
    confidences: npt.NDArray[np.float64] | None = None


def pack_boxes(words: WordBoxes) -> bytes:
    """Pack boxes as a version, a count and compressed columns; empty for a page without words."""
    count = len(words.starts)
    if not count:
        return b""
    steps = np.diff(words.starts, prepend=0).astype("<u4")
    lengths = (words.ends - words.starts).astype("<u4")
    runs = words.runs.astype("<u4")
    corners = np.rint(np.clip(words.corners, 0.0, 1.0) * _SCALE).astype("<u2")
    columns = [steps, lengths, runs, *(np.ascontiguousarray(corners[:, side]) for side in range(4))]
    version = _VERSION
    if words.confidences is not None:
        version = _WITH_CONFIDENCES
        columns.append(np.rint(np.clip(words.confidences, 0.0, 1.0) * _FULL).astype("<u1"))
    # Byte planes compress best: low bytes vary, high bytes hardly do.
    planes = b"".join(_byte_planes(column) for column in columns)
    return bytes([version]) + count.to_bytes(4, "little") + zlib.compress(planes, 1)


def unpack_boxes(packed: bytes) -> WordBoxes:
    """Unpack what `pack_boxes` wrote. Raises ValueError for other bytes."""
    planes = _read_planes(packed)
    starts = np.cumsum(_numbers(planes[_STEPS])[0])
    confidences = planes[_CONFIDENCES]
    return WordBoxes(
        starts=starts,
        ends=starts + _numbers(planes[_LENGTHS])[0],
        runs=_numbers(planes[_RUNS])[0],
        corners=_numbers(planes[_SIDES], columns=4).T / _SCALE,
        confidences=confidences[0] / _FULL if len(confidences) else None,
    )


@dataclass(frozen=True, slots=True)
class PagePart:
    """Characters start..end of a page. `page` is its position in the list of pages."""

    page: int
    start: int
    end: int


def rectangles_of(pages: Sequence[bytes], parts: Sequence[PagePart]) -> list[list[Rect]]:
    """Return the rectangles that cover each part, one for each run of words on a line. `pages` are packed boxes.

    A word that is covered in part gets its share of the width, as if its characters were equally wide.
    Pass all hits of a search at once: a call into numpy takes longer than the few words of one part.
    """
    rects: list[list[Rect]] = [[] for _ in parts]
    if not parts:
        return rects
    stream = _Stream.read(pages)
    spans = np.array([(part.page, part.start, part.end) for part in parts], np.int64)
    starts, ends = spans[:, 1:].T + spans[:, 0] * _PAGE_STRIDE
    words, owners = stream.find(starts, ends)
    if not len(words):
        return rects
    corners = stream.corners(words)
    first = _run_starts(owners)
    last = np.concatenate((first[1:], [len(words)])) - 1
    cut = [
        stream.cut(words[at], corners[:, at], starts=starts[owners[at]], ends=ends[owners[at]]) for at in (first, last)
    ]
    corners[0, first], corners[2, last] = cut[0][0], cut[1][1]
    begun = _split_slopes(corners, _run_starts(owners, stream.runs(words)))
    left_top = np.minimum.reduceat(corners[:2], begun, axis=1)
    extent = np.maximum.reduceat(corners[2:], begun, axis=1) - left_top
    owner_of_each: list[int] = owners[begun].tolist()
    sides: list[list[float]] = np.concatenate((left_top, extent)).T.tolist()
    for owner, of_one in zip(owner_of_each, sides, strict=True):
        rects[owner].append(Rect(*of_one))
    return rects


def rectangles(boxes: bytes, start: int, end: int) -> list[Rect]:
    """Return the rectangles of characters start..end of one page."""
    return rectangles_of([boxes], [PagePart(0, start, end)])[0]


@dataclass(frozen=True, slots=True)
class _Stream:
    """Words of several pages in one stream: page n begins at character n * _PAGE_STRIDE.

    `planes` is (20, words), the bytes of the words' columns; `starts` and `ends` are their characters in the stream.
    """

    planes: npt.NDArray[np.uint8]
    starts: _Numbers
    ends: _Numbers

    @classmethod
    def read(cls, pages: Sequence[bytes]) -> "_Stream":
        read = [_read_planes(page)[: _SIDES.stop] for page in pages]
        planes = np.concatenate(read, axis=1)
        counts = [page.shape[1] for page in read]
        steps, lengths = _numbers(planes[: _LENGTHS.stop], columns=2)
        behind = np.cumsum(steps)
        before = np.concatenate(([0], behind))[np.cumsum(counts) - counts]
        starts = behind + np.repeat(np.arange(len(pages)) * _PAGE_STRIDE - before, counts)
        return cls(planes, starts, starts + lengths)

    def find(self, starts: _Numbers, ends: _Numbers) -> tuple[_Numbers, _Numbers]:
        """Return the words that characters starts[n]..ends[n] touch, for each n in turn, and the n of each word."""
        firsts = np.searchsorted(self.ends, starts, "right")
        counts = np.searchsorted(self.starts, ends, "left") - firsts
        counts[(counts < 0) | (starts >= ends)] = 0
        owners = np.repeat(np.arange(len(starts)), counts)
        return np.arange(len(owners)) + np.repeat(firsts - np.cumsum(counts) + counts, counts), owners

    def runs(self, words: _Numbers) -> _Numbers:
        """Return the run of each word."""
        return _numbers(self.planes[_RUNS].take(words, axis=1))[0]

    def corners(self, words: _Numbers) -> npt.NDArray[np.float64]:
        """Return left, top, right and bottom of each word, (4, words)."""
        return _numbers(self.planes[_SIDES].take(words, axis=1), columns=4) / _SCALE

    def cut(
        self, words: _Numbers, corners: npt.NDArray[np.float64], *, starts: _Numbers, ends: _Numbers
    ) -> npt.NDArray[np.float64]:
        """Return left and right of words (2, words) narrowed to characters starts..ends. Upright words stay whole."""
        left, right = corners[0], corners[2]
        own, behind = self.starts[words], self.ends[words]
        is_upright = corners[3] - corners[1] > right - left
        step = np.where(is_upright, 0.0, (right - left) / np.maximum(behind - own, 1))  # width of a character
        cut = corners[[0, 2]]
        cut[0] += step * np.maximum(starts - own, 0)
        cut[1] -= step * np.maximum(behind - ends, 0)
        return cut


def _split_slopes(corners: npt.NDArray[np.float64], begun: _Numbers) -> _Numbers:
    """Return where the rectangles of runs begin: runs of sloping text are split where they rise by half a word."""
    extent = np.maximum.reduceat(corners[2:], begun, axis=1) - np.minimum.reduceat(corners[:2], begun, axis=1)
    largest = np.maximum.reduceat(corners[2:] - corners[:2], begun, axis=1)
    is_sloping = np.all(extent > _SLOPING * largest, axis=0)  # sideways text is long in one direction only
    if not is_sloping.any():
        return begun
    run = np.repeat(np.arange(len(begun)), np.diff(begun, append=corners.shape[1]))
    middle = corners[1] + corners[3]
    step = np.rint((middle - middle[begun][run]) / np.maximum(largest[1], 1 / _SCALE)[run]) * is_sloping[run]
    return _run_starts(run, step.astype(np.int64))


def _run_starts(*columns: _Numbers) -> _Numbers:
    """Return the positions where the value of any column changes."""
    is_new = np.logical_or.reduce([column[1:] != column[:-1] for column in columns])
    return np.concatenate(([0], np.flatnonzero(is_new) + 1))


def _read_planes(packed: bytes) -> npt.NDArray[np.uint8]:
    """Decompress the byte planes: (20 or, with confidences, 21, words)."""
    if not packed:
        return np.zeros((_SIDES.stop, 0), np.uint8)
    if packed[0] not in {_VERSION, _WITH_CONFIDENCES}:
        raise ValueError(f"Word boxes of version {packed[0]} are not known here.")
    planes, count = zlib.decompress(packed[_HEADER_BYTES:]), int.from_bytes(packed[1:_HEADER_BYTES], "little")
    height = (_CONFIDENCES if packed[0] == _WITH_CONFIDENCES else _SIDES).stop
    if len(planes) != count * height:
        raise ValueError("The word boxes are incomplete.")
    return np.frombuffer(planes, np.uint8).reshape(height, count)


def _numbers(planes: npt.NDArray[np.uint8], *, columns: int = 1) -> _Numbers:
    """Assemble columns of equal width from their byte planes: (columns, words)."""
    width = len(planes) // columns
    side_by_side = np.ascontiguousarray(planes.reshape(columns, width, -1).transpose(0, 2, 1))
    return side_by_side.view(f"<u{width}")[:, :, 0].astype(np.int64)


def _byte_planes(column: npt.NDArray[np.unsignedinteger]) -> bytes:
    width = column.dtype.itemsize
    return column.view(np.uint8).reshape(-1, width).T.tobytes()
