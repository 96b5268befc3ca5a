"""Process files with the library's own extractors, chunker and model, behind caches for each actor."""

import asyncio
import base64
import binascii
import hashlib
import json
import struct
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import numpy as np
from pydantic import TypeAdapter

from lectern import __version__
from lectern.chunking.sizes import options_by_type
from lectern.chunking.types import TextChunk
from lectern.embeddings.provider import EmbeddingProvider, Vectors
from lectern.embeddings.windows import split_windows, window_context
from lectern.extraction.detection import HEAD_BYTES, detect_content_type
from lectern.extraction.service import read_document
from lectern.extraction.types import ExtractedDocument, ExtractionLimits, OcrEngine, OcrOptions
from lectern.extracts.addresses import Allowed
from lectern.extracts.cache import DiskCache
from lectern.extracts.errors import BrokenContent
from lectern.extracts.fetching import Fetched, Fetcher
from lectern.extracts.ranking import as_bytes, from_bytes
from lectern.extracts.schemas import SourceRequest
from lectern.ingestion.stages.chunking_pool import ChunkingPool
from lectern.logs import ACTOR
from lectern.search.reranking.rerank import RerankerConfig
from lectern.settings import Settings

FETCH_SECONDS: Final = 60.0
AT_ONCE: Final = 2
_LENGTH: Final = struct.Struct(">Q")
_DOCUMENT: Final = TypeAdapter(ExtractedDocument)
_CHUNKS: Final = TypeAdapter(list[TextChunk])
_MB: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class ExtractedFile:
    """An extracted file."""

    document: ExtractedDocument
    filename: str
    size_bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class EmbeddedFile:
    """The chunks of a file, the vectors of their windows, and the chunk of each window."""

    chunks: list[TextChunk]
    owners: list[int]
    vectors: Vectors


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
        self.caches = {
            "download": DiskCache(folder=folder / "download", max_entries=50, max_bytes=500 * _MB),
            "document": DiskCache(folder=folder / "document", max_entries=50, max_bytes=500 * _MB),
            "retriever": DiskCache(folder=folder / "retriever", max_entries=20, max_bytes=500 * _MB),
        }
        self.started_at = datetime.now(UTC)
        self._active: Counter[str] = Counter()
        limits = settings.extraction
        self._limits = ExtractionLimits(
            max_memory_bytes=limits.max_memory_bytes,
            max_seconds=limits.max_seconds,
            max_pages=limits.max_pages,
            max_characters=limits.max_characters,
            max_page_characters=limits.max_page_characters,
        )
        self._chunker = ChunkingPool(max_seconds=limits.max_seconds, max_memory_bytes=limits.max_memory_bytes)
        self._free = asyncio.Semaphore(AT_ONCE)

    @property
    def active(self) -> int:
        """Number of files in work for the actor."""
        return self._active[ACTOR.get()]

    async def close(self) -> None:
        """Cancel running work and end the chunking processes."""
        for cache in self.caches.values():
            await cache.close()
        await self._chunker.close()

    async def read(self, source: SourceRequest) -> ExtractedFile:
        """Extract the file in a sandbox, unless that was done within the last half hour.

        Raises the errors of `Fetcher.fetch` and `read_document`, and BrokenContent.
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
        document = await asyncio.to_thread(_DOCUMENT.validate_json, raw)
        return ExtractedFile(document, filename, len(fetched.content), sha256)

    async def chunk(self, file: ExtractedFile) -> list[TextChunk]:
        """Return the chunks of a file, with sizes by file type."""
        options = await asyncio.to_thread(
            options_by_type, file.document, languages=tuple(self.settings.chunking.languages)
        )
        async with self._free:
            return list((await self._chunker.chunk(file.document, options=options)).chunks)

    async def retriever(self, file: ExtractedFile) -> EmbeddedFile:
        """Return the chunks of a file and their vectors."""
        key = f"{__version__}:{file.sha256}:{file.document.content_type}:{self.provider.info.fingerprint}"
        raw = await self.caches["retriever"].get_or_build(key, lambda: self._embed(file))
        (length,) = _LENGTH.unpack(raw[: _LENGTH.size])
        head = json.loads(raw[_LENGTH.size : _LENGTH.size + length])
        vectors = from_bytes(raw[_LENGTH.size + length :], dimensions=self.provider.info.dimensions)
        return EmbeddedFile(_CHUNKS.validate_python(head["chunks"]), head["owners"], vectors)

    async def _bytes_of(self, source: SourceRequest) -> Fetched:
        if source.content is not None:
            try:
                # lines of 76 characters, as MIME and the base64 of a shell write it, are base64 too
                return Fetched(base64.b64decode("".join(source.content.split()), validate=True), "", "")
            except (binascii.Error, ValueError) as error:
                raise BrokenContent from error
        url = source.url or ""
        raw = await self.caches["download"].get_or_build(url, lambda: self._fetch(url))
        (length,) = _LENGTH.unpack(raw[: _LENGTH.size])
        name, found_at = json.loads(raw[_LENGTH.size : _LENGTH.size + length])
        return Fetched(raw[_LENGTH.size + length :], name, found_at)

    async def _fetch(self, url: str) -> bytes:
        fetched = await self.fetcher.fetch(url)
        return _framed([fetched.filename, fetched.url], fetched.content)

    async def _extract(self, content: bytes, content_type: str, password: str | None) -> bytes:
        async with self._free:
            self._active[ACTOR.get()] += 1
            try:
                with tempfile.TemporaryDirectory(prefix="lectern-extract-") as folder:
                    path = Path(folder, "file")
                    await asyncio.to_thread(path.write_bytes, content)
                    document = await read_document(
                        path, content_type, limits=self._limits, ocr=self._recognition(), password=password
                    )
            finally:
                self._active[ACTOR.get()] -= 1
        # Boxes are what a document has most of, and nothing here looks at them.
        slim = replace(document, pages=tuple(replace(page, boxes=b"") for page in document.pages))
        return await asyncio.to_thread(_DOCUMENT.dump_json, slim)

    async def _embed(self, file: ExtractedFile) -> bytes:
        chunks = [replace(chunk, content_hash=b"") for chunk in await self.chunk(file)]
        owners, texts = await asyncio.to_thread(self._windows, file.document.metadata.title, chunks)
        dimensions = self.provider.info.dimensions
        vectors = await self.provider.embed_documents(texts) if texts else np.zeros((0, dimensions), np.float32)
        return _framed({"chunks": _CHUNKS.dump_python(chunks, mode="json"), "owners": owners}, as_bytes(vectors))

    def _windows(self, title: str | None, chunks: Sequence[TextChunk]) -> tuple[list[int], list[str]]:
        owners: list[int] = []
        texts: list[str] = []
        for index, chunk in enumerate(chunks):
            path = [*chunk.section_path, chunk.section_heading or ""]
            windows = split_windows(
                chunk.text,
                context=window_context(title, path),
                count_tokens=self.provider.count_tokens,
                max_tokens=self.provider.info.max_tokens,
            )
            owners += [index] * len(windows)
            texts += [window.text for window in windows]
        return owners, texts

    def _recognition(self) -> OcrOptions:
        ocr = self.settings.ocr
        return OcrOptions(
            engine=OcrEngine(ocr.engine),
            languages=tuple(self.settings.chunking.languages),
            max_pages=ocr.max_pages,
            max_seconds=ocr.max_seconds,
            max_memory_bytes=ocr.max_memory_bytes,
            tessdata=ocr.tessdata_dir,
        )


def _framed(head: object, body: bytes) -> bytes:
    written = json.dumps(head).encode()
    return _LENGTH.pack(len(written)) + written + body
