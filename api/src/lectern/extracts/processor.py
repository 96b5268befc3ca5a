"""Process a file as an ephemeral document: the stages of ingestion, with caches for each actor in place of tables."""

import asyncio
import base64
import binascii
import hashlib
import tempfile
import uuid
from collections import Counter
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, TypeVar

import numpy as np

from lectern import __version__
from lectern.chunking.sizes import options_by_type
from lectern.chunking.types import TextChunk
from lectern.documents.chunks import ChunkView
from lectern.embeddings.provider import EmbeddingProvider, Vectors
from lectern.extraction.detection import HEAD_BYTES, detect_content_type
from lectern.extraction.sandbox import codec
from lectern.extraction.types import ExtractedDocument, PageImageStatus
from lectern.extracts.addresses import Allowed
from lectern.extracts.cache import DiskCache
from lectern.extracts.errors import BrokenContent
from lectern.extracts.fetching import Fetched, Fetcher
from lectern.extracts.schemas import CacheName, SourceRequest
from lectern.ingestion.stages.embed import split_chunks
from lectern.ingestion.stages.reader import Reader
from lectern.logs import ACTOR
from lectern.search.ranking.match import ChunkMatch
from lectern.search.reranking.rerank import RerankerConfig
from lectern.settings import Settings

FETCH_SECONDS: Final = 60.0
AT_ONCE: Final = 2
T = TypeVar("T")
_MB: Final = 1_000_000
_NO_DOCUMENT: Final = uuid.UUID(int=0)
_FRAME: Final = b"V"


@dataclass(frozen=True, slots=True)
class ExtractedFile:
    document: ExtractedDocument
    filename: str
    size_bytes: int
    sha256: str

    def chunk(self, chunk: TextChunk) -> ChunkMatch:
        """Return a chunk of the file as search reads it."""
        names = ChunkView.model_fields.keys() - {"content_type", "section_path"}
        values: dict[str, Any] = {name: getattr(chunk, name) for name in names}
        return ChunkMatch(
            **values,
            chunk_id=uuid.UUID(int=chunk.chunk_index),
            document_id=_NO_DOCUMENT,
            content_type=chunk.content_type.value,
            section_path=list(chunk.section_path),
            document=self.filename,
            title=self.document.metadata.title,
            page_images=PageImageStatus.NONE,
            collection="",
            tags=[],
        )


@dataclass(frozen=True, slots=True)
class EmbeddedFile:
    """The chunks of a file, the index of the chunk of each window, and the windows' vectors in half precision."""

    chunks: tuple[TextChunk, ...]
    owners: tuple[int, ...]
    dimensions: int
    halves: bytes

    @property
    def vectors(self) -> Vectors:
        """Return the vectors, (len(owners), dimensions)."""
        return np.frombuffer(self.halves, np.float16).astype(np.float32).reshape(-1, self.dimensions)


class FileProcessor:
    """Extracts, chunks and embeds files. One for each process."""

    def __init__(
        self, settings: Settings, provider: EmbeddingProvider, *, folder: Path, reranker: RerankerConfig | None = None
    ) -> None:
        self.settings = settings
        self.provider = provider
        self.reranker = reranker
        self.fetcher = Fetcher(
            allowed=Allowed.of(settings.extracts.allowed),
            max_bytes=settings.extracts.max_bytes,
            max_seconds=FETCH_SECONDS,
        )
        self.caches: dict[CacheName, DiskCache] = {
            "download": DiskCache(folder=folder / "download", max_entries=50, max_bytes=500 * _MB),
            "document": DiskCache(folder=folder / "document", max_entries=50, max_bytes=500 * _MB),
            "retriever": DiskCache(folder=folder / "retriever", max_entries=20, max_bytes=500 * _MB),
        }
        self.started_at = datetime.now(UTC)
        self._active: Counter[str] = Counter()
        self._reader = Reader(extraction=settings.extraction, ocr=settings.ocr, chunking=settings.chunking)
        self._free = asyncio.Semaphore(AT_ONCE)

    @property
    def active(self) -> int:
        """Number of files in work for the actor."""
        return self._active[ACTOR.get()]

    async def close(self) -> None:
        """Cancel running work and end the chunking processes."""
        for cache in self.caches.values():
            await cache.close()
        await self._reader.close()

    async def read(self, source: SourceRequest) -> ExtractedFile:
        """Extract the file in a sandbox, unless that was done within the last half hour.

        Raises the errors of `Fetcher.fetch` and `Reader.extract`, and BrokenContent.
        """
        fetched = await self._bytes_of(source)
        filename = source.filename or fetched.filename or "file"
        sha256 = hashlib.sha256(fetched.content).hexdigest()
        content_type = detect_content_type(fetched.content[:HEAD_BYTES], filename)
        password = source.password.get_secret_value() if source.password else None
        secret = hashlib.sha256(password.encode()).hexdigest() if password else ""
        raw = await self.caches["document"].get_or_build(
            f"{__version__}:{sha256}:{content_type}:{secret}",
            lambda: self._extract(fetched.content, content_type, password),
        )
        document = await asyncio.to_thread(lambda: codec.unpack_document(codec.split_frames(raw)))
        return ExtractedFile(document, filename, len(fetched.content), sha256)

    async def chunk(self, file: ExtractedFile) -> tuple[TextChunk, ...]:
        """Return the chunks of a file, with sizes by file type."""
        options = await asyncio.to_thread(
            options_by_type, file.document, languages=tuple(self.settings.chunking.languages)
        )
        async with self._free:
            return (await self._reader.chunk(file.document, options)).chunks

    async def retriever(self, file: ExtractedFile) -> EmbeddedFile:
        """Return the chunks of a file and their vectors."""
        key = f"{__version__}:{file.sha256}:{file.document.content_type}:{self.provider.info.fingerprint}"
        raw = await self.caches["retriever"].get_or_build(key, lambda: self._embed(file))
        return await asyncio.to_thread(_unpack, raw, EmbeddedFile)

    async def _bytes_of(self, source: SourceRequest) -> Fetched:
        if source.content is not None:
            try:
                # lines of 76 characters, as MIME and the base64 of a shell write it, are base64 too
                return Fetched(base64.b64decode("".join(source.content.split()), validate=True), "", "")
            except (binascii.Error, ValueError) as error:
                raise BrokenContent from error
        url = source.url or ""
        raw = await self.caches["download"].get_or_build(url, lambda: self._fetch(url))
        return await asyncio.to_thread(_unpack, raw, Fetched)

    async def _fetch(self, url: str) -> bytes:
        return codec.pack_frame(_FRAME, await self.fetcher.fetch(url))

    async def _extract(self, content: bytes, content_type: str, password: str | None) -> bytes:
        async with self._free:
            self._active[ACTOR.get()] += 1
            try:
                with tempfile.TemporaryDirectory(prefix="lectern-extract-") as folder:
                    path = Path(folder, "file")
                    await asyncio.to_thread(path.write_bytes, content)
                    document = await self._reader.extract(path, content_type, password=password)
            finally:
                self._active[ACTOR.get()] -= 1
        # Boxes are what a document has most of, and nothing here looks at them.
        slim = replace(document, pages=tuple(replace(page, boxes=b"") for page in document.pages))
        return await asyncio.to_thread(lambda: b"".join(codec.pack_document(slim)))

    async def _embed(self, file: ExtractedFile) -> bytes:
        chunks = await self.chunk(file)
        with_ids = [(uuid.UUID(int=chunk.chunk_index), chunk) for chunk in chunks]
        windows = await asyncio.to_thread(split_chunks, self.provider, file.document.metadata.title, with_ids)
        vectors = await self.provider.embed_documents([window.text for _, window in windows]) if windows else ()
        owners = tuple(chunk_id.int for chunk_id, _ in windows)
        halves = np.asarray(vectors, np.float16).tobytes()
        return codec.pack_frame(_FRAME, EmbeddedFile(chunks, owners, self.provider.info.dimensions, halves))


def _unpack(raw: bytes, expected: type[T]) -> T:
    return next(codec.split_frames(raw)).decode(expected)
