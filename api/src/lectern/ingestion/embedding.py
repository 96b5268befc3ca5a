"""Embedding a document's chunks, batch by batch; each batch is stored before the next is begun."""

import asyncio
import time
import uuid
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
from lectern.embeddings.windows import Window, split_windows, window_context
from lectern.ingestion import ledger, repository
from lectern.ingestion.ledger import Assignment

SLICE_SECONDS: Final = 10.0
_FIRST_BATCH: Final = 8
_SMALLEST_BATCH, _LARGEST_BATCH = 4, 256
_BATCH_SECONDS: Final = 2.0


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a document stands: chunks that have their embedding, of all."""

    embedded: int
    total: int


class Embedder:
    """Embeds chunks with one model; one for each process."""

    def __init__(self, database: Database, provider: EmbeddingProvider) -> None:
        self._database = database
        self._provider = provider
        self._cache = embeddings.PostgresCache(database)
        self._batch = _FIRST_BATCH

    async def embed_slice(self, run: Assignment, *, seconds: float = SLICE_SECONDS) -> int:
        """Embed for about so long; returns how many chunks are left.

        Raises what the provider raises, and Superseded.
        """
        generation, left = await self._begin(run)
        until = time.monotonic() + seconds
        while left and time.monotonic() < until:
            batch, left = left[: self._batch], left[self._batch :]
            await self._embed_batch(run, generation, batch, chunks_left=len(left))
        return len(left)

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

    async def _embed_batch(
        self, run: Assignment, generation: Generation, chunk_ids: Sequence[uuid.UUID], *, chunks_left: int
    ) -> None:
        started = time.monotonic()
        async with self._database.session(SYSTEM_SCOPE) as session:
            chunks = await repository.chunks_to_embed(session, chunk_ids)
        windows = await asyncio.to_thread(self._windows, run.title, chunks)
        vectors = await embed_with_cache(self._provider, self._cache, [window.text for _, window in windows])
        await self._store(run, generation, windows, vectors, chunks_left=chunks_left)
        self._adapt(time.monotonic() - started)

    def _windows(self, title: str | None, chunks: Sequence[Chunk]) -> list[tuple[uuid.UUID, Window]]:
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
        windows: Sequence[tuple[uuid.UUID, Window]],
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
