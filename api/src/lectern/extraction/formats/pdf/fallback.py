"""Read a PDF with pypdf, which opens some files that PDFium refuses.

It is only the fallback, because it breaks half of the table rows. Its pages have no word boxes, so they can be found
and cited, but not highlighted.
"""

import struct
import zlib
from pathlib import Path
from typing import Any

from pypdf import PdfReader
from pypdf.errors import DependencyError, FileNotDecryptedError, PyPdfError, WrongPasswordError

from lectern.extraction.budget import Budget
from lectern.extraction.errors import Corrupt, Encrypted
from lectern.extraction.formats.text import page_lines
from lectern.extraction.layout.text_cleaning import blank_dot_leaders, clean_text, has_meaning
from lectern.extraction.metadata import sensible_title
from lectern.extraction.types import DocumentMetadata, ExtractedPage, ExtractionLimits, OnPage, PageKind

_NOTE = "The file is damaged; this page was read without the places of its words."
_DAMAGED: tuple[type[Exception], ...] = (
    PyPdfError, ArithmeticError, AssertionError, AttributeError, EOFError, LookupError, OSError, RuntimeError,
    TypeError, ValueError, struct.error, zlib.error,
)  # fmt: skip
"""Errors of pypdf over 971 odd and thousands of broken files, and their base classes."""


def extract(path: Path, *, limits: ExtractionLimits, password: str | None, on_page: OnPage) -> DocumentMetadata:
    """Pass every page to `on_page(page, page_count)`; return title and information."""
    reader, count = _open(path, password=password)
    budget = Budget(limits)
    budget.check_page_count(count)
    damaged = 0
    for number in range(1, count + 1):
        text = _text(reader, number)
        damaged += text is None
        budget.check_page(number, len(text or ""))
        budget.spend(len(text or ""), lines=(text or "").count("\n"))
        on_page(_page(number, text), count)
    if damaged == count:
        raise Corrupt
    information = _information(reader)
    return DocumentMetadata(title=sensible_title(dict(information).get("Title", "")), information=information)


def _open(path: Path, *, password: str | None) -> tuple[PdfReader, int]:
    try:
        reader = PdfReader(path, password=password)
        return reader, len(reader.pages)
    except WrongPasswordError as error:
        raise Encrypted("The password does not open this file.") from error
    except (FileNotDecryptedError, DependencyError) as error:
        raise Encrypted from error
    except _DAMAGED as error:
        raise Corrupt from error


def _text(reader: PdfReader, number: int) -> str | None:
    """Return the text of a page; None where pypdf fails."""
    try:
        return blank_dot_leaders(clean_text(reader.pages[number - 1].extract_text()))
    except _DAMAGED:
        return None


def _page(number: int, text: str | None) -> ExtractedPage:
    if text is None:
        return ExtractedPage(number, PageKind.UNREADABLE, "", note="The page is damaged.")
    if not has_meaning(text):
        return ExtractedPage(number, PageKind.UNREADABLE, "", note="No text was found on this page of a damaged file.")
    return ExtractedPage(number, PageKind.TEXT, text, lines=page_lines(text), note=_NOTE)


def _information(reader: PdfReader) -> tuple[tuple[str, str], ...]:
    try:
        metadata: dict[str, Any] = dict(reader.metadata or {})
        return tuple((key.lstrip("/"), clean_text(str(value))) for key, value in metadata.items() if value)
    except _DAMAGED:
        return ()
