"""The sealed archive of a backup: each member is recorded with its sha256, and the manifest's own is the zip comment.

manifest.json               the content of the backup
tables/<name>.copy          rows in Postgres' text format of COPY
originals/<sha256>          the files as they were uploaded
"""

import hashlib
import os
from collections.abc import Iterator
from typing import Final

from pydantic import BaseModel

from lectern.library.archive import MANIFEST, ArchiveBroken, ArchiveReader, ArchiveWriter, Member, original_member

FORMAT: Final = "lectern-backup/1"
_MAX_MANIFEST_BYTES: Final = 1 << 30  # some five million originals


class TableEntry(Member):
    """A table: its columns in the order of the member, and its number of rows."""

    columns: list[str]
    row_count: int


class GenerationEntry(BaseModel):
    """An embedding model whose vectors have a table of their own."""

    id: int
    fingerprint: str
    dimensions: int
    state: str


class SequenceEntry(BaseModel):
    """The state of a sequence."""

    last_value: int
    is_called: bool


class BackupManifest(BaseModel):
    """The content of a backup. `missing_originals` were named by rows but were not in storage."""

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
        """Originals whose content no longer matched their name when the backup was made."""
        return [sha256 for sha256, member in self.originals.items() if member.sha256 != sha256]


def seal(archive: ArchiveWriter, manifest: BackupManifest) -> None:
    """Write the manifest, read the whole file back from disk, and publish it.

    Raises:
        ArchiveBroken: The disk returned something else than was written.
        ArchiveExists: The name was taken meanwhile.
    """
    content = manifest.model_dump_json(indent=1).encode()
    archive.write(MANIFEST, content)
    archive.close(comment=hashlib.sha256(content).hexdigest().encode())
    passphrase = archive.passphrase
    with BackupReader(archive.unpublished, passphrase=(lambda: passphrase) if passphrase else None) as reader:
        reader.verify()
    archive.publish()


class BackupReader(ArchiveReader):
    """Reads a backup. Call `verify` before you trust its content.

    Raises:
        ArchiveBroken: This is not a backup, or its manifest was altered.
    """

    def read_head(self) -> None:
        """Read the manifest. Raises ArchiveBroken."""
        if "documents/000001/document.json" in self.zip.NameToInfo:
            raise ArchiveBroken(f"{self.path} is an export, not a backup.", hint="Use `lectern import`.")
        content = self.read(MANIFEST, max_bytes=_MAX_MANIFEST_BYTES)
        if hashlib.sha256(content).hexdigest().encode() != self.zip.comment or not self._is_bare():
            raise ArchiveBroken(f"{self.path} was altered: its manifest has another checksum.")
        self.manifest = self.parse(MANIFEST, content, BackupManifest)
        if self.manifest.format != FORMAT:
            raise ArchiveBroken(f"{self.path} has the unknown format {self.manifest.format!r}.")

    def _is_bare(self) -> bool:
        """Return True if there are no bytes before the first member or after the comment."""
        self.file.seek(-len(self.zip.comment), os.SEEK_END)
        is_end = self.file.read() == self.zip.comment
        return is_end and min(info.header_offset for info in self.zip.infolist()) == 0

    def verify(self) -> None:
        """Compare every member with the manifest.

        Raises:
            ArchiveBroken: A member is missing, altered, or not in the manifest.
        """
        expected = self._expected()
        names = self.zip.namelist()
        different = set(names) ^ (set(expected) | {MANIFEST})
        if different or len(names) != len(set(names)):
            raise ArchiveBroken(f"{self.path} was altered: {min(different, default='a member')} does not match.")
        for name, member in expected.items():
            digest, size_bytes = hashlib.sha256(), 0
            for block in self.blocks(name):
                digest.update(block)
                size_bytes += len(block)
            if (digest.hexdigest(), size_bytes) != (member.sha256, member.size_bytes):
                raise ArchiveBroken(f"{self.path} was altered: {name} does not match its checksum.")

    def _expected(self) -> dict[str, Member]:
        tables = {table_member(name): entry for name, entry in self.manifest.tables.items()}
        originals = {original_member(sha256): member for sha256, member in self.manifest.originals.items()}
        return {**tables, **originals}

    def table(self, name: str) -> Iterator[bytes]:
        """Yield the rows of a table in blocks."""
        return self.blocks(table_member(name))


def table_member(name: str) -> str:
    """Return the name of the member that holds a table."""
    return f"tables/{name}.copy"
