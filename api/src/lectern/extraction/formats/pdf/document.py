"""PDF files through PDFium: pages, outline and document information.

PDFium may abort the process on a hostile file. Untrusted files are read in a child (`sandbox.extraction`).
"""
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# pypdfium2 has no types

from collections.abc import Iterator
from pathlib import Path

import pypdfium2
import pypdfium2.raw as pdfium

from lectern.extraction.budget import Budget
from lectern.extraction.errors import Corrupt, Encrypted
from lectern.extraction.formats.pdf.annotations import load_page
from lectern.extraction.formats.pdf.page import TextPage
from lectern.extraction.layout.page_title import title_of_page
from lectern.extraction.layout.text_cleaning import clean_text
from lectern.extraction.metadata import sensible_title
from lectern.extraction.types import (
    DocumentMetadata,
    ExtractedPage,
    ExtractionLimits,
    OnPage,
    OutlineItem,
    PageImageStatus,
    PageKind,
)

_MAX_OUTLINE_ENTRIES = 10_000
_MAX_TITLE_CHARACTERS = 500
_MAX_ATTACHMENTS = 20  # named in a note; the others are counted
_MAX_INFORMATION_CHARACTERS = 2_000


def extract(path: Path, *, limits: ExtractionLimits, password: str | None, on_page: OnPage) -> DocumentMetadata:
    """Pass every page to `on_page(page, page_count)`; return title, outline and document information."""
    budget = Budget(limits)
    document = _open(path, password=password)
    if document is None:
        from lectern.extraction.formats.pdf import fallback

        return fallback.extract(path, limits=limits, password=password, on_page=on_page)
    with document:
        budget.check_page_count(len(document))
        first = _read_pages(document, budget=budget, on_page=on_page)
        return _metadata(document, first, page_images=_page_image_status(path, password=password))


def read_page(path: Path, page_number: int, *, limits: ExtractionLimits, password: str | None) -> ExtractedPage:
    """Read one page as `extract` does. Raises `Corrupt`, `Encrypted`, `FileTooLarge`."""
    document = _open(path, password=password)
    if document is None:
        raise Corrupt("The page is damaged.")
    try:
        with document:
            return _read_page(document, page_number - 1, budget=Budget(limits))
    except pypdfium2.PdfiumError as error:
        raise Corrupt("The page is damaged.") from error


def _open(path: Path, *, password: str | None) -> pypdfium2.PdfDocument | None:
    """Open the file; None when PDFium cannot parse it."""
    try:
        document = pypdfium2.PdfDocument(path, password=password)
        document.init_forms()  # a field without an appearance gets one
    except pypdfium2.PdfiumError as error:
        if error.err_code == pdfium.FPDF_ERR_PASSWORD:
            raise Encrypted("The password does not open this file." if password else None) from error
        if error.err_code == pdfium.FPDF_ERR_SECURITY:
            raise Encrypted("The file is protected in a way that cannot be read here.") from error
        return None
    return document


def _page_image_status(path: Path, *, password: str | None) -> PageImageStatus:
    """Return whether a file that was opened also opens without its password."""
    if password is None:
        return PageImageStatus.AVAILABLE
    try:
        with pypdfium2.PdfDocument(path):
            return PageImageStatus.AVAILABLE
    except pypdfium2.PdfiumError:
        return PageImageStatus.LOCKED


def _read_pages(document: pypdfium2.PdfDocument, *, budget: Budget, on_page: OnPage) -> ExtractedPage | None:
    """Read every page; return the first one with text."""
    first: ExtractedPage | None = None
    count, damaged = len(document), 0
    for index in range(count):
        try:
            page = _read_page(document, index, budget=budget)
        except pypdfium2.PdfiumError:
            damaged += 1
            page = ExtractedPage(index + 1, PageKind.UNREADABLE, "", note="The page is damaged.")
        if first is None and page.text:
            first = page
        on_page(page, count)
    if damaged == count:
        raise Corrupt("Every page of the file is damaged.")
    return first


def _describe_unread(document: pypdfium2.PdfDocument) -> str:
    """Return what a file has beside its pages."""
    names = ", ".join(_attachment_names(document))
    more = document.count_attachments() - _MAX_ATTACHMENTS
    notes = [f"Files in this PDF are not read: {names}{f' and {more:,} more' if more > 0 else ''}."] if names else []
    if document.get_formtype() == pdfium.FORMTYPE_XFA_FULL:
        notes.append("This PDF is a form in XML (XFA), which is not read.")
    return " ".join(notes)


def _attachment_names(document: pypdfium2.PdfDocument) -> Iterator[str]:
    for number in range(min(document.count_attachments(), _MAX_ATTACHMENTS)):
        try:
            name = " ".join(clean_text(document.get_attachment(number).get_name()).split())
        except pypdfium2.PdfiumError:
            name = ""
        yield name[:_MAX_TITLE_CHARACTERS] or "unnamed"


def _read_page(document: pypdfium2.PdfDocument, index: int, *, budget: Budget) -> ExtractedPage:
    loaded = load_page(document, index)
    try:
        text_page = loaded.page.get_textpage()
        try:
            return TextPage(loaded, text_page).read(index + 1, budget=budget)
        finally:
            text_page.close()
    finally:
        loaded.page.close()


def _metadata(
    document: pypdfium2.PdfDocument, first: ExtractedPage | None, *, page_images: PageImageStatus
) -> DocumentMetadata:
    information = tuple(
        (key, clean_text(str(value))[:_MAX_INFORMATION_CHARACTERS])
        for key, value in document.get_metadata_dict(skip_empty=True).items()
    )
    title = sensible_title(dict(information).get("Title", "")) or (title_of_page(first) if first else None)
    outline = tuple(_outline(document))
    return DocumentMetadata(
        title=title,
        outline=outline,
        information=information,
        page_images=page_images,
        note=_describe_unread(document),
    )


def _outline(document: pypdfium2.PdfDocument) -> Iterator[OutlineItem]:
    count = len(document)
    for number, bookmark in enumerate(document.get_toc()):
        if number >= _MAX_OUTLINE_ENTRIES:
            return
        destination = bookmark.get_dest()
        index = destination.get_index() if destination else None
        title = " ".join(clean_text(bookmark.get_title()).split())
        if title and index is not None and 0 <= index < count:
            yield OutlineItem(title[:_MAX_TITLE_CHARACTERS], int(bookmark.level) + 1, int(index) + 1)
