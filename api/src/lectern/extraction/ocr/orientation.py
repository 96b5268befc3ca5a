"""Turn an image until its words are upright and its lines level, read it, and map boxes back to the page as it is."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
from PIL import Image

from lectern.extraction.layout.boxes import pack_boxes, unpack_boxes
from lectern.extraction.layout.reading_order import Floats
from lectern.extraction.ocr.pages import MIN_SIDE, OcrLine, OcrReader, OcrWord
from lectern.extraction.types import ExtractedPage

_MIN_DEGREES: Final = 0.75  # pages turned by less are read as well as level ones
_MAX_DEGREES: Final = 8.0
_COARSE, _FINE = 0.25, 0.05  # degrees between two angles that are tried
_SIDE: Final = 1_200  # pixels of the longest side to measure on
_CONTRAST: Final = 30  # of 255, between ink and the paper below it
_MIN_EDGES: Final = 500  # in each half: a line of text has about as many
_MIN_PEAK: Final = 1.7  # of the best angle against the median one: text has over 1.8, photographs below 1.6
_AGREED: Final = 0.3  # degrees between the upper and the lower half
_CLEAR: Final = 0.7  # confidence: all but one of 173 upright pages had more, pages upside down below .4
_FAIR, _GAIN = 0.3, 0.15  # confidence, and what an attempt must gain, where none is clear
_MIN_LENGTH: Final = 4  # characters: a shorter word may be taller than wide
_MIN_CHARACTERS: Final = 40  # in such words: photographs have fewer
_TURNS: Final = {
    90: Image.Transpose.ROTATE_90,
    180: Image.Transpose.ROTATE_180,
    270: Image.Transpose.ROTATE_270,
}


class LevelImage(NamedTuple):
    """An image with level lines of text, how far it was turned counterclockwise, and its size before.

    The degrees include right angles by which it was turned.
    """

    image: Image.Image
    degrees: float
    size: tuple[int, int]

    @property
    def is_on_its_side(self) -> bool:
        """Return whether the original image has width and height of the level one exchanged."""
        return round(self.degrees / 90) % 2 == 1

    def map_back(self, page: ExtractedPage) -> ExtractedPage:
        """Return a page of the level image with its boxes on the original one. Lines move, but stay level."""
        if not self.degrees:
            return page
        level, original = np.array(self.image.size), np.array(self.size)
        across, down = level / (original[::-1] if self.is_on_its_side else original)

        def move(place: float, factor: float) -> float:
            return round(min(max((place - 0.5) * factor + 0.5, 0.0), 1.0), 4)

        lines = (
            line._replace(
                left=move(line.left, across), top=move(line.top, down),
                right=move(line.right, across), bottom=move(line.bottom, down),
            )
            for line in page.lines
        )  # fmt: skip
        scale = page.width_points / self.image.width
        return replace(
            page, boxes=turn_boxes(page.boxes, self.degrees, (level, level / 2), (original, original / 2)),
            lines=tuple(lines), width_points=self.size[0] * scale, height_points=self.size[1] * scale,
        )  # fmt: skip


def turn_boxes(packed: bytes, degrees: float, source: tuple[Floats, Floats], target: tuple[Floats, Floats]) -> bytes:
    """Turn boxes clockwise, from one page to another. A page is given by its size and the point to turn around."""
    words = unpack_boxes(packed)
    corners = turn_corners(words.corners * np.tile(source[0], 2), degrees, source[1], target[1])
    return pack_boxes(replace(words, corners=corners / np.tile(target[0], 2)))


def turn_corners(corners: Floats, degrees: float, middle: Floats, target: Floats) -> Floats:
    """Turn boxes (n, 4) clockwise around a point, and move that point to `target`."""
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    turn = np.array([[cos, sin], [-sin, cos]])
    first, last = corners[:, :2], corners[:, 2:]
    middles = ((first + last) / 2 - middle) @ turn + target
    reach = (last - first) / 2 @ np.abs(turn)
    return np.hstack([middles - reach, middles + reach])


def deskew(image: Image.Image) -> LevelImage:
    """Turn an image with sloping lines of text. Others, such as photographs, stay as they are.

    Its `info["dpi"]` must be set.
    """
    degrees = measure_skew(image)
    if abs(degrees) < _MIN_DEGREES:
        return LevelImage(image, 0.0, image.size)
    grey = image.convert("L")
    paper = int(np.median(np.asarray(grey.reduce(8))))
    turned = grey.rotate(degrees, Image.Resampling.BICUBIC, expand=True, fillcolor=paper)
    turned.info["dpi"] = image.info["dpi"]
    return LevelImage(turned, degrees, image.size)


def measure_skew(image: Image.Image) -> float:
    """Return by how many degrees lines of text fall to the right; 0 if both halves of the page do not agree."""
    grey = np.asarray(image.convert("L").reduce(math.ceil(max(image.size) / _SIDE))).astype(np.int16)
    row, column = np.nonzero(grey[1:] - grey[:-1] >= _CONTRAST)  # the lower edges of ink
    if len(row) <= 2 * _MIN_EDGES:
        return 0.0
    is_upper = row <= np.median(row)
    halves = [_find_slope(row[half], column[half]) for half in (is_upper, ~is_upper) if np.any(half)]
    slopes, peaks = zip(*halves, strict=True)
    is_clear = len(halves) > 1 and min(peaks) >= _MIN_PEAK and max(slopes) - min(slopes) <= _AGREED
    return sum(slopes) / len(slopes) if is_clear else 0.0


def _find_slope(row: npt.NDArray[np.intp], column: npt.NDArray[np.intp]) -> tuple[float, float]:
    """Return the angle at which most edges are in few lines, and how far it stands out."""

    def rate(degrees: Iterable[float]) -> list[float]:
        slopes = np.tan(np.radians(list(degrees)))
        lines = (np.rint(row - column * slope).astype(np.int64) + _SIDE for slope in slopes)  # none is below 0
        return [float((np.bincount(line).astype(np.float64) ** 2).sum()) for line in lines]

    coarse = np.arange(-_MAX_DEGREES, _MAX_DEGREES + _COARSE, _COARSE)
    rates = rate(coarse)
    fine = coarse[int(np.argmax(rates))] + np.arange(-_COARSE, _COARSE + _FINE, _FINE)
    fine_rates = rate(fine)
    return float(fine[int(np.argmax(fine_rates))]), max(fine_rates) / float(np.median(rates))


class UprightImage(NamedTuple):
    """An image with its words upright and level, and their lines in pixels of it."""

    level: LevelImage
    lines: list[OcrLine]


class _Attempt(NamedTuple):
    read: UprightImage
    confidence: float
    is_sideways: bool

    @property
    def is_clear(self) -> bool:
        return self.confidence >= _CLEAR and not self.is_sideways

    def is_better(self, other: "_Attempt") -> bool:
        least = _FAIR if other.is_sideways else max(_FAIR, other.confidence + _GAIN)
        return self.confidence >= least and not self.is_sideways


def read_upright(reader: OcrReader, image: Image.Image) -> UprightImage:
    """Read an image, up to three times: turned if its words are sideways, or clearer upside down.

    Its `info["dpi"]` must be set.
    """
    if min(image.size) < MIN_SIDE:
        return UprightImage(LevelImage(image, 0.0, image.size), [])
    best = first = _read(reader, image, 0)
    for degrees in _other_turns(first):
        attempt = _read(reader, image, degrees)
        if attempt.is_clear:
            return attempt.read
        best = attempt if attempt.is_better(best) else best
    return best.read


def _other_turns(first: _Attempt) -> tuple[int, ...]:
    """Return the degrees to turn an image by, counterclockwise and most likely first. Most images need no turn.

    Both engines read a line from its bottom to its top as one that is upside down.
    """
    if first.is_clear or _count(_long_words(first.read.lines)) < _MIN_CHARACTERS:
        return ()
    if first.is_sideways:
        return (90, 270) if first.confidence >= _FAIR else (270, 90)
    return (180,)


def _read(reader: OcrReader, image: Image.Image, degrees: int) -> _Attempt:
    turned = image.transpose(_TURNS[degrees]) if degrees else image
    turned.info["dpi"] = image.info["dpi"]
    level = deskew(turned)
    lines = reader.read(level.image)
    read = UprightImage(LevelImage(level.image, level.degrees + degrees, image.size), lines)
    return _Attempt(read, reader.rate(level.image, lines), _is_sideways(lines))


def _is_sideways(lines: Sequence[OcrLine]) -> bool:
    """Return whether most words are taller than wide."""
    words = _long_words(lines)
    tall = [word for word in words if word.bottom - word.top > word.right - word.left]
    return 2 * _count(tall) > _count(words)


def _long_words(lines: Sequence[OcrLine]) -> list[OcrWord]:
    return [word for line in lines for word in line if len(word.text) >= _MIN_LENGTH]


def _count(words: Sequence[OcrWord]) -> int:
    return sum(len(word.text) for word in words)
