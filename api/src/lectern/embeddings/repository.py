"""The tables of embeddings and their cache in Postgres."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import numpy as np
from pgvector import HalfVector
from sqlalchemy import (
    ColumnElement,
    DateTime,
    Integer,
    Select,
    Text,
    Uuid,
    column,
    func,
    select,
    table,
    text,
    update,
)
from sqlalchemy.ext.asyncio import AsyncSession

from lectern.db.scope import SYSTEM_SCOPE
from lectern.db.session import Database
from lectern.embeddings.generations import Generation, generation_of
from lectern.embeddings.models import CachedEmbedding, EmbeddingGeneration
from lectern.embeddings.provider import Vectors

# Tables of rooms above this one, as far as they matter here.
_CHUNKS: Final = table("chunks", column("id", Uuid), column("document_id", Uuid), column("chunk_index", Integer))
_DOCUMENTS: Final = table("documents", column("id", Uuid), column("status", Text), column("deleted_at", DateTime))
_STAGED: Final = table("staged_embeddings", column("document_id", Uuid), column("generation_id", Integer))
# A chunk that is gone by now is left out; FOR KEY SHARE keeps the others until the transaction ends.
_INSERT: Final = """
INSERT INTO {table} (chunk_id, document_id, window_number, content_hash, embedding)
SELECT c.id, c.document_id, v.window_number, v.content_hash, CAST(v.embedding AS halfvec)
FROM unnest(CAST(:chunk_ids AS uuid[]), CAST(:window_numbers AS smallint[]), CAST(:hashes AS bytea[]),
            CAST(:embeddings AS text[])) AS v (chunk_id, window_number, content_hash, embedding)
JOIN chunks c ON c.id = v.chunk_id
FOR KEY SHARE OF c
RETURNING 1
"""
# A document's row is held while something is kept for it: whoever purges it waits, or nothing is kept.
_OWNER: Final = "SELECT id FROM documents WHERE id = :document FOR KEY SHARE"
_PUT_CACHE: Final = f"""
WITH owner AS MATERIALIZED ({_OWNER})
INSERT INTO embedding_cache (fingerprint, content_hash, embedding)
SELECT :fingerprint, v.content_hash, CAST(v.embedding AS halfvec)
FROM unnest(CAST(:hashes AS bytea[]), CAST(:embeddings AS text[])) AS v (content_hash, embedding)
WHERE CAST(:document AS uuid) IS NULL OR EXISTS (SELECT FROM owner)
ORDER BY v.content_hash
ON CONFLICT DO NOTHING
"""  # noqa: S608 - made of a constant
_NOTE_USE: Final = f"""
WITH owner AS MATERIALIZED ({_OWNER})
INSERT INTO embedding_cache_uses (content_hash, document_id)
SELECT h, owner.id FROM owner, unnest(CAST(:hashes AS bytea[])) AS h ORDER BY h
ON CONFLICT DO NOTHING
"""  # noqa: S608 - made of a constant
# Once an hour is often enough to tell what is used; whoever else is at a row does the same.
_TOUCH: Final = """
UPDATE embedding_cache SET used_at = now()
WHERE (fingerprint, content_hash) IN (
    SELECT fingerprint, content_hash FROM embedding_cache
    WHERE fingerprint = :fingerprint AND content_hash = ANY (:hashes) AND used_at < now() - interval '1 hour'
    ORDER BY content_hash FOR UPDATE SKIP LOCKED)
"""
_FORGET: Final = """
WITH mine AS (
    SELECT DISTINCT content_hash FROM embedding_cache_uses WHERE document_id = ANY (:ids)
), gone AS (
    DELETE FROM embedding_cache AS c USING mine
    WHERE c.content_hash = mine.content_hash AND NOT EXISTS (
        SELECT FROM embedding_cache_uses AS u
        WHERE u.content_hash = mine.content_hash AND u.document_id <> ALL (:ids))
    RETURNING pg_column_size(c.embedding) AS size
)
SELECT count(*) AS vectors, coalesce(sum(size), 0)::bigint AS size_bytes FROM gone
"""
_EVICT: Final = """
WITH gone AS (
    DELETE FROM embedding_cache WHERE (fingerprint, content_hash) IN (
        SELECT fingerprint, content_hash FROM embedding_cache
        ORDER BY used_at LIMIT greatest(0, least(:at_once, (SELECT count(*) FROM embedding_cache) - :max_vectors))
        FOR UPDATE SKIP LOCKED)
    RETURNING content_hash, fingerprint
), unused AS (
    DELETE FROM embedding_cache_uses AS u USING gone
    WHERE u.content_hash = gone.content_hash AND NOT EXISTS (
        SELECT FROM embedding_cache AS c
        WHERE c.content_hash = gone.content_hash AND c.fingerprint <> gone.fingerprint)
)
SELECT count(*) FROM gone
"""
_STAGE: Final = """
INSERT INTO staged_embeddings (document_id, generation_id, chunk_id, window_number, content_hash, embedding)
SELECT :document, :generation, v.chunk_id, v.window_number, v.content_hash, CAST(v.embedding AS halfvec)
FROM unnest(CAST(:chunk_ids AS uuid[]), CAST(:window_numbers AS smallint[]), CAST(:hashes AS bytea[]),
            CAST(:embeddings AS text[])) AS v (chunk_id, window_number, content_hash, embedding)
WHERE NOT EXISTS (SELECT FROM chunks AS c WHERE c.id = v.chunk_id)
ON CONFLICT DO NOTHING
"""
_NOT_STAGED: Final = """
SELECT wanted.id FROM unnest(CAST(:chunk_ids AS uuid[])) WITH ORDINALITY AS wanted (id, place)
WHERE NOT EXISTS (SELECT FROM {table} AS e WHERE e.chunk_id = wanted.id)
  AND NOT EXISTS (SELECT FROM staged_embeddings AS s
                  WHERE s.document_id = :document AND s.generation_id = :generation AND s.chunk_id = wanted.id)
ORDER BY wanted.place
"""
_TAKE_STAGED: Final = """
INSERT INTO {table} (chunk_id, document_id, window_number, content_hash, embedding)
SELECT s.chunk_id, s.document_id, s.window_number, s.content_hash, s.embedding
FROM staged_embeddings AS s JOIN chunks AS c ON c.id = s.chunk_id AND c.document_id = s.document_id
WHERE s.document_id = :document AND s.generation_id = :generation
ON CONFLICT DO NOTHING
"""
# Those in the trash, too, which may come back, and those whose last job failed, which are as they were before it.
_INCOMPLETE: Final = """
SELECT d.id, d.title, d.ready_at, EXISTS (
           SELECT FROM chunks AS c WHERE c.document_id = d.id AND NOT EXISTS (
               SELECT FROM {table} AS e WHERE e.chunk_id = c.id)) AS is_incomplete,
       d.ready_at < now() - interval '1 minute' AS is_settled
FROM documents AS d
WHERE d.status IN ('ready', 'failed') AND d.ready_at IS NOT NULL
  AND (CAST(:ready_at AS timestamptz) IS NULL
       OR (d.ready_at, d.id) > (CAST(:ready_at AS timestamptz), CAST(:id AS uuid)))
ORDER BY d.ready_at, d.id LIMIT :most
"""
# What documents tell of themselves; those under way tell of their own work.
_RECOUNT: Final = """
UPDATE documents AS d SET embedded_chunk_count = n.embedded
FROM (SELECT document_id, count(*) FILTER (WHERE EXISTS (SELECT FROM {table} AS e WHERE e.chunk_id = c.id)) AS embedded
      FROM chunks AS c WHERE CAST(:ids AS uuid[]) IS NULL OR document_id = ANY (CAST(:ids AS uuid[]))
      GROUP BY document_id) AS n
WHERE d.id = n.document_id AND d.status IN ('ready', 'failed') AND d.embedded_chunk_count <> n.embedded
"""
SWITCH_LOCK: Final = 7_263_510_444  # any fixed numbers that nobody else uses
_FILL_LOCKS: Final = 726_351


@dataclass(frozen=True, slots=True)
class Incomplete:
    """A document with chunks that have no embedding yet."""

    document_id: uuid.UUID
    title: str | None


class PostgresCache:
    """The embedding cache in the database; every call is a short transaction of its own.

    With a document, what is asked for is noted as used by it, and nothing is kept for one that is gone.
    """

    def __init__(self, database: Database, *, document_id: uuid.UUID | None = None) -> None:
        self._database = database
        self._document_id = document_id

    async def get_many(self, fingerprint: str, hashes: Sequence[bytes]) -> dict[bytes, Vectors]:
        columns = (CachedEmbedding.content_hash, CachedEmbedding.embedding)
        wanted = select(*columns).where(
            CachedEmbedding.fingerprint == fingerprint, CachedEmbedding.content_hash == func.any(list(hashes))
        )
        async with self._database.session(SYSTEM_SCOPE) as session:
            if self._document_id is not None:
                await session.execute(text(_NOTE_USE), {"document": self._document_id, "hashes": list(hashes)})
            rows = (await session.execute(wanted)).all()
            if rows:
                found = {"fingerprint": fingerprint, "hashes": [content_hash for content_hash, _ in rows]}
                await session.execute(text(_TOUCH), found)
        return {content_hash: _vector(embedding) for content_hash, embedding in rows}

    async def put_many(self, fingerprint: str, vectors: Mapping[bytes, Vectors]) -> None:
        if not vectors:
            return
        values = {
            "document": self._document_id,
            "fingerprint": fingerprint,
            "hashes": list(vectors),
            "embeddings": [_literal(vector) for vector in vectors.values()],
        }
        async with self._database.session(SYSTEM_SCOPE) as session:
            await session.execute(text(_PUT_CACHE), values)


async def list_vectors(session: AsyncSession, generation: Generation, document_id: uuid.UUID) -> dict[bytes, Vectors]:
    statement = f"""
        SELECT content_hash, embedding::text FROM {generation.table_name}
        WHERE document_id = :id AND content_hash IS NOT NULL ORDER BY chunk_id, window_number
    """  # noqa: S608 - the table's name is made of a number
    rows = await session.execute(text(statement), {"id": document_id})
    return {key: np.fromstring(vector.strip("[]"), np.float32, sep=",") for key, vector in rows}


async def find_generation(session: AsyncSession, fingerprint: str) -> Generation | None:
    row = await session.scalar(select(EmbeddingGeneration).where(EmbeddingGeneration.fingerprint == fingerprint))
    return generation_of(row) if row else None


async def find_active_generation(session: AsyncSession) -> Generation | None:
    row = await session.scalar(select(EmbeddingGeneration).where(EmbeddingGeneration.state == "active"))
    return generation_of(row) if row else None


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
        "embeddings": [_literal(vector) for vector in vectors],
    }
    done = await session.execute(text(_INSERT.format(table=generation.table_name)), values)
    return len(done.all())


async def forget_documents(session: AsyncSession, document_ids: Sequence[uuid.UUID]) -> tuple[int, int]:
    """Remove from the cache what only these documents use; the number of vectors and their bytes."""
    row = (await session.execute(text(_FORGET), {"ids": list(document_ids)})).one()
    return row.vectors, row.size_bytes


async def evict(session: AsyncSession, *, max_vectors: int, at_once: int) -> int:
    return (await session.execute(text(_EVICT), {"max_vectors": max_vectors, "at_once": at_once})).scalar_one()


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
    values = {
        "document": document_id,
        "generation": generation.id,
        "chunk_ids": list(chunk_ids),
        "window_numbers": list(window_numbers),
        "hashes": list(hashes),
        "embeddings": [_literal(vector) for vector in vectors],
    }
    await session.execute(text(_STAGE), values)


async def list_not_staged(
    session: AsyncSession, generation: Generation, document_id: uuid.UUID, chunk_ids: Sequence[uuid.UUID]
) -> list[uuid.UUID]:
    values = {"document": document_id, "generation": generation.id, "chunk_ids": list(chunk_ids)}
    return list((await session.execute(text(_NOT_STAGED.format(table=generation.table_name)), values)).scalars())


async def take_staged(session: AsyncSession, document_id: uuid.UUID) -> None:
    staged = select(_STAGED.c.generation_id).where(_STAGED.c.document_id == document_id)
    for row in await session.scalars(select(EmbeddingGeneration).where(EmbeddingGeneration.id.in_(staged))):
        values = {"document": document_id, "generation": row.id}
        await session.execute(text(_TAKE_STAGED.format(table=row.table_name)), values)


async def forget_staged(session: AsyncSession, document_id: uuid.UUID) -> None:
    await session.execute(text("DELETE FROM staged_embeddings WHERE document_id = :id"), {"id": document_id})


async def list_unembedded_chunks(
    session: AsyncSession, generation: Generation, document_id: uuid.UUID
) -> list[uuid.UUID]:
    missing = select(_CHUNKS.c.id).where(_CHUNKS.c.document_id == document_id, _is_unembedded(generation))
    return list((await session.scalars(missing.order_by(_CHUNKS.c.chunk_index))).all())


async def count_embedded_chunks(session: AsyncSession, generation: Generation, document_id: uuid.UUID) -> int:
    embeddings = generation.table
    count = select(func.count(embeddings.c.chunk_id.distinct())).where(embeddings.c.document_id == document_id)
    return (await session.execute(count)).scalar_one()


async def has_unembedded_chunks(session: AsyncSession, generation: Generation) -> bool:
    """Among documents that are ready: one that failed or is under way holds nobody up."""
    return (await session.execute(select(_unembedded(generation).exists()))).scalar_one()


async def count_unembedded_documents(session: AsyncSession, generation: Generation) -> int:
    """Documents that are ready and have a chunk without an embedding."""
    missing = _unembedded(generation).subquery()
    return (await session.execute(select(func.count(missing.c.document_id.distinct())))).scalar_one()


def _unembedded(generation: Generation) -> Select[tuple[uuid.UUID]]:
    is_ready = (_DOCUMENTS.c.status == "ready") & _DOCUMENTS.c.deleted_at.is_(None)
    chunks = _CHUNKS.join(_DOCUMENTS, _DOCUMENTS.c.id == _CHUNKS.c.document_id)
    return select(_CHUNKS.c.document_id).select_from(chunks).where(is_ready, _is_unembedded(generation))


async def count_embedded(session: AsyncSession, generation: Generation) -> int:
    """Chunks that have an embedding, without those in the trash."""
    embeddings = generation.table
    kept = embeddings.join(_DOCUMENTS, _DOCUMENTS.c.id == embeddings.c.document_id)
    count = select(func.count(embeddings.c.chunk_id.distinct())).select_from(kept)
    return (await session.execute(count.where(_DOCUMENTS.c.deleted_at.is_(None)))).scalar_one()


async def count_losing_documents(session: AsyncSession, active: Generation, generation: Generation) -> int:
    """Documents under way with chunks that `active` has an embedding of and `generation` has not."""
    is_under_way = _DOCUMENTS.c.status.in_(("queued", "processing")) & _DOCUMENTS.c.deleted_at.is_(None)
    chunks = _CHUNKS.join(_DOCUMENTS, _DOCUMENTS.c.id == _CHUNKS.c.document_id)
    losing = select(func.count(_DOCUMENTS.c.id.distinct())).select_from(chunks)
    conditions = (is_under_way, ~_is_unembedded(active), _is_unembedded(generation))
    return (await session.execute(losing.where(*conditions))).scalar_one()


async def find_generation_by_id(session: AsyncSession, generation_id: int) -> Generation | None:
    row = await session.get(EmbeddingGeneration, generation_id)
    return generation_of(row) if row else None


async def hold_switch(session: AsyncSession) -> None:
    """One switch at a time, until the transaction ends."""
    await session.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": SWITCH_LOCK})


async def list_incomplete(
    session: AsyncSession, generation: Generation, *, after: tuple[datetime, uuid.UUID] | None, most: int
) -> tuple[list[Incomplete], tuple[datetime, uuid.UUID] | None]:
    """Of the next `most` documents that are ready, in the order in which they became so, those with something missing.

    And where the next ones begin; None after the last.
    """
    values = {"most": most, "ready_at": after[0] if after else None, "id": after[1] if after else None}
    rows = (await session.execute(text(_INCOMPLETE.format(table=generation.table_name)), values)).all()
    # a document may become visible behind one that became ready after it, but not for long
    settled = [row for row in rows if row.is_settled] if len(rows) == most else []
    end = (settled[-1].ready_at, settled[-1].id) if settled else None
    return [Incomplete(row.id, row.title) for row in rows if row.is_incomplete], end


async def recount_embedded(
    session: AsyncSession, generation: Generation, document_ids: Sequence[uuid.UUID] | None = None
) -> None:
    """Let these documents, or all, say how many of their chunks have an embedding of this generation."""
    values = {"ids": None if document_ids is None else list(document_ids)}
    await session.execute(text(_RECOUNT.format(table=generation.table_name)), values)


async def try_claim(session: AsyncSession, generation: Generation, document_id: uuid.UUID) -> bool:
    """Whether nobody else fills in this document's embeddings, and nobody will until the transaction ends."""
    claim = text("SELECT pg_try_advisory_xact_lock(:family, hashtext(:key))")
    values = {"family": _FILL_LOCKS, "key": f"{generation.id}:{document_id}"}
    return (await session.execute(claim, values)).scalar_one()


def _is_unembedded(generation: Generation) -> ColumnElement[bool]:
    embeddings = generation.table
    return ~select(embeddings.c.chunk_id).where(embeddings.c.chunk_id == _CHUNKS.c.id).exists()


def _literal(vector: Vectors) -> str:
    return HalfVector(vector).to_text()


def _vector(value: Sequence[float]) -> Vectors:
    return np.asarray(value, np.float32)
