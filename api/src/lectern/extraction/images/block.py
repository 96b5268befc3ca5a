"""Putting what was read in a picture into the text of its page, at its place in reading order (pure)."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, TypeVar

import numpy as np
import numpy.typing as npt

from lectern.extraction.layout.boxes import WordBoxes, pack_boxes, unpack_boxes
from lectern.extraction.layout.page_composer import compose
from lectern.extraction.ocr.pages import Line, place_words
from lectern.extraction.types import EmbeddedImage, ExtractedPage, LineKind, PageLine

_Number = TypeVar("_Number", np.int64, np.float64)

SURE: Final = 0.8
"""A picture shows text when words that are at least so sure make up half of the characters read there."""

_KEPT: Final = 0.5
_SURE_SHARE: Final = 0.5
_LEAST_CHARACTERS: Final = 8
_COVERED: Final = 0.5
_BESIDE_HEIGHTS: Final = 3.0
_TOLERANCE: Final = 0.005


def shows_text(lines: Sequence[Line]) -> bool:
    """Whether what was read in a picture is text; a photograph or a map yields some uncertain letters."""
    words = [word for line in lines for word in line]
    everything = sum(len(word.text) for word in words)
    sure = sum(len(word.text) for word in words if word.confidence >= SURE and _has_letters(word.text))
    return sure >= _LEAST_CHARACTERS and sure >= _SURE_SHARE * everything


def kept_lines(lines: Sequence[Line], page: ExtractedPage) -> list[Line]:
    """The lines (in points of the page) without uncertain words, and without what the page's own text has there."""
    sure = [[word for word in line if word.confidence >= _KEPT and _has_letters(word.text)] for line in lines]
    own = unpack_boxes(page.boxes).corners * np.array([page.width_points, page.height_points] * 2)
    kept = [[word for word in line if not _is_covered(word[1:5], own)] for line in sure]
    return [line for line in kept if any(_says_something(word.text) for word in line)]


def insert(page: ExtractedPage, lines: Sequence[Line], picture: EmbeddedImage) -> ExtractedPage:
    """The page with these lines (in points of the page) as a block where the picture stands in its reading order."""
    placed, hyphenated, confidences = place_words(lines, 1.0)
    block = compose(
        placed, hyphenated=hyphenated, width_points=page.width_points, height_points=page.height_points,
        is_bold=lambda _word, _other: False, confidences=confidences,
    )  # fmt: skip
    position = place_of(picture, page.lines)
    is_last = position == len(page.lines)
    start = len(page.text) + 1 if is_last else page.lines[position].start
    shift = len(block.text) + 1
    before, after = page.text[: start - is_last], page.text[start:]
    marked = [_moved(line, start)._replace(kind=LineKind.PICTURE) for line in block.lines]
    return replace(
        page,
        text=f"{before}\n{block.text}" if is_last else f"{before}{block.text}\n{after}",
        lines=(*page.lines[:position], *marked, *(_moved(line, shift) for line in page.lines[position:])),
        boxes=_merged(unpack_boxes(page.boxes), unpack_boxes(block.boxes), start=start, shift=shift),
    )


def place_of(picture: EmbeddedImage, lines: Sequence[PageLine]) -> int:
    """How many of the lines come before the picture: up to the nearest one above it, else to the first one below.

    Of several that end above it at about the same height (columns over a wide picture) the last counts.
    """
    beside = [
        (number, line) for number, line in enumerate(lines) if line.left < picture.right and line.right > picture.left
    ]
    above = [(number, line) for number, line in beside if _middle(line) <= picture.top + _TOLERANCE]
    if above:
        lowest = max((line for _, line in above), key=lambda line: line.bottom)
        near = lowest.bottom - _BESIDE_HEIGHTS * (lowest.bottom - lowest.top)
        return max(number for number, line in above if line.bottom >= near) + 1
    below = [number for number, line in beside if _middle(line) >= picture.bottom - _TOLERANCE]
    if below:
        return min(below)
    return sum(_middle(line) <= picture.top for line in lines)


def _middle(line: PageLine) -> float:
    return (line.top + line.bottom) / 2


def _moved(line: PageLine, by: int) -> PageLine:
    return line._replace(start=line.start + by, end=line.end + by)


def _merged(own: WordBoxes, added: WordBoxes, *, start: int, shift: int) -> bytes:
    """The boxes of a page with those of a block whose text begins at `start` and moves what follows by `shift`."""
    at = int(np.searchsorted(own.starts, start))
    moved = np.where(np.arange(len(own.starts)) < at, 0, shift)
    first_run = int(own.runs[at - 1]) + 1 if at else 0
    more_runs = int(added.runs[-1]) + 1
    runs = own.runs + np.where(np.arange(len(own.runs)) < at, 0, more_runs)

    def joined(mine: npt.NDArray[_Number], theirs: npt.NDArray[_Number]) -> npt.NDArray[_Number]:
        return np.concatenate([mine[:at], theirs, mine[at:]])

    return pack_boxes(
        WordBoxes(
            starts=joined(own.starts + moved, added.starts + start),
            ends=joined(own.ends + moved, added.ends + start),
            runs=joined(runs, added.runs + first_run),
            corners=joined(own.corners, added.corners),
            confidences=joined(_confidences(own), _confidences(added)),
        )
    )


def _confidences(boxes: WordBoxes) -> npt.NDArray[np.float64]:
    """Of a page's own words: full."""
    return np.ones(len(boxes.starts)) if boxes.confidences is None else boxes.confidences


def _has_letters(text: str) -> bool:
    return any(map(str.isalnum, text))


def _says_something(text: str) -> bool:
    """Whether a word is more than a single letter: the tick of an axis is often read as one."""
    return sum(map(str.isalnum, text)) > 1 or any(map(str.isdigit, text))


def _is_covered(box: tuple[float, ...], own: npt.NDArray[np.float64]) -> bool:
    """Whether a word of the page's own lies over most of this box."""
    left, top, right, bottom = box
    across = np.minimum(own[:, 2], right) - np.maximum(own[:, 0], left)
    down = np.minimum(own[:, 3], bottom) - np.maximum(own[:, 1], top)
    covered = across.clip(0) * down.clip(0)
    return bool(covered.sum() >= _COVERED * max((right - left) * (bottom - top), 1e-6))
