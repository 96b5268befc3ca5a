"""Errors of documents, uploads, versions, pages and samples."""

from typing import ClassVar

from lectern.errors import Conflict, Forbidden, InvalidRequest, LecternError, NotFound, Unavailable
from lectern.http.references import UnknownReference


class DocumentNotFound(NotFound):
    """No document has this id."""


class DocumentHasNoText(Conflict):
    """This document has no text yet."""

    default_hint = "Try again when its status is `ready`."


class PageNotFound(NotFound):
    """This document has no page with this number."""

    default_hint = "Pages count from 1. The document says how many it has."


class VersionNotFound(NotFound):
    """This document has no version with this number."""

    default_hint = "List the versions of the document."


class NoteNotFound(NotFound):
    """You have no note with this id on this document."""

    default_hint = "Only the author may change or delete a note."


class GrantNotFound(NotFound):
    """This document has no grant with this id."""

    default_hint = "It may have been removed. List the grants of the document again."


class UnknownAccount(InvalidRequest):
    """No active account has this address."""

    default_hint = "The page Users and `lectern users list` show the accounts."


class UnknownDocument(UnknownReference):
    """No document has this id or filename."""


class AmbiguousDocument(InvalidRequest):
    """This name matches several documents.

    `details["candidates"]` lists them.
    """


class DocumentInTrash(Conflict):
    """This document is in the trash."""

    default_hint = "Restore it first."


class DocumentAlreadyThere(Conflict):
    """The collection already has this file."""

    default_hint = "Open the existing document."


class NameNotUnique(Conflict):
    """Several documents of the collection have this name."""

    default_hint = "Choose one of them and upload the file as its new version."


class VersionUnderWay(Conflict):
    """A newer version of this document is being processed."""

    default_hint = "Set the language when the version is complete, or cancel its job."


class OutsideKey(Forbidden):
    """This key cannot add documents here."""


class InvalidUpload(InvalidRequest):
    """This upload cannot be read."""


class TooManyFiles(InvalidRequest):
    """This upload has more files than the limit."""

    default_hint = "Send them in several requests."


class TooManyDocuments(InvalidRequest):
    """This request would change more documents than the limit."""

    default_hint = "Narrow the filter and repeat the request."


class UnsupportedLanguage(InvalidRequest):
    """This language is not supported."""

    code = "unknown_language"


class InvalidRange(LecternError):
    """The original does not have these bytes."""

    status: ClassVar[int] = 416


class OriginalChanged(LecternError):
    """The original changed: its ETag is not in If-Match."""

    status: ClassVar[int] = 412
    default_hint = "Request it without If-Match, and compare the ETag."


class OriginalVanished(Unavailable):
    """The original was purged while it was uploaded."""

    default_hint = "Upload the file again."


class PageHasNoImage(NotFound):
    """Pages of this file cannot be drawn."""

    default_hint = "Only PDFs, pictures and Office files are drawn. Read the text of the page instead."


class ConverterMissing(NotFound):
    """Pages of Office files cannot be drawn on this server, because it has no LibreOffice."""

    default_hint = "Install LibreOffice on the server. Read the text of the page instead."


class PageImageLocked(NotFound):
    """Pages of a password-protected file cannot be drawn, because passwords are not stored."""

    default_hint = "Open the original with its password. Read the text of the page instead."


class DrawingBusy(Unavailable):
    """Too many pages are being drawn."""

    default_hint = "Try again in a few seconds."


class DrawingTimedOut(Unavailable):
    """Drawing this page took longer than the limit."""

    default_hint = "Try again later, or ask for a smaller image. The text of the page is available."


class SamplesNotShipped(NotFound):
    """The sample documents are not part of this installation."""

    default_hint = "Start Lectern from a clone of its repository, which has them in `test-docs`."
