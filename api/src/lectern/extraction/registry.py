"""Which formats can be read: one entry for each, no directory scanning."""

import importlib
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, cast

from lectern.extraction.errors import NoText, UnsupportedFile
from lectern.extraction.types import (
    DocumentMetadata,
    ExtractedDocument,
    ExtractedPage,
    ExtractionLimits,
    OnPage,
)

_FORMATS = "lectern.extraction.formats"


class Extract(Protocol):
    """Reads a file page by page."""

    def __call__(
        self, path: Path, *, limits: ExtractionLimits, password: str | None, on_page: OnPage
    ) -> DocumentMetadata:
        """Hand every page to `on_page(page, page_count)` in order; return what the file says of itself."""
        ...


@dataclass(frozen=True, slots=True)
class Extractor:
    """A format: media type, display name, file suffixes and the module of `formats` that reads it."""

    content_type: str
    name: str
    suffixes: tuple[str, ...]
    module: str

    def load(self) -> Extract:
        """The module's `extract`, imported only now: a child that reads text does not load PDFium."""
        return cast("Extract", importlib.import_module(f"{_FORMATS}.{self.module}").extract)


_OFFICE = "application/vnd.openxmlformats-officedocument."
_OPEN_DOCUMENT = "application/vnd.oasis.opendocument."

EXTRACTORS: tuple[Extractor, ...] = (
    Extractor("application/pdf", "PDF", (".pdf",), "pdf.reader"),
    Extractor("text/plain", "plain text", (".txt", ".text", ".log"), "text"),
    Extractor("text/markdown", "Markdown", (".md", ".markdown", ".mdown"), "markdown"),
    Extractor("text/html", "HTML", (".html", ".htm", ".xhtml"), "html"),
    Extractor("text/csv", "CSV", (".csv", ".tsv", ".tab"), "csv_file"),
    Extractor(f"{_OFFICE}wordprocessingml.document", "DOCX", (".docx", ".docm", ".dotx"), "office.docx"),
    Extractor(f"{_OFFICE}presentationml.presentation", "PPTX", (".pptx", ".pptm", ".ppsx"), "office.pptx"),
    Extractor(f"{_OFFICE}spreadsheetml.sheet", "XLSX", (".xlsx", ".xlsm", ".xltx"), "office.xlsx"),
    Extractor(f"{_OPEN_DOCUMENT}text", "ODT", (".odt", ".ott"), "opendocument.odt"),
    Extractor(f"{_OPEN_DOCUMENT}spreadsheet", "ODS", (".ods",), "opendocument.ods"),
    Extractor(f"{_OPEN_DOCUMENT}presentation", "ODP", (".odp",), "opendocument.odp"),
    Extractor("application/epub+zip", "EPUB", (".epub",), "epub"),
    Extractor("image/png", "PNG", (".png",), "image"),
    Extractor("image/jpeg", "JPEG", (".jpg", ".jpeg", ".jpe"), "image"),
    Extractor("image/tiff", "TIFF", (".tif", ".tiff"), "image"),
    Extractor("image/webp", "WebP", (".webp",), "image"),
    Extractor("message/rfc822", "e-mail (EML)", (".eml",), "eml"),
    Extractor("application/vnd.ms-outlook", "Outlook message (MSG)", (".msg",), "msg"),
)

ACCEPTED_TYPES: tuple[str, ...] = tuple(extractor.content_type for extractor in EXTRACTORS)


def find_extractor(content_type: str) -> Extractor | None:
    """The extractor of a media type."""
    return next((extractor for extractor in EXTRACTORS if extractor.content_type == content_type), None)


def get_extractor(content_type: str) -> Extractor:
    """The extractor of a media type; raises `UnsupportedFile` that names the accepted ones."""
    extractor = find_extractor(content_type)
    if extractor is None:
        raise unsupported(f"Files of type {content_type} cannot be read.")
    return extractor


def unsupported(message: str, *, hint: str | None = None) -> UnsupportedFile:
    """The refusal of a type, with the accepted types in the message and in `details["accepted"]`."""
    names = [extractor.name for extractor in EXTRACTORS]
    accepted = f"{', '.join(names[:-1])} and {names[-1]}"
    return UnsupportedFile(
        f"{message} Accepted are {accepted}.",
        hint=hint or "Convert the file to one of these formats.",
        details={"accepted": list(ACCEPTED_TYPES)},
    )


def extract_document(
    path: Path, content_type: str, *, limits: ExtractionLimits, password: str | None = None
) -> ExtractedDocument:
    """Read a file in this process: for files that are trusted; others are read by `child.extract_in_child`.

    Raises any of `errors.FAILURES` but `TimedOut`.
    """
    pages: list[ExtractedPage] = []
    extract = get_extractor(content_type).load()
    facts = extract(path, limits=limits, password=password, on_page=lambda page, _: pages.append(page))
    return assemble(content_type, pages, facts)


def assemble(content_type: str, pages: list[ExtractedPage], facts: DocumentMetadata) -> ExtractedDocument:
    """The document of these pages; raises `NoText` with the page ledger in its details when none has text."""
    if not any(page.text.strip() for page in pages):
        ledger = [{"page_number": page.page_number, "kind": page.kind.value, "note": page.note} for page in pages]
        is_blank = all(page.kind == "empty" for page in pages)
        raise NoText("The file is empty: no page has any content." if is_blank else None, details={"pages": ledger})
    return ExtractedDocument(
        content_type=content_type,
        pages=tuple(pages),
        title=facts.title,
        language=facts.language,
        outline=facts.outline,
        information=facts.information,
        page_images=facts.page_images,
    )
