"""Pages without text are recognized by Tesseract if installed, else by rapidocr."""

import struct
from pathlib import Path
from statistics import median

import numpy as np
import pypdf
import pytest
from PIL import Image, ImageDraw, ImageFont
from tests.extraction.pdf_writer import Pdf

from lectern.extraction.detection import detect_content_type
from lectern.extraction.errors import Corrupt, FileTooLarge, NoText
from lectern.extraction.formats.image import extract as extract_pictures
from lectern.extraction.formats.image import load_image
from lectern.extraction.layout.boxes import pack_boxes, rectangles, unpack_boxes
from lectern.extraction.ocr.pages import OcrImage, OcrWord, build_page, order_columns
from lectern.extraction.ocr.tesseract import Tesseract, type_size
from lectern.extraction.registry import extract_document
from lectern.extraction.sandbox.extraction import read_in_child
from lectern.extraction.service import read_document
from lectern.extraction.types import ExtractedDocument, ExtractionLimits, OcrEngine, OcrOptions, PageKind

LIMITS = ExtractionLimits()
TYPES = {
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".tiff": "image/tiff",
    ".webp": "image/webp",
    ".pdf": "application/pdf",
}
needs_tesseract = pytest.mark.skipif(
    Tesseract.find(("it",), tessdata="") is None,
    reason="needs Tesseract with Italian data: apt-get install tesseract-ocr tesseract-ocr-ita",
)


def picture(*lines: str, size: int = 40) -> Image.Image:
    """Draw black words on white, like a scan at 150 dots per inch."""
    made = Image.new("RGB", (1240, 200 + 2 * size * max(1, len(lines))), "white")
    pen = ImageDraw.Draw(made)
    for number, line in enumerate(lines):
        pen.text((100, 100 + number * 2 * size), line, fill="black", font=ImageFont.load_default(size))
    return made


def saved(path: Path, *pictures: Image.Image) -> Path:
    pictures[0].save(path, save_all=len(pictures) > 1, append_images=list(pictures[1:]), resolution=150.0)
    return path


async def read(path: Path, **options: object) -> ExtractedDocument:
    content_type = TYPES[path.suffix]
    chosen = OcrOptions(**{"engine": OcrEngine.TESSERACT, **options})  # pyright: ignore[reportArgumentType] - a test's own options
    return await read_document(path, content_type, limits=LIMITS, ocr=chosen)


@needs_tesseract
async def test_scanned_words_have_their_type_size_not_letter_height(tmp_path: Path) -> None:
    body = (
        "Capital letters jump",
        "no one was near us",
        "ALL OF THE RISK",
        "gypsy quays",
        "a second line of it",
        "- e -",
    )
    scan = picture("A Title", "", *body, size=40)
    pen = ImageDraw.Draw(scan)
    pen.rectangle((0, 0, scan.width, 190), fill="white")
    pen.text((100, 80), "The yearly plan", fill="black", font=ImageFont.load_default(60))
    document = await read(saved(tmp_path / "scan.png", scan))
    page = document.pages[0]
    sizes = {page.text[line.start : line.end]: line.font_size for line in page.lines}
    usual = median(sizes[text] for text in body if text in sizes)
    assert len(sizes) >= 6
    assert all(size == pytest.approx(usual, rel=0.1) for text, size in sizes.items() if text in body), sizes
    assert sizes["The yearly plan"] == pytest.approx(1.5 * usual, rel=0.1)
    assert document.metadata.title == "The yearly plan"


@pytest.mark.parametrize("text", ["Depth", "ACME", "none", "group", "12,50", "Perché"])
def test_type_size_of_a_word_follows_from_its_box(text: str) -> None:
    font = ImageFont.load_default(200)
    _, top, _, bottom = font.getbbox(text)
    _, head, _, foot = font.getbbox("dp")
    assert type_size(text, bottom - top) == pytest.approx(foot - head, rel=0.1)
    assert type_size("--", 9) is None


@needs_tesseract
@pytest.mark.parametrize(
    "suffix", [".png", ".pdf", *(pytest.param(each, marks=pytest.mark.slow) for each in (".jpg", ".tiff", ".webp"))]
)
async def test_image_of_words_is_read_with_boxes(tmp_path: Path, suffix: str) -> None:
    document = await read(saved(tmp_path / f"scan{suffix}", picture("La tassa comune", "costa dodici euro")))
    (page,) = document.pages
    assert page.kind is PageKind.OCR
    assert page.text == "La tassa comune\ncosta dodici euro"
    assert page.note is not None
    assert page.note.startswith("Read by text recognition (Tesseract, ")
    start = page.text.index("dodici")
    (box,) = rectangles(page.boxes, start, start + len("dodici"))
    image = np.asarray(load_image(tmp_path / f"scan{suffix}", 1) if suffix != ".pdf" else picture("", ""))
    assert 0 < box.x < box.x + box.width < 1
    if suffix != ".pdf":
        height, width = image.shape[:2]
        top, left = int(box.y * height), int(box.x * width)
        assert (image[top : top + int(box.height * height), left : left + int(box.width * width)] < 128).any()
    confidences = unpack_boxes(page.boxes).confidences
    assert confidences is not None
    assert confidences.min() > 0.5


@needs_tesseract
async def test_mixed_pdf_recognizes_only_pages_without_text(tmp_path: Path) -> None:
    import pypdf

    pdf = Pdf()
    pdf.page().lines(60, 700, "Of the first page", "two lines.")
    writer = pypdf.PdfWriter(clone_from=pdf.write(tmp_path / "text.pdf"))
    writer.append(saved(tmp_path / "scan.pdf", picture("dodici euro")))
    writer.write(tmp_path / "mixed.pdf")
    first, second = (await read(tmp_path / "mixed.pdf")).pages
    assert (first.kind, first.note) == (PageKind.TEXT, None)
    assert (second.kind, second.text) == (PageKind.OCR, "dodici euro")


def headed(path: Path, *words: str, scan: Image.Image) -> Path:
    """Return a PDF of one page with an image and text above it."""
    import pypdf

    page = Pdf().page(size=(scan.width * 0.48, scan.height * 0.48))
    page.lines(20, page.size[1] - 30, *words)
    own = Pdf([page]).write(path.with_suffix(".own.pdf"))
    writer = pypdf.PdfWriter(clone_from=saved(path.with_suffix(".scan.pdf"), scan))
    writer.pages[0].merge_page(pypdf.PdfReader(own).pages[0])
    writer.write(path)
    return path


@needs_tesseract
async def test_page_with_an_image_below_a_header_is_read(tmp_path: Path) -> None:
    scan = picture("La tassa comune costa dodici euro", "e la tassa di soggiorno quattro")
    (page,) = (await read(headed(tmp_path / "headed.pdf", "ACME", scan=scan))).pages
    assert page.kind is PageKind.OCR
    assert page.text == "ACME\nLa tassa comune costa dodici euro\ne la tassa di soggiorno quattro"


@needs_tesseract
async def test_page_with_complete_text_keeps_it(tmp_path: Path) -> None:
    (page,) = (await read(headed(tmp_path / "photograph.pdf", "The harbour in May", scan=picture("")))).pages
    assert (page.kind, page.text, page.note) == (PageKind.TEXT, "The harbour in May", None)


async def test_without_recognition_the_ledger_notes_a_page_that_is_an_image(tmp_path: Path) -> None:
    path = headed(tmp_path / "headed.pdf", "ACME", scan=picture("dodici euro"))
    (page,) = (await read(path, engine=OcrEngine.OFF)).pages
    assert (page.kind, page.text) == (PageKind.TEXT, "ACME")
    assert page.note == "Most of this page is a picture or a drawing."


async def test_letters_drawn_as_outlines_are_recognized_but_charts_are_not(tmp_path: Path) -> None:
    pdf = Pdf()
    for boxes in (100, 600):  # four segments each, plus the moves
        page = pdf.page()
        page.text(60, 800, "ACME 2023")
        for number in range(boxes):
            page.box(60 + number % 40 * 10, 60 + number // 40 * 20, 4, 9)
    chart, outlines = (await read(pdf.write(tmp_path / "drawn.pdf"), engine=OcrEngine.OFF)).pages
    assert not chart.is_partial
    assert outlines.is_partial


def page_count(path: Path) -> int:
    numbers: list[int] = []
    extract_pictures(path, limits=LIMITS, password=None, on_page=lambda page, _: numbers.append(page.page_number))
    return len(numbers)


@pytest.mark.parametrize(("suffix", "pages"), [(".tiff", 3), (".png", 1), (".webp", 1)])
def test_only_tiff_images_have_pages(tmp_path: Path, suffix: str, pages: int) -> None:
    made = [picture("one"), picture("two"), picture("three")]
    path = tmp_path / f"scan{suffix}"
    made[0].save(path, save_all=True, append_images=made[1:])
    with Image.open(path) as opened:
        assert getattr(opened, "n_frames", 1) == len(made)
    assert page_count(path) == pages


def directories(raw: bytes) -> list[tuple[int, int]]:
    """Return the start and end of each page's tag list in a TIFF."""
    found: list[tuple[int, int]] = []
    (at,) = struct.unpack_from("<I", raw, 4)
    while at:
        (tags,) = struct.unpack_from("<H", raw, at)
        found.append((at, at + 2 + 12 * tags))
        (at,) = struct.unpack_from("<I", raw, found[-1][1])
    return found


@needs_tesseract
@pytest.mark.parametrize(
    ("damage", "says"),
    [
        ("tags", "Picture 2 of the file is damaged."),
        ("pixels", "Text recognition failed: The picture is damaged."),
        ("size", "Picture 2 has 400,000,000 pixels; the limit is 100,000,000."),
    ],
)
async def test_damaged_tiff_page_loses_only_that_page(tmp_path: Path, damage: str, says: str) -> None:
    path = tmp_path / "scan.tiff"
    made = [picture("prima pagina"), picture("seconda"), picture("terza pagina")]
    made[0].save(path, save_all=True, append_images=made[1:], compression="tiff_lzw", resolution=150.0)
    raw = bytearray(path.read_bytes())
    _, (start, last), *_ = directories(bytes(raw))
    if damage == "tags":
        raw[start + 2 : last] = bytes(last - start - 2)
    elif damage == "pixels":
        raw[start - 3000 : start - 1000] = b"\x55" * 2000  # the data is before its description
    else:
        for tag in range(start + 2, last, 12):
            if struct.unpack_from("<H", raw, tag)[0] in {256, 257}:
                raw[tag + 2 : tag + 12] = struct.pack("<HII", 4, 1, 20_000)
    path.write_bytes(raw)
    document = await read(path)
    assert [page.text for page in document.pages] == ["prima pagina", "", "terza pagina"]
    assert (document.pages[1].kind, document.pages[1].note) == (PageKind.UNREADABLE, says)


@needs_tesseract
async def test_truncated_tiff_is_partly_read_and_noted_in_the_ledger(tmp_path: Path) -> None:
    path = saved(tmp_path / "scan.tiff", picture("prima pagina"), picture("seconda pagina"), picture("terza"))
    raw = path.read_bytes()
    path.write_bytes(raw[: directories(raw)[1][0] + 5])
    first, second = (await read(path)).pages
    assert first.text == "prima pagina"
    assert (second.kind, second.note) == (
        PageKind.UNREADABLE,
        "Picture 2 of the file is damaged. If there were pages after it, they are lost.",
    )


def test_bigtiff_is_a_tiff(tmp_path: Path) -> None:
    path = tmp_path / "scan.tiff"
    picture("euro").save(path, big_tiff=True)
    assert detect_content_type(path.read_bytes(), "scan.tiff") == "image/tiff"
    assert page_count(path) == 1


@needs_tesseract
async def test_page_budget_is_enforced_and_noted_in_the_ledger(tmp_path: Path) -> None:
    path = saved(tmp_path / "scan.tiff", picture("prima pagina"), picture("seconda pagina"))
    first, second = (await read(path, max_pages=1)).pages
    assert first.text == "prima pagina"
    assert (second.kind, second.text) == (PageKind.UNREADABLE, "")
    assert second.note == (
        "The page is a picture; it needs text recognition. Text recognition reads 1 pages of a document at most."
    )


async def test_timeout_keeps_the_pages_read_so_far(tmp_path: Path) -> None:
    with pytest.raises(NoText) as caught:
        await read(saved(tmp_path / "scan.png", picture("euro")), max_seconds=0.01)
    assert "longer than 0.01 seconds" in caught.value.details["pages"][0]["note"]


@needs_tesseract
async def test_a_file_in_a_scan_is_noted_beside_the_engine(tmp_path: Path) -> None:
    writer = pypdf.PdfWriter(clone_from=saved(tmp_path / "plain.pdf", picture("The yearly fee", "is twelve euro")))
    writer.add_attachment("invoice.xml", b"<invoice/>")
    writer.write(tmp_path / "scan.pdf")

    page = (await read(tmp_path / "scan.pdf")).pages[0]

    assert page.text == "The yearly fee\nis twelve euro"
    assert page.note is not None
    assert page.note.startswith("Read by text recognition (Tesseract")
    assert page.note.endswith(" Files in this PDF are not read: invoice.xml.")


async def test_without_recognition_a_scan_fails_for_lack_of_text(tmp_path: Path) -> None:
    with pytest.raises(NoText):
        await read(saved(tmp_path / "scan.png", picture("euro")), engine=OcrEngine.OFF)
    with pytest.raises(NoText) as caught:
        await read(saved(tmp_path / "scan.png", picture("euro")), tessdata=str(tmp_path))
    assert "No text recognition is installed." in caught.value.details["pages"][0]["note"]


async def test_rapidocr_needs_no_system_program(tmp_path: Path) -> None:
    path = saved(tmp_path / "scan.png", picture("The yearly fee", "is twelve euro"))
    (page,) = (await read(path, engine=OcrEngine.RAPIDOCR)).pages
    assert page.text == "The yearly fee\nis twelve euro"
    assert page.note is not None
    assert "rapidocr" in page.note
    assert rectangles(page.boxes, 0, 3)


def word(text: str, left: float, top: float, *, confidence: float = 0.9) -> OcrWord:
    return OcrWord(text, left, top, left + 12 * len(text), top + 20, confidence)


def test_columns_of_prose_are_read_in_sequence() -> None:
    left = [[word("left column of some words", 0, 40 * n)] for n in range(1, 6)]
    right = [[word("right column of some words", 400, 40 * n + 3)] for n in range(1, 6)]
    title = [word("A title over both of the columns of the page", 50, 0)]
    mixed = [line for pair in zip(left, right, strict=True) for line in pair]
    assert order_columns([*mixed, title]) == [title, *left, *right]


def test_low_confidence_words_are_dropped_and_broken_words_joined() -> None:
    sheet = OcrImage(1000, 1000, 0.48)
    lines = [[word("the", 10, 10), word("regula-", 60, 10)], [word("tion", 10, 40), word("~~", 90, 40, confidence=0.1)]]
    page = build_page(1, lines, image=sheet, reader="a test")
    assert page.text == "the regulation"
    assert page.note == "Read by text recognition (a test); confidence 90 %."
    empty = build_page(2, [[word("~", 1, 1, confidence=0.0)]], image=sheet, reader="a test")
    assert (empty.kind, empty.text) == (PageKind.UNREADABLE, "")


def test_confidences_are_packed_with_the_boxes() -> None:
    page = build_page(1, [[word("a", 1, 1, confidence=0.5), word("b", 40, 1)]], image=OcrImage(99, 99, 1.0), reader="x")
    boxes = unpack_boxes(page.boxes)
    assert boxes.confidences is not None
    assert boxes.confidences.round(1).tolist() == [0.5, 0.9]
    assert pack_boxes(boxes) == page.boxes


@pytest.mark.parametrize(
    ("content", "failure"),
    [
        (b"\x89PNG\r\n\x1a\n" + b"\x00" * 40, Corrupt),
        (b"II*\x00\xff\xff\xff\xff", Corrupt),
        (b"RIFF____WEBPVP8 ", Corrupt),
    ],
)
def test_damaged_image_is_reported(tmp_path: Path, content: bytes, failure: type[Exception]) -> None:
    path = tmp_path / "broken"
    path.write_bytes(content)
    with pytest.raises(failure):
        extract_document(path, detect_content_type(content, "broken"), limits=LIMITS)


async def test_image_with_too_many_pixels_is_too_large(tmp_path: Path) -> None:
    path = tmp_path / "large.png"
    Image.new("1", (11_000, 11_000)).save(path)
    assert path.stat().st_size < 50_000
    with pytest.raises(FileTooLarge, match="pixels"):
        await read_in_child(path, "image/png", limits=LIMITS, pages=[])
