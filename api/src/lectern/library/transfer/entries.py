"""The file of an export: a zip of JSON, NumPy arrays and originals, readable without Lectern (ADR 5).

manifest.json                   selection and embedding model; the last member
documents/000001/document.json  name, title, tags, collection, language, outline; sha256 of its original
documents/000001/pages.jsonl    one page a line: number, kind, text
documents/000001/chunks.jsonl   one chunk a line: text, position, section, tokens, sha256 of the text
documents/000001/vectors.npy    half precision, one row for each line of vectors.txt
documents/000001/vectors.txt    sha256 of the text of each vector
originals/<sha256>              the files as they were uploaded
"""

import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
from pydantic import BaseModel, Field

from lectern.embeddings.provider import Vectors
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
    tags: list[str]
    version: int
    status: str
    created_at: str
    outline: list[dict[str, Any]]
    information: dict[str, Any]


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

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.manifest = self.read_model(MANIFEST, ExportManifest)
        if self.manifest.format != FORMAT:
            raise ArchiveBroken(f"{path} has the format {self.manifest.format!r}; this Lectern reads {FORMAT!r}.")

    def document(self, number: int) -> DocumentEntry:
        """Return the metadata of the n-th document, from 1."""
        return self.read_model(f"{document_folder(number)}/document.json", DocumentEntry)

    def vectors(self, number: int, *, dimensions: int) -> dict[bytes, Vectors]:
        """Return the vectors of the n-th document by the sha256 of their text.

        The result is empty if a vector is not finite or has another size.
        """
        folder = document_folder(number)
        try:
            keys = [bytes.fromhex(line) for line in self.read(f"{folder}/vectors.txt").decode().split()]
            rows = np.load(io.BytesIO(self.read(f"{folder}/vectors.npy")), allow_pickle=False)
        except (ValueError, EOFError, OSError) as error:
            raise ArchiveBroken(f"The vectors of document {number} are damaged.") from error
        is_valid = rows.shape == (len(keys), dimensions) and bool(np.isfinite(rows).all())
        is_valid = is_valid and all(len(key) == _HASH_BYTES for key in keys)
        return dict(zip(keys, rows.astype(np.float32), strict=True)) if is_valid else {}
