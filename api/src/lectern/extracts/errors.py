"""What can go wrong with files that are not in the library."""

from typing import ClassVar

from lectern.errors import Forbidden, InvalidRequest, LecternError, TooLarge


class AddressRefused(InvalidRequest):
    """This address is not fetched."""

    code = "address_refused"
    default_hint = "Use an http(s) address on the public Internet, or have its host added to LECTERN_FETCH_ALLOWED."


class DownloadFailed(LecternError):
    """The file could not be fetched."""

    status = 424
    code: ClassVar[str] = "download_failed"
    default_hint = "Check the address, and that it answers without signing in."


class DownloadTooLarge(TooLarge):
    """The file is larger than what is fetched."""

    code = "download_too_large"
    default_hint = "Upload it to the library instead."


class BrokenContent(InvalidRequest):
    """The content is not base64."""

    code = "broken_content"
    default_hint = "Send the bytes of the file in base64, or its url."


class WrongFormat(InvalidRequest):
    """The file has another format than this operation reads."""

    code = "wrong_format"


class ExtractTimedOut(LecternError):
    """The work took longer than this operation may take."""

    status = 504
    code: ClassVar[str] = "extract_timed_out"
    default_hint = "Use a smaller file, or upload it to the library, where it has all the time it needs."


class ExtractsForbidden(Forbidden):
    """This key may not use the toolset `extract`."""

    code = "extracts_forbidden"
    default_hint = "Use a key whose toolsets include extract."
