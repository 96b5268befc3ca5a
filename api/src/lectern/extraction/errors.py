"""Errors of extraction, with stable codes and hints."""

from typing import ClassVar

from lectern.errors import LecternError, TooLarge, UnsupportedType


class ExtractionFailed(LecternError):
    """The file could not be read."""

    status = 422


class Encrypted(ExtractionFailed):
    """The file is protected by a password."""

    default_hint = "Retry with its password, or upload a copy saved without one."


class Corrupt(ExtractionFailed):
    """The file is damaged and could not be read."""

    default_hint = "Open it in its own program, save it again, and upload the new copy."


class TimedOut(ExtractionFailed):
    """Reading the file took longer than the limit."""

    value_names = ("max_seconds", "pages_read", "page_count")
    default_hint = "Split it into smaller files, or raise LECTERN_EXTRACTION_MAX_SECONDS."


class NoText(ExtractionFailed):
    """No page of the file has text; it looks like a scan or pictures.

    `details["pages"]` keeps the page ledger: number, kind and note of every page.
    """

    default_hint = "Upload a sharper scan, or the original document."


class EmptyFile(NoText):
    """The file is empty."""

    code = "empty"
    default_hint = "Choose a file with content."


class FileTooLarge(ExtractionFailed, TooLarge):
    """Reading the file needs more than the limits allow."""

    status = 413
    code: ClassVar[str] = "too_large"
    value_names = (
        *("page_count", "max_pages", "page_number", "characters", "max_page_characters", "max_characters"),
        *("max_lines", "size_bytes", "unpacked_bytes", "max_unpacked_bytes", "parts", "max_parts"),
        *("pixels", "max_pixels", "max_memory_bytes"),
    )
    default_hint = "Split it into smaller files, or raise the LECTERN_EXTRACTION_ limits."


class UnsupportedFile(ExtractionFailed, UnsupportedType):
    """This type of file cannot be read."""

    status = 415
    code: ClassVar[str] = "unsupported_type"


FAILURES: tuple[type[ExtractionFailed], ...] = (
    Encrypted,
    Corrupt,
    TimedOut,
    NoText,
    EmptyFile,
    FileTooLarge,
    UnsupportedFile,
)
