"""What reading a file yields: pages, their lines and words' places, the outline, what the file says of itself."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple


class PageKind(StrEnum):
    """What a page was found to be, as the page ledger shows it."""

    TEXT = "text"
    TABLE = "table"
    TOC = "toc"
    OCR = "ocr"
    EMPTY = "empty"
    UNREADABLE = "unreadable"


class LineKind(StrEnum):
    """What a format knows about a line; `PLAIN` leaves it to typography. `PICTURE` was read in a picture among text."""

    PLAIN = "plain"
    TABLE = "table"
    LIST = "list"
    CODE = "code"
    PICTURE = "picture"


class Rect(NamedTuple):
    """A rectangle of a page as displayed: 0..1 of its width and height, origin top-left."""

    x: float
    y: float
    width: float
    height: float


class PageLine(NamedTuple):
    """A line of a page's text.

    `start` and `end` are character offsets in the page text. `left`, `top`, `right`, `bottom` are 0..1 of the page as
    displayed, `font_size` is in points; all five are 0 where the format has no geometry. `cells` counts the runs of
    words between wide gaps. `heading_level` is 1..6 where the format marks its headings (Markdown), else 0.
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
        """Whether the place of the line on its page is known."""
        return self.font_size > 0


class EmbeddedImage(NamedTuple):
    """A picture on a page that has text, large enough to show some: where it is (0..1 of the page as displayed).

    `pixels` is how many it has, `dpi` how finely it is drawn; pictures with the same `key` look the same. Where
    pages have no geometry, `part` names the part of the file that holds it, and `line` says how many of the page's
    lines come before it.
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


@dataclass(frozen=True, slots=True)
class ExtractedPage:
    """One page: its text, where its words are, and what it is.

    `boxes` holds the words' boxes as `boxes.pack_boxes` wrote them; empty where the format has no geometry.
    `note` says in a sentence what a reader of the page ledger should know. `is_partial`: little text beside pictures or
    drawings that take much of the page, and may well be text themselves. `pictures` are those among a page's text.
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
    pictures: tuple[EmbeddedImage, ...] = ()


OnPage = Callable[[ExtractedPage, int], None]
"""Takes each page as soon as it is read, with the number of pages of the file."""


class OutlineItem(NamedTuple):
    """An entry of the outline that a file carries; `level` starts at 1."""

    title: str
    level: int
    page_number: int


class PageImageStatus(StrEnum):
    """Whether the pages of a file can be drawn: not without its password, which is never kept, or not at all."""

    AVAILABLE = "available"
    LOCKED = "locked"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class DocumentMetadata:
    """What a file says of itself beside its pages; `language` only where the author declared one."""

    title: str | None = None
    language: str | None = None
    outline: tuple[OutlineItem, ...] = ()
    information: tuple[tuple[str, str], ...] = ()
    page_images: PageImageStatus = PageImageStatus.NONE


@dataclass(frozen=True, slots=True)
class ExtractedDocument:
    """A file as read: its pages in order and what it says of itself."""

    content_type: str
    pages: tuple[ExtractedPage, ...]
    title: str | None = None
    language: str | None = None
    outline: tuple[OutlineItem, ...] = ()
    information: tuple[tuple[str, str], ...] = ()
    page_images: PageImageStatus = PageImageStatus.NONE


@dataclass(frozen=True, slots=True)
class ExtractionLimits:
    """What one file may cost: address space, wall time, pages, characters and lines.

    The limit on lines keeps what one file may occupy in the caller's memory below half a gigabyte.
    """

    max_memory_bytes: int = 2_147_483_648
    max_seconds: float = 60.0
    max_pages: int = 10_000
    max_characters: int = 50_000_000
    max_page_characters: int = 1_000_000
    max_lines: int = 1_000_000


class OcrEngine(StrEnum):
    """Which reader recognises text in pictures; `AUTO` is Tesseract where it is installed, else rapidocr."""

    AUTO = "auto"
    TESSERACT = "tesseract"
    RAPIDOCR = "rapidocr"
    OFF = "off"


@dataclass(frozen=True, slots=True)
class OcrOptions:
    """How pages without text are read: the reader, languages (ISO 639-1, the likeliest first), and what it may cost.

    `tessdata` is a folder with Tesseract's language data; empty: where its package put them.
    """

    engine: OcrEngine = OcrEngine.AUTO
    languages: tuple[str, ...] = ("en", "it")
    max_pages: int = 500
    max_seconds: float = 900.0
    max_memory_bytes: int = 3_221_225_472
    tessdata: str = ""


class EmbeddedImages(NamedTuple):
    """Pictures of a page that are to be recognised."""

    page_number: int
    pictures: tuple[EmbeddedImage, ...]


class OcrRequest(NamedTuple):
    """Pages to be recognised, pictures on other pages, and how."""

    page_numbers: tuple[int, ...]
    options: OcrOptions
    pictures: tuple[EmbeddedImages, ...] = ()
