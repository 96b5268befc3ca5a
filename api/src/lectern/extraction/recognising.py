"""Text recognition of pages inside the confined child: which reader, which picture, page by page."""

from pathlib import Path
from typing import Protocol

from PIL import Image

from lectern.extraction.errors import Corrupt, Encrypted, FileTooLarge
from lectern.extraction.limits import Budget
from lectern.extraction.recognised import Line, Sheet, make_page
from lectern.extraction.types import ExtractedPage, ExtractionLimits, OcrEngine, OcrOptions, OnPage, PageKind

_DPI = 300.0
_MAX_SIDE = 5_000
_MIN_SIDE = 40
_POINTS_PER_INCH = 72.0


class PictureReader(Protocol):
    """Reads the words of a picture."""

    name: str

    def read(self, picture: Image.Image) -> list[Line]:
        """The lines of a picture in reading order."""
        ...


def recognise(
    path: Path,
    content_type: str,
    *,
    page_numbers: tuple[int, ...],
    options: OcrOptions,
    limits: ExtractionLimits,
    password: str | None,
    on_page: OnPage,
) -> None:
    """Hand each of these pages to `on_page(page, count)` as it is read; one that fails says why in its note."""
    reader = find_reader(options)
    if reader is None:
        return
    budget = Budget(limits)
    for number in page_numbers:
        try:
            picture = _picture(path, content_type, number, password=password)
            page = _read(reader, picture, number)
        except (Corrupt, Encrypted, FileTooLarge) as failure:
            page = ExtractedPage(number, PageKind.UNREADABLE, "", note=f"Text recognition failed: {failure.message}")
        budget.spend(len(page.text), lines=len(page.lines))
        on_page(page, len(page_numbers))


def find_reader(options: OcrOptions) -> PictureReader | None:
    """Tesseract where it and a language are installed, else rapidocr; as the options say. None for neither."""
    from lectern.extraction.tesseract import Tesseract

    if options.engine in {OcrEngine.AUTO, OcrEngine.TESSERACT}:
        found = Tesseract.find(options.languages, tessdata=options.tessdata)
        if found is not None or options.engine is OcrEngine.TESSERACT:
            return found
    if options.engine is OcrEngine.OFF:
        return None
    from lectern.extraction.rapid import Rapid

    return Rapid()


def _read(reader: PictureReader, picture: Image.Image, page_number: int) -> ExtractedPage:
    dpi = float(picture.info["dpi"][0])
    sheet = Sheet(picture.width, picture.height, _POINTS_PER_INCH / dpi)
    lines = reader.read(picture) if min(picture.size) >= _MIN_SIDE else []
    return make_page(page_number, lines, sheet=sheet, reader=reader.name)


def _picture(path: Path, content_type: str, page_number: int, *, password: str | None) -> Image.Image:
    if content_type == "application/pdf":
        from lectern.extraction.pdf_image import draw_picture

        return draw_picture(path, page_number=page_number, dpi=_DPI, max_side=_MAX_SIDE, password=password)
    from lectern.extraction.pictures import load_picture

    picture = load_picture(path, page_number)
    if max(picture.size) > _MAX_SIDE:
        dpi = picture.info["dpi"][0] * _MAX_SIDE / max(picture.size)
        picture.thumbnail((_MAX_SIDE, _MAX_SIDE))
        picture.info["dpi"] = (dpi, dpi)
    return picture
