"""From recognised words to a page: columns in order, rows whole, boxes that highlight, confidence of every word."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np
from PIL import Image

from lectern.extraction.layout.page_composer import compose
from lectern.extraction.layout.reading_order import PlacedWords
from lectern.extraction.layout.text_cleaning import clean_text
from lectern.extraction.types import ExtractedPage, PageKind

_MIN_CONFIDENCE = 0.15
_GUTTER_HEIGHTS = 1.5
_COLUMN_LINES = 4
_PROSE_HEIGHTS = 8.0
_MOST_DEPTH = 60
_LEVEL_SHARE = 0.5


class OcrWord(NamedTuple):
    """A word, its box in pixels of the picture (y grows downwards), and how sure the reader is (0..1).

    `size` is the height of the writing as the reader can tell it, in pixels; None where the box is as high as a line.
    """

    text: str
    left: float
    top: float
    right: float
    bottom: float
    confidence: float
    size: float | None = None


Line = list[OcrWord]


class OcrReader(Protocol):
    """Reads the words of a picture; `picture_dpi` is how fine pictures among text are drawn for it."""

    name: str
    picture_dpi: float

    def read(self, picture: Image.Image) -> list[Line]:
        """The lines of a picture in reading order."""
        ...


class OcrImage(NamedTuple):
    """What was read: the picture's size in pixels, and what a pixel is in points."""

    width_pixels: int
    height_pixels: int
    points_per_pixel: float


def build_page(page_number: int, lines: Sequence[Line], *, sheet: OcrImage, reader: str) -> ExtractedPage:
    """The page that these lines make, in the order given but for rows of tables; `reader` is named in the ledger.

    Words of less than .15 confidence are left out: they are mostly specks and drawings.
    """
    lines = [_sure(line) for line in lines]
    lines = [line for line in lines if line]
    width, height = (side * sheet.points_per_pixel for side in (sheet.width_pixels, sheet.height_pixels))
    if not lines:
        return ExtractedPage(page_number, PageKind.UNREADABLE, "", width, height, note=no_words_note(reader))
    placed, hyphenated, confidences = place_words(lines, sheet.points_per_pixel)
    composed = compose(
        placed,
        hyphenated=hyphenated,
        width_points=width,
        height_points=height,
        is_bold=lambda _word, _other: False,
        confidences=confidences,
    )
    sure = float(np.average(confidences, weights=[len(text) for text in placed.texts]))
    note = f"Read by text recognition ({reader}); confidence {sure * 100:.0f} %."
    return ExtractedPage(
        page_number, PageKind.OCR, composed.text, width, height, composed.boxes, composed.lines, note=note
    )


def no_words_note(reader: str) -> str:
    """What the ledger says of a page on which nothing was read."""
    return f"Text recognition ({reader}) found no words; the page shows pictures or drawings."


def order_columns(lines: Sequence[Line], *, depth: int = 0) -> list[Line]:
    """The lines column by column: cut at a gutter between columns of prose, else at the widest gap between lines."""
    if len(lines) < _COLUMN_LINES or depth > _MOST_DEPTH:
        return sorted(lines, key=lambda line: (_top(line), line[0].left))
    typical = float(np.median([_bottom(line) - _top(line) for line in lines]))
    for parts in (_beside(lines, typical), _below(lines)):
        if parts is not None:
            return [line for part in parts for line in order_columns(part, depth=depth + 1)]
    return sorted(lines, key=lambda line: (_top(line), line[0].left))


def merge_rows(lines: Sequence[Line]) -> list[Line]:
    """The lines column by column, as `order_columns`, with those beside each other in a row as one line."""
    rows: list[Line] = []
    for line in order_columns(lines):
        if rows and _is_level(rows[-1], line):
            rows[-1] = sorted([*rows[-1], *line], key=lambda word: word.left)
        else:
            rows.append(line)
    return rows


def _is_level(row: Line, line: Line) -> bool:
    """Whether a line is as high on the page as a row, and in a place of its own there."""
    shared = min(_bottom(row), _bottom(line)) - max(_top(row), _top(line))
    lower = min(_bottom(row) - _top(row), _bottom(line) - _top(line))
    is_apart = all(word.right <= line[0].left or word.left >= _right(line) for word in row)
    return is_apart and shared >= _LEVEL_SHARE * lower


def _beside(lines: Sequence[Line], typical: float) -> tuple[list[Line], list[Line]] | None:
    """The lines left and right of a gutter; None where there is none, or what it parts is no prose."""
    by_left = sorted(lines, key=lambda line: line[0].left)
    reached = _right(by_left[0])
    for position in range(1, len(by_left)):
        left, right = by_left[:position], by_left[position:]
        if (
            right[0][0].left - reached >= _GUTTER_HEIGHTS * typical
            and _is_prose(left, typical)
            and _is_prose(right, typical)
        ):
            return left, right
        reached = max(reached, _right(by_left[position]))
    return None


def _is_prose(lines: Sequence[Line], typical: float) -> bool:
    widths = [_right(line) - line[0].left for line in lines]
    return len(lines) >= _COLUMN_LINES and float(np.mean(widths)) >= _PROSE_HEIGHTS * typical


def _below(lines: Sequence[Line]) -> tuple[list[Line], list[Line]] | None:
    """The lines above and below the widest gap that no line crosses."""
    by_top = sorted(lines, key=_top)
    reached, widest, cut = _bottom(by_top[0]), 0.0, 0
    for position in range(1, len(by_top)):
        gap = _top(by_top[position]) - reached
        if gap > widest:
            widest, cut = gap, position
        reached = max(reached, _bottom(by_top[position]))
    return (by_top[:cut], by_top[cut:]) if cut else None


def _sure(line: Line) -> Line:
    cleaned = [word._replace(text="".join(clean_text(word.text).split())) for word in line]
    return [word for word in cleaned if word.text and word.confidence >= _MIN_CONFIDENCE]


def place_words(lines: Sequence[Line], scale: float) -> tuple[PlacedWords, frozenset[int], np.ndarray]:
    """The words in points with a common baseline for each line; words that a hyphen breaks lose it and are named."""
    words = [word for line in lines for word in line]
    texts = [word.text for word in words]
    corners = np.array([[word.left, word.top, word.right, word.bottom] for word in words], dtype=np.float64) * scale
    tall = np.concatenate([[_height(line)] * len(line) for line in lines]) * scale
    low = np.concatenate([[_bottom(line)] * len(line) for line in lines]) * scale
    hyphenated: set[int] = set()
    position = 0
    for number, line in enumerate(lines[:-1]):
        position += len(line)
        text, following = texts[position - 1], lines[number + 1][0].text
        if len(text) > 2 and text[-1] in "-\u2010" and text[-2].isalpha() and following[:1].islower():  # noqa: PLR2004 - a letter and more
            texts[position - 1] = text[:-1]
            hyphenated.add(position - 1)
    placed = PlacedWords(
        texts, corners, np.stack([corners[:, 0], low], axis=1), tall, np.zeros(len(words), dtype=np.int64)
    )
    return placed, frozenset(hyphenated), np.array([word.confidence for word in words])


def _height(line: Line) -> float:
    """Of the writing: what half of its characters have at least, since boxes of single words may be far too high."""
    sizes = sorted((word.size, len(word.text)) for word in line if word.size is not None)
    if not sizes:
        return max(word.bottom - word.top for word in line)
    reached, half = 0, sum(length for _, length in sizes) / 2
    for size, length in sizes:
        reached += length
        if reached >= half:
            return size
    return sizes[-1][0]


def _top(line: Line) -> float:
    return min(word.top for word in line)


def _bottom(line: Line) -> float:
    return max(word.bottom for word in line)


def _right(line: Line) -> float:
    return max(word.right for word in line)
