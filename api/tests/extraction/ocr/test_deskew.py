"""Turned pages are read as level ones, and their rectangles are where the words are on the turned page."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pypdf
import pytest
from PIL import Image, ImageDraw
from tests.extraction.ocr.scans import (
    EVERY_OTHER,
    FONT,
    ROWS,
    SIZE,
    TARGET,
    WORD,
    assert_is_around,
    draw_page,
    draw_word,
    find_ink,
    turn,
)
from tests.extraction.pdf_writer import Pdf, Picture

from lectern.extraction.layout.boxes import rectangles
from lectern.extraction.ocr.orientation import deskew, measure_skew
from lectern.extraction.ocr.recognition import recognize_image
from lectern.extraction.ocr.tesseract import Tesseract
from lectern.extraction.service import read_document
from lectern.extraction.types import ExtractedPage, ExtractionLimits, OcrEngine, OcrOptions

needs_tesseract = pytest.mark.skipif(
    Tesseract.find(("en",), tessdata="") is None,
    reason="needs Tesseract with English data: apt-get install tesseract-ocr",
)


def draw_photograph() -> Image.Image:
    """Draw soft shapes and grain, without text."""
    chance = np.random.default_rng(5)
    coarse = Image.fromarray(chance.integers(0, 255, (30, 22), dtype=np.uint8)).resize(SIZE, Image.Resampling.BICUBIC)
    pixels = np.asarray(coarse, dtype=float) + chance.normal(0, 25, SIZE[::-1])
    image = Image.fromarray(pixels.clip(0, 255).astype(np.uint8))
    image.info["dpi"] = (200, 200)
    return image


@pytest.mark.parametrize("degrees", [-7.5, -5, -2, -0.7, 0, 0.3, 1, 3, 5])
def test_skew_is_measured(degrees: float) -> None:
    assert measure_skew(draw_page(degrees)) == pytest.approx(degrees, abs=0.1)


@pytest.mark.parametrize(
    "draw",
    [
        pytest.param(lambda: draw_page(0), id="level"),
        pytest.param(lambda: draw_page(-0.6), id="nearly level"),
        pytest.param(lambda: draw_page(20), id="turned too far"),
        pytest.param(lambda: draw_page(3, rows=ROWS[:1], is_ruled=False), id="few words"),
        pytest.param(draw_photograph, id="photograph"),
        pytest.param(lambda: Image.new("L", (60, 50), 0), id="small"),
    ],
)
def test_image_without_a_clear_skew_stays_as_it_is(draw: Callable[[], Image.Image]) -> None:
    image = draw()  # here and not above: every process of a run imports this file
    assert deskew(image).image is image


def test_page_with_two_slopes_stays_as_it_is() -> None:
    image = draw_page(3)
    image.paste(draw_page(-3).crop((0, 0, SIZE[0], SIZE[1] // 2)))
    assert deskew(image).image is image


@needs_tesseract
def test_rows_of_a_turned_page_are_whole() -> None:
    reader = Tesseract.find(("en",), tessdata="")
    assert reader is not None
    pages = [recognize_image(reader, draw_page(degrees), 1) for degrees in (0, -5, 3)]
    assert [page.text.split("\n") for page in pages] == [["\t".join(row) for row in ROWS]] * 3
    level, *turned = [np.array([line[4:8] for line in page.lines]) for page in pages]
    assert all(np.abs(level - sides).max() < 0.005 for sides in turned)


async def read_page(path: Path) -> ExtractedPage:
    options = OcrOptions(engine=OcrEngine.TESSERACT, languages=("en",))
    return (await read_document(path, "application/pdf", limits=ExtractionLimits(), ocr=options)).pages[0]


@needs_tesseract
@pytest.mark.parametrize(("degrees", "rotation"), [(2, 0), (-5, 0), (5, 90), (-2, 270)])
async def test_rectangle_is_where_the_word_is_on_the_turned_page(tmp_path: Path, degrees: float, rotation: int) -> None:
    image = draw_page(degrees, rows=EVERY_OTHER)
    image.rotate(rotation, expand=True).save(tmp_path / "scan.pdf", resolution=200.0)
    writer = pypdf.PdfWriter(clone_from=tmp_path / "scan.pdf")
    writer.pages[0].rotate(rotation)
    writer.write(tmp_path / "turned.pdf")
    page = await read_page(tmp_path / "turned.pdf")
    assert (page.width_points, page.height_points) == pytest.approx((SIZE[0] * 0.36, SIZE[1] * 0.36), abs=0.5)
    start = page.text.index(WORD)
    (rect,) = rectangles(page.boxes, start, start + len(WORD))

    assert_is_around(rect, find_ink(draw_word(degrees)) / np.tile(SIZE, 2))


@needs_tesseract
@pytest.mark.parametrize("degrees", [-2, 5])
async def test_turned_table_in_an_image_has_whole_rows_and_its_rectangles(tmp_path: Path, degrees: float) -> None:
    pdf = Pdf()
    page = pdf.page(size=(700, 900))
    page.lines(60, 880, *(f"Line {number} of the text above the picture has some words." for number in range(6)))
    part = draw_page(degrees).crop((0, 1200, SIZE[0], 2200))
    page.picture(100, 300, SIZE[0] * 0.3, 300, Picture.of(part))
    read = await read_page(pdf.write(tmp_path / "made.pdf"))
    lines = read.text.split("\n")
    assert all("\t".join(row) in lines for row in ROWS[TARGET - 2 : TARGET + 3])
    start = read.text.index(WORD)
    (rect,) = rectangles(read.boxes, start, start + len(WORD))
    points = (find_ink(draw_word(degrees)) - np.array([0, 1200, 0, 1200])) * 0.3 + np.array([100, 300, 100, 300])
    assert_is_around(rect, points / np.array([700, 900, 700, 900]))


@needs_tesseract
async def test_rectangles_of_a_line_follow_its_slope(tmp_path: Path) -> None:
    sentence = "The chapel of the harbour was built by the guild of the sailors and paid by its members"
    image = Image.new("L", SIZE, 250)
    pen = ImageDraw.Draw(image)
    for number in range(30):
        pen.text((180, 180 + 64 * number), f"{sentence} {number}", font=FONT, fill=20)
    turn(image, 4).save(tmp_path / "scan.pdf", resolution=200.0)
    page = await read_page(tmp_path / "scan.pdf")
    start = page.text.index(f"{sentence} 12")
    rects = rectangles(page.boxes, start, start + len(sentence))
    assert sum(rect.width for rect in rects) > 0.6
    assert max(rect.height for rect in rects) < 64 / SIZE[1]
    assert rects[-1].y - rects[0].y == pytest.approx(0.03, abs=0.01)
