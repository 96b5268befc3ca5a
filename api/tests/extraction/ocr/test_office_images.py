"""Text in images of Word and PowerPoint files is read in its place. Notes name skipped images."""

import io
from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFont
from tests.extraction.office_writer import docx, paragraph, pptx, relations, shape, slide_xml, word_table

from lectern.chunking.chunker import chunk_document
from lectern.chunking.types import ChunkingOptions
from lectern.extraction.detection import detect_content_type
from lectern.extraction.errors import NoText
from lectern.extraction.ocr.tesseract import Tesseract
from lectern.extraction.service import read_document
from lectern.extraction.types import (
    ExtractedDocument,
    ExtractedPage,
    ExtractionLimits,
    LineKind,
    OcrEngine,
    OcrOptions,
    PageKind,
)

pytestmark = pytest.mark.skipif(
    Tesseract.find(("en",), tessdata="") is None, reason="needs Tesseract: apt-get install tesseract-ocr"
)
LINKS = (("p1", "image", "media/one.png"), ("p2", "image", "media/two.png"))
INCH = 914_400


def picture(*lines: str, mode: str = "RGB", size: tuple[int, int] = (900, 240)) -> bytes:
    made = Image.new(mode, size, (0, 0, 0, 0) if mode == "RGBA" else "white")
    pen = ImageDraw.Draw(made)
    for number, line in enumerate(lines):
        fill = (0, 0, 0, 255) if mode == "RGBA" else "black"
        pen.text((40, 40 + 80 * number), line, fill=fill, font=ImageFont.load_default(44))
    output = io.BytesIO()
    made.save(output, "PNG")
    return output.getvalue()


INVOICE = picture("Invoice 4711 of ACME", "Total due 250 EUR")
STAMP = picture("Received in Ferrara", "by the night desk")


def run(relation: str, *, inches: tuple[float, float] = (5, 1.4)) -> str:
    """Return an image within a line of a Word file."""
    across, down = (round(side * INCH) for side in inches)
    return f'<w:r><w:drawing><extent cx="{across}" cy="{down}"/><blip r:embed="{relation}"/></w:drawing></w:r>'


def image_paragraph(relation: str) -> str:
    return f"<w:p>{run(relation)}</w:p>"


def slide_picture(relation: str, *, inches: tuple[float, float] = (5, 1.4)) -> str:
    across, down = (round(side * INCH) for side in inches)
    return (
        f'<p:pic><p:blipFill><a:blip r:embed="{relation}"/></p:blipFill>'
        f'<p:spPr><a:xfrm><a:ext cx="{across}" cy="{down}"/></a:xfrm></p:spPr></p:pic>'
    )


def word(body: str, **parts: bytes) -> bytes:
    media = {f"word/media/{name}.png": content for name, content in parts.items()}
    return docx(body, links=LINKS, parts=media)


async def read(folder: Path, content: bytes, **options: object) -> ExtractedDocument:
    path = folder / "made"
    path.write_bytes(content)
    chosen = OcrOptions(**{"engine": OcrEngine.TESSERACT, "languages": ("en",), **options})  # pyright: ignore[reportArgumentType] - a test's own options
    return await read_document(path, detect_content_type(content, "made"), limits=ExtractionLimits(), ocr=chosen)


def lines_of(page: ExtractedPage) -> list[str]:
    """Return the lines of a page. Lines from images are marked."""
    marks = {LineKind.IMAGE: "* "}
    return [marks.get(line.kind, "") + page.text[line.start : line.end] for line in page.lines]


@pytest.mark.parametrize("degrees", [4, 90, 183])
async def test_turned_table_in_an_image_has_whole_rows(tmp_path: Path, degrees: float) -> None:
    rows = [[f"Part {number}", f"{number * 17} units", f"sold in {1990 + number}"] for number in range(1, 13)]
    made = Image.new("RGB", (1500, 1000), "white")
    pen = ImageDraw.Draw(made)
    for number, row in enumerate(rows):
        for left, cell in zip((120, 620, 1080), row, strict=True):
            pen.text((left, 100 + 66 * number), cell, fill="black", font=ImageFont.load_default(34))
    output = io.BytesIO()
    made = made.rotate(-degrees, Image.Resampling.BICUBIC, expand=True, fillcolor="white")
    made.save(output, "PNG")
    body = f"<w:p>{run('p1', inches=(made.width / 250, made.height / 250))}</w:p>"
    (page,) = (await read(tmp_path, word(body, one=output.getvalue()))).pages
    assert page.text.split("\n") == ["\t".join(row) for row in rows]


async def test_image_in_a_word_file_is_read_in_its_place(tmp_path: Path) -> None:
    body = paragraph("Above.") + image_paragraph("p1") + paragraph("Below.")
    (page,) = (await read(tmp_path, word(body, one=INVOICE))).pages
    assert page.text == "Above.\n\nInvoice 4711 of ACME\nTotal due 250 EUR\n\nBelow."
    assert lines_of(page) == ["Above.", "* Invoice 4711 of ACME", "* Total due 250 EUR", "Below."]
    assert page.kind is PageKind.TEXT
    assert page.note is not None
    assert page.note.startswith("Text in a picture was read by text recognition (Tesseract, eng); confidence 9")


async def test_images_keep_their_order_in_cells_and_frames(tmp_path: Path) -> None:
    cell = f"</w:t></w:r>{run('p1')}<w:r><w:t>"
    body = word_table([["Card", "Fee"], ["Gold", f"20{cell}"]]) + paragraph("Then.") + image_paragraph("p2")
    (page,) = (await read(tmp_path, word(body, one=INVOICE, two=STAMP))).pages
    assert lines_of(page) == [
        "| Card | Fee |", "| --- | --- |", "| Gold | 20 |", "* Invoice 4711 of ACME", "* Total due 250 EUR",
        "Then.", "* Received in Ferrara", "* by the night desk",
    ]  # fmt: skip
    (page,) = (await read(tmp_path, word(word_table([[f"Framed{cell}"]]), one=INVOICE))).pages
    assert lines_of(page) == ["Framed", "* Invoice 4711 of ACME", "* Total due 250 EUR"]


async def test_word_file_of_scanned_pages_is_read_by_page(tmp_path: Path) -> None:
    page_break = '<w:r><w:br w:type="page"/></w:r>'
    body = f"<w:p>{run('p1')}{page_break}</w:p><w:p>{run('p2')}</w:p>"
    first, second = (await read(tmp_path, word(body, one=INVOICE, two=STAMP))).pages
    assert (first.kind, first.text) == (PageKind.OCR, "Invoice 4711 of ACME\nTotal due 250 EUR")
    assert (second.kind, second.text) == (PageKind.OCR, "Received in Ferrara\nby the night desk")
    with pytest.raises(NoText) as caught:
        await read(tmp_path, word(body, one=INVOICE, two=STAMP), engine=OcrEngine.OFF)
    assert "switched off" in caught.value.details["pages"][0]["note"]


async def test_image_on_a_slide_is_read_before_the_notes(tmp_path: Path) -> None:
    slide = slide_xml(shape("Fees", kind="title") + slide_picture("p1") + shape("Below."))
    parts: dict[str, str | bytes] = {
        "ppt/slides/_rels/slide1.xml.rels": relations(("p1", "image", "../media/one.png")),
        "ppt/slides/_rels/slide2.xml.rels": relations(("p1", "image", "../media/one.png")),
        "ppt/media/one.png": INVOICE,
    }
    first, second = (await read(tmp_path, pptx(slide, slide_xml(slide_picture("p1")), parts=parts))).pages
    assert lines_of(first) == ["Fees", "* Invoice 4711 of ACME", "* Total due 250 EUR", "Below."]
    assert (second.kind, second.text) == (PageKind.OCR, "Invoice 4711 of ACME\nTotal due 250 EUR")


async def test_letters_on_a_transparent_background_are_read(tmp_path: Path) -> None:
    drawn = picture("Invoice 4711 of ACME", mode="RGBA")
    assert "Invoice 4711 of ACME" in (await read(tmp_path, word(image_paragraph("p1"), one=drawn))).pages[0].text


@pytest.mark.parametrize(
    "image_format", ["JPEG", *(pytest.param(each, marks=pytest.mark.slow) for each in ("TIFF", "WEBP", "GIF", "BMP"))]
)
async def test_images_of_common_formats_are_read(tmp_path: Path, image_format: str) -> None:
    output = io.BytesIO()
    with Image.open(io.BytesIO(INVOICE)) as opened:
        opened.save(output, image_format)
    assert (
        "Invoice 4711 of ACME"
        in (await read(tmp_path, word(image_paragraph("p1"), one=output.getvalue()))).pages[0].text
    )


async def test_icons_photographs_and_drawings_add_nothing(tmp_path: Path) -> None:
    body = paragraph("Above.") + f"<w:p>{run('p1', inches=(1, 1))}</w:p>" + image_paragraph("p2")
    (page,) = (await read(tmp_path, word(body, one=INVOICE, two=b"\xd7\xcd\xc6\x9a drawing of Windows"))).pages
    assert (page.text, page.note) == ("Above.", None)
    (page,) = (await read(tmp_path, word(paragraph("Above.") + image_paragraph("p1"), one=picture()))).pages
    assert (page.text, page.note) == ("Above.", None)


async def test_slide_with_only_a_photograph_is_reported(tmp_path: Path) -> None:
    parts: dict[str, str | bytes] = {
        "ppt/slides/_rels/slide2.xml.rels": relations(("p1", "image", "../media/one.png")),
        "ppt/media/one.png": picture(),
    }
    slides = slide_xml(shape("Fees", kind="title")), slide_xml(slide_picture("p1"))
    _, page = (await read(tmp_path, pptx(*slides, parts=parts))).pages
    assert (page.kind, page.text) == (PageKind.UNREADABLE, "")
    assert page.note == "Text recognition (Tesseract, eng) found no words; the page shows pictures or drawings."


async def test_damaged_image_is_skipped_and_noted(tmp_path: Path) -> None:
    body = paragraph("Above.") + image_paragraph("p1") + image_paragraph("p2")
    (page,) = (await read(tmp_path, word(body, one=INVOICE[:400], two=STAMP))).pages
    assert lines_of(page) == ["Above.", "* Received in Ferrara", "* by the night desk"]
    assert page.note is not None
    assert page.note.endswith("A picture on this page was not read: The picture is damaged.")


async def test_image_with_too_many_pixels_is_skipped_and_noted(tmp_path: Path) -> None:
    for side in (10_001, 20_000):
        output = io.BytesIO()
        Image.new("1", (side, side)).save(output, "PNG")
        (page,) = (await read(tmp_path, word(paragraph("Above.") + image_paragraph("p1"), one=output.getvalue()))).pages
        assert page.text == "Above."
        assert page.note == (
            "A picture on this page was not read: pictures of more than 100,000,000 pixels are not drawn."
        )


async def test_disabled_or_timed_out_recognition_is_noted_on_each_page(tmp_path: Path) -> None:
    content = word(paragraph("Above.") + image_paragraph("p1"), one=INVOICE)
    (page,) = (await read(tmp_path, content, engine=OcrEngine.OFF)).pages
    assert page.text == "Above."
    assert page.note == "A picture on this page was not read: text recognition is switched off (LECTERN_OCR_ENGINE)."
    (page,) = (await read(tmp_path, content, max_seconds=0.01)).pages
    assert page.note is not None
    assert page.note.startswith("A picture on this page was not read: text recognition ended before:")


async def test_image_text_is_in_a_chunk_with_exact_offsets(tmp_path: Path) -> None:
    body = paragraph("Fees", style="H1") + paragraph("Above.") + image_paragraph("p1") + paragraph("Below.")
    document = await read(tmp_path, word(body, one=INVOICE))
    (chunk,) = chunk_document(document, options=ChunkingOptions(languages=("en",))).chunks
    assert "Invoice 4711 of ACME" in chunk.text
    assert chunk.section_heading == "Fees"
