"""Documents for chunking tests, without a file: plain text, or lines with sizes, weights and positions."""

from typing import NamedTuple

from lectern.extraction.formats.text import page_lines
from lectern.extraction.types import DocumentMetadata, ExtractedDocument, ExtractedPage, OutlineItem, PageKind, PageLine

BODY_SIZE = 10.0
LINE_STEP = 0.018


class Set(NamedTuple):
    """A line as set on its page; `gap` is the space above it in lines."""

    text: str
    size: float = BODY_SIZE
    bold: bool = False
    left: float = 0.1
    gap: float = 0.2
    cells: int = 1


def heading(text: str, *, size: float = 14.0, bold: bool = True) -> Set:
    return Set(text, size=size, bold=bold, gap=1.5)


def row(*cells: str) -> Set:
    return Set(" ".join(cells), cells=len(cells))


def plain(*pages: str, language: str | None = None) -> ExtractedDocument:
    """Pages of plain text, without places."""
    made = tuple(
        ExtractedPage(number, PageKind.TEXT if text.strip() else PageKind.EMPTY, text, lines=page_lines(text))
        for number, text in enumerate(pages, start=1)
    )
    return ExtractedDocument("text/plain", made, DocumentMetadata(language=language))


def typeset(*pages: list[Set], outline: tuple[OutlineItem, ...] = ()) -> ExtractedDocument:
    """Pages of lines with places, one below the other."""
    made = tuple(_page(number, lines) for number, lines in enumerate(pages, start=1))
    return ExtractedDocument("application/pdf", made, DocumentMetadata(outline=outline))


def _page(number: int, lines: list[Set]) -> ExtractedPage:
    placed: list[PageLine] = []
    start, top = 0, 0.04
    for line in lines:
        height = LINE_STEP * 0.8 * line.size / BODY_SIZE
        top += line.gap * height
        right = min(0.95, line.left + 0.008 * len(line.text))
        placed.append(
            PageLine(
                start, start + len(line.text), line.size, line.bold, line.left, top, right, top + height, line.cells
            )
        )
        start += len(line.text) + 1
        top += height
    text = "\n".join(line.text for line in lines)
    kind = PageKind.TEXT if text else PageKind.EMPTY
    return ExtractedPage(number, kind, text, 595, 842, lines=tuple(placed))
