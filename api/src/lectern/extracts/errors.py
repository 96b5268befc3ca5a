"""Errors about files outside the library."""

from lectern.errors import InvalidRequest, LecternError, TooLarge


class AddressRefused(InvalidRequest):
    """This URL is not allowed."""

    default_hint = "Use a plain http(s) URL, such as https://example.com/path."


class HostRefused(AddressRefused):
    """There is no such host on the public Internet."""

    default_hint = "Use a public host, or add this one to LECTERN_FETCH_ALLOWED."


class DownloadFailed(LecternError):
    """The file could not be fetched."""

    status = 424
    default_hint = "Check that the URL answers without signing in."


class DownloadTooLarge(TooLarge):
    """The file is larger than the download limit."""

    default_hint = "Upload it to the library instead."


class BrokenContent(InvalidRequest):
    """The content is not valid base64."""

    default_hint = "Send the bytes of the file in base64, or its url."


class WrongFormat(InvalidRequest):
    """This operation does not read the format of the file."""


class ExtractTimedOut(LecternError):
    """The operation took too long."""

    status = 504
    default_hint = "Use a smaller file, or upload it to the library, which has no such limit."
