"""Results and options of extraction: pages with lines and word boxes, metadata, limits."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, NamedTuple

ImageFormat = Literal["webp", "jpeg"]


class PageKind(StrEnum):
    """The kind of a page in the page ledger."""

    TEXT = "text"
    TABLE = "table"
    TOC = "toc"
    OCR = "ocr"
    EMPTY = "empty"
    UNREADABLE = "unreadable"


class LineKind(StrEnum):
    """The kind of a line as its format marks it. `PLAIN` leaves it to typography; `IMAGE` was read in an image."""

    PLAIN = "plain"
    TABLE = "table"
    LIST = "list"
    CODE = "code"
    IMAGE = "image"


class Rect(NamedTuple):
    """A rectangle of a page as displayed: 0..1 of its width and height, origin top-left."""

    x: float
    y: float
    width: float
    height: float


class PageLine(NamedTuple):
    """A line of a page's text.

    `start` and `end` are character offsets in the page text. `left`, `top`, `right`, `bottom` are 0..1 of the page as
    displayed, and of a scan that is turned, as it is read. `font_size` is in points; all five are 0 in formats without
    geometry. `cells` counts the runs of words between wide gaps. `heading_level` is 1..6 in formats that mark headings
    (Markdown), else 0.
    """

    start: int
    end: int
    font_size: float = 0.0
    is_bold: bool = False
    left: float = 0.0
    top: float = 0.0
    right: float = 0.0
    bottom: float = 0.0
    cells: int = 1
    heading_level: int = 0
    kind: LineKind = LineKind.PLAIN

    @property
    def has_geometry(self) -> bool:
        """Return whether the position on the page is known."""
        return self.font_size > 0


class EmbeddedImage(NamedTuple):
    """An image among the text of a page, large enough to show text of its own.

    The sides are 0..1 of the page as displayed. `pixels` is its area, `dpi` its resolution on the page. Images with one
    `key` look the same. In formats without geometry, `part` names the part of the file that holds the image, and `line`
    counts the lines of the page before it.
    """

    left: float
    top: float
    right: float
    bottom: float
    pixels: int
    dpi: float
    key: str
    part: str = ""
    line: int = 0


class RecognizedImage(NamedTuple):
    """The text of an image among the text of a page, and the confidence of its recognition (0..1)."""

    text: str
    confidence: float


@dataclass(frozen=True, slots=True)
class ExtractedPage:
    """A page: its text, lines, word boxes and kind.

    `boxes` is packed by `layout.boxes.pack_boxes`; empty in formats without geometry. `note` is a sentence for the page
    ledger. `is_partial` marks little text beside images or drawings that cover much of the page and may be text too.
    `confidence` (0..1) is that of the recognized text of the page, None without such text.
    """

    page_number: int
    kind: PageKind
    text: str
    width_points: float = 0.0
    height_points: float = 0.0
    boxes: bytes = b""
    lines: tuple[PageLine, ...] = ()
    note: str | None = None
    is_partial: bool = False
    images: tuple[EmbeddedImage, ...] = ()
    confidence: float | None = None
    recognized_images: tuple[RecognizedImage, ...] = ()


OnPage = Callable[[ExtractedPage, int], None]
"""Takes each page as soon as it is read, with the page count of the file."""


class OutlineItem(NamedTuple):
    """An entry of the outline in a file; `level` starts at 1."""

    title: str
    level: int
    page_number: int


class PageImageStatus(StrEnum):
    """Availability of page images. `LOCKED` files need a password, which is never stored."""

    AVAILABLE = "available"
    LOCKED = "locked"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class DocumentMetadata:
    """Title, outline and properties as stated in a file. `language` is set only where the author declared one.

    `note` is a sentence for the ledger of the first page: what the file has beside its pages.
    """

    title: str | None = None
    language: str | None = None
    outline: tuple[OutlineItem, ...] = ()
    information: tuple[tuple[str, str], ...] = ()
    page_images: PageImageStatus = PageImageStatus.NONE
    note: str = ""


@dataclass(frozen=True, slots=True)
class ExtractedDocument:
    """A file as read: its pages in order and its metadata."""

    content_type: str
    pages: tuple[ExtractedPage, ...]
    metadata: DocumentMetadata = DocumentMetadata()


@dataclass(frozen=True, slots=True)
class ExtractionLimits:
    """Limits for one file: address space, wall time, pages, characters and lines.

    The limit on lines keeps the memory of the caller below half a gigabyte.
    """

    max_memory_bytes: int = 2_147_483_648
    max_seconds: float = 60.0
    max_pages: int = 10_000
    max_characters: int = 50_000_000
    max_page_characters: int = 1_000_000
    max_lines: int = 1_000_000


class OcrEngine(StrEnum):
    """The engine for text recognition. `AUTO` is Tesseract where it is installed, else rapidocr."""

    AUTO = "auto"
    TESSERACT = "tesseract"
    RAPIDOCR = "rapidocr"
    OFF = "off"


@dataclass(frozen=True, slots=True)
class OcrOptions:
    """Engine, languages (ISO 639-1, most likely first) and limits of text recognition.

    `tessdata` is a folder with Tesseract's language data. Empty means the folder of its package.
    """

    engine: OcrEngine = OcrEngine.AUTO
    languages: tuple[str, ...] = ("en", "it")
    max_pages: int = 500
    max_seconds: float = 900.0
    max_memory_bytes: int = 3_221_225_472
    tessdata: str = ""


class ImagesOfPage(NamedTuple):
    page_number: int
    images: tuple[EmbeddedImage, ...]


class OcrRequest(NamedTuple):
    """Whole pages, and images among the text of other pages, to recognize."""

    page_numbers: tuple[int, ...]
    options: OcrOptions
    images: tuple[ImagesOfPage, ...] = ()
