"""Errors about files outside the library."""

from typing import ClassVar

from lectern.errors import InvalidRequest, LecternError, TooLarge


class AddressRefused(InvalidRequest):
    """This URL is not allowed."""

    code = "address_refused"
    default_hint = "Use a plain http(s) URL, such as https://example.com/path."


class HostRefused(AddressRefused):
    """There is no such host on the public Internet."""

    code = "host_refused"
    default_hint = "Use a public host, or add this one to LECTERN_FETCH_ALLOWED."


class DownloadFailed(LecternError):
    """The file could not be fetched."""

    status = 424
    code: ClassVar[str] = "download_failed"
    default_hint = "Check that the URL answers without signing in."


class DownloadTooLarge(TooLarge):
    """The file is larger than the download limit."""

    code = "download_too_large"
    default_hint = "Upload it to the library instead."


class BrokenContent(InvalidRequest):
    """The content is not valid base64."""

    code = "broken_content"
    default_hint = "Send the bytes of the file in base64, or its url."


class WrongFormat(InvalidRequest):
    """This operation does not read the format of the file."""

    code = "wrong_format"


class ExtractTimedOut(LecternError):
    """The operation took too long."""

    status = 504
    code: ClassVar[str] = "extract_timed_out"
    default_hint = "Use a smaller file, or upload it to the library, which has no such limit."
