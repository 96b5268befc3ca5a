"""Build pages from recognized words: columns in order, whole rows, word boxes with confidence."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np
from PIL import Image

from lectern.extraction.layout.page_composer import NO_RULES, ComposedPage, RecognizedWords, compose
from lectern.extraction.layout.reading_order import Floats, PlacedWords
from lectern.extraction.layout.text_cleaning import clean_text
from lectern.extraction.types import ExtractedPage, PageKind

MAX_SIDE = 5_000
MIN_SIDE = 40
"""Pixels of the longest side drawn, and of the shortest side that is read."""

_MIN_CONFIDENCE = 0.15
_GUTTER_HEIGHTS = 1.5
_MIN_COLUMN_LINES = 4
_PROSE_HEIGHTS = 8.0
_MAX_DEPTH = 60
_LEVEL_SHARE = 0.5


class OcrWord(NamedTuple):
    """A word, its box in pixels of the image (y grows downwards) and its confidence (0..1).

    `size` is the height of the type in pixels, where the engine can tell it. `begins_cell` is true behind a rule.
    """

    text: str
    left: float
    top: float
    right: float
    bottom: float
    confidence: float
    size: float | None = None
    begins_cell: bool = False


OcrLine = list[OcrWord]


class OcrReader(Protocol):
    """An engine that reads the words of an image. `image_dpi` is the resolution it wants for embedded images."""

    name: str
    image_dpi: float

    def read(self, image: Image.Image) -> list[OcrLine]:
        """Return the lines of an image in reading order."""
        ...

    def rate(self, image: Image.Image, lines: Sequence[OcrLine]) -> float:
        """Return the confidence (0..1) that these lines of an image are not upside down."""
        ...


class OcrImage(NamedTuple):
    """The size of an image in pixels, and of a pixel in points."""

    width_pixels: int
    height_pixels: int
    points_per_pixel: float


def build_page(
    page_number: int, lines: Sequence[OcrLine], *, image: OcrImage, reader: str, rules: Floats = NO_RULES
) -> ExtractedPage:
    """Build a page from lines in the given order, with table rows restored. The note names `reader`.

    `rules` (n, 4) are the boxes of lines in points. Words of less than .15 confidence are dropped: most are specks and
    drawings.
    """
    lines = [[word for word in line if word.confidence >= _MIN_CONFIDENCE] for line in clean_words(lines)]
    lines = [line for line in lines if line]
    width, height = (side * image.points_per_pixel for side in (image.width_pixels, image.height_pixels))
    page = ExtractedPage(page_number, PageKind.UNREADABLE, "", width, height, note=no_words_note(reader))
    if not lines:
        return page
    composed, placed, confidences = compose_lines(lines, page, scale=image.points_per_pixel, rules=rules)
    mean = float(np.average(confidences, weights=[len(text) for text in placed.texts]))
    note = f"Read by text recognition ({reader}); confidence {mean * 100:.0f} %."
    return ExtractedPage(
        page_number, PageKind.OCR, composed.text, width, height, composed.boxes, composed.lines, note=note,
        confidence=round(mean, 4),
    )  # fmt: skip


def no_words_note(reader: str) -> str:
    """Return the note on a page without recognized words."""
    return f"Text recognition ({reader}) found no words; the page shows pictures or drawings."


def clean_words(lines: Sequence[OcrLine]) -> list[OcrLine]:
    """Clean the text of words. Drop rules that are read as words, then empty words and lines."""
    cleaned = [[word._replace(text="".join(clean_text(word.text).split())) for word in line] for line in lines]
    worded = [_drop_rules([word for word in line if word.text]) for line in cleaned]
    return [line for line in worded if line]


def _drop_rules(line: OcrLine) -> OcrLine:
    """Drop the vertical rules of a table, which are read as `|`. A misread digit is lower than the type size."""
    size = _height(line) if line else 0.0
    words: OcrLine = []
    begins_cell = False
    for word in line:
        text = word.text.strip("|")
        if not text and word.bottom - word.top >= size:
            begins_cell = True
            continue
        is_before, is_behind = word.text.startswith("|"), word.text.endswith("|")
        if is_before == is_behind:  # such as |x|
            words.append(word._replace(begins_cell=begins_cell))
            begins_cell = False
        else:
            words.append(word._replace(text=text, begins_cell=begins_cell or is_before))
            begins_cell = is_behind
    return words


def compose_lines(
    lines: Sequence[OcrLine], page: ExtractedPage, *, scale: float, rules: Floats = NO_RULES
) -> tuple[ComposedPage, PlacedWords, np.ndarray]:
    """Compose lines on a page of that size. Return the text, the placed words and their confidences."""
    placed, hyphenated, confidences = place_words(lines, scale)
    begins_cell = [word.begins_cell for line in lines for word in line]
    composed = compose(
        placed, hyphenated=hyphenated, width_points=page.width_points, height_points=page.height_points,
        is_bold=lambda _word, _other: False, rules=rules,
        recognized=RecognizedWords(confidences, np.array(begins_cell, dtype=bool)),
    )  # fmt: skip
    return composed, placed, confidences


def order_columns(lines: Sequence[OcrLine], *, depth: int = 0) -> list[OcrLine]:
    """Order lines by columns: split at a gutter between columns of prose, else at the widest gap between lines."""
    if len(lines) < _MIN_COLUMN_LINES or depth > _MAX_DEPTH:
        return sorted(lines, key=lambda line: (_top(line), line[0].left))
    typical = float(np.median([_bottom(line) - _top(line) for line in lines]))
    for parts in (_beside(lines, typical), _below(lines)):
        if parts is not None:
            return [line for part in parts for line in order_columns(part, depth=depth + 1)]
    return sorted(lines, key=lambda line: (_top(line), line[0].left))


def merge_rows(lines: Sequence[OcrLine]) -> list[OcrLine]:
    """Order lines as `order_columns`, and join lines beside each other into rows."""
    rows: list[OcrLine] = []
    for line in order_columns(lines):
        if rows and _is_level(rows[-1], line):
            rows[-1] = sorted([*rows[-1], *line], key=lambda word: word.left)
        else:
            rows.append(line)
    return rows


def _is_level(row: OcrLine, line: OcrLine) -> bool:
    """Return whether a line is on the level of a row and does not overlap its words."""
    shared = min(_bottom(row), _bottom(line)) - max(_top(row), _top(line))
    lower = min(_bottom(row) - _top(row), _bottom(line) - _top(line))
    is_apart = all(word.right <= line[0].left or word.left >= _right(line) for word in row)
    return is_apart and shared >= _LEVEL_SHARE * lower


def _beside(lines: Sequence[OcrLine], typical: float) -> tuple[list[OcrLine], list[OcrLine]] | None:
    """Return the lines left and right of a gutter; None without a gutter between prose."""
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


def _is_prose(lines: Sequence[OcrLine], typical: float) -> bool:
    widths = [_right(line) - line[0].left for line in lines]
    return len(lines) >= _MIN_COLUMN_LINES and float(np.mean(widths)) >= _PROSE_HEIGHTS * typical


def _below(lines: Sequence[OcrLine]) -> tuple[list[OcrLine], list[OcrLine]] | None:
    """Return the lines above and below the widest gap that no line crosses."""
    by_top = sorted(lines, key=_top)
    reached, widest, cut = _bottom(by_top[0]), 0.0, 0
    for position in range(1, len(by_top)):
        gap = _top(by_top[position]) - reached
        if gap > widest:
            widest, cut = gap, position
        reached = max(reached, _bottom(by_top[position]))
    return (by_top[:cut], by_top[cut:]) if cut else None


def place_words(lines: Sequence[OcrLine], scale: float) -> tuple[PlacedWords, frozenset[int], np.ndarray]:
    """Return the words in points with one baseline for each line, the words that lost a hyphen, and the confidences."""
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


def _height(line: OcrLine) -> float:
    """Return the weighted median type size, because boxes of single words may be far too high."""
    sizes = sorted((word.size, len(word.text)) for word in line if word.size is not None)
    if not sizes:
        return max(word.bottom - word.top for word in line)
    reached, half = 0, sum(length for _, length in sizes) / 2
    for size, length in sizes:
        reached += length
        if reached >= half:
            return size
    return sizes[-1][0]


def _top(line: OcrLine) -> float:
    return min(word.top for word in line)


def _bottom(line: OcrLine) -> float:
    return max(word.bottom for word in line)


def _right(line: OcrLine) -> float:
    return max(word.right for word in line)
