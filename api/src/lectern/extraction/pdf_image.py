"""A page of a PDF as a picture, as a viewer shows it: crop box, rotation, annotations and filled forms included.

PDFium may abort the process on a hostile file: this runs in a child (`drawing.draw_page`).
"""
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# pypdfium2 carries no types

import io
from pathlib import Path
from typing import Final

import pypdfium2
import pypdfium2.raw as pdfium
from PIL import Image

from lectern.extraction.drawing_task import PictureFormat
from lectern.extraction.errors import Corrupt, Encrypted

MAX_PIXELS: Final = 8_000_000  # 32 MB of bitmap; a page that is very tall for its width comes narrower
_MAX_SIDE: Final = 16_000  # WebP's is 16,383
_POINTS_PER_INCH: Final = 72.0
_QUALITY: Final = 80
_JPEG_QUALITY: Final = 85
_EFFORT: Final = 2  # of 0 to 6: a tenth larger than the best, in a third of its time


class NoSuchPage(LookupError):
    """The file has fewer pages."""


def draw(path: Path, *, page_number: int, width_pixels: int, picture_format: PictureFormat = "webp") -> bytes:
    """The page, `width_pixels` wide.

    Raises `NoSuchPage`, `Encrypted`, `Corrupt`.
    """
    try:
        with pypdfium2.PdfDocument(path) as document:
            if page_number > len(document):
                raise NoSuchPage
            document.init_forms()
            return _encoded(document[page_number - 1], width_pixels, picture_format)
    except pypdfium2.PdfiumError as error:
        if error.err_code in {pdfium.FPDF_ERR_PASSWORD, pdfium.FPDF_ERR_SECURITY}:
            raise Encrypted from error
        raise Corrupt("The page is damaged and cannot be drawn.") from error


def draw_picture(path: Path, *, page_number: int, dpi: float, max_side: int, password: str | None) -> Image.Image:
    """The page as a picture for text recognition, no side longer than `max_side` pixels; `info["dpi"]` is as drawn.

    Raises `NoSuchPage`, `Encrypted`, `Corrupt`.
    """
    try:
        with pypdfium2.PdfDocument(path, password=password) as document:
            if page_number > len(document):
                raise NoSuchPage
            page = document[page_number - 1]
            scale = min(dpi / _POINTS_PER_INCH, max_side / max(*page.get_size(), 0.01))
            bitmap = page.render(scale=scale)  # pyright: ignore[reportArgumentType] - any number
            picture = bitmap.to_pil().convert("RGB")
            picture.info["dpi"] = (scale * _POINTS_PER_INCH, scale * _POINTS_PER_INCH)
            return picture
    except pypdfium2.PdfiumError as error:
        if error.err_code in {pdfium.FPDF_ERR_PASSWORD, pdfium.FPDF_ERR_SECURITY}:
            raise Encrypted from error
        raise Corrupt("The page is damaged and cannot be drawn.") from error


def _encoded(page: pypdfium2.PdfPage, width_pixels: int, picture_format: PictureFormat) -> bytes:
    width, height = (max(float(side), 0.01) for side in page.get_size())
    scale = min(width_pixels / width, (MAX_PIXELS / (width * height)) ** 0.5, _MAX_SIDE / max(width, height))
    if width * scale < 1 or height * scale < 1:
        raise Corrupt("The page is a line without breadth and cannot be drawn.")
    # the bitmap's sides are rounded up: the least that still gives the width asked for
    bitmap = page.render(scale=scale * (1 - 1e-9), rev_byteorder=True)  # pyright: ignore[reportArgumentType] - any number
    output = io.BytesIO()
    picture = bitmap.to_pil().convert("RGB")
    if picture_format == "jpeg":
        picture.save(output, "JPEG", quality=_JPEG_QUALITY)
    else:
        picture.save(output, "WEBP", quality=_QUALITY, method=_EFFORT)
    return output.getvalue()
