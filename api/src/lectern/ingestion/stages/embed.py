"""Embed the chunks of a document in batches, and store each batch when it is done."""

import asyncio
import time
import uuid
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, Protocol

from lectern.db.scope import SYSTEM_SCOPE
from lectern.db.session import Database, Session
from lectern.embeddings import service as embeddings
from lectern.embeddings.active import ActiveProvider
from lectern.embeddings.cache import content_hash, embed_with_cache
from lectern.embeddings.generations import Generation
from lectern.embeddings.provider import EmbeddingProvider, Vectors
from lectern.embeddings.windows import Window, chunk_windows, window_context
from lectern.http.metrics import Metrics
from lectern.ingestion import lease, repository
from lectern.ingestion.lease import PROGRESS, JobRun

SLICE_SECONDS: Final = 10.0
_FIRST_BATCH, _MIN_BATCH, _MAX_BATCH = 8, 4, 256
_BATCH_SECONDS: Final = 2.0
_BATCHES_IN_FLIGHT: Final = 2

ChunkWindows = list[tuple[uuid.UUID, Window]]
"""Windows with the ids of their chunks."""


class SectionText(Protocol):
    """The parts of a chunk that its embedding depends on."""

    @property
    def text(self) -> str: ...

    @property
    def section_path(self) -> Sequence[str]: ...

    @property
    def section_heading(self) -> str | None: ...


@dataclass(frozen=True, slots=True)
class EmbeddedWindows:
    """Windows of chunks with their vectors."""

    windows: ChunkWindows
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
        """The cache key of each window."""
        return [content_hash(window.text) for _, window in self.windows]


class EmbeddedDocument(Protocol):
    """The document of the chunks."""

    @property
    def document_id(self) -> uuid.UUID: ...

    @property
    def title(self) -> str | None: ...


class ChunkStore(Protocol):
    """Loads the chunks to embed and stores their embeddings."""

    async def list_waiting(self, session: Session, generation: Generation) -> list[uuid.UUID]:
        """Return the chunks without an embedding, in reading order."""
        ...

    async def load(self, session: Session, chunk_ids: Sequence[uuid.UUID]) -> Sequence[tuple[uuid.UUID, SectionText]]:
        """Load chunks with their ids, in reading order."""
        ...

    async def report(self, session: Session, *, chunks_left: int) -> None:
        """Record the progress. Raises Superseded."""
        ...

    async def store(self, session: Session, generation: Generation, embedded: EmbeddedWindows) -> None:
        """Store the embeddings of a batch. Raises Superseded."""
        ...


@dataclass(frozen=True, slots=True)
class _EmbeddingWork:
    """A document, its chunks, and the model that embeds them."""

    document: EmbeddedDocument
    chunks: ChunkStore
    model: EmbeddingProvider
    generation: Generation


@dataclass(frozen=True, slots=True)
class _Batch:
    """Chunks that the model is embedding."""

    chunk_ids: Sequence[uuid.UUID]
    task: asyncio.Task[EmbeddedWindows]


class MissingChunks:
    """The stored chunks of a document without an embedding, independent of any job."""

    def __init__(self, document: EmbeddedDocument) -> None:
        self._document_id = document.document_id

    async def list_waiting(self, session: Session, generation: Generation) -> list[uuid.UUID]:
        return await embeddings.list_unembedded_chunks(session, generation, self._document_id)

    async def load(self, session: Session, chunk_ids: Sequence[uuid.UUID]) -> Sequence[tuple[uuid.UUID, SectionText]]:
        chunks = await repository.list_chunks(session, chunk_ids)
        return [(chunk.id, chunk) for chunk in chunks]  # pyright: ignore[reportReturnType]  # columns are descriptors

    async def report(self, session: Session, *, chunks_left: int) -> None:
        """Report nothing, because no job waits."""

    async def store(self, session: Session, generation: Generation, embedded: EmbeddedWindows) -> None:
        await embeddings.replace_embeddings(
            session,
            generation,
            chunk_ids=embedded.chunk_ids,
            window_numbers=embedded.window_numbers,
            vectors=embedded.vectors,
            hashes=embedded.hashes,
        )


class StoredChunks(MissingChunks):
    """The stored chunks of a document that a job is ingesting."""

    def __init__(self, run: JobRun) -> None:
        super().__init__(run)
        self._run = run

    async def report(self, session: Session, *, chunks_left: int) -> None:
        """Report the progress on the document and the job."""
        document = await lease.heartbeat_with_document(session, self._run)
        done = document.chunk_count - chunks_left
        document.embedded_chunk_count = done
        await session.flush()
        await lease.heartbeat(session, self._run, {"chunks_embedded": done, "chunks_to_embed": document.chunk_count})

    async def store(self, session: Session, generation: Generation, embedded: EmbeddedWindows) -> None:
        await super().store(session, generation, embedded)
        await lease.heartbeat(session, self._run, PROGRESS)


class Embedder:
    """Embeds chunks with the active model or a given one. Each process has one for jobs and one for the backfill."""

    def __init__(self, database: Database, provider: ActiveProvider, metrics: Metrics | None = None) -> None:
        self._database = database
        self._provider = provider
        self._metrics = metrics or Metrics()
        self._batch_size = _FIRST_BATCH
        self._stored_at = 0.0

    async def embed_slice(
        self,
        document: EmbeddedDocument,
        chunks: ChunkStore,
        *,
        model: EmbeddingProvider | None = None,
        seconds: float = SLICE_SECONDS,
    ) -> int:
        """Embed for about this long. Returns the number of chunks left.

        The next batch starts before the previous one is stored, so that the model never waits. Raises the errors of the
        provider, EmbeddingsMismatch and Superseded.
        """
        work, waiting = await self._begin(document, chunks, model)
        self._stored_at = time.monotonic()
        deadline = time.monotonic() + seconds
        running: deque[_Batch] = deque()
        left = len(waiting)
        try:
            while waiting or running:
                while waiting and len(running) < _BATCHES_IN_FLIGHT and time.monotonic() < deadline:
                    running.append(self._start(work, waiting[: self._batch_size]))
                    waiting = waiting[self._batch_size :]
                if not running:
                    break
                left -= await self._store(work, running[0], chunks_left=left)
                running.popleft()
        finally:
            for batch in running:
                batch.task.cancel()
            await asyncio.gather(*(batch.task for batch in running), return_exceptions=True)
        return left

    async def _begin(
        self, document: EmbeddedDocument, chunks: ChunkStore, model: EmbeddingProvider | None
    ) -> tuple[_EmbeddingWork, list[uuid.UUID]]:
        async with self._database.session(SYSTEM_SCOPE) as session:
            chosen = model or await embeddings.follow_active_generation(session, self._provider)
            generation = await embeddings.get_generation(session, chosen.info)
            left = await chunks.list_waiting(session, generation)
            await chunks.report(session, chunks_left=len(left))
        return _EmbeddingWork(document, chunks, chosen, generation), left

    def _start(self, work: _EmbeddingWork, chunk_ids: Sequence[uuid.UUID]) -> _Batch:
        return _Batch(chunk_ids, asyncio.create_task(self._embed(work, chunk_ids)))

    async def _embed(self, work: _EmbeddingWork, chunk_ids: Sequence[uuid.UUID]) -> EmbeddedWindows:
        async with self._database.session(SYSTEM_SCOPE) as session:
            inputs = await work.chunks.load(session, chunk_ids)
        windows = await asyncio.to_thread(split_chunks, work.model, work.document.title, inputs)
        cache = embeddings.PostgresCache(self._database, work.document.document_id)
        texts = [window.text for _, window in windows]
        count = partial(self._metrics.count_embeddings, "passage")
        vectors = await embed_with_cache(work.model, cache, texts, count=count)
        return EmbeddedWindows(windows, vectors)

    async def _store(self, work: _EmbeddingWork, batch: _Batch, *, chunks_left: int) -> int:
        """Wait for a batch and store it. Returns its number of chunks."""
        embedded = await batch.task
        async with self._database.session(SYSTEM_SCOPE) as session:
            await work.chunks.report(session, chunks_left=chunks_left - len(batch.chunk_ids))
            await work.chunks.store(session, work.generation, embedded)
        self._adapt(time.monotonic() - self._stored_at)
        self._stored_at = time.monotonic()
        return len(batch.chunk_ids)

    def _adapt(self, seconds: float) -> None:
        """Adapt the batch size to two seconds per batch, a compromise between lost work and load on the database."""
        if seconds < _BATCH_SECONDS / 2:
            self._batch_size = min(self._batch_size * 2, _MAX_BATCH)
        elif seconds > _BATCH_SECONDS * 2:
            self._batch_size = max(self._batch_size // 2, _MIN_BATCH)


def split_chunks(
    model: EmbeddingProvider, title: str | None, chunks: Iterable[tuple[uuid.UUID, SectionText]]
) -> ChunkWindows:
    """Split chunks into the windows that the model embeds."""
    return [
        (chunk_id, window)
        for chunk_id, chunk in chunks
        for window in chunk_windows(
            chunk.text,
            context=window_context(title, [*chunk.section_path, *filter(None, [chunk.section_heading])]),
            count_tokens=model.count_tokens,
            max_tokens=model.info.max_tokens,
        )
    ]
