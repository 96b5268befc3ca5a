"""The supported formats, one entry for each."""

import importlib
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from typing import Protocol, cast

from lectern.extraction.errors import EmptyFile, NoText, UnsupportedFile
from lectern.extraction.types import (
    DocumentMetadata,
    ExtractedDocument,
    ExtractedPage,
    ExtractionLimits,
    OnPage,
)

_FORMATS = "lectern.extraction.formats"


class Extract(Protocol):
    """Read a file page by page."""

    def __call__(
        self, path: Path, *, limits: ExtractionLimits, password: str | None, on_page: OnPage
    ) -> DocumentMetadata:
        """Pass every page to `on_page(page, page_count)` in order; return the metadata.

        Raises `Corrupt`, `Encrypted`, `FileTooLarge`.
        """
        ...


@dataclass(frozen=True, slots=True)
class Extractor:
    """A format: media type, display name, file suffixes and the module of `formats` that reads it."""

    content_type: str
    name: str
    suffixes: tuple[str, ...]
    module: str

    def load(self) -> Extract:
        """Import the module and return its `extract`. A child that reads text does not load PDFium."""
        return cast("Extract", importlib.import_module(f"{_FORMATS}.{self.module}").extract)


_OFFICE = "application/vnd.openxmlformats-officedocument."
_OPEN_DOCUMENT = "application/vnd.oasis.opendocument."

EXTRACTORS: tuple[Extractor, ...] = (
    Extractor("application/pdf", "PDF", (".pdf",), "pdf.document"),
    Extractor("text/plain", "plain text", (".txt", ".text", ".log"), "text"),
    Extractor("text/markdown", "Markdown", (".md", ".markdown", ".mdown"), "markdown"),
    Extractor("text/html", "HTML", (".html", ".htm", ".xhtml"), "markup"),
    Extractor("text/csv", "CSV", (".csv", ".tsv", ".tab"), "csv_file"),
    Extractor(f"{_OFFICE}wordprocessingml.document", "DOCX", (".docx", ".docm", ".dotx"), "office.docx"),
    Extractor(f"{_OFFICE}presentationml.presentation", "PPTX", (".pptx", ".pptm", ".ppsx"), "office.pptx"),
    Extractor(f"{_OFFICE}spreadsheetml.sheet", "XLSX", (".xlsx", ".xlsm", ".xltx"), "office.xlsx"),
    Extractor(f"{_OPEN_DOCUMENT}text", "ODT", (".odt", ".ott"), "opendocument.reader"),
    Extractor(f"{_OPEN_DOCUMENT}spreadsheet", "ODS", (".ods",), "opendocument.reader"),
    Extractor(f"{_OPEN_DOCUMENT}presentation", "ODP", (".odp",), "opendocument.reader"),
    Extractor("application/epub+zip", "EPUB", (".epub",), "epub"),
    Extractor("image/png", "PNG", (".png",), "image"),
    Extractor("image/jpeg", "JPEG", (".jpg", ".jpeg", ".jpe"), "image"),
    Extractor("image/tiff", "TIFF", (".tif", ".tiff"), "image"),
    Extractor("image/webp", "WebP", (".webp",), "image"),
    Extractor("message/rfc822", "e-mail (EML)", (".eml",), "mail.eml"),
    Extractor("application/mbox", "mailbox (MBOX)", (".mbox", ".mbx"), "mail.mbox"),
    Extractor("text/calendar", "calendar (ICS)", (".ics",), "mail.calendar"),
    Extractor("application/vnd.ms-outlook", "Outlook message (MSG)", (".msg",), "mail.msg"),
)

ACCEPTED_TYPES: tuple[str, ...] = tuple(extractor.content_type for extractor in EXTRACTORS)


def find_extractor(content_type: str) -> Extractor | None:
    """Return the extractor of a media type, if any."""
    return next((extractor for extractor in EXTRACTORS if extractor.content_type == content_type), None)


def get_extractor(content_type: str) -> Extractor:
    """Return the extractor of a media type. Raises `UnsupportedFile`."""
    extractor = find_extractor(content_type)
    if extractor is None:
        raise unsupported(f"Files of type {content_type} cannot be read.")
    return extractor


def fit_suffix(filename: str, content_type: str) -> str:
    """Replace the suffix of another format by the one of `content_type`. An unknown suffix stays."""
    suffix, extractor = PurePath(filename).suffix, find_extractor(content_type)
    known = {known for other in EXTRACTORS for known in other.suffixes}
    if extractor is None or suffix.lower() in extractor.suffixes or suffix.lower() not in known:
        return filename
    return filename.removesuffix(suffix) + extractor.suffixes[0]


def unsupported(message: str, *, hint: str | None = None) -> UnsupportedFile:
    """Return the error for an unsupported type. Message and `details["accepted"]` list the accepted types."""
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
    """Read a trusted file in this process. Untrusted files are read by `sandbox.extraction.extract_in_child`.

    Raises any of `errors.FAILURES` but `TimedOut`.
    """
    pages: list[ExtractedPage] = []
    extract = get_extractor(content_type).load()
    metadata = extract(path, limits=limits, password=password, on_page=lambda page, _: pages.append(page))
    return assemble(content_type, pages, metadata)


def assemble(content_type: str, pages: list[ExtractedPage], metadata: DocumentMetadata) -> ExtractedDocument:
    """Build the document. Raises `NoText` or `EmptyFile` with the page ledger if no page has text."""
    if metadata.note and pages:
        pages = [replace(pages[0], note=" ".join(filter(None, (pages[0].note, metadata.note)))), *pages[1:]]
    if not any(page.text.strip() for page in pages):
        ledger = [{"page_number": page.page_number, "kind": page.kind.value, "note": page.note} for page in pages]
        if all(page.kind in {"empty", "text"} for page in pages):
            raise EmptyFile(_describe_empty(content_type), details={"pages": ledger})
        raise NoText(details={"pages": ledger})
    return ExtractedDocument(content_type, tuple(pages), metadata)


def _describe_empty(content_type: str) -> str:
    """Describe a file that has bytes, but no content."""
    if content_type == "application/pdf":
        return "Every page of the file is blank."
    is_text = content_type in {"text/plain", "text/markdown"}
    return "The file has only white space." if is_text else "The file has no content."
