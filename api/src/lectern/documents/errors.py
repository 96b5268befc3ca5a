"""What can go wrong with documents."""

from typing import ClassVar

from lectern.errors import Conflict, Forbidden, InvalidRequest, LecternError, NotFound, Unavailable
from lectern.http.references import UnknownReference


class DocumentNotFound(NotFound):
    """No document has this id."""

    code = "document_not_found"


class PageNotFound(NotFound):
    """This document has no page with this number."""

    code = "page_not_found"


class UnknownDocument(UnknownReference):
    """No document has this id or filename."""

    code = "unknown_document"


class AmbiguousDocument(InvalidRequest):
    """This name means several documents.

    `details["candidates"]` names them.
    """

    code = "ambiguous_document"


class DocumentInTrash(Conflict):
    """This document is in the trash."""

    code = "document_in_trash"
    default_hint = "Restore it first."


class DocumentAlreadyThere(Conflict):
    """The collection has this file already."""

    code = "document_already_there"
    default_hint = "Open the one that is there; `document_id` names it where you may see it."


class VersionUnderWay(Conflict):
    """A newer version of this document is being read just now."""

    code = "version_under_way"
    default_hint = "Give the language again when it is complete, or cancel its job."


class OutsideKey(Forbidden):
    """This key cannot add documents here."""

    code = "outside_key"


class InvalidUpload(InvalidRequest):
    """This upload cannot be read."""

    code = "invalid_upload"


class TooManyFiles(InvalidRequest):
    """This upload has more files than the limit."""

    code = "too_many_files"
    default_hint = "Send them in several requests."


class UnknownLanguage(InvalidRequest):
    """This language is not told apart here."""

    code = "unknown_language"


class InvalidRange(LecternError):
    """The original does not have these bytes."""

    status: ClassVar[int] = 416
    code = "invalid_range"


class OriginalVanished(Unavailable):
    """The original was purged by somebody else while it was uploaded."""

    code = "original_vanished"
    default_hint = "Upload it again."


class TooManyDocuments(InvalidRequest):
    """This is more than one request may change."""

    code = "too_many_documents"
    default_hint = "Narrow the filter and repeat."
