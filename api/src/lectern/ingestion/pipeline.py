"""The stages of an ingestion. Each leaves its result in one transaction, and may be run again at any time.

`read` extracts, chunks and indexes: afterwards the document is found by keyword. `embed` works in slices, each a job of
its own in the queue, so that many documents are keyword-searchable before the first is embedded, and a long document
lets short ones pass. A document is `ready` when every chunk has its embedding. What is complete and only changes is
replaced at the end, all at once (`updating.py`).
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from typing import Any, Final

from lectern.chunking.types import ChunkedDocument
from lectern.db.scope import SYSTEM_SCOPE
from lectern.db.session import Database
from lectern.extraction.errors import NoText
from lectern.extraction.types import ExtractedDocument
from lectern.ingestion import checkpoints, lease
from lectern.ingestion.lease import Assignment
from lectern.ingestion.reading import Reader
from lectern.ingestion.stages.embed import Embedder, StoredChunks
from lectern.ingestion.stages.replace import Updater, replace_content
from lectern.jobs.service import Lane

PROGRESS_SECONDS: Final = 0.25


class Pipeline:
    """What one process needs to ingest documents."""

    def __init__(self, database: Database, reader: Reader, embedder: Embedder) -> None:
        self.database = database
        self._reader = reader
        self._embedder = embedder
        self._updater = Updater(database, embedder)

    async def read(self, run: Assignment) -> None:
        """Extract, chunk and index a document, and queue its embedding.

        Raises what is wrong with the file, the storage or the database, and Superseded.
        """
        timings: dict[str, float] = {}
        with _timed(timings, "extract"):
            extracted = await self._extracted(run)
        with _timed(timings, "chunk"):
            chunked = await self._chunked(run, extracted)
        if not chunked.chunks:
            message = "No page of the file has text that can be searched."
            raise NoText(message, details={"pages": _ledger_of(extracted)})
        if run.is_update:
            await self._updater.plan(run, chunked, timings=timings)
            return
        await self._enter(run, "index")
        await self._store(run, extracted, chunked, timings)

    async def _extracted(self, run: Assignment) -> ExtractedDocument:
        """What the file holds: as a run before this one left it, or read now and kept for the one after."""
        saved = await asyncio.to_thread(checkpoints.unpack_extracted, await self._enter(run, checkpoints.EXTRACT))
        if saved is not None:
            return saved
        extracted = await self._reader.extract(run, on_page=self._page_teller(run))
        await self._keep(run, checkpoints.EXTRACT, await asyncio.to_thread(checkpoints.pack_extracted, extracted))
        return extracted

    async def _chunked(self, run: Assignment, extracted: ExtractedDocument) -> ChunkedDocument:
        """Its chunks: as a run before this one left them, or cut now and kept for the one after."""
        saved = await asyncio.to_thread(checkpoints.unpack_chunked, await self._enter(run, checkpoints.CHUNK))
        if saved is not None:
            return saved
        chunked = await self._reader.chunk(run, extracted)
        await self._keep(run, checkpoints.CHUNK, await asyncio.to_thread(checkpoints.pack_chunked, chunked))
        return chunked

    async def _keep(self, run: Assignment, stage: str, made: bytes) -> None:
        """What is kept is lasting progress: whatever happens next, it is not the same work that failed before."""
        async with self.database.session(SYSTEM_SCOPE) as session:
            await lease.hold(session, run, {"attempts": 1, "crashes": 0})
            await checkpoints.save(session, run.job_id, stage, made, is_needed=run.is_update)

    async def embed(self, run: Assignment) -> None:
        """Embed a slice of a document; when nothing is left it is ready, else the next slice is queued."""
        started = time.monotonic()
        left = await (self._updater.embed(run) if run.is_update else self._embedder.embed_slice(run, StoredChunks(run)))
        seconds = time.monotonic() - started
        if left is None:
            await self._updater.read_again(run)
            return
        if run.is_update and not left:
            await self._updater.switch(run, seconds=seconds)
            return
        async with self.database.session(SYSTEM_SCOPE) as session:
            document = await lease.hold_with_document(session, run)
            if not left:
                await lease.succeed(session, run, document, seconds=seconds)
                return
            timings = {**run.timings_seconds, "embed": round(run.timings_seconds.get("embed", 0.0) + seconds, 3)}
            await lease.hold(session, run, {"timings_seconds": timings, "attempts": 0})
            await lease.move_to(session, run, Lane.EMBED, rank=lease.embedding_rank(run.priority, left))

    async def _enter(self, run: Assignment, stage: str) -> bytes | None:
        """Say that a stage begins; returns what it made before, if it was done already."""
        async with self.database.session(SYSTEM_SCOPE) as session:
            await lease.hold(session, run, {"stage": stage})
            return await checkpoints.find(session, run.job_id, stage)

    def _page_teller(self, run: Assignment) -> Callable[[int, int], Awaitable[None]]:
        told_at = -PROGRESS_SECONDS

        async def tell(page: int, page_count: int) -> None:
            nonlocal told_at
            if time.monotonic() - told_at < PROGRESS_SECONDS and page < page_count:
                return
            told_at = time.monotonic()
            async with self.database.session(SYSTEM_SCOPE) as session:
                await lease.hold(session, run, {"page": page, "page_count": page_count})

        return tell

    async def _store(
        self, run: Assignment, extracted: ExtractedDocument, chunked: ChunkedDocument, timings: dict[str, float]
    ) -> None:
        """Pages, chunks, lexical index, the record and the next job: all of it or nothing."""
        async with self.database.session(SYSTEM_SCOPE) as session:
            with _timed(timings, "index"):
                document = await lease.hold_with_document(session, run)
                await replace_content(session, run, document, extracted=extracted, chunked=chunked)
            document.ready_at = None
            document.embedded_chunk_count = 0
            await session.flush()
            page_count, chunk_count = len(extracted.pages), len(chunked.chunks)
            values: dict[str, Any] = {
                "stage": "embed",
                "page": page_count,
                "page_count": page_count,
                "chunks_embedded": 0,
                "chunks_to_embed": chunk_count,
                "timings_seconds": timings,
                "arguments": lease.without_secrets(run.arguments),
                "attempts": 0,
                "crashes": 0,
            }
            await lease.hold(session, run, values)
            await lease.move_to(session, run, Lane.EMBED, rank=lease.embedding_rank(run.priority, chunk_count))


@contextmanager
def _timed(timings: dict[str, float], stage: str) -> Generator[None]:
    began = time.monotonic()
    yield
    timings[stage] = round(time.monotonic() - began, 3)


def _ledger_of(extracted: ExtractedDocument) -> list[dict[str, Any]]:
    return [{"page_number": page.page_number, "kind": page.kind, "note": page.note} for page in extracted.pages]
