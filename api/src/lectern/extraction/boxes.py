"""Where the words of a page are: packed into few bytes, and rectangles for any range of characters.

Coordinates follow the highlight contract: 0..1 of the page as displayed (CropBox after /Rotate), origin top-left.
They are kept in 16 bits: a step is 1/65,535 of the page, 0.01 points on A4.
"""

import itertools
import zlib
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from lectern.extraction.types import Rect

_VERSION = 1
_SCALE = 65_535
_HEADER_BYTES = 5


@dataclass(frozen=True, slots=True)
class WordBoxes:
    """Boxes of a page's words in text order.

    `starts` and `ends` are character offsets in the page text, `runs` numbers the runs of words on one line without a
    wide gap (a line of prose is one run, a table row one for each cell); `corners` is (n, 4): left, top, right, bottom.
    """

    starts: npt.NDArray[np.int64]
    ends: npt.NDArray[np.int64]
    runs: npt.NDArray[np.int64]
    corners: npt.NDArray[np.float64]


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
    # bytes of equal weight side by side compress best: low bytes vary, high bytes hardly do
    planes = b"".join(_byte_planes(column) for column in columns)
    return bytes([_VERSION]) + count.to_bytes(4, "little") + zlib.compress(planes, 1)


def unpack_boxes(packed: bytes) -> WordBoxes:
    """The boxes that `pack_boxes` wrote; `ValueError` for bytes that it did not write."""
    if not packed:
        none = np.zeros(0, np.int64)
        return WordBoxes(starts=none, ends=none, runs=none, corners=np.zeros((0, 4)))
    if packed[0] != _VERSION:
        raise ValueError(f"Word boxes of version {packed[0]} are not known here.")
    count = int.from_bytes(packed[1:_HEADER_BYTES], "little")
    planes = zlib.decompress(packed[_HEADER_BYTES:])
    if len(planes) != count * 20:
        raise ValueError("The word boxes are incomplete.")
    steps, lengths, runs = (_from_planes(planes, 4 * count * part, count, 4) for part in range(3))
    corners = [_from_planes(planes, 12 * count + 2 * count * side, count, 2) for side in range(4)]
    starts = np.cumsum(steps)
    return WordBoxes(starts=starts, ends=starts + lengths, runs=runs, corners=np.stack(corners, axis=1) / _SCALE)


def rectangles(boxes: bytes, start: int, end: int) -> list[Rect]:
    """Rectangles that cover the characters start..end of a page's text, one for each run of words on a line.

    A word that is covered in part gets its share of the width, as if its characters were equally wide.
    """
    words = unpack_boxes(boxes)
    first = int(np.searchsorted(words.ends, start, side="right"))
    last = int(np.searchsorted(words.starts, end, side="left"))
    if first >= last or start >= end:
        return []
    chosen = slice(first, last)
    corners = words.corners[chosen].copy()
    _cut(corners, words=words, first=first, last=last, start=start, end=end)
    return [_rect(corners[run]) for run in _runs(words.runs[chosen])]


def _cut(corners: npt.NDArray[np.float64], *, words: WordBoxes, first: int, last: int, start: int, end: int) -> None:
    """Narrow the first and the last box to the characters asked for; upright (rotated) words stay whole."""
    for position, word in ((0, first), (-1, last - 1)):
        word_start, word_end = int(words.starts[word]), int(words.ends[word])
        left, top, right, bottom = words.corners[word]
        if bottom - top > right - left or (start <= word_start and end >= word_end):
            continue
        width = (right - left) / (word_end - word_start)
        corners[position, 0] = max(corners[position, 0], left + width * (max(start, word_start) - word_start))
        corners[position, 2] = min(corners[position, 2], left + width * (min(end, word_end) - word_start))


def _runs(runs: npt.NDArray[np.int64]) -> list[slice]:
    """Slices of words that belong to one run."""
    edges = [0, *(np.flatnonzero(runs[1:] != runs[:-1]) + 1).tolist(), len(runs)]
    return [slice(begin, stop) for begin, stop in itertools.pairwise(edges)]


def _rect(corners: npt.NDArray[np.float64]) -> Rect:
    left, top = float(corners[:, 0].min()), float(corners[:, 1].min())
    right, bottom = float(corners[:, 2].max()), float(corners[:, 3].max())
    return Rect(x=left, y=top, width=right - left, height=bottom - top)


def _byte_planes(column: npt.NDArray[np.unsignedinteger]) -> bytes:
    width = column.dtype.itemsize
    return column.view(np.uint8).reshape(-1, width).T.tobytes()


def _from_planes(planes: bytes, offset: int, count: int, width: int) -> npt.NDArray[np.int64]:
    raw = np.frombuffer(planes, np.uint8, count * width, offset).reshape(width, count)
    return np.ascontiguousarray(raw.T).view(f"<u{width}").ravel().astype(np.int64)
