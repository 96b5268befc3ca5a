"""Fill a temporary library with labelled sets: chunk their files, store and embed them.

A set is a folder with files in `pdfs/`, `docs/` or `documents/`, and `questions.jsonl` (`lectern.evaluation.sets`).
Chunks and embeddings are cached in a folder by content. A second run takes seconds.
"""

import argparse
import asyncio
import hashlib
import json
import logging
import pickle
import sqlite3
import uuid
from collections.abc import AsyncGenerator, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from sqlalchemy import insert
from throwaway import ThrowawayDatabase

import lectern.chunking
import lectern.extraction
from lectern.chunking.chunker import chunk_document
from lectern.chunking.types import ChunkedDocument, ChunkingOptions, TextChunk
from lectern.db.engine import create_engine
from lectern.db.lexical_index import index_document
from lectern.db.scope import SYSTEM_SCOPE
from lectern.db.session import Database
from lectern.documents.models import Chunk, Document, DocumentPage
from lectern.embeddings.cache import content_hash
from lectern.embeddings.generations import Generation, prepare_generation
from lectern.embeddings.provider import EmbeddingProvider, Vectors
from lectern.embeddings.registry import create_provider
from lectern.embeddings.service import replace_embeddings
from lectern.evaluation.sets import LabelledQuestion, read_set
from lectern.extraction.detection import HEAD_BYTES, detect_content_type
from lectern.extraction.service import read_document
from lectern.extraction.types import ExtractedDocument, ExtractionLimits, OcrOptions
from lectern.ingestion.stages.embed import split_chunks
from lectern.settings import EmbeddingsSettings

LIBRARY: Final = uuid.UUID("00000000-0000-4000-8000-000000000001")
FOLDERS: Final = ("pdfs", "docs", "documents")
DEFAULT_CACHE: Final = Path.home() / ".cache" / "lectern-benchmarks"


@dataclass(frozen=True, slots=True)
class ChunkedFile:
    """A file with its extracted pages and its chunks."""

    path: Path
    sha256: str
    extracted: ExtractedDocument
    chunked: ChunkedDocument


def make_parser(description: str | None) -> argparse.ArgumentParser:
    """Return a parser for a script that uses the cache folder."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cache", type=Path, default=DEFAULT_CACHE, help="folder of models, chunks and embeddings")
    return parser


def read_questions(folders: Iterable[Path]) -> list[LabelledQuestion]:
    """Return the questions of the sets that name the pages of their evidence."""
    return [question for folder in folders for question in read_set(folder) if question.pages]


def read_translations(files: Iterable[Path]) -> dict[str, str]:
    """Return the translated questions of JSON lines {id, question} by id."""
    lines = (line for file in files for line in file.read_text(encoding="utf-8").splitlines())
    return {row["id"]: row["question"] for row in map(json.loads, lines)}


@asynccontextmanager
async def connect(
    address: ThrowawayDatabase, cache: Path, *, threads: int = 1
) -> AsyncGenerator[tuple[Database, EmbeddingProvider]]:
    """Connect to a library and load the local model. Close both at the end."""
    logging.getLogger("lectern.search").setLevel(logging.ERROR)  # each search without a model logs a warning
    database = Database(create_engine(address.service_url, statement_timeout_seconds=600))
    provider = create_provider(EmbeddingsSettings(threads=threads), model_dir=cache / "models")
    try:
        yield database, provider
    finally:
        await provider.close()
        await database.dispose()


async def fill(
    database: Database,
    files: Iterable[ChunkedFile],
    address: ThrowawayDatabase,
    *,
    provider: EmbeddingProvider,
    cache: Path,
    collection: uuid.UUID = LIBRARY,
    is_embedded: bool = True,
) -> None:
    """Store chunked files like ingestion, with `is_embedded` false without embeddings."""
    generation = await asyncio.to_thread(prepare_generation, address.owner_url, provider.info) if is_embedded else None
    embeddings = EmbeddingFileCache(cache)
    for file in files:
        await store(
            database, file, collection=collection, generation=generation, provider=provider, embeddings=embeddings
        )


def chunk_sets(folders: Iterable[Path], cache: Path) -> list[ChunkedFile]:
    """Extract and chunk the files of the sets, with text recognition.

    Starts an event loop. Where one is running, call this in a thread.

    Raises:
        FileNotFoundError: A set has no files.
    """
    cache.mkdir(parents=True, exist_ok=True)
    return [chunk_file(path, cache) for folder in folders for path in list_files(folder)]


def list_files(folder: Path) -> list[Path]:
    """Return the files of a set. Raise FileNotFoundError if there are none."""
    files = sorted(path for name in FOLDERS for path in (folder / name).glob("*") if path.is_file())
    if not files:
        raise FileNotFoundError(f"No files in {folder}: a set is a folder with {FOLDERS[0]}/ and questions.jsonl.")
    return files


def chunk_file(path: Path, cache: Path) -> ChunkedFile:
    """Extract and chunk a file, or return it from the cache."""
    sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
    cached = cache / f"chunked-{sha256[:24]}-{code_version()}.pickle"
    if cached.exists():
        return pickle.loads(cached.read_bytes())
    content_type = detect_content_type(path.read_bytes()[:HEAD_BYTES], path.name)
    extracted = asyncio.run(read_document(path, content_type, limits=ExtractionLimits(), ocr=OcrOptions()))
    file = ChunkedFile(path, sha256, extracted, chunk_document(extracted, options=ChunkingOptions()))
    cached.write_bytes(pickle.dumps(file))
    return file


def code_version() -> str:
    """Return a digest of the code that extracts and chunks."""
    digest = hashlib.sha256()
    for package in (lectern.extraction, lectern.chunking):
        for file in sorted(Path(package.__path__[0]).rglob("*.py")):
            digest.update(file.read_bytes())
    return digest.hexdigest()[:12]


class EmbeddingFileCache:
    """An embedding cache in a file, for later runs."""

    def __init__(self, cache: Path) -> None:
        cache.mkdir(parents=True, exist_ok=True)
        self._file = sqlite3.connect(cache / "embeddings.sqlite3")
        self._file.execute(
            "CREATE TABLE IF NOT EXISTS embeddings (model TEXT, hash BLOB, vector BLOB, PRIMARY KEY (model, hash))"
        )

    def get(self, fingerprint: str, hashes: Sequence[bytes]) -> dict[bytes, Vectors]:
        """Return the cached vectors of a model by hash."""
        vectors: dict[bytes, Vectors] = {}
        for key in hashes:
            row = self._file.execute(
                "SELECT vector FROM embeddings WHERE model = ? AND hash = ?", (fingerprint, key)
            ).fetchone()
            if row:
                vectors[key] = np.frombuffer(row[0], np.float16).astype(np.float32)
        return vectors

    def put(self, fingerprint: str, vectors: dict[bytes, Vectors]) -> None:
        """Store vectors of a model by hash."""
        rows = [(fingerprint, key, vector.astype(np.float16).tobytes()) for key, vector in vectors.items()]
        self._file.executemany("INSERT OR REPLACE INTO embeddings VALUES (?, ?, ?)", rows)
        self._file.commit()


async def embed(provider: EmbeddingProvider, embeddings: EmbeddingFileCache, texts: Sequence[str]) -> Vectors:
    """Return the embeddings of windows of documents, (n, dimensions), and add them to the cache."""
    by_hash = {content_hash(text): text for text in texts}
    vectors = embeddings.get(provider.info.fingerprint, list(by_hash))
    missing = [key for key in by_hash if key not in vectors]
    for start in range(0, len(missing), 64):
        part = missing[start : start + 64]
        new = dict(zip(part, await provider.embed_documents([by_hash[key] for key in part]), strict=True))
        embeddings.put(provider.info.fingerprint, new)
        vectors |= new
        print(f"\r  embedded {start + len(part)} of {len(missing)} windows", end="", flush=True)
    return np.stack([vectors[content_hash(text)] for text in texts])


async def store(
    database: Database,
    file: ChunkedFile,
    *,
    collection: uuid.UUID = LIBRARY,
    generation: Generation | None,
    provider: EmbeddingProvider,
    embeddings: EmbeddingFileCache,
) -> None:
    """Store a chunked file as a ready document, with embeddings if `generation` is given."""
    document_id = uuid.uuid5(collection, file.sha256)
    ids = [uuid.uuid5(document_id, str(chunk.chunk_index)) for chunk in file.chunked.chunks]
    embedded: dict[str, Any] | None = None
    if ids and generation:  # before the transaction, as the model may take minutes
        embedded = await _embed_chunks(file, ids, provider=provider, embeddings=embeddings)
    async with database.session(SYSTEM_SCOPE) as session:
        session.add(_document(file, document_id, collection))
        await session.flush()
        pages = [_page(file, document_id, number) for number in range(len(file.extracted.pages))]
        await session.execute(insert(DocumentPage), pages)
        if ids:
            rows = [_chunk(chunk, document_id, key) for chunk, key in zip(file.chunked.chunks, ids, strict=True)]
            await session.execute(insert(Chunk), rows)
            await index_document(session, document_id)
        if generation and embedded:
            await replace_embeddings(session, generation, **embedded)


def _document(file: ChunkedFile, document_id: uuid.UUID, collection: uuid.UUID) -> Document:
    count = len(file.chunked.chunks)
    return Document(
        id=document_id,
        collection_id=collection,
        filename=file.path.name,
        title=file.chunked.title,
        content_type=file.extracted.content_type,
        size_bytes=file.path.stat().st_size,
        sha256=file.sha256,
        language=file.chunked.language,
        status="ready",
        page_count=len(file.extracted.pages),
        chunk_count=count,
        embedded_chunk_count=count,
    )


def _page(file: ChunkedFile, document_id: uuid.UUID, number: int) -> dict[str, Any]:
    page, entry = file.extracted.pages[number], file.chunked.pages[number]
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


async def _embed_chunks(
    file: ChunkedFile, ids: Sequence[uuid.UUID], *, provider: EmbeddingProvider, embeddings: EmbeddingFileCache
) -> dict[str, Any]:
    """Return the arguments of `replace_embeddings`: chunk, number and vector of each window."""
    chunks = zip(ids, file.chunked.chunks, strict=True)
    windows = await asyncio.to_thread(split_chunks, provider, file.chunked.title, chunks)
    vectors = await embed(provider, embeddings, [window.text for _, window in windows])
    numbers = [window.window_number for _, window in windows]
    return {"chunk_ids": [chunk_id for chunk_id, _ in windows], "window_numbers": numbers, "vectors": vectors}
