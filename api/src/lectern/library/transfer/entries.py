"""The file of an export: a zip of JSON, NumPy arrays and originals, readable without Lectern (ADR 4).

manifest.json                   selection and embedding model; the last member
documents/000001/document.json  name, title, tags, collection, language, outline; sha256 of its original
documents/000001/pages.jsonl    one page a line: number, kind, text
documents/000001/chunks.jsonl   one chunk a line: text, position, section, tokens, sha256 of the text
documents/000001/notes.jsonl    one shared note a line: text, quotation, page, author
documents/000001/vectors.npy    half precision, one row for each line of vectors.txt
documents/000001/vectors.txt    sha256 of the text of each vector
originals/<sha256>              the files as they were uploaded
"""

import io
import uuid
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

import numpy as np
from pydantic import BaseModel, Field

from lectern.documents.notes.schemas import MAX_QUOTE_CHARACTERS, NoteText
from lectern.embeddings.provider import Vectors
from lectern.http.schemas import MAX_INTEGER
from lectern.library.archive import MANIFEST, ArchiveBroken, ArchiveReader

FORMAT: Final = "lectern-export/1"
_HASH_BYTES: Final = 32


class Model(BaseModel):
    """The embedding model of the vectors."""

    fingerprint: str
    dimensions: int


class ExportManifest(BaseModel):
    """The content of an export. `missing` names the documents that were left out: their original is not in storage."""

    format: str
    lectern_version: str
    created_at: str
    selection: dict[str, str]
    model: Model | None
    document_count: int
    missing: list[str]


class CollectionEntry(BaseModel):
    """The collection of a document."""

    name: str
    description: str = ""
    is_open: bool = True


class ChunkEntry(BaseModel):
    """The parts of a chunk that its embedding depends on."""

    id: uuid.UUID
    text: str
    section_path: list[str]
    section_heading: str | None


class DocumentEntry(BaseModel):
    """The metadata of a document. `language` was detected unless `is_language_given`."""

    filename: str
    title: str | None
    content_type: str
    size_bytes: int
    sha256: str = Field(pattern="^[0-9a-f]{64}$")
    language: str | None
    is_language_given: bool
    collection: CollectionEntry
    tags: list[str] = Field(max_length=1_000)
    version: int
    status: str
    created_at: str
    outline: list[dict[str, Any]]
    information: dict[str, Any]
    aliases: list[str] | None = Field(default=None, description="Given by somebody. Older exports have none.")


class NoteEntry(BaseModel):
    """A shared note. Its range refers to the text of `version`."""

    version: int
    author_name: str
    page_number: int = Field(ge=1, le=MAX_INTEGER)
    char_start: int = Field(ge=0, le=MAX_INTEGER)
    char_end: int = Field(ge=1, le=MAX_INTEGER)
    quote: str = Field(max_length=MAX_QUOTE_CHARACTERS)
    text: NoteText
    updated_at: datetime


def document_folder(number: int) -> str:
    """Return the folder of the n-th document of an export, from 1."""
    return f"documents/{number:06d}"


def pack_vectors(vectors: Mapping[bytes, Vectors]) -> tuple[bytes, bytes]:
    """Return vectors by the sha256 of their text as the two members `vectors.npy` and `vectors.txt`."""
    array = io.BytesIO()
    np.save(array, np.asarray(list(vectors.values()), np.float16), allow_pickle=False)
    return array.getvalue(), "".join(f"{key.hex()}\n" for key in vectors).encode()


class ExportReader(ArchiveReader):
    """Reads an export. Raises ArchiveBroken for a file that is not whole or has another format."""

    def read_head(self) -> None:
        """Read the manifest. Raises ArchiveBroken."""
        if "tables/documents.copy" in self.zip.NameToInfo:
            raise ArchiveBroken(f"{self.path} is a backup, not an export.", hint="Use `lectern restore`.")
        self.manifest = self.read_model(MANIFEST, ExportManifest)
        if self.manifest.format != FORMAT:
            raise ArchiveBroken(f"{self.path} has the format {self.manifest.format!r}; this Lectern reads {FORMAT!r}.")

    def document(self, number: int) -> DocumentEntry:
        """Return the metadata of the n-th document, from 1."""
        return self.read_model(f"{document_folder(number)}/document.json", DocumentEntry)

    def chunks(self, number: int) -> list[ChunkEntry]:
        """Return the chunks of the n-th document, in reading order."""
        name = f"{document_folder(number)}/chunks.jsonl"
        return [self.parse(name, line, ChunkEntry) for line in self.read(name).splitlines()]

    def notes(self, number: int) -> list[NoteEntry]:
        """Return the shared notes of the n-th document. Older exports have none."""
        name = f"{document_folder(number)}/notes.jsonl"
        lines = self.read(name).splitlines() if name in self.zip.NameToInfo else []
        return [self.parse(name, line, NoteEntry) for line in lines]

    def vectors(self, number: int, *, dimensions: int) -> dict[bytes, Vectors]:
        """Return the vectors of the n-th document by the sha256 of their text.

        The array's header is compared before the array is read, so that it cannot declare more than the file has.
        """
        folder = document_folder(number)
        content = io.BytesIO(self.read(f"{folder}/vectors.npy"))
        try:
            keys = [bytes.fromhex(line) for line in self.read(f"{folder}/vectors.txt").decode().split()]
            version = np.lib.format.read_magic(content)
            shape, is_fortran, kind = np.lib.format.read_array_header_1_0(content)
            rows = np.frombuffer(content.read(), np.float16)
        except (ValueError, EOFError, OSError) as error:
            raise ArchiveBroken(f"The vectors of document {number} are damaged.") from error
        expected = (len(keys), dimensions) if keys else shape  # an empty array has any shape
        is_expected = (version, shape, is_fortran, kind) == ((1, 0), expected, False, np.float16)
        is_whole = is_expected and rows.size == len(keys) * dimensions
        if not is_whole or any(len(key) != _HASH_BYTES for key in keys):
            raise ArchiveBroken(f"The vectors of document {number} are damaged.")
        return dict(zip(keys, rows.reshape(-1, dimensions).astype(np.float32), strict=True))
