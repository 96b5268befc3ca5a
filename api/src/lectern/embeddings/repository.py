"""The tables of embeddings in Postgres."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

import numpy as np
from sqlalchemy import (
    ColumnElement,
    DateTime,
    Integer,
    Select,
    Text,
    Uuid,
    column,
    func,
    null,
    select,
    table,
    text,
    update,
)
from sqlalchemy.ext.asyncio import AsyncSession

from lectern.embeddings.cache.repository import to_literal
from lectern.embeddings.generations import Generation, generation_of
from lectern.embeddings.models import EmbeddingGeneration
from lectern.embeddings.provider import ProviderInfo, Vectors

# Columns of tables that belong to packages above this one.
_CHUNKS: Final = table("chunks", column("id", Uuid), column("document_id", Uuid), column("chunk_index", Integer))
_DOCUMENTS: Final = table("documents", column("id", Uuid), column("status", Text), column("deleted_at", DateTime))
_STAGED: Final = table("staged_embeddings", column("document_id", Uuid), column("generation_id", Integer))
# Deleted chunks are skipped. FOR KEY SHARE keeps the others until the transaction ends.
_INSERT: Final = """
INSERT INTO {table} (chunk_id, document_id, window_number, content_hash, embedding)
SELECT c.id, c.document_id, v.window_number, v.content_hash, CAST(v.embedding AS halfvec)
FROM unnest(CAST(:chunk_ids AS uuid[]), CAST(:window_numbers AS smallint[]), CAST(:hashes AS bytea[]),
            CAST(:embeddings AS text[])) AS v (chunk_id, window_number, content_hash, embedding)
JOIN chunks c ON c.id = v.chunk_id
FOR KEY SHARE OF c
RETURNING 1
"""
_STAGE: Final = """
INSERT INTO staged_embeddings (document_id, generation_id, chunk_id, window_number, content_hash, embedding)
SELECT :document, :generation, v.chunk_id, v.window_number, v.content_hash, CAST(v.embedding AS halfvec)
FROM unnest(CAST(:chunk_ids AS uuid[]), CAST(:window_numbers AS smallint[]), CAST(:hashes AS bytea[]),
            CAST(:embeddings AS text[])) AS v (chunk_id, window_number, content_hash, embedding)
WHERE NOT EXISTS (SELECT FROM chunks AS c WHERE c.id = v.chunk_id)
ON CONFLICT DO NOTHING
"""
_UNSTAGED: Final = """
SELECT wanted.id FROM unnest(CAST(:chunk_ids AS uuid[])) WITH ORDINALITY AS wanted (id, position)
WHERE NOT EXISTS (SELECT FROM {table} AS e WHERE e.chunk_id = wanted.id)
  AND NOT EXISTS (SELECT FROM staged_embeddings AS s
                  WHERE s.document_id = :document AND s.generation_id = :generation AND s.chunk_id = wanted.id)
ORDER BY wanted.position
"""
_STORE_STAGED: Final = """
INSERT INTO {table} (chunk_id, document_id, window_number, content_hash, embedding)
SELECT s.chunk_id, s.document_id, s.window_number, s.content_hash, s.embedding
FROM staged_embeddings AS s JOIN chunks AS c ON c.id = s.chunk_id AND c.document_id = s.document_id
WHERE s.document_id = :document AND s.generation_id = :generation
ON CONFLICT DO NOTHING
"""
# Includes the trash, from which documents may return, and documents whose last job failed.
_INCOMPLETE: Final = """
SELECT d.id, d.title, d.ready_at, EXISTS (
           SELECT FROM chunks AS c WHERE c.document_id = d.id AND NOT EXISTS (
               SELECT FROM {table} AS e WHERE e.chunk_id = c.id)) AS is_incomplete,
       d.ready_at < now() - interval '1 minute' AS is_stable
FROM documents AS d
WHERE d.status IN ('ready', 'failed') AND d.ready_at IS NOT NULL
  AND (CAST(:ready_at AS timestamptz) IS NULL
       OR (d.ready_at, d.id) > (CAST(:ready_at AS timestamptz), CAST(:id AS uuid)))
ORDER BY d.ready_at, d.id LIMIT :limit
"""
# Documents in progress update their own count.
_RECOUNT: Final = """
UPDATE documents AS d SET embedded_chunk_count = n.embedded
FROM (SELECT document_id, count(*) FILTER (WHERE EXISTS (SELECT FROM {table} AS e WHERE e.chunk_id = c.id)) AS embedded
      FROM chunks AS c WHERE CAST(:ids AS uuid[]) IS NULL OR document_id = ANY (CAST(:ids AS uuid[]))
      GROUP BY document_id) AS n
WHERE d.id = n.document_id AND d.status IN ('ready', 'failed') AND d.embedded_chunk_count <> n.embedded
"""
SWITCH_LOCK: Final = 7_263_510_444  # any fixed numbers that no other lock uses
_BACKFILL_LOCKS: Final = 726_351


@dataclass(frozen=True, slots=True)
class IncompleteDocument:
    """A document with chunks that have no embedding."""

    document_id: uuid.UUID
    title: str | None


async def list_vectors(session: AsyncSession, generation: Generation, document_id: uuid.UUID) -> dict[bytes, Vectors]:
    """Return the vectors of a document, each (dimensions,), by content hash."""
    statement = f"""
        SELECT content_hash, embedding::text FROM {generation.table_name}
        WHERE document_id = :id AND content_hash IS NOT NULL ORDER BY chunk_id, window_number
    """  # noqa: S608 - the table's name is built from a number
    rows = await session.execute(text(statement), {"id": document_id})
    return {key: np.fromstring(vector.strip("[]"), np.float32, sep=",") for key, vector in rows}


async def find_generation(session: AsyncSession, fingerprint: str) -> Generation | None:
    row = await session.scalar(select(EmbeddingGeneration).where(EmbeddingGeneration.fingerprint == fingerprint))
    return generation_of(row) if row else None


async def find_active_generation(session: AsyncSession) -> Generation | None:
    """Return the generation that is searched, or None before the first `migrate`."""
    row = await session.scalar(select(EmbeddingGeneration).where(EmbeddingGeneration.state == "active"))
    return generation_of(row) if row else None


async def store_calibration(
    session: AsyncSession, info: ProviderInfo, *, bias: float = 0.0, slope: float = 1.0
) -> None:
    """Store the calibration of confidence for a model; without values, remove it."""
    statement = update(EmbeddingGeneration).where(EmbeddingGeneration.fingerprint == info.fingerprint)
    await session.execute(statement.values(confidence_bias=bias, confidence_slope=slope))


async def store_ranker_fit(session: AsyncSession, info: ProviderInfo, ranker_fit: dict[str, Any] | None) -> None:
    """Store the fitted ranker for a model, or remove it."""
    statement = update(EmbeddingGeneration).where(EmbeddingGeneration.fingerprint == info.fingerprint)
    await session.execute(statement.values(ranker_fit=null() if ranker_fit is None else ranker_fit))


async def set_active(session: AsyncSession, generation: Generation) -> None:
    retire = update(EmbeddingGeneration).where(EmbeddingGeneration.state == "active").values(state="retired")
    await session.execute(retire)
    activate = update(EmbeddingGeneration).where(EmbeddingGeneration.id == generation.id)
    await session.execute(activate.values(state="active", activated_at=func.now()))


async def replace_embeddings(
    session: AsyncSession,
    generation: Generation,
    *,
    chunk_ids: Sequence[uuid.UUID],
    window_numbers: Sequence[int],
    hashes: Sequence[bytes],
    vectors: Vectors,
) -> int:
    embeddings = generation.table
    await session.execute(embeddings.delete().where(embeddings.c.chunk_id.in_(set(chunk_ids))))
    values = {
        "chunk_ids": list(chunk_ids),
        "window_numbers": list(window_numbers),
        "hashes": list(hashes) or [None] * len(chunk_ids),
        "embeddings": [to_literal(vector) for vector in vectors],
    }
    done = await session.execute(text(_INSERT.format(table=generation.table_name)), values)
    return len(done.all())


async def stage_embeddings(
    session: AsyncSession,
    generation: Generation,
    document_id: uuid.UUID,
    *,
    chunk_ids: Sequence[uuid.UUID],
    window_numbers: Sequence[int],
    hashes: Sequence[bytes],
    vectors: Vectors,
) -> None:
    """Stage the windows of chunks that are not stored yet, for `store_staged` (system scope)."""
    values = {
        "document": document_id,
        "generation": generation.id,
        "chunk_ids": list(chunk_ids),
        "window_numbers": list(window_numbers),
        "hashes": list(hashes),
        "embeddings": [to_literal(vector) for vector in vectors],
    }
    await session.execute(text(_STAGE), values)


async def list_unstaged_chunks(
    session: AsyncSession, generation: Generation, document_id: uuid.UUID, chunk_ids: Sequence[uuid.UUID]
) -> list[uuid.UUID]:
    """Return the chunks without a stored or staged embedding, in their order (system scope)."""
    values = {"document": document_id, "generation": generation.id, "chunk_ids": list(chunk_ids)}
    return list((await session.execute(text(_UNSTAGED.format(table=generation.table_name)), values)).scalars())


async def store_staged(session: AsyncSession, document_id: uuid.UUID) -> None:
    staged = select(_STAGED.c.generation_id).where(_STAGED.c.document_id == document_id)
    for row in await session.scalars(select(EmbeddingGeneration).where(EmbeddingGeneration.id.in_(staged))):
        values = {"document": document_id, "generation": row.id}
        await session.execute(text(_STORE_STAGED.format(table=generation_of(row).table_name)), values)


async def delete_staged(session: AsyncSession, document_id: uuid.UUID) -> None:
    """Delete the staged embeddings of a document (system scope)."""
    await session.execute(text("DELETE FROM staged_embeddings WHERE document_id = :id"), {"id": document_id})


async def list_unembedded_chunks(
    session: AsyncSession, generation: Generation, document_id: uuid.UUID
) -> list[uuid.UUID]:
    """Return the chunks of a document without an embedding, in reading order."""
    missing = select(_CHUNKS.c.id).where(_CHUNKS.c.document_id == document_id, _is_unembedded(generation))
    return list((await session.scalars(missing.order_by(_CHUNKS.c.chunk_index))).all())


async def has_unembedded_chunks(session: AsyncSession, generation: Generation) -> bool:
    """Return True if a ready document has a chunk without an embedding."""
    return (await session.execute(select(_unembedded(generation).exists()))).scalar_one()


async def count_unembedded_documents(session: AsyncSession, generation: Generation) -> int:
    """Count ready documents with a chunk without an embedding. Reads all chunks."""
    missing = _unembedded(generation).subquery()
    return (await session.execute(select(func.count(missing.c.document_id.distinct())))).scalar_one()


def _unembedded(generation: Generation) -> Select[tuple[uuid.UUID]]:
    is_ready = (_DOCUMENTS.c.status == "ready") & _DOCUMENTS.c.deleted_at.is_(None)
    chunks = _CHUNKS.join(_DOCUMENTS, _DOCUMENTS.c.id == _CHUNKS.c.document_id)
    return select(_CHUNKS.c.document_id).select_from(chunks).where(is_ready, _is_unembedded(generation))


async def count_embedded(session: AsyncSession, generation: Generation) -> int:
    """Count chunks with an embedding, without the trash. Reads all rows of the model."""
    embeddings = generation.table
    joined = embeddings.join(_DOCUMENTS, _DOCUMENTS.c.id == embeddings.c.document_id)
    count = select(func.count(embeddings.c.chunk_id.distinct())).select_from(joined)
    return (await session.execute(count.where(_DOCUMENTS.c.deleted_at.is_(None)))).scalar_one()


async def count_documents_losing_vectors(session: AsyncSession, active: Generation, generation: Generation) -> int:
    """Count documents in progress with a chunk that only `active` has an embedding of."""
    is_in_progress = _DOCUMENTS.c.status.in_(("queued", "processing")) & _DOCUMENTS.c.deleted_at.is_(None)
    chunks = _CHUNKS.join(_DOCUMENTS, _DOCUMENTS.c.id == _CHUNKS.c.document_id)
    affected = select(func.count(_DOCUMENTS.c.id.distinct())).select_from(chunks)
    conditions = (is_in_progress, ~_is_unembedded(active), _is_unembedded(generation))
    return (await session.execute(affected.where(*conditions))).scalar_one()


async def find_generation_by_id(session: AsyncSession, generation_id: int) -> Generation | None:
    row = await session.get(EmbeddingGeneration, generation_id)
    return generation_of(row) if row else None


async def lock_switch(session: AsyncSession) -> None:
    """Allow one switch at a time, until the transaction ends."""
    await session.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": SWITCH_LOCK})


async def list_incomplete_documents(
    session: AsyncSession, generation: Generation, *, after: tuple[datetime, uuid.UUID] | None, limit: int
) -> tuple[list[IncompleteDocument], tuple[datetime, uuid.UUID] | None]:
    """Return the incomplete documents among the next `limit` ready ones, by the time they became ready.

    Also returns the cursor of the next page, or None after the last.
    """
    values = {"limit": limit, "ready_at": after[0] if after else None, "id": after[1] if after else None}
    rows = (await session.execute(text(_INCOMPLETE.format(table=generation.table_name)), values)).all()
    # For a moment, a commit may appear behind one that became ready later.
    stable = [row for row in rows if row.is_stable] if len(rows) == limit else []
    end = (stable[-1].ready_at, stable[-1].id) if stable else None
    return [IncompleteDocument(row.id, row.title) for row in rows if row.is_incomplete], end


async def update_embedded_counts(
    session: AsyncSession, generation: Generation, document_ids: Sequence[uuid.UUID] | None = None
) -> None:
    """Update the count of embedded chunks of these documents, or of all (system scope)."""
    values = {"ids": None if document_ids is None else list(document_ids)}
    await session.execute(text(_RECOUNT.format(table=generation.table_name)), values)


async def try_lock_document(session: AsyncSession, generation: Generation, document_id: uuid.UUID) -> bool:
    """Lock the backfill of a document until the transaction ends. Returns False if another worker has it."""
    lock = text("SELECT pg_try_advisory_xact_lock(:family, hashtext(:key))")
    values = {"family": _BACKFILL_LOCKS, "key": f"{generation.id}:{document_id}"}
    return (await session.execute(lock, values)).scalar_one()


def _is_unembedded(generation: Generation) -> ColumnElement[bool]:
    embeddings = generation.table
    return ~select(embeddings.c.chunk_id).where(embeddings.c.chunk_id == _CHUNKS.c.id).exists()
