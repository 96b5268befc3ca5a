"""Zip files that Lectern writes and reads: written whole or not at all, read in blocks.

Memory is that of one block whatever the sizes. Zip64 removes the limits on members and on their number.
"""

import hashlib
import os
import uuid
import zipfile
import zlib
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final, Self, TypeVar

from pydantic import BaseModel, ValidationError

from lectern.errors import LecternError

T = TypeVar("T", bound=BaseModel)

MANIFEST: Final = "manifest.json"
BLOCK_BYTES: Final = 1_048_576
MAX_LOADED_BYTES: Final = 1 << 30  # of a member that is read at once
_LEVEL: Final = 1  # rows shrink almost as far as at level 6, in less than half the time (ADR 5)
_DAMAGE: Final = (zipfile.BadZipFile, zlib.error, EOFError, KeyError, ValueError, NotImplementedError, RuntimeError)


class ArchiveExists(LecternError):
    """A file of this name exists."""

    code = "archive_exists"
    default_hint = "Choose another name. Lectern never overwrites a backup or an export."


class ArchiveBroken(LecternError):
    """This file is damaged, altered, or not an archive of Lectern."""

    code = "archive_broken"
    default_hint = "Get another copy of the file, or use an earlier one."


class Member(BaseModel):
    """SHA-256 and size of a member's content."""

    sha256: str
    size_bytes: int


class MemberWriter:
    """Writes a member in blocks, and hashes and counts them."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._digest = hashlib.sha256()
        self._size_bytes = 0

    def write(self, block: bytes | bytearray | memoryview) -> None:
        self._stream.write(block)
        self._digest.update(block)
        self._size_bytes += len(block)

    @property
    def entry(self) -> Member:
        return Member(sha256=self._digest.hexdigest(), size_bytes=self._size_bytes)


class ArchiveWriter:
    """Writes an archive under a temporary name. `publish` gives it its name; leaving earlier leaves no file.

    Raises:
        ArchiveExists: On entering: the name is taken.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.unpublished = path.with_name(f".{path.name}.{uuid.uuid4().hex[:8]}.part")
        self.members: dict[str, Member] = {}

    def __enter__(self) -> Self:
        if self.path.exists():
            raise ArchiveExists(f"{self.path} exists.")
        descriptor = os.open(self.unpublished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        self._file = os.fdopen(descriptor, "wb")
        self._zip = zipfile.ZipFile(self._file, "w", allowZip64=True)
        return self

    def __exit__(self, *_: object) -> None:
        self._zip.close()
        self._file.close()
        self.unpublished.unlink(missing_ok=True)

    @contextmanager
    def member(self, name: str, *, is_compressed: bool) -> Generator[MemberWriter]:
        """Open a member for writing in blocks."""
        self._zip.compression = zipfile.ZIP_DEFLATED if is_compressed else zipfile.ZIP_STORED
        self._zip.compresslevel = _LEVEL
        with self._zip.open(name, "w", force_zip64=True) as stream:
            writer = MemberWriter(stream)
            yield writer
        self.members[name] = writer.entry

    def write(self, name: str, content: bytes, *, is_compressed: bool = True) -> None:
        """Write a member at once."""
        with self.member(name, is_compressed=is_compressed) as member:
            member.write(content)

    def close(self, *, comment: bytes = b"") -> None:
        """Complete the zip on disk, still under its temporary name."""
        self._zip.comment = comment
        self._zip.close()
        self._file.flush()
        os.fsync(self._file.fileno())

    def publish(self) -> None:
        """Give the complete file its name. A link overwrites nothing; where the disk has no links, rename.

        Raises:
            ArchiveExists: The name was taken meanwhile.
        """
        self.close(comment=self._zip.comment)
        try:
            os.link(self.unpublished, self.path)
        except OSError as error:
            if self.path.exists():
                raise ArchiveExists(f"{self.path} exists.") from error
            self.unpublished.rename(self.path)
        _flush_folder(self.path.parent)


class ArchiveReader:
    """Reads members of an archive, and raises ArchiveBroken for a file that is not whole."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self.zip = zipfile.ZipFile(path)
        except FileNotFoundError as error:
            raise ArchiveBroken(f"There is no file {path}.", hint="Correct the name.") from error
        except (*_DAMAGE, OSError) as error:
            raise ArchiveBroken(f"{path} is not a whole archive: {error}.") from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.zip.close()

    def blocks(self, name: str) -> Iterator[bytes]:
        """Yield the content of a member in blocks."""
        try:
            with self.zip.open(name) as stream:
                while block := stream.read(BLOCK_BYTES):
                    yield block
        except (*_DAMAGE, OSError) as error:
            raise ArchiveBroken(f"{self.path} is damaged: {name} cannot be read: {error}.") from error

    def read(self, name: str) -> bytes:
        """Return the content of a member of at most `MAX_LOADED_BYTES`."""
        if name not in self.zip.NameToInfo:
            raise ArchiveBroken(f"{self.path} has no {name}.")
        if self.zip.getinfo(name).file_size > MAX_LOADED_BYTES:
            raise ArchiveBroken(f"{self.path}: {name} is larger than a member may be.")
        return b"".join(self.blocks(name))

    def read_model(self, name: str, kind: type[T]) -> T:
        """Return a JSON member as a model."""
        try:
            return kind.model_validate_json(self.read(name))
        except ValidationError as error:
            raise ArchiveBroken(f"{self.path}: {name} has an unknown form.") from error


def original_member(sha256: str) -> str:
    """Return the name of the member that holds an original."""
    return f"originals/{sha256}"


def _flush_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
