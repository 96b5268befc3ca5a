"""Labelled sets as libraries: files cut, indexed and embedded in a database that lives as long as the run.

A set is a folder with files in `pdfs/`, `docs/` or `documents/`, and `questions.jsonl` ({id, question, doc,
evidence_pages}). What costs time (cutting, embedding) is kept in a cache folder by content, so that a second run takes
seconds.
"""

import asyncio
import hashlib
import json
import pickle
import sqlite3
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from sqlalchemy import insert

import lectern.chunking
import lectern.extraction
from lectern.chunking.chunker import chunk_document
from lectern.chunking.types import ChunkedDocument, ChunkingOptions, TextChunk
from lectern.db.lexical_index import index_document
from lectern.db.scope import SYSTEM_SCOPE
from lectern.db.session import Database
from lectern.documents.models import Chunk, Document, DocumentPage
from lectern.embeddings.cache import content_hash
from lectern.embeddings.generations import Generation
from lectern.embeddings.provider import EmbeddingProvider, Vectors
from lectern.embeddings.service import replace_embeddings
from lectern.embeddings.windows import chunk_windows, window_context
from lectern.extraction.detection import HEAD_BYTES, detect_content_type
from lectern.extraction.service import read_document
from lectern.extraction.types import ExtractedDocument, ExtractionLimits, OcrOptions

LIBRARY: Final = uuid.UUID("00000000-0000-4000-8000-000000000001")
FOLDERS: Final = ("pdfs", "docs", "documents")
DEFAULT_CACHE: Final = Path.home() / ".cache" / "lectern-benchmarks"


@dataclass(frozen=True, slots=True)
class Question:
    """A question and the pages of the document that hold its answer."""

    id: str
    text: str
    document: str
    pages: frozenset[int]


@dataclass(frozen=True, slots=True)
class CutDocument:
    """A file as read and cut."""

    path: Path
    sha256: str
    extracted: ExtractedDocument
    chunked: ChunkedDocument


def read_questions(folder: Path) -> list[Question]:
    """The set's questions that name the pages of their evidence."""
    lines = (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines if line.strip()]
    return [
        Question(row["id"], row["question"], row["doc"], frozenset(row["evidence_pages"]))
        for row in rows
        if row.get("evidence_pages")
    ]


def cut_sets(folders: Iterable[Path], cache: Path) -> list[CutDocument]:
    """The sets' files, read (pages without text recognised, as the worker does) and cut by the code as it is now.

    Starts an event loop of its own: in a running one, call it in a thread. Raises FileNotFoundError for a set without
    files.
    """
    cache.mkdir(parents=True, exist_ok=True)
    return [cut_file(path, cache) for folder in folders for path in list_files(folder)]


def list_files(folder: Path) -> list[Path]:
    """The files of a set. Raises FileNotFoundError if there are none."""
    files = sorted(path for name in FOLDERS for path in (folder / name).glob("*") if path.is_file())
    if not files:
        raise FileNotFoundError(f"No files in {folder}: a set is a folder with {FOLDERS[0]}/ and questions.jsonl.")
    return files


def cut_file(path: Path, cache: Path) -> CutDocument:
    """A file as read and cut, from the cache if it is there."""
    sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
    kept = cache / f"read-{sha256[:24]}-{code_version()}.pickle"
    if kept.exists():
        return pickle.loads(kept.read_bytes())
    content_type = detect_content_type(path.read_bytes()[:HEAD_BYTES], path.name)
    extracted = asyncio.run(read_document(path, content_type, limits=ExtractionLimits(), ocr=OcrOptions()))
    cut = CutDocument(path, sha256, extracted, chunk_document(extracted, options=ChunkingOptions()))
    kept.write_bytes(pickle.dumps(cut))
    return cut


def code_version() -> str:
    """Changes with the code that reads and cuts."""
    digest = hashlib.sha256()
    for room in (lectern.extraction, lectern.chunking):
        for file in sorted(Path(room.__path__[0]).glob("*.py")):
            digest.update(file.read_bytes())
    return digest.hexdigest()[:12]


class KeptEmbeddings:
    """The embedding cache in a file, for runs to come."""

    def __init__(self, cache: Path) -> None:
        cache.mkdir(parents=True, exist_ok=True)
        self._file = sqlite3.connect(cache / "embeddings.sqlite3")
        self._file.execute(
            "CREATE TABLE IF NOT EXISTS kept (model TEXT, hash BLOB, vector BLOB, PRIMARY KEY (model, hash))"
        )

    def get(self, fingerprint: str, hashes: Sequence[bytes]) -> dict[bytes, Vectors]:
        found: dict[bytes, Vectors] = {}
        for key in hashes:
            row = self._file.execute(
                "SELECT vector FROM kept WHERE model = ? AND hash = ?", (fingerprint, key)
            ).fetchone()
            if row:
                found[key] = np.frombuffer(row[0], np.float16).astype(np.float32)
        return found

    def put(self, fingerprint: str, vectors: dict[bytes, Vectors]) -> None:
        rows = [(fingerprint, key, vector.astype(np.float16).tobytes()) for key, vector in vectors.items()]
        self._file.executemany("INSERT OR REPLACE INTO kept VALUES (?, ?, ?)", rows)
        self._file.commit()


async def embed(provider: EmbeddingProvider, kept: KeptEmbeddings, texts: Sequence[str]) -> Vectors:
    """Embeddings of documents' windows, from the cache file where they are there."""
    by_hash = {content_hash(text): text for text in texts}
    known = kept.get(provider.info.fingerprint, list(by_hash))
    missing = [key for key in by_hash if key not in known]
    for start in range(0, len(missing), 64):
        part = missing[start : start + 64]
        made = dict(zip(part, await provider.embed_documents([by_hash[key] for key in part]), strict=True))
        kept.put(provider.info.fingerprint, made)
        known |= made
        print(f"\r  embedded {start + len(part)} of {len(missing)} windows", end="", flush=True)
    return np.stack([known[content_hash(text)] for text in texts])


async def store(
    database: Database,
    cut: CutDocument,
    *,
    collection: uuid.UUID = LIBRARY,
    generation: Generation | None = None,
    provider: EmbeddingProvider | None = None,
    kept: KeptEmbeddings | None = None,
) -> uuid.UUID:
    """A cut document as ingestion leaves it: ready, indexed, embedded (which is done before the transaction begins)."""
    document_id = uuid.uuid5(collection, cut.sha256)
    ids = [uuid.uuid5(document_id, str(chunk.chunk_index)) for chunk in cut.chunked.chunks]
    embedded: dict[str, Any] | None = None
    if ids and generation and provider and kept:
        embedded = await _embedded(cut, ids, provider=provider, kept=kept)
    async with database.session(SYSTEM_SCOPE) as session:
        session.add(_document(cut, document_id, collection))
        await session.flush()
        pages = [_page(cut, document_id, number) for number in range(len(cut.extracted.pages))]
        await session.execute(insert(DocumentPage), pages)
        if ids:
            rows = [_chunk(chunk, document_id, key) for chunk, key in zip(cut.chunked.chunks, ids, strict=True)]
            await session.execute(insert(Chunk), rows)
            await index_document(session, document_id)
        if generation and embedded:
            await replace_embeddings(session, generation, **embedded)
    return document_id


def _document(cut: CutDocument, document_id: uuid.UUID, collection: uuid.UUID) -> Document:
    count = len(cut.chunked.chunks)
    return Document(
        id=document_id,
        collection_id=collection,
        filename=cut.path.name,
        title=cut.chunked.title,
        content_type=cut.extracted.content_type,
        size_bytes=cut.path.stat().st_size,
        sha256=cut.sha256,
        language=cut.chunked.language,
        status="ready",
        page_count=len(cut.extracted.pages),
        chunk_count=count,
        embedded_chunk_count=count,
    )


def _page(cut: CutDocument, document_id: uuid.UUID, number: int) -> dict[str, Any]:
    page, entry = cut.extracted.pages[number], cut.chunked.pages[number]
    return {
        "document_id": document_id,
        "page_number": page.page_number,
        "kind": entry.kind.value,
        "text": page.text,
        "char_start": entry.char_start,
        "char_count": entry.char_end - entry.char_start,
        "width_points": page.width_points,
        "height_points": page.height_points,
        "boxes": page.boxes,
    }


def _chunk(chunk: TextChunk, document_id: uuid.UUID, chunk_id: uuid.UUID) -> dict[str, Any]:
    names = (
        *("chunk_index", "section_heading", "page_number", "last_page_number", "char_start", "char_end"),
        *("token_count", "importance", "language", "content_hash", "text"),
    )
    values = {name: getattr(chunk, name) for name in names}
    extra = {"section_path": list(chunk.section_path), "content_type": chunk.content_type.value}
    return values | extra | {"id": chunk_id, "document_id": document_id}


async def _embedded(
    cut: CutDocument, ids: Sequence[uuid.UUID], *, provider: EmbeddingProvider, kept: KeptEmbeddings
) -> dict[str, Any]:
    """What `replace_embeddings` takes: chunk, number and vector of each window."""
    chunk_ids: list[uuid.UUID] = []
    numbers: list[int] = []
    texts: list[str] = []
    for chunk, chunk_id in zip(cut.chunked.chunks, ids, strict=True):
        path = (*chunk.section_path, chunk.section_heading or "")
        windows = await asyncio.to_thread(
            chunk_windows,
            chunk.text,
            context=window_context(cut.chunked.title, path),
            count_tokens=provider.count_tokens,
            max_tokens=provider.info.max_tokens,
        )
        chunk_ids += [chunk_id] * len(windows)
        numbers += [window.window_number for window in windows]
        texts += [window.text for window in windows]
    return {"chunk_ids": chunk_ids, "window_numbers": numbers, "vectors": await embed(provider, kept, texts)}
