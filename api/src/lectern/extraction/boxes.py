"""Where the words of a page are: packed into few bytes, and rectangles for any range of characters.

Coordinates follow the highlight contract: 0..1 of the page as displayed (CropBox after /Rotate), origin top-left.
They are kept in 16 bits: a step is 1/65,535 of the page, 0.01 points on A4.
"""

import zlib
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from lectern.extraction.types import Rect

_VERSION, _WITH_CONFIDENCES = 1, 2
_FULL = 255  # of a confidence, kept in one byte
_SCALE = 65_535
_HEADER_BYTES = 5
# The columns in their order, and the bytes of a value in each.
_STEPS, _LENGTHS, _RUNS, *_SIDES, _CONFIDENCES = range(8)
_WIDTHS = (4, 4, 4, 2, 2, 2, 2, 1)


@dataclass(frozen=True, slots=True)
class WordBoxes:
    """Boxes of a page's words in text order.

    `starts` and `ends` are character offsets in the page text, `runs` numbers the runs of words on one line without a
    wide gap (a line of prose is one run, a table row one for each cell); `corners` is (n, 4): left, top, right, bottom.
    `confidences` (0..1) say how sure text recognition is of each word; None where the file itself has the text.
    """

    starts: npt.NDArray[np.int64]
    ends: npt.NDArray[np.int64]
    runs: npt.NDArray[np.int64]
    corners: npt.NDArray[np.float64]
    confidences: npt.NDArray[np.float64] | None = None


def pack_boxes(words: WordBoxes) -> bytes:
    """The boxes as bytes: a version, a count, and compressed columns; empty for a page without words."""
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
    # bytes of equal weight side by side compress best: low bytes vary, high bytes hardly do
    planes = b"".join(_byte_planes(column) for column in columns)
    return bytes([version]) + count.to_bytes(4, "little") + zlib.compress(planes, 1)


def unpack_boxes(packed: bytes) -> WordBoxes:
    """The boxes that `pack_boxes` wrote; `ValueError` for bytes that it did not write."""
    columns = _Columns.read(packed)
    starts = np.cumsum(columns.get(_STEPS))
    return WordBoxes(
        starts=starts,
        ends=starts + columns.get(_LENGTHS),
        runs=columns.get(_RUNS),
        corners=columns.get_corners().T / _SCALE,
        confidences=columns.get(_CONFIDENCES) / _FULL if columns.has_confidences else None,
    )


class PageBoxes:
    """Packed boxes of a page that is asked more than once.

    Every hit of every search comes through here, so only the columns and words that are needed are decoded.
    """

    def __init__(self, packed: bytes) -> None:
        self._columns = _Columns.read(packed)
        self._starts = np.cumsum(self._columns.get(_STEPS))
        self._ends = self._starts + self._columns.get(_LENGTHS)

    def rectangles(self, start: int, end: int) -> list[Rect]:
        """Rectangles that cover the characters start..end of the page's text, one for each run of words on a line.

        A word that is covered in part gets its share of the width, as if its characters were equally wide.
        """
        starts, ends = self._starts, self._ends
        first = int(np.searchsorted(ends, start, side="right"))
        last = int(np.searchsorted(starts, end, side="left"))
        if first >= last or start >= end:
            return []
        corners = self._columns.get_corners(first, last) / _SCALE
        _cut(corners, spans=[(int(starts[word]), int(ends[word])) for word in (first, last - 1)], start=start, end=end)
        runs = self._columns.get(_RUNS, first, last)
        edges = np.concatenate(([0], np.flatnonzero(runs[1:] != runs[:-1]) + 1))
        left_top = np.minimum.reduceat(corners[:2], edges, axis=1)
        extent = np.maximum.reduceat(corners[2:], edges, axis=1) - left_top
        return [
            Rect(x=x, y=y, width=width, height=height)
            for x, y, width, height in zip(*left_top.tolist(), *extent.tolist(), strict=True)
        ]


def rectangles(boxes: bytes, start: int, end: int) -> list[Rect]:
    """Those of `PageBoxes`, for a page that is asked once."""
    return PageBoxes(boxes).rectangles(start, end)


def _cut(corners: npt.NDArray[np.float64], *, spans: list[tuple[int, int]], start: int, end: int) -> None:
    """Narrow the first and the last box to the characters asked for; upright (rotated) words stay whole.

    `corners` is (4, n); `spans` are the characters of its first and its last word.
    """
    whole = [corners[:, position].tolist() for position in (0, -1)]
    for position, (word_start, word_end), (left, top, right, bottom) in zip((0, -1), spans, whole, strict=True):
        if bottom - top > right - left or (start <= word_start and end >= word_end):
            continue
        width = (right - left) / (word_end - word_start)
        corners[0, position] = max(corners[0, position], left + width * (max(start, word_start) - word_start))
        corners[2, position] = min(corners[2, position], left + width * (min(end, word_end) - word_start))


@dataclass(frozen=True, slots=True)
class _Columns:
    """The columns of packed boxes, decompressed and not yet decoded."""

    planes: bytes
    count: int
    has_confidences: bool = False

    @classmethod
    def read(cls, packed: bytes) -> "_Columns":
        if not packed:
            return cls(b"", 0)
        if packed[0] not in {_VERSION, _WITH_CONFIDENCES}:
            raise ValueError(f"Word boxes of version {packed[0]} are not known here.")
        planes, count = zlib.decompress(packed[_HEADER_BYTES:]), int.from_bytes(packed[1:_HEADER_BYTES], "little")
        columns = cls(planes, count, packed[0] == _WITH_CONFIDENCES)
        if len(planes) != count * sum(_WIDTHS if columns.has_confidences else _WIDTHS[:_CONFIDENCES]):
            raise ValueError("The word boxes are incomplete.")
        return columns

    def get(self, number: int, first: int = 0, last: int | None = None) -> npt.NDArray[np.int64]:
        """Values first..last of a column."""
        return self._decoded(number, 1, first, last)[0]

    def get_corners(self, first: int = 0, last: int | None = None) -> npt.NDArray[np.int64]:
        """The corners of the words first..last, (4, n)."""
        return self._decoded(_SIDES[0], len(_SIDES), first, last)

    def _decoded(self, number: int, columns: int, first: int, last: int | None) -> npt.NDArray[np.int64]:
        """Columns of equal width that follow each other, put together from the planes of their bytes."""
        width, offset = _WIDTHS[number], sum(_WIDTHS[:number]) * self.count
        planes = np.frombuffer(self.planes, np.uint8, columns * width * self.count, offset)
        wanted = planes.reshape(columns, width, self.count)[:, :, first:last].transpose(0, 2, 1)
        return np.ascontiguousarray(wanted).view(f"<u{width}")[:, :, 0].astype(np.int64)


def _byte_planes(column: npt.NDArray[np.unsignedinteger]) -> bytes:
    width = column.dtype.itemsize
    return column.view(np.uint8).reshape(-1, width).T.tobytes()
