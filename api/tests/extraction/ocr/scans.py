"""Draw scanned pages, and find a word on them."""

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from lectern.extraction.layout.reading_order import Floats
from lectern.extraction.types import Rect

SIZE = (1654, 2339)  # A4 at 200 dpi
FONT = ImageFont.load_default(28)
ROWS = [[f"Measure number {row}", f"{row * 37 + 100} units", f"reviewed in {1990 + row}"] for row in range(1, 31)]
COLUMNS = (180, 720, 1150)
TARGET = 20
"""The row with the word that is highlighted."""
WORD = "circumstances"
ROWS[TARGET][1] = f"{WORD} 2"
EVERY_OTHER = [row if number % 2 == 0 else ["", "", ""] for number, row in enumerate(ROWS)]
"""As many rows over the whole page, of which half have text. An engine reads them in half the time."""


def draw_page(degrees: float, *, rows: list[list[str]] = ROWS, is_ruled: bool = True) -> Image.Image:
    """Draw a table at 200 dpi, and turn it clockwise."""
    image = Image.new("L", SIZE, 250)
    pen = ImageDraw.Draw(image)
    for number, row in enumerate(rows):
        top = 180 + 64 * number
        for left, cell in zip(COLUMNS, row, strict=True):
            pen.text((left, top), cell, font=FONT, fill=20)
        if is_ruled:
            pen.line((COLUMNS[0] - 20, top + 48, SIZE[0] - 120, top + 48), fill=90, width=2)
    return turn(image, degrees)


def turn(image: Image.Image, degrees: float) -> Image.Image:
    turned = image.rotate(-degrees, Image.Resampling.BICUBIC, fillcolor=250)
    turned.info["dpi"] = (200, 200)
    return turned


def draw_word(degrees: float) -> Image.Image:
    """Draw nothing but the target on a turned page."""
    only = [["", "", ""] for _ in ROWS]
    only[TARGET][1] = WORD
    return draw_page(degrees, rows=only, is_ruled=False)


def find_ink(image: Image.Image) -> Floats:
    """Return left, top, right and bottom of the ink, in pixels."""
    ink = np.asarray(image) < 150
    down, across = (np.flatnonzero(ink.any(axis=axis)) for axis in (1, 0))
    return np.array([across[0], down[0], across[-1] + 1, down[-1] + 1], dtype=np.float64)


def assert_is_around(rect: Rect, word: Floats, *, size: tuple[int, int] = SIZE) -> None:
    """Check that a rectangle has all ink of a word, and little else. `word` is in shares of the page."""
    box = np.array([rect.x, rect.y, rect.x + rect.width, rect.y + rect.height])
    pixels = (word - box) * np.tile(size, 2)
    assert np.all(pixels[:2] >= -2)
    assert np.all(pixels[2:] <= 2)
    assert np.prod(word[2:] - word[:2]) >= 0.6 * rect.width * rect.height
