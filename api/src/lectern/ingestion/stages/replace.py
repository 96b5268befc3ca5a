"""Replace the content of a complete document in one transaction, once the new content is complete.

New content is extracted, chunked and embedded beside the document, in `job_checkpoints` and `staged_embeddings`.
Meanwhile the document stays searchable as it was. A worker that ends before the switch leaves the old content.
"""

import asyncio
import time
import uuid
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from lectern.chunking.types import ChunkedDocument, TextChunk
from lectern.db.scope import SYSTEM_SCOPE
from lectern.db.session import Database, Session
from lectern.embeddings import service as embeddings
from lectern.embeddings.generations import Generation
from lectern.extraction.types import ExtractedDocument
from lectern.ingestion import checkpoints, lease, repository
from lectern.ingestion.lease import PROGRESS, JobRun
from lectern.ingestion.stages.embed import EmbeddedWindows, Embedder
from lectern.ingestion.stages.index import replace_content


class StagedChunks:
    """The chunks of new content. Embeddings of chunks that the document already has are stored at once."""

    def __init__(self, run: JobRun, chunked: ChunkedDocument) -> None:
        self._run = run
        ids = repository.chunk_ids(run.document_id, chunked.chunks)
        self._chunks: dict[uuid.UUID, TextChunk] = dict(zip(ids, chunked.chunks, strict=True))

    async def list_waiting(self, session: Session, generation: Generation) -> list[uuid.UUID]:
        return await embeddings.list_unstaged_chunks(session, generation, self._run.document_id, list(self._chunks))

    async def load(self, session: Session, chunk_ids: Sequence[uuid.UUID]) -> list[tuple[uuid.UUID, TextChunk]]:  # noqa: ARG002 - protocol
        return [(chunk_id, self._chunks[chunk_id]) for chunk_id in chunk_ids]

    async def report(self, session: Session, *, chunks_left: int) -> None:
        """Report the progress on the job only."""
        await lease.heartbeat_with_document(session, self._run)
        total = len(self._chunks)
        await lease.heartbeat(session, self._run, {"chunks_embedded": total - chunks_left, "chunks_to_embed": total})

    async def store(self, session: Session, generation: Generation, embedded: EmbeddedWindows) -> None:
        values: dict[str, Any] = {
            "chunk_ids": embedded.chunk_ids,
            "window_numbers": embedded.window_numbers,
            "vectors": embedded.vectors,
            "hashes": embedded.hashes,
        }
        await embeddings.replace_embeddings(session, generation, **values)
        await embeddings.stage_embeddings(session, generation, self._run.document_id, **values)
        await lease.heartbeat(session, self._run, PROGRESS)


class ContentReplacer:
    """Replaces the content of documents. Each process has one."""

    def __init__(self, database: Database, embedder: Embedder) -> None:
        self._database = database
        self._embedder = embedder

    async def plan(self, run: JobRun, chunked: ChunkedDocument, *, timings: Mapping[str, float]) -> None:
        """Compare new and stored chunks, and queue the embedding of the new ones. Raises Superseded."""
        new = Counter(repository.chunk_ids(run.document_id, chunked.chunks))
        async with self._database.session(SYSTEM_SCOPE) as session:
            await lease.heartbeat_with_document(session, run)
            old = await repository.list_chunk_ids(session, run.document_id)
            await embeddings.delete_staged(session, run.document_id)
            unchanged = sum(chunk_id in new for chunk_id in old)
            values: dict[str, Any] = {
                "page": len(chunked.pages),
                "page_count": len(chunked.pages),
                "chunks_unchanged": unchanged,
                "chunks_added": len(new) - unchanged,
                "chunks_removed": len(old) - unchanged,
                "chunks_embedded": unchanged,
                "chunks_to_embed": len(new),
                "timings_seconds": dict(timings),
                "crashes": 0,
            }
            await lease.queue_embedding(session, run, values, chunk_count=len(new) - unchanged)

    async def embed(self, run: JobRun) -> int | None:
        """Embed a slice of new content. Returns the number of chunks left, or None without a checkpoint.

        Raises the provider's errors and Superseded.
        """
        async with self._database.session(SYSTEM_SCOPE) as session:
            saved = await repository.find_checkpoint(session, run.job_id, checkpoints.CHUNK)
        chunked = await asyncio.to_thread(checkpoints.unpack_chunked, saved)
        if chunked is None:
            return None
        return await self._embedder.embed_slice(run, StagedChunks(run, chunked))

    async def restart(self, run: JobRun) -> None:
        """Send a job back to the first stage, because its checkpoints are lost or unreadable."""
        async with self._database.session(SYSTEM_SCOPE) as session:
            await lease.heartbeat(session, run, {"stage": None, "state": "queued"})
            lane = lease.lane_of(None, size_bytes=run.size_bytes, crashes=run.crashes)
            await lease.requeue(session, run, lane, rank=run.priority)

    async def switch(self, run: JobRun, *, seconds: float) -> int:
        """Replace the old content with the new content. Returns its number of pages, 0 if the job starts again.

        Raises Superseded, and DocumentAlreadyThere if the collection has received this file in the meantime.
        """
        async with self._database.session(SYSTEM_SCOPE) as session:
            extracted, chunked = await self._load_checkpoints(session, run)
        if extracted is None or chunked is None:
            await self.restart(run)
            return 0
        async with self._database.session(SYSTEM_SCOPE) as session:
            started = time.monotonic()
            document = await lease.heartbeat_with_document(session, run)
            await replace_content(session, run, document, extracted=extracted, chunked=chunked)
            await embeddings.store_staged(session, run.document_id)
            document.embedded_chunk_count = document.chunk_count
            await session.flush()
            timings = {"switch": round(time.monotonic() - started, 3)}
            await lease.succeed(session, run, document, seconds=seconds, more_timings=timings)
        return len(extracted.pages)

    async def _load_checkpoints(
        self, session: Session, run: JobRun
    ) -> tuple[ExtractedDocument | None, ChunkedDocument | None]:
        extracted = await repository.find_checkpoint(session, run.job_id, checkpoints.EXTRACT)
        chunked = await repository.find_checkpoint(session, run.job_id, checkpoints.CHUNK)
        return (
            await asyncio.to_thread(checkpoints.unpack_extracted, extracted),
            await asyncio.to_thread(checkpoints.unpack_chunked, chunked),
        )
