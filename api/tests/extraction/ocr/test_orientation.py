"""Pages and images that are sideways or upside down are read as upright ones, with rectangles where the words are."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageOps
from tests.extraction.ocr.scans import (
    EVERY_OTHER,
    ROWS,
    SIZE,
    TARGET,
    WORD,
    assert_is_around,
    draw_page,
    draw_word,
    find_ink,
)
from tests.extraction.pdf_writer import Pdf, Picture

from lectern.extraction.layout.boxes import rectangles
from lectern.extraction.ocr.orientation import read_upright
from lectern.extraction.ocr.pages import OcrWord
from lectern.extraction.ocr.rapidocr import RapidOcr
from lectern.extraction.ocr.tesseract import Tesseract
from lectern.extraction.service import read_document
from lectern.extraction.types import ExtractedPage, ExtractionLimits, OcrEngine, OcrOptions, Rect

ROTATED = {90: Image.Transpose.ROTATE_270, 180: Image.Transpose.ROTATE_180, 270: Image.Transpose.ROTATE_90}
needs_tesseract = pytest.mark.skipif(
    Tesseract.find(("en",), tessdata="") is None,
    reason="needs Tesseract with English data: apt-get install tesseract-ocr",
)
engines = pytest.mark.parametrize(
    "engine", [pytest.param(OcrEngine.TESSERACT, marks=needs_tesseract), OcrEngine.RAPIDOCR]
)
turns = pytest.mark.parametrize("turn", [90, 180, 270])


def find_tesseract() -> Tesseract:
    found = Tesseract.find(("en",), tessdata="")
    assert found is not None
    return found


async def read(path: Path, engine: OcrEngine) -> ExtractedPage:
    content_type = "image/png" if path.suffix == ".png" else "application/pdf"
    options = OcrOptions(engine=engine, languages=("en",))
    return (await read_document(path, content_type, limits=ExtractionLimits(), ocr=options)).pages[0]


def find_target(page: ExtractedPage) -> Rect:
    start = page.text.index(WORD)
    (rect,) = rectangles(page.boxes, start, start + len(WORD))
    return rect


@turns
@pytest.mark.parametrize(
    ("engine", "skew"),
    [
        pytest.param(OcrEngine.TESSERACT, 0, marks=needs_tesseract),
        pytest.param(OcrEngine.TESSERACT, 2, marks=needs_tesseract),
        pytest.param(OcrEngine.RAPIDOCR, 0, marks=pytest.mark.slow),  # the skewed page takes every step of this one
        (OcrEngine.RAPIDOCR, 2),
    ],
)
async def test_turned_page_is_read_as_an_upright_one(tmp_path: Path, engine: OcrEngine, turn: int, skew: int) -> None:
    image = draw_page(skew, rows=EVERY_OTHER).transpose(ROTATED[turn])
    image.save(tmp_path / "scan.png", dpi=(200, 200))
    page = await read(tmp_path / "scan.png", engine)
    whole = [" ".join(row).split() for row in EVERY_OTHER if any(row)]
    assert sum(line.split() in whole for line in page.text.split("\n")) >= len(whole) - 1  # rapidocr splits some
    points = np.array(image.size) * 0.36
    assert (page.width_points, page.height_points) == pytest.approx(tuple(points), abs=0.5)
    tops = np.array([line.top for line in page.lines])
    assert np.all(np.diff(tops) > -0.005)  # sections and headers are found by the height of lines
    ink = find_ink(draw_word(skew).transpose(ROTATED[turn])) / np.tile(image.size, 2)
    if engine is OcrEngine.TESSERACT:
        assert_is_around(find_target(page), ink, size=image.size)
    else:  # words share the height of their line, and its width by characters
        rect = find_target(page)
        middle = np.array([rect.x + rect.width / 2, rect.y + rect.height / 2])
        assert middle == pytest.approx((ink[:2] + ink[2:]) / 2, abs=0.02)


@needs_tesseract
@turns
async def test_turned_image_on_a_page_is_read_in_place(tmp_path: Path, turn: int) -> None:
    part = draw_page(0).crop((0, 1200, SIZE[0], 2200)).transpose(ROTATED[turn])
    across, down = (side * 0.3 for side in part.size)
    pdf = Pdf()
    sheet = pdf.page(size=(700, 900))
    sheet.lines(60, 880, *(f"Line {number} of the text above the picture has some words." for number in range(6)))
    sheet.lines(60 + across, 500, *(f"Line {number} beside the picture." for number in range(6)))
    sheet.picture(50, 250, across, down, Picture.of(part))
    page = await read(pdf.write(tmp_path / "made.pdf"), OcrEngine.TESSERACT)
    lines = page.text.split("\n")
    assert all("\t".join(row) in lines for row in ROWS[TARGET - 2 : TARGET + 3])
    word = draw_word(0).crop((0, 1200, SIZE[0], 2200)).transpose(ROTATED[turn])
    points = find_ink(word) * 0.3 + np.tile([50, 650 - down], 2)
    assert_is_around(find_target(page), points / np.array([700, 900, 700, 900]), size=(2333, 3000))


def draw_mirrored() -> Image.Image:
    return ImageOps.mirror(draw_page(0, rows=EVERY_OTHER))


def draw_sideways_label() -> Image.Image:
    """Draw a page with some of its lines sideways, as a chart has them."""
    image = draw_page(0, rows=ROWS[:20])
    label = draw_page(0, rows=ROWS[:2], is_ruled=False).crop((150, 150, SIZE[0], 350))
    image.paste(label.transpose(Image.Transpose.ROTATE_90).resize((120, 900)), (1500, 1400))
    return image


def test_dot_leaders_are_no_sign_of_a_turned_page() -> None:
    row = [OcrWord("Competition", 100, 100, 300, 120, 0.95), OcrWord("c" + 40 * "es", 310, 100, 800, 120, 0.2)]
    tesseract = Tesseract(Path("tesseract"), languages=["eng"], tessdata="")
    assert tesseract.rate(Image.new("L", SIZE), [[*row, OcrWord("Page", 810, 100, 870, 120, 0.9)]]) > 0.6


@engines
@pytest.mark.parametrize(
    "draw",
    [
        pytest.param(lambda: draw_page(0, rows=EVERY_OTHER), id="upright"),
        pytest.param(draw_mirrored, id="words that are unlikely either way"),
        pytest.param(draw_sideways_label, id="a few words sideways"),
        pytest.param(lambda: draw_page(0, rows=ROWS[:1]).transpose(Image.Transpose.ROTATE_180), id="too few words"),
        pytest.param(lambda: Image.new("L", SIZE, 250), id="no words"),
        pytest.param(lambda: Image.new("L", (60, 30), 0), id="small"),
    ],
)
def test_other_pages_stay_as_they_are(engine: OcrEngine, draw: Callable[[], Image.Image]) -> None:
    image = draw()  # here and not above: every process of a run imports this file
    image.info["dpi"] = (200, 200)
    reader = RapidOcr() if engine is OcrEngine.RAPIDOCR else find_tesseract()
    assert read_upright(reader, image).level.image is image
