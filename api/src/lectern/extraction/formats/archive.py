"""ZIP archives of Office documents and books, opened without trust.

Nothing is written to disk, so names in the archive do no harm. Sizes are checked before anything is inflated: `zipfile`
reads no more than an entry declares, and refuses entries that overlap (bombs).
"""

import posixpath
import struct
import zipfile
import zlib
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path

from lectern.extraction.errors import Corrupt, Encrypted, FileTooLarge
from lectern.extraction.types import ExtractionLimits

PARSER_ERRORS: tuple[type[Exception], ...] = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    ArithmeticError,
    AssertionError,
    AttributeError,
    EOFError,
    LookupError,
    NotImplementedError,
    OSError,
    RecursionError,
    SyntaxError,  # of XML parsers and image decoders
    TypeError,
    ValueError,
)
"""Errors that libraries raise for malformed files."""

_MAX_ENTRIES = 20_000
_PART_SHARE = 16
_TOTAL_SHARE = 2
_IS_ENCRYPTED = 0x1
_PIECE_BYTES = 1_048_576
_ENTITY_MARKS = tuple("<!ENTITY".encode(encoding) for encoding in ("utf-8", "utf-16-le", "utf-16-be"))


class Archive:
    """The parts of a document by name."""

    def __init__(self, opened: zipfile.ZipFile, *, max_part_bytes: int) -> None:
        self._opened = opened
        self._max_part_bytes = max_part_bytes
        self._entries = {info.filename.replace("\\", "/").lstrip("/"): info for info in opened.infolist()}

    @property
    def names(self) -> list[str]:
        """Return the names of all parts."""
        return list(self._entries)

    def __contains__(self, name: str) -> bool:
        """Return whether there is such a part."""
        return name in self._entries

    def read(self, name: str) -> bytes:
        """Return the bytes of a part. Raises `Corrupt`, `FileTooLarge`."""
        info = self._entries.get(name)
        if info is None:
            raise Corrupt(f"The file lacks its part {name[:100]}.")
        if info.file_size > self._max_part_bytes:
            message = f"A part of the file unpacks to {info.file_size:,} bytes; the limit is {self._max_part_bytes:,}."
            details = {"unpacked_bytes": info.file_size, "max_unpacked_bytes": self._max_part_bytes}
            raise FileTooLarge(message, details=details)
        try:
            return self._opened.read(info)
        except PARSER_ERRORS as error:
            raise Corrupt(f"The file is damaged in its part {name[:100]}.") from error

    def pieces(self, name: str) -> Iterator[bytes]:
        """Yield the bytes of a part of any size in pieces. Raises `Corrupt`."""
        try:
            with self._opened.open(self._entries[name]) as part:
                while piece := part.read(_PIECE_BYTES):
                    yield piece
        except PARSER_ERRORS as error:
            raise Corrupt(f"The file is damaged in its part {name[:100]}.") from error

    def copy(self, rewrite: Callable[[str], Iterable[bytes]]) -> bytes:
        """Return the archive anew, each part with the pieces that `rewrite` returns for its name."""
        buffer = BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as copy:
            for name in self.names:
                if not name.endswith("/"):
                    with copy.open(name, "w", force_zip64=True) as part:
                        part.writelines(rewrite(name))
        return buffer.getvalue()

    def refuse_entities(self) -> None:
        """Raise `Corrupt` when an XML part declares entities. Only attacks do."""
        for name in self.names:
            if not name.lower().endswith((".xml", ".rels", ".vml")):
                continue
            tail = b""
            for piece in self.pieces(name):
                refuse_entities(tail + piece)
                tail = piece[-32:]


@contextmanager
def open_archive(path: Path, *, limits: ExtractionLimits) -> Generator[Archive]:
    """Open the archive in a file. Raises `Corrupt`, `Encrypted`, `FileTooLarge`."""
    try:
        opened = zipfile.ZipFile(path)
    except PARSER_ERRORS as error:
        raise Corrupt("The file is damaged: it cannot be unpacked.") from error
    with opened:
        entries = opened.infolist()
        if len(entries) > _MAX_ENTRIES:
            raise FileTooLarge(
                f"The file is made of {len(entries):,} parts; the limit is {_MAX_ENTRIES:,}.",
                details={"parts": len(entries), "max_parts": _MAX_ENTRIES},
            )
        total = sum(info.file_size for info in entries)
        max_total = limits.max_memory_bytes // _TOTAL_SHARE
        if total > max_total:
            message = f"The file unpacks to {total:,} bytes; the limit is {max_total:,}."
            raise FileTooLarge(message, details={"unpacked_bytes": total, "max_unpacked_bytes": max_total})
        if any(info.flag_bits & _IS_ENCRYPTED for info in entries):
            raise Encrypted
        if any(_leads_out(info.filename) for info in entries):
            raise Corrupt("The file has parts with names that lead out of it.")
        yield Archive(opened, max_part_bytes=limits.max_memory_bytes // _PART_SHARE)


def refuse_entities(raw: bytes) -> None:
    """Raise `Corrupt` when XML declares entities, in any encoding that Office programs write."""
    if any(mark in raw for mark in _ENTITY_MARKS):
        raise Corrupt("The file declares XML entities, which are not read.")


def resolve(base: str, target: str) -> str:
    """Return the name of the part that `target` refers to from the part `base`."""
    if target.startswith("/"):
        return posixpath.normpath(target).lstrip("/")
    return posixpath.normpath(posixpath.join(posixpath.dirname(base), target))


def _leads_out(name: str) -> bool:
    return ".." in name.replace("\\", "/").split("/")
