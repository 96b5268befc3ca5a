"""Embedding a document's chunks, batch by batch; each batch is stored before the next is begun."""

import asyncio
import time
import uuid
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from lectern.db.scope import SYSTEM_SCOPE
from lectern.db.session import Database, Session
from lectern.embeddings import service as embeddings
from lectern.embeddings.active import ActiveProvider
from lectern.embeddings.cache import content_hash, embed_with_cache
from lectern.embeddings.generations import Generation
from lectern.embeddings.provider import EmbeddingProvider, Vectors
from lectern.embeddings.windows import Window, chunk_windows, window_context
from lectern.ingestion import lease, repository
from lectern.ingestion.lease import Assignment

SLICE_SECONDS: Final = 10.0
# Of a job. What is stored stays: whatever happens next, it is not the same work that failed before.
PROGRESS: Final = {"attempts": 1, "crashes": 0}
_FIRST_BATCH: Final = 8
_SMALLEST_BATCH, _LARGEST_BATCH = 4, 256
_BATCH_SECONDS: Final = 2.0
_BATCHES_IN_FLIGHT: Final = 2

Windows = list[tuple[uuid.UUID, Window]]
"""Windows and the chunks they are of."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A chunk as it is embedded; `sections` are the headings it stands under, outermost first."""

    id: uuid.UUID
    text: str
    sections: Sequence[str]


@dataclass(frozen=True, slots=True)
class Embedded:
    """Windows of chunks with their vectors."""

    windows: Windows
    vectors: Vectors

    @property
    def chunk_ids(self) -> list[uuid.UUID]:
        """The chunk of each window."""
        return [chunk_id for chunk_id, _ in self.windows]

    @property
    def window_numbers(self) -> list[int]:
        """The number of each window in its chunk."""
        return [window.window_number for _, window in self.windows]

    @property
    def hashes(self) -> list[bytes]:
        """Where each window is in the cache."""
        return [content_hash(window.text) for _, window in self.windows]


class Source(Protocol):
    """The document whose chunks are embedded."""

    @property
    def document_id(self) -> uuid.UUID: ...

    @property
    def title(self) -> str | None: ...


class Chunks(Protocol):
    """The chunks that a run embeds: where they come from, and where their embeddings go."""

    async def list_waiting(self, session: Session, generation: Generation) -> list[uuid.UUID]:
        """Those without an embedding, in reading order."""
        ...

    async def load(self, session: Session, chunk_ids: Sequence[uuid.UUID]) -> list[Passage]:
        """These chunks in reading order."""
        ...

    async def note(self, session: Session, *, chunks_left: int) -> None:
        """Tell how far the document is. Raises Superseded."""
        ...

    async def store(self, session: Session, generation: Generation, embedded: Embedded) -> None:
        """Keep the embeddings of a batch. Raises Superseded."""
        ...


@dataclass(frozen=True, slots=True)
class _Work:
    """Chunks of a document, the model that embeds them, and where it keeps what it makes."""

    source: Source
    chunks: Chunks
    model: EmbeddingProvider
    generation: Generation


@dataclass(frozen=True, slots=True)
class _Batch:
    """Chunks that are with the model."""

    chunk_ids: Sequence[uuid.UUID]
    task: asyncio.Task[Embedded]


class MissingChunks:
    """The chunks of a document that have no embedding, whatever becomes of the document meanwhile."""

    def __init__(self, source: Source) -> None:
        self._source = source

    async def list_waiting(self, session: Session, generation: Generation) -> list[uuid.UUID]:
        return await embeddings.list_unembedded_chunks(session, generation, self._source.document_id)

    async def load(self, session: Session, chunk_ids: Sequence[uuid.UUID]) -> list[Passage]:
        chunks = await repository.chunks_to_embed(session, chunk_ids)
        return [Passage(chunk.id, chunk.text, sections(chunk.section_path, chunk.section_heading)) for chunk in chunks]

    async def note(self, session: Session, *, chunks_left: int) -> None:
        """Nobody waits for it."""

    async def store(self, session: Session, generation: Generation, embedded: Embedded) -> None:
        await embeddings.replace_embeddings(
            session,
            generation,
            chunk_ids=embedded.chunk_ids,
            window_numbers=embedded.window_numbers,
            vectors=embedded.vectors,
            hashes=embedded.hashes,
        )


class StoredChunks(MissingChunks):
    """The chunks that are stored of a document, for the job that brings them."""

    def __init__(self, run: Assignment) -> None:
        super().__init__(run)
        self._run = run

    async def note(self, session: Session, *, chunks_left: int) -> None:
        """The document's row is locked before the job's."""
        document = await lease.hold_with_document(session, self._run)
        done = document.chunk_count - chunks_left
        document.embedded_chunk_count = done
        await session.flush()
        await lease.hold(session, self._run, {"chunks_embedded": done, "chunks_to_embed": document.chunk_count})

    async def store(self, session: Session, generation: Generation, embedded: Embedded) -> None:
        await super().store(session, generation, embedded)
        await lease.hold(session, self._run, PROGRESS)


class Embedder:
    """Embeds chunks with the model in use, or with a given one; one for each process and kind of work."""

    def __init__(self, database: Database, provider: ActiveProvider) -> None:
        self._database = database
        self._provider = provider
        self._batch = _FIRST_BATCH
        self._landed_at = 0.0

    async def embed_slice(
        self,
        source: Source,
        chunks: Chunks,
        *,
        model: EmbeddingProvider | None = None,
        seconds: float = SLICE_SECONDS,
    ) -> int:
        """Embed for about so long; returns how many chunks are left.

        The next batch is with the model before the one before it is stored, so that the model never waits.
        Raises what the provider raises, EmbeddingsMismatch and Superseded.
        """
        work, waiting = await self._begin(source, chunks, model)
        self._landed_at = time.monotonic()
        until = time.monotonic() + seconds
        flying: deque[_Batch] = deque()
        left = len(waiting)
        try:
            while waiting or flying:
                while waiting and len(flying) < _BATCHES_IN_FLIGHT and time.monotonic() < until:
                    flying.append(self._launch(work, waiting[: self._batch]))
                    waiting = waiting[self._batch :]
                if not flying:
                    break
                left -= await self._land(work, flying[0], chunks_left=left)
                flying.popleft()
        finally:
            for batch in flying:
                batch.task.cancel()
            await asyncio.gather(*(batch.task for batch in flying), return_exceptions=True)
        return left

    async def _begin(
        self, source: Source, chunks: Chunks, model: EmbeddingProvider | None
    ) -> tuple[_Work, list[uuid.UUID]]:
        async with self._database.session(SYSTEM_SCOPE) as session:
            chosen = model or await embeddings.follow_active_generation(session, self._provider)
            generation = await embeddings.get_generation(session, chosen.info)
            left = await chunks.list_waiting(session, generation)
            await chunks.note(session, chunks_left=len(left))
        return _Work(source, chunks, chosen, generation), left

    def _launch(self, work: _Work, chunk_ids: Sequence[uuid.UUID]) -> _Batch:
        return _Batch(chunk_ids, asyncio.create_task(self._embed(work, chunk_ids)))

    async def _embed(self, work: _Work, chunk_ids: Sequence[uuid.UUID]) -> Embedded:
        async with self._database.session(SYSTEM_SCOPE) as session:
            passages = await work.chunks.load(session, chunk_ids)
        windows = await asyncio.to_thread(_windows, work.model, work.source.title, passages)
        cache = embeddings.PostgresCache(self._database, document_id=work.source.document_id)
        vectors = await embed_with_cache(work.model, cache, [window.text for _, window in windows])
        return Embedded(windows, vectors)

    async def _land(self, work: _Work, batch: _Batch, *, chunks_left: int) -> int:
        """Wait for a batch and store it; returns how many chunks it had."""
        embedded = await batch.task
        async with self._database.session(SYSTEM_SCOPE) as session:
            await work.chunks.note(session, chunks_left=chunks_left - len(batch.chunk_ids))
            await work.chunks.store(session, work.generation, embedded)
        self._adapt(time.monotonic() - self._landed_at)
        self._landed_at = time.monotonic()
        return len(batch.chunk_ids)

    def _adapt(self, seconds: float) -> None:
        """Aim at batches of two seconds: often enough for progress and kills, seldom enough for the database."""
        if seconds < _BATCH_SECONDS / 2:
            self._batch = min(self._batch * 2, _LARGEST_BATCH)
        elif seconds > _BATCH_SECONDS * 2:
            self._batch = max(self._batch // 2, _SMALLEST_BATCH)


def _windows(model: EmbeddingProvider, title: str | None, passages: Sequence[Passage]) -> Windows:
    return [
        (passage.id, window)
        for passage in passages
        for window in chunk_windows(
            passage.text,
            context=window_context(title, passage.sections),
            count_tokens=model.count_tokens,
            max_tokens=model.info.max_tokens,
        )
    ]


def sections(path: Sequence[str], heading: str | None) -> list[str]:
    """The headings that a chunk stands under, outermost first."""
    return [*path, heading] if heading else list(path)
