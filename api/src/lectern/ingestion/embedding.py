"""Embedding a document's chunks, batch by batch; each batch is stored before the next is begun."""

import asyncio
import time
import uuid
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from lectern.db.scope import SYSTEM_SCOPE
from lectern.db.session import Database, Session
from lectern.documents.models import Chunk
from lectern.embeddings import service as embeddings
from lectern.embeddings.cache import embed_with_cache
from lectern.embeddings.generations import Generation
from lectern.embeddings.provider import EmbeddingProvider, Vectors
from lectern.embeddings.text import content_hash
from lectern.embeddings.windows import Window, split_windows, window_context
from lectern.ingestion import ledger, repository
from lectern.ingestion.ledger import Assignment

SLICE_SECONDS: Final = 10.0
_FIRST_BATCH: Final = 8
_SMALLEST_BATCH, _LARGEST_BATCH = 4, 256
_BATCH_SECONDS: Final = 2.0
_BATCHES_IN_FLIGHT: Final = 2

Windows = list[tuple[uuid.UUID, Window]]
"""Windows and the chunks they are of."""


@dataclass(frozen=True, slots=True)
class _Batch:
    """Chunks that are with the model."""

    chunk_ids: Sequence[uuid.UUID]
    task: asyncio.Task[tuple[Windows, Vectors]]


class Embedder:
    """Embeds chunks with one model; one for each process."""

    def __init__(self, database: Database, provider: EmbeddingProvider) -> None:
        self._database = database
        self._provider = provider
        self._cache = embeddings.PostgresCache(database)
        self._batch = _FIRST_BATCH
        self._landed_at = 0.0

    async def embed_slice(self, run: Assignment, *, seconds: float = SLICE_SECONDS) -> int:
        """Embed for about so long; returns how many chunks are left.

        The next batch is with the model before the one before it is stored, so that the model never waits.
        Raises what the provider raises, and Superseded.
        """
        generation, waiting = await self._begin(run)
        self._landed_at = time.monotonic()
        until = time.monotonic() + seconds
        flying: deque[_Batch] = deque()
        left = len(waiting)
        try:
            while waiting or flying:
                while waiting and len(flying) < _BATCHES_IN_FLIGHT and time.monotonic() < until:
                    flying.append(self._launch(run, waiting[: self._batch]))
                    waiting = waiting[self._batch :]
                if not flying:
                    break
                left -= await self._land(run, generation, flying[0], chunks_left=left)
                flying.popleft()
        finally:
            for batch in flying:
                batch.task.cancel()
            await asyncio.gather(*(batch.task for batch in flying), return_exceptions=True)
        return left

    async def _begin(self, run: Assignment) -> tuple[Generation, list[uuid.UUID]]:
        async with self._database.session(SYSTEM_SCOPE) as session:
            generation = await embeddings.get_generation(session, self._provider.info)
            left = await embeddings.list_unembedded_chunks(session, generation, run.document_id)
            await self._note(session, run, chunks_left=len(left))
        return generation, left

    async def _note(self, session: Session, run: Assignment, *, chunks_left: int) -> None:
        """Tell how far the document is; the document's row is locked before the job's."""
        document = await ledger.hold_with_document(session, run)
        done = document.chunk_count - chunks_left
        document.embedded_chunk_count = done
        await session.flush()
        await ledger.hold(session, run, {"chunks_embedded": done, "chunks_to_embed": document.chunk_count})

    def _launch(self, run: Assignment, chunk_ids: Sequence[uuid.UUID]) -> _Batch:
        return _Batch(chunk_ids, asyncio.create_task(self._embed(run, chunk_ids)))

    async def _embed(self, run: Assignment, chunk_ids: Sequence[uuid.UUID]) -> tuple[Windows, Vectors]:
        async with self._database.session(SYSTEM_SCOPE) as session:
            chunks = await repository.chunks_to_embed(session, chunk_ids)
        windows = await asyncio.to_thread(self._windows, run.title, chunks)
        return windows, await embed_with_cache(self._provider, self._cache, [window.text for _, window in windows])

    async def _land(self, run: Assignment, generation: Generation, batch: _Batch, *, chunks_left: int) -> int:
        """Wait for a batch and store it; returns how many chunks it had."""
        windows, vectors = await batch.task
        await self._store(run, generation, windows, vectors, chunks_left=chunks_left - len(batch.chunk_ids))
        self._adapt(time.monotonic() - self._landed_at)
        self._landed_at = time.monotonic()
        return len(batch.chunk_ids)

    def _windows(self, title: str | None, chunks: Sequence[Chunk]) -> Windows:
        most = self._provider.info.max_tokens
        return [
            (chunk.id, window)
            for chunk in chunks
            for window in split_windows(
                chunk.text,
                context=window_context(title, _sections(chunk)),
                count_tokens=self._provider.count_tokens,
                max_tokens=most,
            )
        ]

    async def _store(
        self,
        run: Assignment,
        generation: Generation,
        windows: Windows,
        vectors: Vectors,
        *,
        chunks_left: int,
    ) -> None:
        async with self._database.session(SYSTEM_SCOPE) as session:
            await self._note(session, run, chunks_left=chunks_left)
            await embeddings.replace_embeddings(
                session,
                generation,
                chunk_ids=[chunk_id for chunk_id, _ in windows],
                window_numbers=[window.window_number for _, window in windows],
                vectors=vectors,
                hashes=[content_hash(window.text) for _, window in windows],
            )
            # What is stored stays: whatever happens next, it is not the same work that failed before.
            await ledger.hold(session, run, {"attempts": 1, "crashes": 0})

    def _adapt(self, seconds: float) -> None:
        """Aim at batches of two seconds: often enough for progress and kills, seldom enough for the database."""
        if seconds < _BATCH_SECONDS / 2:
            self._batch = min(self._batch * 2, _LARGEST_BATCH)
        elif seconds > _BATCH_SECONDS * 2:
            self._batch = max(self._batch // 2, _SMALLEST_BATCH)


def _sections(chunk: Chunk) -> list[str]:
    return [*chunk.section_path, chunk.section_heading] if chunk.section_heading else list(chunk.section_path)
