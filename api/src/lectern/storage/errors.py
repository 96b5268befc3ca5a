"""Errors of the storage of originals."""

from lectern.errors import LecternError, Misconfigured, NotFound, TooLarge, Unavailable


class OriginalNotFound(NotFound):
    """The original file is not in storage."""

    default_hint = "Upload the same file again."


class OriginalTooLarge(TooLarge):
    """This file is larger than the limit."""

    code = "file_too_large"
    default_hint = "Split the file, or raise LECTERN_MAX_UPLOAD_BYTES."


class StorageFull(LecternError):
    """The storage of originals is full."""

    status = 507
    default_hint = "Free some space, or set LECTERN_STORAGE_URL to another storage. Stored files are intact."


class StorageUnavailable(Unavailable):
    """The storage of originals is unreachable or rejected the request."""

    default_hint = "Check LECTERN_STORAGE_URL, the credentials and the permissions of the folder or bucket."


class StorageMisconfigured(Misconfigured):
    """LECTERN_STORAGE_URL is not a storage URL."""

    default_hint = "Use file:///folder, s3://bucket/prefix, gs://bucket/prefix or az://container/prefix."
