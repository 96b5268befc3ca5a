"""Run the stages of an ingestion. Each stores its result in one transaction and may run again.

`read` extracts, chunks and indexes. Afterwards the document is searchable by keyword. `embed` works in slices, each a
job of its own in the queue: many documents become searchable by keyword before the first is embedded, and long
documents let short ones pass. A document is `ready` once every chunk has an embedding. The content of a complete
document is replaced at the end, in one transaction (`stages/replace.py`).
"""

import time
from typing import Any

from lectern.db.scope import SYSTEM_SCOPE
from lectern.db.session import Database
from lectern.extraction.errors import NoText
from lectern.extraction.types import ExtractedDocument
from lectern.http.metrics import Metrics
from lectern.ingestion import lease
from lectern.ingestion.lease import JobRun
from lectern.ingestion.stages.embed import Embedder, StoredChunks
from lectern.ingestion.stages.index import index_document, timed
from lectern.ingestion.stages.read import ReadStage
from lectern.ingestion.stages.reader import Reader
from lectern.ingestion.stages.replace import ContentReplacer
from lectern.storage.store import OriginalStore


class Pipeline:
    """The stages of one process."""

    def __init__(
        self,
        database: Database,
        originals: OriginalStore,
        reader: Reader,
        embedder: Embedder,
        metrics: Metrics | None = None,
    ) -> None:
        self.database = database
        self._metrics = metrics or Metrics()
        self._reading = ReadStage(database, originals, reader)
        self._embedder = embedder
        self._replacer = ContentReplacer(database, embedder)

    async def read(self, run: JobRun) -> None:
        """Extract, chunk and index a document, and queue its embedding.

        Raises errors of the file, the storage and the database, and Superseded.
        """
        timings: dict[str, float] = {}
        with timed(timings, "extract"):
            extracted = await self._reading.extract(run)
        with timed(timings, "chunk"):
            chunked = await self._reading.chunk(run, extracted)
        if not chunked.chunks:
            raise NoText("No page of the file has searchable text.", details={"pages": _page_ledger(extracted)})
        if run.is_update:
            await self._replacer.plan(run, chunked, timings=timings)
        else:
            async with self.database.session(SYSTEM_SCOPE) as session:
                await lease.heartbeat(session, run, {"stage": "index"})
            await index_document(self.database, run, extracted=extracted, chunked=chunked, timings=timings)
        for stage, seconds in timings.items():
            self._metrics.observe_stage(stage, seconds=seconds, pages=len(extracted.pages))

    async def embed(self, run: JobRun) -> None:
        """Embed a slice of a document. Then queue the next slice, or make the document ready."""
        started = time.monotonic()
        if run.is_update:
            left = await self._replacer.embed(run)
        else:
            left = await self._embedder.embed_slice(run, StoredChunks(run))
        seconds, pages = time.monotonic() - started, 0
        if left is None:
            await self._replacer.restart(run)
        elif left:
            await self._queue_next_slice(run, chunks_left=left, seconds=seconds)
        elif run.is_update:
            pages = await self._replacer.switch(run, seconds=seconds)
        else:
            async with self.database.session(SYSTEM_SCOPE) as session:
                document = await lease.heartbeat_with_document(session, run)
                await lease.succeed(session, run, document, seconds=seconds)
                pages = document.page_count or 0
        self._metrics.observe_stage("embed", seconds=seconds, pages=pages)

    async def _queue_next_slice(self, run: JobRun, *, chunks_left: int, seconds: float) -> None:
        timings = {**run.timings_seconds, "embed": round(run.timings_seconds.get("embed", 0.0) + seconds, 3)}
        async with self.database.session(SYSTEM_SCOPE) as session:
            await lease.heartbeat_with_document(session, run)
            await lease.queue_embedding(session, run, {"timings_seconds": timings}, chunk_count=chunks_left)


def _page_ledger(extracted: ExtractedDocument) -> list[dict[str, Any]]:
    return [{"page_number": page.page_number, "kind": page.kind, "note": page.note} for page in extracted.pages]
