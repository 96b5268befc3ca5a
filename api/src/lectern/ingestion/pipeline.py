"""The stages of an ingestion. Each leaves its result in one transaction, and may be run again at any time.

`read` extracts, chunks and indexes: afterwards the document is found by keyword. `embed` works in slices, each a job of
its own in the queue, so that many documents are keyword-searchable before the first is embedded, and a long document
lets short ones pass. A document is `ready` when every chunk has its embedding.
"""

import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Any, Final

from lectern.db.scope import SYSTEM_SCOPE
from lectern.db.session import Database
from lectern.extraction.errors import NoText
from lectern.ingestion import ledger, repository
from lectern.ingestion.embedding import Embedder
from lectern.ingestion.ledger import Assignment
from lectern.ingestion.reading import ReadDocument, Reader
from lectern.jobs.service import Lane

PROGRESS_SECONDS: Final = 0.25


class Pipeline:
    """What one process needs to ingest documents."""

    def __init__(self, database: Database, reader: Reader, embedder: Embedder) -> None:
        self.database = database
        self._reader = reader
        self._embedder = embedder

    async def read(self, run: Assignment) -> None:
        """Extract, chunk and index a document, and queue its embedding.

        Raises what is wrong with the file, the storage or the database, and Superseded.
        """
        await self._enter(run, "extract")
        started = time.monotonic()
        read = await self._reader.read(run, on_page=self._page_teller(run), on_extracted=self._chunk_teller(run))
        if not read.chunked.chunks:
            raise NoText("No page of the file has text that can be searched.", details={"pages": _ledger_of(read)})
        await self._enter(run, "index")
        await self._store(run, read, began=started)

    async def embed(self, run: Assignment) -> None:
        """Embed a slice of a document; when nothing is left it is ready, else the next slice is queued."""
        started = time.monotonic()
        left = await self._embedder.embed_slice(run)
        seconds = time.monotonic() - started
        async with self.database.session(SYSTEM_SCOPE) as session:
            document = await ledger.hold_with_document(session, run)
            if not left:
                await ledger.succeed(session, run, document, seconds=seconds)
                return
            timings = {**run.timings_seconds, "embed": round(run.timings_seconds.get("embed", 0.0) + seconds, 3)}
            await ledger.hold(session, run, {"timings_seconds": timings, "attempts": 0})
            await ledger.move_to(session, run, Lane.EMBED, rank=ledger.embedding_rank(run.priority, left))

    async def _enter(self, run: Assignment, stage: str) -> None:
        async with self.database.session(SYSTEM_SCOPE) as session:
            await ledger.hold(session, run, {"stage": stage})

    def _page_teller(self, run: Assignment) -> Callable[[int, int], Awaitable[None]]:
        told_at = -PROGRESS_SECONDS

        async def tell(page: int, page_count: int) -> None:
            nonlocal told_at
            if time.monotonic() - told_at < PROGRESS_SECONDS and page < page_count:
                return
            told_at = time.monotonic()
            async with self.database.session(SYSTEM_SCOPE) as session:
                await ledger.hold(session, run, {"page": page, "page_count": page_count})

        return tell

    def _chunk_teller(self, run: Assignment) -> Callable[[], Awaitable[None]]:
        async def tell() -> None:
            await self._enter(run, "chunk")

        return tell

    async def _store(self, run: Assignment, read: ReadDocument, *, began: float) -> None:
        """Pages, chunks, lexical index, the record and the next job: all of it or nothing."""
        async with self.database.session(SYSTEM_SCOPE) as session:
            document = await ledger.hold_with_document(session, run)
            repository.describe(document, read.extracted, read.chunked)
            await session.flush()
            await repository.replace_pages(session, document.id, read.extracted, read.chunked)
            await repository.replace_chunks(session, document.id, read.chunked.chunks)
            document.keyword_ready_at = datetime.now(UTC)
            document.ready_at = None
            document.embedded_chunk_count = 0
            await session.flush()
            chunk_count = len(read.chunked.chunks)
            timings = _timings(read, index_seconds=time.monotonic() - began - read.extract_seconds - read.chunk_seconds)
            values: dict[str, Any] = {
                "stage": "embed",
                "page": len(read.extracted.pages),
                "page_count": len(read.extracted.pages),
                "chunks_embedded": 0,
                "chunks_to_embed": chunk_count,
                "timings_seconds": timings,
                "attempts": 0,
                "crashes": 0,
            }
            await ledger.hold(session, run, values)
            await ledger.move_to(session, run, Lane.EMBED, rank=ledger.embedding_rank(run.priority, chunk_count))


def _timings(read: ReadDocument, *, index_seconds: float) -> dict[str, float]:
    return {
        "extract": round(read.extract_seconds, 3),
        "chunk": round(read.chunk_seconds, 3),
        "index": round(index_seconds, 3),
    }


def _ledger_of(read: ReadDocument) -> list[dict[str, Any]]:
    return [{"page_number": page.page_number, "kind": page.kind, "note": page.note} for page in read.extracted.pages]
