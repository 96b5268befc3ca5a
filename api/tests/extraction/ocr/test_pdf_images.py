"""Text in images among page text is read, placed and highlighted. Notes name skipped images."""

import io
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from statistics import median

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont
from tests.extraction.pdf_writer import Page, Pdf, Picture

from lectern.chunking.chunker import chunk_document
from lectern.chunking.types import ChunkingOptions
from lectern.extraction.layout.boxes import rectangles, unpack_boxes
from lectern.extraction.ocr.embedded_images import PdfImageReader
from lectern.extraction.ocr.image_text import ImagePlace, insert_block
from lectern.extraction.ocr.pages import OcrLine, OcrWord
from lectern.extraction.ocr.selection import select_images
from lectern.extraction.ocr.tesseract import Tesseract
from lectern.extraction.registry import extract_document
from lectern.extraction.sandbox.codec import PAGE, PageOfDocument, pack_frame, split_frames
from lectern.extraction.service import read_document
from lectern.extraction.types import (
    EmbeddedImage,
    ExtractedDocument,
    ExtractedPage,
    ExtractionLimits,
    LineKind,
    OcrEngine,
    OcrOptions,
    PageKind,
)

LIMITS = ExtractionLimits()
ROWS = (("Branch", "Queue", "Minutes"), ("Bologna", "short", "12"), ("Ferrara", "long", "34"), ("Ravenna", "none", "5"))
ABOVE = [f"Line {number} of the text above the picture has some words." for number in range(6)]
BELOW = [f"Line {number} of the text below the picture has some others." for number in range(6)]
needs_tesseract = pytest.mark.skipif(
    Tesseract.find(("en",), tessdata="") is None, reason="needs Tesseract: apt-get install tesseract-ocr"
)


def table(*, size: tuple[int, int] = (1200, 500)) -> Image.Image:
    """Draw a table of words like a screenshot. Column n begins 40 + 400 n pixels from the left."""
    image = Image.new("L", size, 255)
    pen = ImageDraw.Draw(image)
    for number, row in enumerate(ROWS):
        for column, cell in enumerate(row):
            pen.text((40 + 400 * column, 40 + 110 * number), cell, fill=0, font=ImageFont.load_default(48))
    return image


def page_with(pdf: Pdf, *pictures: Picture, rotation: int = 0) -> Page:
    """Return a page with text above and below images of 360 by 150 points, from (80, 470) upwards."""
    page = pdf.page(rotation=rotation)
    page.lines(60, 780, *ABOVE)
    page.lines(60, 270, *BELOW)
    for number, picture in enumerate(pictures):
        page.picture(80, 470 - 160 * number, 360, 150, picture)
    return page


async def read(path: Path, **options: object) -> ExtractedDocument:
    chosen = OcrOptions(**{"engine": OcrEngine.TESSERACT, "languages": ("en",), **options})  # pyright: ignore[reportArgumentType] - a test's own options
    return await read_document(path, "application/pdf", limits=LIMITS, ocr=chosen)


def image_lines(page: ExtractedPage) -> list[str]:
    """Return the lines read in images."""
    return [page.text[line.start : line.end] for line in page.lines if line.kind is LineKind.IMAGE]


@needs_tesseract
async def test_table_in_an_image_is_read_in_its_place(tmp_path: Path) -> None:
    pdf = Pdf()
    page_with(pdf, Picture.of(table()))
    (page,) = (await read(pdf.write(tmp_path / "made.pdf"))).pages
    assert page.text.split("\n") == [*ABOVE, *("\t".join(row) for row in ROWS), *BELOW]
    assert image_lines(page) == ["\t".join(row) for row in ROWS]
    assert all(page.text[a.end : b.start] == "\n" for a, b in pairwise(page.lines))
    in_image = [line for line in page.lines if line.kind is LineKind.IMAGE]
    assert [line.cells for line in in_image] == [3, 3, 3, 3]
    assert median(line.font_size for line in in_image) == pytest.approx(48 * 0.3, rel=0.2)  # 0.3 points a pixel
    assert page.kind is PageKind.TEXT
    assert page.note is not None
    assert page.note.startswith("Text in a picture was read by text recognition (Tesseract, eng); confidence 9")


@needs_tesseract
async def test_wrapped_row_of_a_ruled_table_in_an_image_is_one_line(tmp_path: Path) -> None:
    image = Image.new("L", (1200, 500), 255)
    pen = ImageDraw.Draw(image)
    font = ImageFont.load_default(44)
    for top in (20, 120, 360):
        pen.line((20, top, 1180, top), fill=0, width=3)
    for left in (20, 500, 1180):
        pen.line((left, 20, left, 360), fill=0, width=3)
    for left, top, text in (
        (40, 40, "Branch"),
        (540, 40, "Remark"),
        (40, 140, "Bologna"),
        (540, 140, "closed on Monday\nand also on Friday\nafternoon"),
    ):
        pen.multiline_text((left, top), text, fill=0, font=font, spacing=12)
    pdf = Pdf()
    page_with(pdf, Picture.of(image))
    (page,) = (await read(pdf.write(tmp_path / "made.pdf"))).pages
    assert image_lines(page) == ["Branch\tRemark", "Bologna\tclosed on Monday and also on Friday afternoon"]


@needs_tesseract
async def test_words_in_an_image_are_highlighted_in_place(tmp_path: Path) -> None:
    pdf = Pdf()
    page_with(pdf, Picture.of(table()))
    (page,) = (await read(pdf.write(tmp_path / "made.pdf"))).pages
    pen = ImageDraw.Draw(table())
    for number, row in enumerate(ROWS):
        for column, cell in enumerate(row):
            start = page.text.index("\t".join(row)) + "\t".join(row).index(cell)
            (box,) = rectangles(page.boxes, start, start + len(cell))
            found_at = (box.x * 595, box.y * 842, (box.x + box.width) * 595, (box.y + box.height) * 842)
            corner = (40 + 400 * column, 40 + 110 * number)
            left, top, right, bottom = pen.textbbox(corner, cell, font=ImageFont.load_default(48))
            truth = (80 + left * 0.3, 222 + top * 0.3, 80 + right * 0.3, 222 + bottom * 0.3)
            assert found_at == pytest.approx(truth, abs=4)  # Tesseract's own boxes are up to 12 pixels too high
    boxes = unpack_boxes(page.boxes)
    assert boxes.confidences is not None
    assert boxes.confidences[boxes.starts < page.text.index("Branch")].min() == 1.0
    first = page.text.index(BELOW[0])
    assert rectangles(page.boxes, first, first + 4)[0].y * 842 == pytest.approx(842 - 270 - 9, abs=4)


@needs_tesseract
async def test_image_adds_only_its_own_block_to_a_page(tmp_path: Path) -> None:
    bare, pasted = Pdf(), Pdf()
    page_with(bare)
    page_with(pasted, Picture.of(table()))
    (own,) = (await read(bare.write(tmp_path / "bare.pdf"))).pages
    (page,) = (await read(pasted.write(tmp_path / "pasted.pdf"))).pages
    start = page.text.index(BELOW[0])
    before, after = (
        rectangles(own.boxes, own.text.index(BELOW[0]), len(own.text)),
        rectangles(page.boxes, start, len(page.text)),
    )
    assert before == after
    assert own.note is None


@needs_tesseract
async def test_same_bytes_make_the_same_chunks_with_the_image_text(tmp_path: Path) -> None:
    pdf = Pdf()
    page_with(pdf, Picture.of(table()))
    path = pdf.write(tmp_path / "made.pdf")
    first, second = await read(path), await read(path)
    assert first == second
    chunks = chunk_document(first, options=ChunkingOptions()).chunks
    assert any("Ferrara\tlong\t34" in chunk.text for chunk in chunks)
    assert [chunk.section_heading for chunk in chunks] == [None]


@needs_tesseract
@pytest.mark.parametrize("rotation", [90, *(pytest.param(each, marks=pytest.mark.slow) for each in (180, 270))])
async def test_images_on_rotated_pages_are_read_as_displayed(tmp_path: Path, rotation: int) -> None:
    pdf = Pdf()
    turned = table().rotate(rotation, expand=True)
    page = pdf.page(rotation=rotation)
    for number, line in enumerate([*ABOVE, *BELOW]):
        page.text(
            *{90: (60 + 14 * number, 60), 180: (560, 60 + 14 * number), 270: (560 - 14 * number, 780)}[rotation],
            line,
            turn=rotation // 90,
        )
    page.picture(200, 300, *((360, 150) if rotation == 180 else (150, 360)), Picture.of(turned))
    (read_page,) = (await read(pdf.write(tmp_path / "turned.pdf"))).pages
    assert image_lines(read_page) == ["\t".join(row) for row in ROWS]


@needs_tesseract
async def test_cropped_part_of_an_image_is_not_read(tmp_path: Path) -> None:
    pdf = Pdf()
    page = page_with(pdf, Picture.of(table()))
    page.crop = (0, 0, 310, 842)
    (read_page,) = (await read(pdf.write(tmp_path / "cropped.pdf"))).pages
    assert image_lines(read_page) == ["\t".join(row[:2]) for row in ROWS]


def jpx(image: Image.Image) -> Picture:
    """Return an image in JPEG 2000."""
    data = io.BytesIO()
    image.convert("RGB").save(data, "JPEG2000")
    return Picture(f"/Width {image.width} /Height {image.height} /Filter /JPXDecode", data.getvalue())


def mask(image: Image.Image) -> Picture:
    """Return a stencil mask: black where the image is."""
    bits = image.convert("1", dither=Image.Dither.NONE)
    entries = f"/Width {image.width} /Height {image.height} /ImageMask true /BitsPerComponent 1"
    return Picture(entries, bits.tobytes())


@needs_tesseract
@pytest.mark.parametrize(
    "picture",
    [Picture.of(table().convert("CMYK")), Picture.of(table().convert("RGB")), jpx(table()), mask(table())],
    ids=["CMYK", "RGB", "JPX", "mask"],
)
async def test_images_of_every_encoding_are_read(tmp_path: Path, picture: Picture) -> None:
    pdf = Pdf()
    page_with(pdf, picture)
    (page,) = (await read(pdf.write(tmp_path / "made.pdf"))).pages
    assert image_lines(page) == ["\t".join(row) for row in ROWS]


@needs_tesseract
async def test_image_split_into_strips_is_read_as_one(tmp_path: Path) -> None:
    pdf, image = Pdf(), table()
    page = page_with(pdf)
    for top in range(0, 500, 25):
        page.picture(80, 620 - (top + 25) * 0.3, 360, 7.5, Picture.of(image.crop((0, top, 1200, top + 25))))
    (read_page,) = (await read(pdf.write(tmp_path / "strips.pdf"))).pages
    assert image_lines(read_page) == ["\t".join(row) for row in ROWS]


@needs_tesseract
async def test_page_text_over_an_image_is_not_read_twice(tmp_path: Path) -> None:
    pdf = Pdf()
    page_with(pdf, Picture.of(table())).text(80 + 12, 470 + 8, "Source: the queue system", size=14)
    (page,) = (await read(pdf.write(tmp_path / "labelled.pdf"))).pages
    assert page.text.count("Source") == 1
    assert image_lines(page) == ["\t".join(row) for row in ROWS]


@needs_tesseract
async def test_background_image_is_not_read(tmp_path: Path) -> None:
    pdf = Pdf()
    page = pdf.page()
    page.picture(0, 0, 595, 842, Picture.of(table().resize((1190, 1684))))
    page.lines(60, 780, *ABOVE)
    page.lines(60, 270, *BELOW)
    (read_page,) = (await read(pdf.write(tmp_path / "background.pdf"))).pages
    assert (image_lines(read_page), read_page.note) == ([], None)


@needs_tesseract
async def test_photograph_changes_nothing(tmp_path: Path) -> None:
    noise = Image.effect_noise((600, 250), 90)
    pdf, bare = Pdf(), Pdf()
    page_with(pdf, Picture.of(noise))
    page_with(bare)
    (page,) = (await read(pdf.write(tmp_path / "photograph.pdf"))).pages
    (own,) = (await read(bare.write(tmp_path / "bare.pdf"))).pages
    assert page.text == own.text
    assert page.boxes == own.boxes
    assert page.note in {None, "What a picture may say was too little or too unclear to be read."}


class Counting:
    """An OCR engine that counts its calls and returns one line per image."""

    name = "a test"
    image_dpi = 100.0

    def __init__(self) -> None:
        self.asked = 0

    def read(self, image: Image.Image) -> list[list[OcrWord]]:
        self.asked += 1
        return [[OcrWord(f"picture{self.asked}", 10, 10, 90, image.height / 8, 0.9)]]

    def rate(self, image: Image.Image, lines: Sequence[OcrLine]) -> float:
        del image, lines
        return 0.9


def test_identical_images_are_recognized_once_and_read_on_each_page(tmp_path: Path) -> None:
    pdf, reader = Pdf(), Counting()
    for _ in range(2):
        page_with(pdf, Picture.of(table()))
    page_with(pdf, Picture.of(table(size=(1200, 501))))
    path = pdf.write(tmp_path / "twice.pdf")
    wanted = select_images(extract_document(path, "application/pdf", limits=LIMITS).pages).selected
    pages = PdfImageReader(path, reader, limits=LIMITS, password=None).read(wanted)
    assert [image_lines(page) for page in pages] == [["picture1"], ["picture1"], ["picture2"]]
    assert reader.asked == 2


async def test_without_recognition_the_ledger_notes_unread_images(tmp_path: Path) -> None:
    pdf = Pdf()
    page_with(pdf, Picture.of(table()), Picture.of(table(size=(1200, 501))))
    path = pdf.write(tmp_path / "made.pdf")
    (page,) = (await read(path, engine=OcrEngine.OFF)).pages
    assert page.note == "2 pictures on this page were not read: text recognition is switched off (LECTERN_OCR_ENGINE)."
    (page,) = (await read(path, tessdata=str(tmp_path))).pages  # Tesseract is selected without any language
    assert page.note == "2 pictures on this page were not read: no text recognition is installed."
    (page,) = (await read(path, max_seconds=0.01)).pages
    assert page.note is not None
    assert "text recognition ended before: Reading the file took longer than 0.01 seconds" in page.note


@pytest.mark.parametrize(
    ("engine", "reader"),
    [
        pytest.param(OcrEngine.AUTO, "Tesseract", marks=needs_tesseract),
        pytest.param(OcrEngine.RAPIDOCR, "rapidocr"),
    ],
)
async def test_ocr_engine_reads_images_among_text(tmp_path: Path, engine: OcrEngine, reader: str) -> None:
    pdf = Pdf()
    page_with(pdf, Picture.of(table()))
    (page,) = (await read(pdf.write(tmp_path / "made.pdf"), engine=engine)).pages
    assert page.note is not None
    assert f"({reader}" in page.note
    assert [line.split() for line in image_lines(page)] == [list(row) for row in ROWS]


def images_of(pdf: Pdf, path: Path) -> list[tuple[EmbeddedImage, ...]]:
    document = extract_document(pdf.write(path), "application/pdf", limits=LIMITS)
    return [page.images for page in document.pages]


def test_logos_gradients_and_tiny_images_are_skipped(tmp_path: Path) -> None:
    pdf = Pdf()
    page_with(pdf).picture(80, 500, 60, 30, Picture.of(table()))
    page_with(pdf).picture(80, 500, 300, 100, Picture.of(Image.new("L", (1, 100))))
    page = page_with(pdf)
    for number in range(1_000):
        page.picture(60 + number % 40 * 12, 300 + number // 40 * 12, 6, 6, Picture.of(Image.new("L", (20, 20))))
    assert images_of(pdf, tmp_path / "small.pdf") == [(), (), ()]


async def test_image_with_too_many_pixels_is_skipped_and_noted(tmp_path: Path) -> None:
    import zlib

    row = zlib.compress(bytes(2_500) * 20_000, 9)
    entries = "/Width 20000 /Height 20000 /ColorSpace /DeviceGray /BitsPerComponent 1 /Filter /FlateDecode"
    pdf = Pdf()
    page_with(pdf, Picture(entries, row), Picture.of(table()))
    (page,) = (await read(pdf.write(tmp_path / "bomb.pdf"))).pages
    assert page.note is not None
    assert "A picture on this page was not read: pictures of more than 100,000,000 pixels are not drawn." in page.note


@needs_tesseract
async def test_broken_image_keeps_the_text_of_its_page(tmp_path: Path) -> None:
    pdf = Pdf()
    page_with(pdf, Picture.of(table())._replace(data=b"\x00broken"))
    page_with(pdf, Picture.of(table()))
    broken, whole = (await read(pdf.write(tmp_path / "broken.pdf"))).pages
    assert broken.text.split("\n") == [*ABOVE, *BELOW]
    assert len(image_lines(whole)) == len(ROWS)


def numbered(number: int, *pictures: EmbeddedImage) -> ExtractedPage:
    return ExtractedPage(number, PageKind.TEXT, "text", 595, 842, images=pictures)


def test_letterhead_is_read_on_its_first_page_only() -> None:
    letterhead = EmbeddedImage(0, 0, 1, 0.1, 90_000, 300, "letterhead")
    chart = letterhead._replace(key="chart")
    selection = select_images(
        [*(numbered(number, letterhead) for number in range(1, 5)), numbered(5, chart)], max_images=2
    )
    assert [(page.page_number, len(page.images)) for page in selection.selected] == [(1, 1), (5, 1)]
    assert selection.notes == {}


def test_images_beyond_the_limit_are_skipped_and_noted() -> None:
    labelled = EmbeddedImage(0, 0, 1, 0.1, 90_000, 300, "")  # with text above it: never merged with another
    selection = select_images([numbered(number, labelled) for number in range(1, 5)], max_images=3)
    assert [page.page_number for page in selection.selected] == [1, 2, 3]
    assert selection.notes == {
        4: "A picture on this page was not read: text recognition reads 3 pictures of a document."
    }


def test_image_with_no_extent_or_false_size_is_harmless(tmp_path: Path) -> None:
    pdf = Pdf()
    flat = page_with(pdf)
    flat.operators.append("q 0 0 0 0 100 300 cm /P0 Do Q q 1e9 1e9 1e9 1e9 -1e9 0 cm /P0 Do Q")
    flat.pictures.append(Picture.of(table()))
    entries = "/Width 2147483647 /Height 2147483647 /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /FlateDecode"
    page_with(pdf, Picture(entries, b""))
    none, lie = images_of(pdf, tmp_path / "odd.pdf")
    assert none == ()
    assert select_images([numbered(1, *lie)]).selected == ()


def test_large_capitals_in_an_image_are_no_heading(tmp_path: Path) -> None:
    pdf = Pdf()
    page_with(pdf)
    document = extract_document(pdf.write(tmp_path / "made.pdf"), "application/pdf", limits=LIMITS)
    lines = [[OcrWord("NEWS", 100, 300, 180, 340, 0.9), OcrWord("RELEASE", 190, 300, 300, 340, 0.9)]]
    where = EmbeddedImage(0.1, 0.3, 0.9, 0.5, 90_000, 300, "key")
    place = ImagePlace(np.array([595.0, 842.0]), np.array([297.5, 421.0]))
    page = insert_block(document.pages[0], lines, where, place)
    assert page.text.split("\n") == [*ABOVE, "NEWS RELEASE", *BELOW]
    of_picture = chunk_document(replace(document, pages=(page,)), options=ChunkingOptions())
    assert {chunk.section_heading for chunk in of_picture.chunks} == {None}
    plain = replace(page, lines=tuple(line._replace(kind=LineKind.PLAIN) for line in page.lines))
    as_text = chunk_document(replace(document, pages=(plain,)), options=ChunkingOptions())
    assert "NEWS RELEASE" in {chunk.section_heading for chunk in as_text.chunks}


def test_images_stay_with_their_page(tmp_path: Path) -> None:
    pdf = Pdf()
    page_with(pdf, Picture.of(table()))
    (page,) = extract_document(pdf.write(tmp_path / "made.pdf"), "application/pdf", limits=LIMITS).pages
    assert len(page.images) == 1
    (frame,) = split_frames(pack_frame(PAGE, PageOfDocument(page, 1)))
    assert frame.decode(PageOfDocument) == (page, 1)
