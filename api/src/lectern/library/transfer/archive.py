"""The file of an export: a zip of JSON, NumPy arrays and originals, readable without Lectern (ADR 5).

manifest.json                   what was chosen, by which model the vectors are; the last member
documents/000001/document.json  name, title, tags, collection, language, outline; sha256 of its original
documents/000001/pages.jsonl    a page in each line: number, kind, text
documents/000001/chunks.jsonl   a passage in each line: text, place, section, tokens, sha256 of the text
documents/000001/vectors.npy    half precision, a row for each line of vectors.txt
documents/000001/vectors.txt    sha256 of the text that each vector is of
originals/<sha256>              the files as they were uploaded
"""

import io
import json
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

import numpy as np
from pydantic import BaseModel, Field, ValidationError

from lectern.embeddings.provider import Vectors
from lectern.library.transfer.errors import ExportBroken

T = TypeVar("T", bound=BaseModel)

FORMAT: Final = "lectern-export/1"
MANIFEST: Final = "manifest.json"
BLOCK_BYTES: Final = 1_048_576
_HASH_BYTES: Final = 32
_LARGEST_BYTES: Final = 1 << 30  # of a member that is read at once
_BROKEN: Final = (zipfile.BadZipFile, zlib.error, KeyError, ValueError, EOFError, NotImplementedError, RuntimeError)


class Model(BaseModel):
    """By which model the vectors are."""

    fingerprint: str
    dimensions: int


class Manifest(BaseModel):
    """What an export holds. `missing` are documents whose original was not in storage: they are not in the file."""

    format: str
    lectern_version: str
    created_at: str
    selection: dict[str, str]
    model: Model | None
    document_count: int
    missing: list[str]


class CollectionEntry(BaseModel):
    """The collection that a document was in."""

    name: str
    description: str = ""
    is_open: bool = True


class DocumentEntry(BaseModel):
    """What the library knows of a document; `language` is one that somebody gave, else what was found out."""

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


def folder_of(number: int) -> str:
    """The folder of the n-th document of a file, from 1."""
    return f"documents/{number:06d}"


def original_of(sha256: str) -> str:
    """The member that holds an original."""
    return f"originals/{sha256}"


class ExportWriter:
    """Adds members to a file that is being made."""

    def __init__(self, opened: zipfile.ZipFile) -> None:
        self.zip = opened

    def write_json(self, name: str, model: BaseModel) -> None:
        self.zip.writestr(name, model.model_dump_json(indent=1))

    def write_lines(self, name: str, rows: Sequence[Mapping[str, Any]]) -> None:
        self.zip.writestr(name, "".join(json.dumps(dict(row), ensure_ascii=False) + "\n" for row in rows))

    def write_vectors(self, folder: str, vectors: Mapping[bytes, Vectors]) -> None:
        """Vectors by sha256 of their text."""
        array = io.BytesIO()
        np.save(array, np.asarray(list(vectors.values()), np.float16), allow_pickle=False)
        self.zip.writestr(f"{folder}/vectors.npy", array.getvalue(), zipfile.ZIP_STORED)
        self.zip.writestr(f"{folder}/vectors.txt", "".join(f"{key.hex()}\n" for key in vectors))


class ExportReader:
    """An export that was opened. Everything raises ExportBroken for a file that is not what it says."""

    def __init__(self, path: Path) -> None:
        try:
            self._zip = zipfile.ZipFile(path)
        except (*_BROKEN, OSError) as error:
            raise ExportBroken(f"{path} is no export of Lectern, or not all of it.") from error
        self.manifest = self._model(MANIFEST, Manifest)
        if self.manifest.format != FORMAT:
            raise ExportBroken(f"The file is of the format {self.manifest.format!r}; this Lectern reads {FORMAT!r}.")

    def close(self) -> None:
        self._zip.close()

    def document(self, number: int) -> DocumentEntry:
        """What is known of the n-th document, from 1."""
        return self._model(f"{folder_of(number)}/document.json", DocumentEntry)

    def blocks(self, sha256: str) -> Iterator[bytes]:
        """The original, piece by piece."""
        try:
            with self._zip.open(original_of(sha256)) as member:
                while block := member.read(BLOCK_BYTES):
                    yield block
        except _BROKEN as error:
            raise ExportBroken(f"The original {sha256} is damaged or not in the file.") from error

    def vectors(self, number: int, *, dimensions: int) -> dict[bytes, Vectors]:
        """The vectors of the n-th document by sha256 of their text; none when one is not finite or of another size."""
        folder = folder_of(number)
        try:
            keys = [bytes.fromhex(line) for line in self._read(f"{folder}/vectors.txt").decode().split()]
            rows = np.load(io.BytesIO(self._read(f"{folder}/vectors.npy")), allow_pickle=False)
        except (*_BROKEN, OSError) as error:
            raise ExportBroken(f"The vectors of document {number} are damaged.") from error
        is_right = rows.shape == (len(keys), dimensions) and bool(np.isfinite(rows).all())
        is_right = is_right and all(len(key) == _HASH_BYTES for key in keys)
        return dict(zip(keys, rows.astype(np.float32), strict=True)) if is_right else {}

    def _read(self, name: str) -> bytes:
        if self._zip.getinfo(name).file_size > _LARGEST_BYTES:
            raise ExportBroken(f"{name} is larger than a part of an export may be.")
        return self._zip.read(name)

    def _model(self, name: str, kind: type[T]) -> T:
        try:
            return kind.model_validate_json(self._read(name))
        except (*_BROKEN, ValidationError) as error:
            raise ExportBroken(f"{name} is damaged or not in the file.") from error
