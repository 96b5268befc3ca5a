"""Read an image, and turn it by right angles if its words are sideways or upside down."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from PIL import Image

from lectern.extraction.ocr.deskew import LevelImage, deskew
from lectern.extraction.ocr.pages import MIN_SIDE, OcrLine, OcrReader, OcrWord

_CLEAR: Final = 0.7  # confidence: all but one of 173 upright pages had more, pages upside down below .4
_FAIR, _GAIN = 0.3, 0.15  # confidence, and what an attempt must gain, where none is clear
_MIN_LENGTH: Final = 4  # characters: a shorter word may be taller than wide
_MIN_CHARACTERS: Final = 40  # in such words: photographs have fewer
_TURNS: Final = {
    90: Image.Transpose.ROTATE_90,
    180: Image.Transpose.ROTATE_180,
    270: Image.Transpose.ROTATE_270,
}


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
