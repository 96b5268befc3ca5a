"""Annotations of a PDF page, through PDFium: filled fields, text boxes, stamps and comments."""
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# pypdfium2 has no types

import ctypes
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import accumulate
from typing import Final, NamedTuple

import numpy as np
import pypdfium2
import pypdfium2.raw as pdfium

from lectern.extraction.formats.comments import format_comment
from lectern.extraction.layout.boxes import WordBoxes, pack_boxes, unpack_boxes
from lectern.extraction.layout.text_cleaning import clean_text
from lectern.extraction.types import ExtractedPage, PageLine

_SHOWN: Final = frozenset({pdfium.FPDF_ANNOT_FREETEXT, pdfium.FPDF_ANNOT_STAMP, pdfium.FPDF_ANNOT_WIDGET})
_MARKS: Final = (
    *(pdfium.FPDF_ANNOT_HIGHLIGHT, pdfium.FPDF_ANNOT_UNDERLINE, pdfium.FPDF_ANNOT_SQUIGGLY),
    *(pdfium.FPDF_ANNOT_STRIKEOUT, pdfium.FPDF_ANNOT_CARET, pdfium.FPDF_ANNOT_LINE, pdfium.FPDF_ANNOT_SQUARE),
    *(pdfium.FPDF_ANNOT_CIRCLE, pdfium.FPDF_ANNOT_POLYGON, pdfium.FPDF_ANNOT_POLYLINE, pdfium.FPDF_ANNOT_INK),
)
_COMMENTS: Final = frozenset({pdfium.FPDF_ANNOT_TEXT, *_MARKS})
_HIDDEN: Final = pdfium.FPDF_ANNOT_FLAG_HIDDEN | pdfium.FPDF_ANNOT_FLAG_NOVIEW
_FONT_SIZE: Final = 10.0  # comments have none


class Comment(NamedTuple):
    """A comment as text, with its rectangle in the page's own space: left, bottom, right, top in points."""

    text: str
    rectangle: tuple[float, float, float, float]


class LoadedPage(NamedTuple):
    """A page with its fields, text boxes and stamps as part of it, and its comments from top to bottom.

    `own_characters` is the number of characters before the added ones; None if nothing was added.
    """

    page: pypdfium2.PdfPage
    own_characters: int | None
    comments: Sequence[Comment]


def load_page(document: pypdfium2.PdfDocument, index: int) -> LoadedPage:
    """Load a page with its annotations. Raises `PdfiumError`.

    PDFium's text of a page leaves fields out until a copy of the page is flattened and loaded again, which removes
    comments. The file does not change.
    """
    page = document[index]
    comments = _read_comments(page)
    if not any(kind in _SHOWN for kind, _ in _annotations(page)):
        return LoadedPage(page, None, comments)
    text_page = page.get_textpage()
    own_characters = max(0, int(pdfium.FPDFText_CountChars(text_page.raw)))
    text_page.close()
    page.close()
    copy = pypdfium2.PdfDocument.new()  # a flattened page forgets the fonts that it inherits; a copy inherits none
    copy.import_pages(document, pages=[index])
    page = copy[0]
    is_flat = pdfium.FPDFPage_Flatten(page.raw, pdfium.FLAT_NORMALDISPLAY) != pdfium.FLATTEN_FAIL
    page.close()
    if not is_flat:
        raise pypdfium2.PdfiumError("The annotations of the page are damaged.")
    return LoadedPage(copy[0], own_characters, comments)


def _read_comments(page: pypdfium2.PdfPage) -> list[Comment]:
    """Return the comments of a page from top to bottom."""
    comments: list[Comment] = []
    for kind, annotation in _annotations(page):
        is_comment = kind in _COMMENTS or (kind == pdfium.FPDF_ANNOT_FREETEXT and not _is_drawn(annotation))
        if not is_comment or pdfium.FPDFAnnot_GetFlags(annotation) & _HIDDEN:
            continue
        if pdfium.FPDFAnnot_HasKey(annotation, b"StateModel"):  # such as "Accepted", set by a reviewer
            continue
        text = clean_text(_string(annotation, b"Contents"))
        if not text.strip():
            continue
        author = clean_text(_string(annotation, b"T"))
        box = pdfium.FS_RECTF()
        pdfium.FPDFAnnot_GetRect(annotation, box)
        rectangle = (box.left, min(box.bottom, box.top), box.right, max(box.bottom, box.top))
        comments.append(Comment(format_comment(text, author=author), rectangle))
    return sorted(comments, key=lambda comment: -comment.rectangle[3])


def append_comments(page: ExtractedPage, comments: Sequence[tuple[str, Sequence[float]]]) -> ExtractedPage:
    """Return a page with comments as its last lines, each with a box: left, top, right, bottom, 0..1 of the page."""
    words = unpack_boxes(page.boxes)
    ends = list(accumulate((len(comment) + 1 for comment, _ in comments), initial=len(page.text)))[1:]
    starts = [end - len(comment) for end, (comment, _) in zip(ends, comments, strict=True)]
    places = zip(starts, ends, comments, strict=True)
    lines = [
        PageLine(start, end, _FONT_SIZE, False, left, top, right, bottom)
        for start, end, (_, (left, top, right, bottom)) in places
    ]
    run = int(words.runs[-1]) + 1
    added = WordBoxes(
        starts=np.append(words.starts, starts),
        ends=np.append(words.ends, ends),
        runs=np.concatenate([words.runs, np.arange(run, run + len(comments))]),
        corners=np.concatenate([words.corners, np.array([box for _, box in comments], np.float64)]),
    )
    text = "\n".join([page.text, *(comment for comment, _ in comments)])
    return replace(page, text=text, lines=(*page.lines, *lines), boxes=pack_boxes(added))


def _annotations(page: pypdfium2.PdfPage) -> Iterator[tuple[int, ctypes.c_void_p]]:
    """Yield kind and handle of each annotation. A handle is valid until the next one."""
    for index in range(int(pdfium.FPDFPage_GetAnnotCount(page.raw))):
        with _annotation(page, index) as annotation:
            if annotation:
                yield int(pdfium.FPDFAnnot_GetSubtype(annotation)), annotation


@contextmanager
def _annotation(page: pypdfium2.PdfPage, index: int) -> Generator[ctypes.c_void_p]:
    annotation = pdfium.FPDFPage_GetAnnot(page.raw, index)
    try:
        yield annotation
    finally:
        if annotation:
            pdfium.FPDFPage_CloseAnnot(annotation)


def _is_drawn(annotation: ctypes.c_void_p) -> bool:
    """Return whether the file says how an annotation looks. Some programs leave this to the viewer."""
    size = pdfium.FPDFAnnot_GetAP(annotation, pdfium.FPDF_ANNOT_APPEARANCEMODE_NORMAL, None, 0)
    return int(size) > ctypes.sizeof(ctypes.c_uint16)  # more than the end of a text


def _string(annotation: ctypes.c_void_p, key: bytes) -> str:
    size = int(pdfium.FPDFAnnot_GetStringValue(annotation, key, None, 0))
    buffer = (ctypes.c_uint16 * (size // 2 + 1))()
    pdfium.FPDFAnnot_GetStringValue(annotation, key, buffer, size)
    return bytes(memoryview(buffer)).decode("utf-16-le", "replace").partition("\0")[0]
