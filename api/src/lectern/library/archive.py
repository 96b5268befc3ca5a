"""Zip files that Lectern writes and reads: written whole or not at all, read in blocks.

Memory is that of one block whatever the sizes. Zip64 removes the limits on members and on their number.
"""

import asyncio
import errno
import hashlib
import io
import os
import struct
import uuid
import zipfile
import zlib
from collections.abc import AsyncIterator, Callable, Generator, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import IO, Final, Self, TypeVar, cast

from pydantic import BaseModel, ValidationError

from lectern.errors import LecternError
from lectern.library.encryption import MAGIC, EncryptedReader, EncryptedWriter
from lectern.storage.errors import OriginalNotFound
from lectern.storage.store import OriginalStore

T = TypeVar("T", bound=BaseModel)

MANIFEST: Final = "manifest.json"
BLOCK_BYTES: Final = 1_048_576
MAX_LOADED_BYTES: Final = 1 << 28  # of a member that is read at once
_MAX_DIRECTORY_BYTES: Final = 1 << 28  # of the list of members, some two million of them
_START: Final = b"PK"
_END: Final = struct.Struct("<4s4H2LH")  # the end of a zip: its 6th value is the size of the list of members
_END64: Final = struct.Struct("<4sQ2H2L4Q")
_LOCATOR64: Final = struct.Struct("<4sLQL")
_LEVEL: Final = 1  # rows shrink almost as far as at level 6, in less than half the time (ADR 4)
_SHRINKING: Final = 0.9  # deflate only originals that shrink below this share; most PDFs do not
_FULL: Final = (errno.ENOSPC, errno.EDQUOT)
_FULL_HINT: Final = "Free some space there, or name a file on another disk."
_FOREIGN_HINT: Final = "Name a file that `lectern backup` or `lectern export` wrote."
_DAMAGE: Final = (zipfile.BadZipFile, zlib.error, EOFError, KeyError, ValueError, NotImplementedError, RuntimeError)


class ArchiveExists(LecternError):
    """A file of this name exists."""

    default_hint = "Choose another name. Lectern never overwrites a backup or an export."


class ArchiveNotWritable(LecternError):
    """A file cannot be written here."""

    default_hint = "Name a file in an existing folder that you may write to."


class PassphraseRequired(LecternError):
    """This file is encrypted."""

    default_hint = "Give the passphrase, for example with `--passphrase-file FILE`."


class ArchiveBroken(LecternError):
    """This file is damaged, altered, or not an archive of Lectern."""

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

    With a passphrase, the archive is encrypted while it is written.

    Raises:
        ArchiveExists, ArchiveNotWritable: On entering: the name is taken, or the folder is missing or read-only.
        ArchiveNotWritable: On leaving: the disk became full.
    """

    def __init__(self, path: Path, *, passphrase: str | None = None) -> None:
        self.path = path
        self.passphrase = passphrase
        self.unpublished = path.with_name(f".{path.name}.{uuid.uuid4().hex[:8]}.part")
        self.members: dict[str, Member] = {}
        self.originals: dict[str, Member] = {}

    def __enter__(self) -> Self:
        if self.path.exists():
            raise ArchiveExists(f"{self.path} exists.")
        try:
            descriptor = os.open(self.unpublished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise self._explain(error) from error
        self._file = os.fdopen(descriptor, "wb")
        self._encrypted = EncryptedWriter(self._file, self.passphrase) if self.passphrase else None
        stream = cast("IO[bytes]", self._encrypted or self._file)  # a zip needs `write` and `flush` only
        self._zip = zipfile.ZipFile(stream, "w", allowZip64=True)
        return self

    def __exit__(self, _type: object, error: BaseException | None, _traceback: object) -> None:
        self.unpublished.unlink(missing_ok=True)
        with suppress(OSError):  # a complete archive is on disk already, and an incomplete one has no file any more
            self._zip.close()
        with suppress(OSError):
            self._file.close()
        if isinstance(error, OSError) and error.errno in _FULL:
            raise self._explain(error) from error

    def _explain(self, error: OSError) -> ArchiveNotWritable:
        if error.errno in _FULL:
            return ArchiveNotWritable(f"The disk of {self.path.parent} is full.", hint=_FULL_HINT)
        return ArchiveNotWritable(f"{self.path} cannot be written: {error.strerror}.")

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

    async def write_original(self, originals: OriginalStore, sha256: str) -> bool:
        """Write an original once, however many documents share it. Return False if it is not in storage."""
        if sha256 in self.originals:
            return True
        try:
            stream = await originals.open(sha256)
        except OriginalNotFound:
            return False
        first = await anext(stream, b"")
        with self.member(original_member(sha256), is_compressed=_shrinks(first)) as member:
            member.write(first)
            async for block in stream:
                member.write(block)
        self.originals[sha256] = member.entry
        return True

    def close(self, *, comment: bytes = b"") -> None:
        """Complete the zip on disk, still under its temporary name."""
        self._zip.comment = comment
        self._zip.close()
        if self._encrypted:
            self._encrypted.finish()
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
    """Reads members of an archive, and raises ArchiveBroken for a file that is not whole.

    `passphrase` is called for an encrypted file.

    Raises:
        PassphraseRequired, WrongPassphrase, EncryptedFileBroken: On opening.
    """

    def __init__(self, path: Path, *, passphrase: Callable[[], str] | None = None) -> None:
        self.path = path
        with ExitStack() as opened:
            try:
                self.file = _open(path, passphrase, opened)
                _limit_directory(self.file)
                self.zip = opened.enter_context(zipfile.ZipFile(self.file))
            except FileNotFoundError as error:
                raise ArchiveBroken(f"There is no file {path}.", hint="Correct the name.") from error
            except IsADirectoryError as error:
                raise ArchiveBroken(f"{path} is a folder.", hint="Name a file in it.") from error
            except (*_DAMAGE, OSError) as error:
                raise ArchiveBroken(f"{path} is not a whole archive: {error}.") from error
            self.read_head()
            self._opened = opened.pop_all()

    def read_head(self) -> None:
        """Read the manifest, for subclasses. The file is closed if this raises."""

    def close(self) -> None:
        self._opened.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def blocks(self, name: str) -> Iterator[bytes]:
        """Yield the content of a member in blocks."""
        try:
            with self.zip.open(name) as stream:
                while block := stream.read(BLOCK_BYTES):
                    yield block
        except (*_DAMAGE, OSError) as error:
            raise ArchiveBroken(f"{self.path} is damaged: {name} cannot be read: {error}.") from error

    async def stream_original(self, sha256: str) -> AsyncIterator[bytes]:
        """Yield an original in blocks, with other tasks in between."""
        for block in self.blocks(original_member(sha256)):
            yield block
            await asyncio.sleep(0)

    def read(self, name: str, *, max_bytes: int = MAX_LOADED_BYTES) -> bytes:
        """Return the content of a member of at most `max_bytes`."""
        if name not in self.zip.NameToInfo:
            hint = _FOREIGN_HINT if name == MANIFEST else None
            raise ArchiveBroken(f"{self.path} has no {name}.", hint=hint)
        if self.zip.getinfo(name).file_size > max_bytes:
            raise ArchiveBroken(f"{self.path}: {name} is larger than a member may be.")
        return b"".join(self.blocks(name))

    def read_model(self, name: str, kind: type[T]) -> T:
        """Return a JSON member as a model."""
        return self.parse(name, self.read(name), kind)

    def parse(self, name: str, content: bytes, kind: type[T]) -> T:
        """Return the JSON of a member as a model."""
        try:
            return kind.model_validate_json(content)
        except ValidationError as error:
            raise ArchiveBroken(f"{self.path}: {name} has an unknown form.") from error


def original_member(sha256: str) -> str:
    """Return the name of the member that holds an original."""
    return f"originals/{sha256}"


def _shrinks(block: bytes) -> bool:
    sample = block[:65_536]
    return len(zlib.compress(sample, 1)) < _SHRINKING * len(sample)


def _open(path: Path, passphrase: Callable[[], str] | None, opened: ExitStack) -> IO[bytes]:
    file = opened.enter_context(path.open("rb"))
    is_encrypted = file.read(len(MAGIC)) == MAGIC
    file.seek(0)
    if not is_encrypted:
        if file.read(len(_START)) != _START:
            raise ArchiveBroken(f"{path} is not a file of Lectern.", hint=_FOREIGN_HINT)
        return file
    return opened.enter_context(io.BufferedReader(EncryptedReader(file, (passphrase or _require_passphrase)())))


def _require_passphrase() -> str:
    raise PassphraseRequired


def _limit_directory(file: IO[bytes]) -> None:
    """Refuse a zip with a huge list of members, before it is read into memory. Raises BadZipFile."""
    tail_bytes = min(file.seek(0, os.SEEK_END), _LOCATOR64.size + _END.size + 65_535)
    file.seek(-tail_bytes, os.SEEK_END)
    tail = file.read()
    at = tail.rfind(b"PK\5\6")
    if at < 0 or len(tail) - at < _END.size:
        raise zipfile.BadZipFile("it has no end")
    size_bytes = _END.unpack_from(tail, at)[5]
    if at >= _LOCATOR64.size and tail[at - _LOCATOR64.size :].startswith(b"PK\6\7"):
        file.seek(_LOCATOR64.unpack_from(tail, at - _LOCATOR64.size)[2])
        size_bytes = _END64.unpack(file.read(_END64.size).ljust(_END64.size, b"\0"))[8]
    if size_bytes > _MAX_DIRECTORY_BYTES:
        raise zipfile.BadZipFile("it has too many members")


def _flush_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
