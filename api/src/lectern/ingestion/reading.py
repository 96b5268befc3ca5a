"""From an original in storage to pages and chunks, with progress and nothing written to the database but that."""

import tempfile
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from lectern.chunking.types import ChunkedDocument, ChunkingOptions
from lectern.extraction.child import extract_in_child
from lectern.extraction.types import ExtractedDocument, ExtractionLimits
from lectern.ingestion.cutting import Cutter
from lectern.ingestion.ledger import Assignment
from lectern.settings import ChunkingSettings, ExtractionSettings
from lectern.storage.store import OriginalStore

OnPage = Callable[[int, int], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class ReadDocument:
    """A document as it will be stored, and what it took."""

    extracted: ExtractedDocument
    chunked: ChunkedDocument
    extract_seconds: float
    chunk_seconds: float


class Reader:
    """Reads originals; one for each process."""

    def __init__(self, originals: OriginalStore, *, extraction: ExtractionSettings, chunking: ChunkingSettings) -> None:
        self._originals = originals
        self._limits = ExtractionLimits(
            max_memory_bytes=extraction.max_memory_bytes,
            max_seconds=extraction.max_seconds,
            max_pages=extraction.max_pages,
            max_characters=extraction.max_characters,
            max_page_characters=extraction.max_page_characters,
        )
        self._cutter = Cutter(max_seconds=extraction.max_seconds, max_memory_bytes=extraction.max_memory_bytes)
        self._chunking = chunking

    async def read(
        self, run: Assignment, *, on_page: OnPage, on_extracted: Callable[[], Awaitable[None]]
    ) -> ReadDocument:
        """Extract and chunk. `on_page` is awaited with page n of m now and then, `on_extracted` once in between.

        Raises what is wrong with the file (`extraction.errors`) or with the storage.
        """
        started = time.monotonic()
        async with self._local_file(run.sha256) as path:
            extracted = await extract_in_child(
                path,
                run.content_type,
                limits=self._limits,
                password=run.arguments.get("password"),
                on_progress=on_page,
            )
        extracted_at = time.monotonic()
        await on_extracted()
        chunked = await self._cutter.cut(extracted, options=self._options(run.given_language))
        return ReadDocument(extracted, chunked, extracted_at - started, time.monotonic() - extracted_at)

    async def close(self) -> None:
        """End the processes that wait for more to read."""
        await self._cutter.close()

    @asynccontextmanager
    async def _local_file(self, sha256: str) -> AsyncGenerator[Path]:
        """The original as a file; the child reads a local storage in place."""
        in_place = self._originals.local_path(sha256)
        if in_place is not None:
            await self._originals.size(sha256)  # raises when it is not there
            yield in_place
            return
        with tempfile.TemporaryDirectory(prefix="lectern-") as folder:
            path = Path(folder) / "original"
            await self._originals.download_to(sha256, path)
            yield path

    def _options(self, language: str | None) -> ChunkingOptions:
        return ChunkingOptions(
            target_tokens=self._chunking.target_tokens,
            overlap_tokens=self._chunking.overlap_tokens,
            floor_tokens=self._chunking.floor_tokens,
            languages=tuple(self._chunking.languages),
            language=language,
        )
