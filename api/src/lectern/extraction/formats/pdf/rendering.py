"""Draw a page of a PDF as a viewer shows it: crop box, rotation, annotations and filled forms.

PDFium may abort the process on a hostile file. This runs in a child (`sandbox.drawing`).
"""
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# pypdfium2 has no types

import math
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import pypdfium2
import pypdfium2.raw as pdfium
from PIL import Image

from lectern.extraction.errors import Corrupt, Encrypted
from lectern.extraction.formats.image import NoSuchPage, encode_image
from lectern.extraction.types import EmbeddedImage, ImageFormat

if TYPE_CHECKING:
    from lectern.extraction.ocr.pages import OcrWord  # a process that draws pages needs no numpy

MAX_PIXELS: Final = 8_000_000  # 32 MB of bitmap; very tall pages are drawn narrower
_MAX_SIDE: Final = 16_000  # WebP's is 16,383
_POINTS_PER_INCH: Final = 72.0


def draw(path: Path, *, page_number: int, width_pixels: int, image_format: ImageFormat = "webp") -> bytes:
    """Draw a page `width_pixels` wide.

    Raises `NoSuchPage`, `Encrypted`, `Corrupt`.
    """
    with _opened(path) as document:
        if page_number > len(document):
            raise NoSuchPage
        document.init_forms()
        return _encoded(document[page_number - 1], width_pixels, image_format)


def draw_page_for_ocr(path: Path, *, page_number: int, dpi: float, max_side: int, password: str | None) -> Image.Image:
    """Draw a page for text recognition, no side longer than `max_side` pixels. `info["dpi"]` is as drawn.

    Raises `NoSuchPage`, `Encrypted`, `Corrupt`.
    """
    with _opened(path, password=password) as document:
        if page_number > len(document):
            raise NoSuchPage
        document.init_forms()
        page = document[page_number - 1]
        scale = min(dpi / _POINTS_PER_INCH, max_side / max(*page.get_size(), 0.01))
        bitmap = page.render(scale=scale)  # pyright: ignore[reportArgumentType] - any number
        image = bitmap.to_pil().convert("RGB")
        image.info["dpi"] = (scale * _POINTS_PER_INCH, scale * _POINTS_PER_INCH)
        return image


class PageRegion(NamedTuple):
    """A region of a page as an image. `left` and `top` are the offset of the image in points."""

    image: Image.Image
    left: float
    top: float
    points_per_pixel: float

    @property
    def middle(self) -> tuple[float, float]:
        """Return the middle of the image in points from the upper left corner of the region."""
        width, height = self.image.size
        return self.left + width * self.points_per_pixel / 2, self.top + height * self.points_per_pixel / 2

    def in_points(self, word: "OcrWord") -> "OcrWord":
        """Return a word in points from the upper left corner of the image."""
        scale = self.points_per_pixel
        return word._replace(
            left=word.left * scale,
            top=word.top * scale,
            right=word.right * scale,
            bottom=word.bottom * scale,
            size=word.size and word.size * scale,
        )


def draw_region(
    path: Path, *, page_number: int, region: EmbeddedImage, dpi: float, max_side: int, password: str | None
) -> PageRegion:
    """Draw the region of an image at the resolution of the image, and enlarge it to `dpi`.

    PDFium's own enlarging leaves steps in the letters that cost words. Raises `Encrypted`, `Corrupt`.
    """
    with _opened(path, password=password, drawn="picture") as document:
        return _draw_region(document[page_number - 1], region, dpi=dpi, max_side=max_side)


@contextmanager
def _opened(path: Path, *, password: str | None = None, drawn: str = "page") -> Generator[pypdfium2.PdfDocument]:
    """Open a PDF, and translate PDFium's errors until it is closed. Raises `Encrypted`, `Corrupt`."""
    try:
        with pypdfium2.PdfDocument(path, password=password) as document:
            yield document
    except pypdfium2.PdfiumError as error:
        if error.err_code in {pdfium.FPDF_ERR_PASSWORD, pdfium.FPDF_ERR_SECURITY}:
            raise Encrypted from error
        raise Corrupt(f"The {drawn} is damaged and cannot be drawn.") from error


def _draw_region(page: pypdfium2.PdfPage, region: EmbeddedImage, *, dpi: float, max_side: int) -> PageRegion:
    width, height = page.get_size()
    left, right, top, bottom = region.left * width, region.right * width, region.top * height, region.bottom * height
    finest = min(dpi, max_side / max(right - left, bottom - top, 0.01) * _POINTS_PER_INCH)
    scale = min(finest, max(region.dpi, _POINTS_PER_INCH)) / _POINTS_PER_INCH
    x, y = math.floor(left * scale), math.floor(top * scale)
    across, down = max(1, math.ceil(right * scale) - x), max(1, math.ceil(bottom * scale) - y)
    bitmap = pypdfium2.PdfBitmap.new_native(across, down, pdfium.FPDFBitmap_BGR)
    bitmap.fill_rect((255, 255, 255, 255), 0, 0, across, down)
    sides = (math.ceil(width * scale), math.ceil(height * scale))
    pdfium.FPDF_RenderPageBitmap(bitmap.raw, page.raw, -x, -y, *sides, 0, 0)
    image = bitmap.to_pil().convert("RGB")
    larger = min(finest / _POINTS_PER_INCH / scale, max_side / max(across, down))
    if larger > 1:
        image = image.resize((round(across * larger), round(down * larger)), Image.Resampling.BICUBIC)
    else:
        larger = 1.0
    scale *= larger
    image.info["dpi"] = (scale * _POINTS_PER_INCH, scale * _POINTS_PER_INCH)
    return PageRegion(image, x * larger / scale - left, y * larger / scale - top, 1 / scale)


def _encoded(page: pypdfium2.PdfPage, width_pixels: int, image_format: ImageFormat) -> bytes:
    width, height = (max(float(side), 0.01) for side in page.get_size())
    scale = min(width_pixels / width, (MAX_PIXELS / (width * height)) ** 0.5, _MAX_SIDE / max(width, height))
    if width * scale < 1 or height * scale < 1:
        raise Corrupt("The page is a line without breadth and cannot be drawn.")
    # The sides of the bitmap are rounded up. Use the smallest scale that gives the width.
    bitmap = page.render(scale=scale * (1 - 1e-9), rev_byteorder=True)  # pyright: ignore[reportArgumentType] - any number
    return encode_image(bitmap.to_pil().convert("RGB"), image_format)
