"""Putting another content in the place of what there is of a document: all at once, when it is complete.

What is new is read, cut and embedded beside the document (`job_checkpoints`, `staged_embeddings`), which is searched
and read as it was. Then one transaction changes its pages, chunks, index, embeddings and record. Whatever ends a worker
before that leaves the old content, and afterwards there is nothing left to do.
"""

import asyncio
import time
import uuid
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from lectern.chunking.types import ChunkedDocument, TextChunk
from lectern.db.scope import SYSTEM_SCOPE
from lectern.db.session import Database, Session
from lectern.documents.models import Document
from lectern.embeddings import service as embeddings
from lectern.embeddings.generations import Generation
from lectern.extraction.types import ExtractedDocument
from lectern.ingestion import checkpoints, lease, repository, versions
from lectern.ingestion.errors import Superseded
from lectern.ingestion.lease import Assignment
from lectern.ingestion.stages.embed import PROGRESS, Embedded, Embedder, Passage, sections
from lectern.jobs import entries
from lectern.jobs.service import Lane


class StagedChunks:
    """The chunks of a content that is to come; those that the document has already are embedded where they are."""

    def __init__(self, run: Assignment, chunked: ChunkedDocument) -> None:
        self._run = run
        ids = repository.chunk_ids(run.document_id, chunked.chunks)
        self._chunks: dict[uuid.UUID, TextChunk] = dict(zip(ids, chunked.chunks, strict=True))

    async def list_waiting(self, session: Session, generation: Generation) -> list[uuid.UUID]:
        return await embeddings.list_unstaged_chunks(session, generation, self._run.document_id, list(self._chunks))

    async def load(self, session: Session, chunk_ids: Sequence[uuid.UUID]) -> list[Passage]:  # noqa: ARG002 - protocol
        chunks = [(chunk_id, self._chunks[chunk_id]) for chunk_id in chunk_ids]
        return [Passage(key, chunk.text, sections(chunk.section_path, chunk.section_heading)) for key, chunk in chunks]

    async def note(self, session: Session, *, chunks_left: int) -> None:
        """The document's record is left as it is."""
        await lease.hold_with_document(session, self._run)
        total = len(self._chunks)
        await lease.hold(session, self._run, {"chunks_embedded": total - chunks_left, "chunks_to_embed": total})

    async def store(self, session: Session, generation: Generation, embedded: Embedded) -> None:
        values: dict[str, Any] = {
            "chunk_ids": embedded.chunk_ids,
            "window_numbers": embedded.window_numbers,
            "vectors": embedded.vectors,
            "hashes": embedded.hashes,
        }
        await embeddings.replace_embeddings(session, generation, **values)
        await embeddings.stage_embeddings(session, generation, self._run.document_id, **values)
        await lease.hold(session, self._run, PROGRESS)


class Updater:
    """Replaces the content of documents; one for each process."""

    def __init__(self, database: Database, embedder: Embedder) -> None:
        self._database = database
        self._embedder = embedder

    async def plan(self, run: Assignment, chunked: ChunkedDocument, *, timings: Mapping[str, float]) -> None:
        """Say what stays, comes and goes, and queue the embedding of what comes. Raises Superseded."""
        new = Counter(repository.chunk_ids(run.document_id, chunked.chunks))
        async with self._database.session(SYSTEM_SCOPE) as session:
            await lease.hold_with_document(session, run)
            old = await repository.list_chunk_ids(session, run.document_id)
            await embeddings.delete_staged(session, run.document_id)
            kept = sum(chunk_id in new for chunk_id in old)
            values: dict[str, Any] = {
                "stage": "embed",
                "page": len(chunked.pages),
                "page_count": len(chunked.pages),
                "chunks_unchanged": kept,
                "chunks_added": len(new) - kept,
                "chunks_removed": len(old) - kept,
                "chunks_embedded": kept,
                "chunks_to_embed": len(new),
                "timings_seconds": dict(timings),
                "arguments": lease.without_secrets(run.arguments),
                "attempts": 0,
                "crashes": 0,
            }
            await lease.hold(session, run, values)
            rank = lease.embedding_rank(run.priority, len(new) - kept)
            await lease.move_to(session, run, Lane.EMBED, rank=rank)

    async def embed(self, run: Assignment) -> int | None:
        """Embed a slice of what comes; returns how many chunks are left, None when it must be read again.

        Raises what the provider raises, and Superseded.
        """
        async with self._database.session(SYSTEM_SCOPE) as session:
            kept = await checkpoints.find(session, run.job_id, checkpoints.CHUNK)
        chunked = await asyncio.to_thread(checkpoints.unpack_chunked, kept)
        if chunked is None:
            return None
        return await self._embedder.embed_slice(run, StagedChunks(run, chunked))

    async def read_again(self, run: Assignment) -> None:
        """Send a job back to the beginning: its checkpoints are lost or unreadable."""
        async with self._database.session(SYSTEM_SCOPE) as session:
            await lease.hold(session, run, {"stage": None, "state": "queued"})
            lane = lease.lane_of(None, size_bytes=run.size_bytes, crashes=run.crashes)
            await lease.move_to(session, run, lane, rank=run.priority)

    async def switch(self, run: Assignment, *, seconds: float) -> None:
        """Put the new content in the place of the old one: all of it or nothing.

        Raises Superseded, and DocumentAlreadyThere when the collection has got this file in the meantime.
        """
        async with self._database.session(SYSTEM_SCOPE) as session:
            extracted, chunked = await self._read_checkpoints(session, run)
        if extracted is None or chunked is None:
            await self.read_again(run)
            return
        async with self._database.session(SYSTEM_SCOPE) as session:
            began = time.monotonic()
            document = await lease.hold_with_document(session, run)
            await replace_content(session, run, document, extracted=extracted, chunked=chunked)
            await embeddings.store_staged(session, run.document_id)
            document.embedded_chunk_count = document.chunk_count
            await session.flush()
            more = {"switch": round(time.monotonic() - began, 3)}
            await lease.succeed(session, run, document, seconds=seconds, more=more)

    async def _read_checkpoints(
        self, session: Session, run: Assignment
    ) -> tuple[ExtractedDocument | None, ChunkedDocument | None]:
        extracted = await checkpoints.find(session, run.job_id, checkpoints.EXTRACT)
        chunked = await checkpoints.find(session, run.job_id, checkpoints.CHUNK)
        return (
            await asyncio.to_thread(checkpoints.unpack_extracted, extracted),
            await asyncio.to_thread(checkpoints.unpack_chunked, chunked),
        )


async def replace_content(
    session: Session,
    run: Assignment,
    document: Document,
    *,
    extracted: ExtractedDocument,
    chunked: ChunkedDocument,
) -> None:
    """Pages, chunks, lexical index and the record of a document whose row is locked.

    Raises:
        DocumentAlreadyThere: The collection has got the file of a new version in the meantime.
    """
    names = (document.title, document.filename)
    if given := run.arguments.get("language"):
        document.language, document.is_language_given = given, True
    repository.describe(document, extracted, chunked)
    if run.version is not None:
        await _take_over(session, run, document)
    await session.flush()
    await repository.replace_pages(session, document.id, extracted, chunked)
    is_renamed = names != (document.title, document.filename)
    await repository.replace_chunks(session, document.id, chunked.chunks, is_renamed=is_renamed)
    document.keyword_ready_at = datetime.now(UTC)
    await checkpoints.forget(session, run.job_id)


async def _take_over(session: Session, run: Assignment, document: Document) -> None:
    assert run.version is not None
    made = await versions.find(session, document.id, run.version)
    job = await entries.find_job(session, run.job_id)
    if made is None or job is None:
        raise Superseded
    await versions.take_over(session, document, made, job=job)
