"""The file of a backup: a zip whose members are streamed in and out, each under its sha256 (ADR 5).

    manifest.json               what is inside; its own sha256 is the comment of the zip
    tables/<name>.copy          rows in Postgres' text format of COPY
    originals/<sha256>          the files as they were uploaded

Memory is that of one block, whatever the sizes; zip64 throughout, so that neither members nor their number are bounded.
"""

import hashlib
import os
import uuid
import zipfile
import zlib
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final, Self

from pydantic import BaseModel, ValidationError

from lectern.library.backup.errors import BackupBroken, BackupExists

FORMAT: Final = "lectern-backup/1"
MANIFEST: Final = "manifest.json"
BLOCK_BYTES: Final = 1_048_576
_LARGEST_MANIFEST_BYTES: Final = 1 << 30
LEVEL: Final = 1  # rows shrink almost as far as at level 6, in under half of the time (ADR 5)


class Member(BaseModel):
    """A member of the file: sha256 and size of its content."""

    sha256: str
    size_bytes: int


class TableEntry(Member):
    """A table: its columns as they stand in the member, and how many rows there are."""

    columns: list[str]
    row_count: int


class GenerationEntry(BaseModel):
    """A model whose embeddings have a table of their own."""

    id: int
    fingerprint: str
    dimensions: int
    state: str


class SequenceEntry(BaseModel):
    """Where a sequence stands."""

    last_value: int
    is_called: bool


class Manifest(BaseModel):
    """What a backup holds. `missing_originals` were named by rows and not in storage when it was made."""

    format: str = FORMAT
    lectern_version: str
    revision: str
    created_at: str
    tables: dict[str, TableEntry]
    sequences: dict[str, SequenceEntry]
    generations: list[GenerationEntry]
    originals: dict[str, Member]
    missing_originals: list[str]

    @property
    def damaged_originals(self) -> list[str]:
        """Those whose bytes were not those of their name any more when the backup was made."""
        return [sha256 for sha256, member in self.originals.items() if member.sha256 != sha256]


class ArchiveWriter:
    """Writes a backup beside its name and gives it the name at the end; leaving without `finish` leaves nothing.

    Raises:
        BackupExists: On entering: the name is taken.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._part = path.with_name(f".{path.name}.{uuid.uuid4().hex[:8]}.part")

    def __enter__(self) -> Self:
        if self._path.exists():
            raise BackupExists(f"{self._path} is there already.")
        descriptor = os.open(self._part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        self._file = os.fdopen(descriptor, "wb")
        self._zip = zipfile.ZipFile(self._file, "w", allowZip64=True)
        return self

    def __exit__(self, *_: object) -> None:
        self._zip.close()
        self._file.close()
        self._part.unlink(missing_ok=True)

    @contextmanager
    def member(self, name: str, *, is_compressed: bool) -> Generator["MemberWriter"]:
        """A member to be written in blocks."""
        self._zip.compression = zipfile.ZIP_DEFLATED if is_compressed else zipfile.ZIP_STORED
        self._zip.compresslevel = LEVEL
        with self._zip.open(name, "w", force_zip64=True) as stream:
            yield MemberWriter(stream)

    def finish(self, manifest: Manifest) -> None:
        """Write the manifest, read all of it again from the disk, and only then give the file its name.

        Raises:
            BackupBroken: What was read is not what was written.
            BackupExists: Somebody else took the name meanwhile.
        """
        content = manifest.model_dump_json(indent=1).encode()
        self._zip.writestr(zipfile.ZipInfo(MANIFEST), content, zipfile.ZIP_DEFLATED, compresslevel=6)
        self._zip.comment = hashlib.sha256(content).hexdigest().encode()
        self._zip.close()
        self._file.flush()
        os.fsync(self._file.fileno())
        with ArchiveReader(self._part) as reader:
            reader.verify()
        self._take_name()
        _flush_folder(self._path.parent)

    def _take_name(self) -> None:
        """A link replaces nothing, which a rename would; where the disk knows no links, look first."""
        try:
            os.link(self._part, self._path)
        except OSError as error:
            if self._path.exists():
                raise BackupExists(f"{self._path} is there already.") from error
            self._part.rename(self._path)


class MemberWriter:
    """Counts and hashes what goes into a member."""

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


class ArchiveReader:
    """Reads a backup. Nothing in it is believed before `verify` has read all of it.

    Raises:
        BackupBroken: On entering: it is no backup, or its manifest was altered.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> Self:
        try:
            self._zip = zipfile.ZipFile(self._path)
        except FileNotFoundError as error:
            raise BackupBroken(f"There is no file {self._path}.", hint="Correct the name.") from error
        except (zipfile.BadZipFile, OSError, ValueError) as error:
            raise BackupBroken(f"{self._path} is no whole backup: {error}.") from error
        try:
            self.manifest = self._read_manifest()
        except BaseException:
            self._zip.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._zip.close()

    def _read_manifest(self) -> Manifest:
        names = self._zip.namelist()
        if MANIFEST not in names or self._zip.getinfo(MANIFEST).file_size > _LARGEST_MANIFEST_BYTES:
            raise BackupBroken(f"{self._path} is no backup of Lectern: it has no manifest.")
        content = b"".join(self._blocks(MANIFEST))
        if hashlib.sha256(content).hexdigest().encode() != self._zip.comment or not self._is_bare():
            raise BackupBroken(f"{self._path} was altered: its manifest is not the one it was made with.")
        try:
            manifest = Manifest.model_validate_json(content)
        except ValidationError as error:
            raise BackupBroken(f"{self._path} has a manifest that cannot be read.") from error
        if manifest.format != FORMAT:
            raise BackupBroken(f"{self._path} has the unknown format {manifest.format!r}.")
        return manifest

    def _is_bare(self) -> bool:
        """Whether nothing stands before the first member or after the comment."""
        with self._path.open("rb") as file:
            file.seek(-len(self._zip.comment), os.SEEK_END)
            is_end = file.read() == self._zip.comment
        return is_end and min(info.header_offset for info in self._zip.infolist()) == 0

    def verify(self) -> None:
        """Read every member and compare it with the manifest.

        Raises:
            BackupBroken: One is missing, altered, or not named there.
        """
        expected = self._expected()
        names = self._zip.namelist()
        strange = set(names) ^ (set(expected) | {MANIFEST})
        if strange or len(names) != len(set(names)):
            raise BackupBroken(f"{self._path} was altered: {min(strange, default='a member')} is not as it was made.")
        for name, member in expected.items():
            digest, size_bytes = hashlib.sha256(), 0
            for block in self._blocks(name):
                digest.update(block)
                size_bytes += len(block)
            if (digest.hexdigest(), size_bytes) != (member.sha256, member.size_bytes):
                raise BackupBroken(f"{self._path} was altered: {name} is not as it was made.")

    def _expected(self) -> dict[str, Member]:
        tables = {table_member(name): entry for name, entry in self.manifest.tables.items()}
        originals = {original_member(sha256): member for sha256, member in self.manifest.originals.items()}
        return {**tables, **originals}

    def table(self, name: str) -> Iterator[bytes]:
        """The rows of a table, in blocks."""
        return self._blocks(table_member(name))

    def original(self, sha256: str) -> Iterator[bytes]:
        """An original, in blocks."""
        return self._blocks(original_member(sha256))

    def _blocks(self, name: str) -> Iterator[bytes]:
        try:
            with self._zip.open(name) as stream:
                while block := stream.read(BLOCK_BYTES):
                    yield block
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, KeyError, NotImplementedError) as error:
            raise BackupBroken(f"{self._path} is damaged: {name} cannot be read: {error}.") from error


def table_member(name: str) -> str:
    return f"tables/{name}.copy"


def original_member(sha256: str) -> str:
    return f"originals/{sha256}"


def _flush_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
