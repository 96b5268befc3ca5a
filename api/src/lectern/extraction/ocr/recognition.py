"""Recognize whole pages and embedded images. Runs in the confined child."""

import importlib.util
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from PIL import Image

from lectern.extraction.budget import Budget
from lectern.extraction.errors import Corrupt, Encrypted, FileTooLarge
from lectern.extraction.layout.page_composer import NO_RULES
from lectern.extraction.layout.page_title import title_of_page
from lectern.extraction.ocr.embedded_images import OfficeImageReader, PdfImageReader
from lectern.extraction.ocr.orientation import read_upright
from lectern.extraction.ocr.pages import MAX_SIDE, OcrImage, OcrReader, build_page
from lectern.extraction.ocr.rules import find_rules
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
_POINTS_PER_INCH = 72.0


def recognize_pages(
    path: Path,
    content_type: str,
    *,
    request: OcrRequest,
    limits: ExtractionLimits,
    password: str | None,
    on_page: OnPage,
) -> DocumentMetadata:
    """Pass each requested page to `on_page(page, count)`. A page that fails says why in its note.

    Pages without text come first. Returns the title that the first recognized page shows.
    """
    budget = Budget(limits)
    count = len(request.page_numbers) + len(request.images)
    first: ExtractedPage | None = None
    for page in chain(
        _pages(path, content_type, request, password=password),
        _pages_with_images(path, content_type, request, limits=limits, password=password),
    ):
        budget.spend(len(page.text), lines=len(page.lines))
        first = first or (page if page.text and page.kind is PageKind.OCR else None)
        on_page(page, count)
    return DocumentMetadata(title=title_of_page(first) if first else None)


def find_ocr_reader(options: OcrOptions) -> OcrReader | None:
    """Return Tesseract if it and a language are installed, else rapidocr if installed, as the options allow."""
    from lectern.extraction.ocr.tesseract import Tesseract

    if options.engine in {OcrEngine.AUTO, OcrEngine.TESSERACT}:
        tesseract = Tesseract.find(options.languages, tessdata=options.tessdata)
        if tesseract is not None or options.engine is OcrEngine.TESSERACT:
            return tesseract
    if options.engine is OcrEngine.OFF or importlib.util.find_spec("rapidocr") is None:  # container images lack it
        return None
    from lectern.extraction.ocr.rapidocr import RapidOcr

    return RapidOcr()


def _pages(path: Path, content_type: str, request: OcrRequest, *, password: str | None) -> Iterator[ExtractedPage]:
    reader = find_ocr_reader(request.options) if request.page_numbers else None
    if reader is None:
        return
    for number in request.page_numbers:
        try:
            yield recognize_image(reader, _draw(path, content_type, number, password=password), number)
        except (Corrupt, Encrypted, FileTooLarge) as failure:
            yield ExtractedPage(number, PageKind.UNREADABLE, "", note=f"Text recognition failed: {failure.message}")


def _pages_with_images(
    path: Path, content_type: str, request: OcrRequest, *, limits: ExtractionLimits, password: str | None
) -> Iterator[ExtractedPage]:
    reader = find_ocr_reader(request.options) if request.images else None
    if reader is None:
        return
    if content_type == "application/pdf":
        yield from PdfImageReader(path, reader, limits=limits, password=password).read(request.images)
    else:
        yield from OfficeImageReader(path, content_type, reader, limits=limits).read(request.images)


def recognize_image(reader: OcrReader, image: Image.Image, page_number: int) -> ExtractedPage:
    """Return the page that an image shows. Its `info["dpi"]` must be set."""
    level, lines = read_upright(reader, image)
    size = OcrImage(*level.image.size, _POINTS_PER_INCH / float(image.info["dpi"][0]))
    rules = find_rules(level.image, points_per_pixel=size.points_per_pixel) if lines else NO_RULES
    return level.map_back(build_page(page_number, lines, image=size, reader=reader.name, rules=rules))


def _draw(path: Path, content_type: str, page_number: int, *, password: str | None) -> Image.Image:
    if content_type == "application/pdf":
        from lectern.extraction.formats.pdf.rendering import draw_page_for_ocr

        return draw_page_for_ocr(path, page_number=page_number, dpi=_DPI, max_side=MAX_SIDE, password=password)
    from lectern.extraction.formats.image import load_image

    image = load_image(path, page_number)
    if max(image.size) > MAX_SIDE:
        dpi = image.info["dpi"][0] * MAX_SIDE / max(image.size)
        image.thumbnail((MAX_SIDE, MAX_SIDE))
        image.info["dpi"] = (dpi, dpi)
    return image
