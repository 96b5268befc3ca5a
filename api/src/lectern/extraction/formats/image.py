"""PNG, JPEG, TIFF and WebP: a page for text recognition; a TIFF has one for each of its images.

Further frames of other formats are no pages, but animations or extra data of a camera.
"""

import warnings
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from PIL import Image, ImageOps, UnidentifiedImageError

from lectern.extraction.budget import Budget
from lectern.extraction.errors import Corrupt, FileTooLarge
from lectern.extraction.formats.archive import PARSER_ERRORS
from lectern.extraction.types import (
    DocumentMetadata,
    ExtractedPage,
    ExtractionLimits,
    ImageFormat,
    OnPage,
    PageImageStatus,
    PageKind,
)

MAX_PIXELS = 100_000_000
NEEDS_OCR = "The page is a picture; it needs text recognition."
_END_LOST = "If there were pages after it, they are lost."
_FORMATS = ("PNG", "JPEG", "TIFF", "WEBP")
_FORMATS_INSIDE = (*_FORMATS, "GIF", "BMP")
_MULTI_PAGE = "TIFF"
_USUAL_DPI = 150.0
_SENSIBLE_DPI = (50.0, 2400.0)
_POINTS_PER_INCH = 72.0
_MAX_DRAWN_PIXELS = 8_000_000
_MAX_DRAWN_SIDE = 16_000  # WebP's is 16,383
_WEBP_QUALITY = 80
_JPEG_QUALITY = 85
_WEBP_EFFORT = 2  # of 0 to 6: a tenth larger than the best, in a third of its time
_EXIF_ORIENTATION = 0x0112
_ON_SIDE = {5, 6, 7, 8}


class NoSuchPage(LookupError):
    """The file has fewer pages."""


def extract(path: Path, *, limits: ExtractionLimits, password: str | None, on_page: OnPage) -> DocumentMetadata:
    """Pass pages without text to `on_page(page, page_count)`; an image has no metadata."""
    del password
    budget = Budget(limits)
    pages: list[ExtractedPage] = []
    with _open(path) as opened:
        while (page := _find_page(opened, len(pages) + 1)) is not None:
            budget.check_page_count(page.page_number)
            pages.append(page)
        if not any(page.width_points for page in pages):
            opened.seek(0)
            _check_size(opened, 1)
    if pages[-1].note == _damaged(len(pages)).message:
        pages[-1] = replace(pages[-1], note=f"{pages[-1].note} {_END_LOST}")
    for page in pages:
        on_page(page, len(pages))
    return DocumentMetadata(page_images=PageImageStatus.AVAILABLE)


def draw(path: Path, *, page_number: int, width_pixels: int, image_format: ImageFormat = "webp") -> bytes:
    """Draw an image of the file upright and on white, `width_pixels` wide or as wide as it is.

    Raises `NoSuchPage`, `Corrupt`, `FileTooLarge`.
    """
    with _open(path) as opened:
        if _find_page(opened, page_number) is None:
            raise NoSuchPage
        _turn_to(opened, page_number)
        try:
            return encode_image(_upright(opened, width_pixels), image_format)
        except PARSER_ERRORS as error:
            raise _damaged(page_number) from error


def _upright(opened: Image.Image, width_pixels: int) -> Image.Image:
    """Return the image upright, at most `width_pixels` wide, without a full copy in memory where it can be avoided."""
    # Pillow turns a TIFF when it loads it.
    is_on_side = opened.format != _MULTI_PAGE and opened.getexif().get(_EXIF_ORIENTATION) in _ON_SIDE
    width, height = reversed(opened.size) if is_on_side else opened.size
    scale = min(1, width_pixels / width, (_MAX_DRAWN_PIXELS / (width * height)) ** 0.5, _MAX_DRAWN_SIDE / height)
    size = max(1, round(opened.width * scale)), max(1, round(opened.height * scale))
    opened.draft("RGB", size)  # a JPEG is decoded smaller
    image = opened if opened.mode in {"L", "RGB", "RGBA"} else _in_plain_mode(opened)
    image = ImageOps.exif_transpose(image.resize(size, Image.Resampling.BICUBIC, reducing_gap=2.0))
    if image.mode != "RGBA":
        return image.convert("RGB")
    paper = Image.new("RGB", image.size, "white")
    paper.paste(image, mask=image.getchannel("A"))
    return paper


def _in_plain_mode(image: Image.Image) -> Image.Image:
    if image.mode == "1":
        return image.convert("L")
    return image.convert("RGBA" if image.has_transparency_data else "RGB")


def encode_image(image: Image.Image, image_format: ImageFormat) -> bytes:
    """Encode the image of a page for viewers."""
    output = BytesIO()
    if image_format == "jpeg":
        image.save(output, "JPEG", quality=_JPEG_QUALITY)
    else:
        image.save(output, "WEBP", quality=_WEBP_QUALITY, method=_WEBP_EFFORT)
    return output.getvalue()


def load_image(path: Path, page_number: int) -> Image.Image:
    """Load an image of the file, turned upright by its EXIF orientation. Raises `Corrupt`, `FileTooLarge`."""
    with _open(path) as opened:
        _turn_to(opened, page_number)
        dpi = dots_per_inch(opened)
        try:
            image = ImageOps.exif_transpose(opened.convert("RGB"))
        except PARSER_ERRORS as error:
            raise Corrupt("The picture is damaged.") from error
        image.info["dpi"] = (dpi, dpi)
        return image


class ImageSize(NamedTuple):
    """The size of an image in pixels and its resolution."""

    width: int
    height: int
    dpi: float


def read_image_size(raw: bytes) -> ImageSize | None:
    """Return the size of an image in another file; more than `MAX_PIXELS` if too large, None if it is no image."""
    try:
        with _open(BytesIO(raw), formats=_FORMATS_INSIDE) as opened:
            return ImageSize(*opened.size, dots_per_inch(opened))
    except Corrupt:
        return None
    except FileTooLarge:
        return ImageSize(MAX_PIXELS + 1, 1, _USUAL_DPI)


def open_embedded_image(raw: bytes) -> Image.Image:
    """Load an image in another file as RGBA. Raises `Corrupt`, `FileTooLarge`."""
    with _open(BytesIO(raw), formats=_FORMATS_INSIDE) as opened:
        _check_size(opened, 1)
        try:
            return opened.convert("RGBA")
        except PARSER_ERRORS as error:
            raise Corrupt("The picture is damaged.") from error


def dots_per_inch(image: Image.Image) -> float:
    """Return the stated resolution if it is sensible, else 150."""
    stated = image.info.get("dpi")
    try:
        dpi = float(stated[0]) if stated else _USUAL_DPI
    except (TypeError, ValueError, IndexError, ZeroDivisionError):
        return _USUAL_DPI
    return dpi if _SENSIBLE_DPI[0] <= dpi <= _SENSIBLE_DPI[1] else _USUAL_DPI


@contextmanager
def _open(source: Path | BytesIO, *, formats: tuple[str, ...] = _FORMATS) -> Generator[Image.Image]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about large images and odd metadata; sizes are checked here
        try:
            opened = Image.open(source, formats=formats)
        except (UnidentifiedImageError, *PARSER_ERRORS) as error:
            raise Corrupt("The file is damaged: it is no picture that could be read.") from error
        except Image.DecompressionBombError as error:
            raise FileTooLarge("The picture has too many pixels.") from error
        with opened:
            yield opened


def _find_page(opened: Image.Image, page_number: int) -> ExtractedPage | None:
    """Return a page of the file, even a damaged or too large one; None beyond the last."""
    if page_number > 1 and opened.format != _MULTI_PAGE:
        return None
    try:
        opened.seek(page_number - 1)
        _check_size(opened, page_number)
    except EOFError:
        return None
    except PARSER_ERRORS:
        return ExtractedPage(page_number, PageKind.UNREADABLE, "", note=_damaged(page_number).message)
    except FileTooLarge as failure:
        return ExtractedPage(page_number, PageKind.UNREADABLE, "", note=failure.message)
    width, height = opened.size
    scale = _POINTS_PER_INCH / dots_per_inch(opened)
    return ExtractedPage(page_number, PageKind.UNREADABLE, "", width * scale, height * scale, note=NEEDS_OCR)


def _turn_to(opened: Image.Image, page_number: int) -> None:
    try:
        opened.seek(page_number - 1)
    except PARSER_ERRORS as error:
        raise _damaged(page_number) from error
    _check_size(opened, page_number)


def _damaged(page_number: int) -> Corrupt:
    return Corrupt(f"Picture {page_number} of the file is damaged.")


def _check_size(opened: Image.Image, page_number: int) -> None:
    width, height = opened.size
    if width * height > MAX_PIXELS:
        raise FileTooLarge(
            f"Picture {page_number} has {width * height:,} pixels; the limit is {MAX_PIXELS:,}.",
            details={"page_number": page_number, "pixels": width * height, "max_pixels": MAX_PIXELS},
        )
