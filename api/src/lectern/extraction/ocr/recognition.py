"""Text recognition of pages inside the confined child: which reader, which picture, page by page."""

from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from PIL import Image

from lectern.extraction.budget import Budget
from lectern.extraction.errors import Corrupt, Encrypted, FileTooLarge
from lectern.extraction.images.page_reader import PagesWithPictures
from lectern.extraction.metadata import title_of_page
from lectern.extraction.ocr.pages import OcrImage, OcrReader, build_page
from lectern.extraction.types import (
    DocumentMetadata,
    ExtractedPage,
    ExtractionLimits,
    OcrEngine,
    OcrOptions,
    OcrRequest,
    OnPage,
    PageKind,
)

_DPI = 300.0
_MAX_SIDE = 5_000
_MIN_SIDE = 40
_POINTS_PER_INCH = 72.0


def recognize_pages(
    path: Path,
    content_type: str,
    *,
    wanted: OcrRequest,
    limits: ExtractionLimits,
    password: str | None,
    on_page: OnPage,
) -> DocumentMetadata:
    """Hand each of these pages to `on_page(page, count)` as it is read; one that fails says why in its note.

    Pages come first, then the pictures on other pages: those have text already. Returns the title that the first page
    with text shows.
    """
    budget = Budget(limits)
    count = len(wanted.page_numbers) + len(wanted.pictures)
    first: ExtractedPage | None = None
    for page in chain(
        _pages(path, content_type, wanted, password=password),
        _pages_with_pictures(path, content_type, wanted, limits=limits, password=password),
    ):
        budget.spend(len(page.text), lines=len(page.lines))
        first = first or (page if page.text and page.kind is PageKind.OCR else None)
        on_page(page, count)
    return DocumentMetadata(title=title_of_page(first) if first else None)


def _pages(path: Path, content_type: str, wanted: OcrRequest, *, password: str | None) -> Iterator[ExtractedPage]:
    reader = find_ocr_reader(wanted.options) if wanted.page_numbers else None
    if reader is None:
        return
    for number in wanted.page_numbers:
        try:
            picture = _picture(path, content_type, number, password=password)
            yield _read(reader, picture, number)
        except (Corrupt, Encrypted, FileTooLarge) as failure:
            yield ExtractedPage(number, PageKind.UNREADABLE, "", note=f"Text recognition failed: {failure.message}")


def _pages_with_pictures(
    path: Path, content_type: str, wanted: OcrRequest, *, limits: ExtractionLimits, password: str | None
) -> Iterator[ExtractedPage]:
    reader = find_ocr_reader(wanted.options) if wanted.pictures else None
    if reader is None:
        return
    if content_type != "application/pdf":
        from lectern.extraction.images.office import OfficePictures

        yield from OfficePictures(path, content_type, reader, limits=limits).read(wanted.pictures)
        return
    yield from PagesWithPictures(path, reader, limits=limits, password=password).read(wanted.pictures)


def find_ocr_reader(options: OcrOptions) -> OcrReader | None:
    """Tesseract where it and a language are installed, else rapidocr; as the options say. None for neither."""
    from lectern.extraction.ocr.tesseract import Tesseract

    if options.engine in {OcrEngine.AUTO, OcrEngine.TESSERACT}:
        found = Tesseract.find(options.languages, tessdata=options.tessdata)
        if found is not None or options.engine is OcrEngine.TESSERACT:
            return found
    if options.engine is OcrEngine.OFF:
        return None
    from lectern.extraction.ocr.rapidocr import RapidOcr

    return RapidOcr()


def _read(reader: OcrReader, picture: Image.Image, page_number: int) -> ExtractedPage:
    dpi = float(picture.info["dpi"][0])
    sheet = OcrImage(picture.width, picture.height, _POINTS_PER_INCH / dpi)
    lines = reader.read(picture) if min(picture.size) >= _MIN_SIDE else []
    return build_page(page_number, lines, sheet=sheet, reader=reader.name)


def _picture(path: Path, content_type: str, page_number: int, *, password: str | None) -> Image.Image:
    if content_type == "application/pdf":
        from lectern.extraction.formats.pdf.rendering import draw_page_for_ocr

        return draw_page_for_ocr(path, page_number=page_number, dpi=_DPI, max_side=_MAX_SIDE, password=password)
    from lectern.extraction.formats.image import load_image

    picture = load_image(path, page_number)
    if max(picture.size) > _MAX_SIDE:
        dpi = picture.info["dpi"][0] * _MAX_SIDE / max(picture.size)
        picture.thumbnail((_MAX_SIDE, _MAX_SIDE))
        picture.info["dpi"] = (dpi, dpi)
    return picture
