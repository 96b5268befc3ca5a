"""Files that are on their way into the library."""

from dataclasses import dataclass

from lectern.errors import LecternError


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file that is in storage and not yet in the library."""

    filename: str
    content_type: str
    sha256: str
    size_bytes: int


@dataclass(frozen=True, slots=True)
class RefusedFile:
    """A file of which nothing was kept."""

    filename: str
    error: LecternError
