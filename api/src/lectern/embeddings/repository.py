"""The tables of embeddings and their cache in Postgres."""

import uuid
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from pgvector import HalfVector
from sqlalchemy import (
    ColumnElement,
    DateTime,
    Integer,
    LargeBinary,
    Text,
    Uuid,
    column,
    delete,
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
_PUT_CACHE: Final = """
INSERT INTO embedding_cache (fingerprint, content_hash, embedding)
SELECT :fingerprint, v.content_hash, CAST(v.embedding AS halfvec)
FROM unnest(CAST(:hashes AS bytea[]), CAST(:embeddings AS text[])) AS v (content_hash, embedding)
ORDER BY v.content_hash
ON CONFLICT DO NOTHING
"""


class PostgresCache:
    """The embedding cache in the database; every call is a short transaction of its own."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def get_many(self, fingerprint: str, hashes: Sequence[bytes]) -> dict[bytes, Vectors]:
        columns = (CachedEmbedding.content_hash, CachedEmbedding.embedding)
        wanted = select(*columns).where(
            CachedEmbedding.fingerprint == fingerprint, CachedEmbedding.content_hash == func.any(list(hashes))
        )
        async with self._database.session(SYSTEM_SCOPE) as session:
            rows = (await session.execute(wanted)).all()
        return {content_hash: _vector(embedding) for content_hash, embedding in rows}

    async def put_many(self, fingerprint: str, vectors: Mapping[bytes, Vectors]) -> None:
        if not vectors:
            return
        values = {
            "fingerprint": fingerprint,
            "hashes": list(vectors),
            "embeddings": [_literal(vector) for vector in vectors.values()],
        }
        async with self._database.session(SYSTEM_SCOPE) as session:
            await session.execute(text(_PUT_CACHE), values)


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


async def forget_documents(session: AsyncSession, document_ids: Sequence[uuid.UUID]) -> int:
    """Remove from the cache what these documents' embeddings were taken from; the number of vectors."""
    count = 0
    for row in (await session.scalars(select(EmbeddingGeneration).order_by(EmbeddingGeneration.id))).all():
        hashes = select(column("content_hash", LargeBinary)).select_from(table(row.table_name))
        hashes = hashes.where(column("document_id", Uuid).in_(document_ids))
        query = delete(CachedEmbedding).where(
            CachedEmbedding.fingerprint == row.fingerprint, CachedEmbedding.content_hash.in_(hashes)
        )
        count += len((await session.execute(query.returning(CachedEmbedding.content_hash))).all())
    return count


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
    is_ready = (_DOCUMENTS.c.status == "ready") & _DOCUMENTS.c.deleted_at.is_(None)
    chunks = _CHUNKS.join(_DOCUMENTS, _DOCUMENTS.c.id == _CHUNKS.c.document_id)
    missing = select(_CHUNKS.c.id).select_from(chunks).where(is_ready, _is_unembedded(generation))
    return (await session.execute(select(missing.exists()))).scalar_one()


def _is_unembedded(generation: Generation) -> ColumnElement[bool]:
    embeddings = generation.table
    return ~select(embeddings.c.chunk_id).where(embeddings.c.chunk_id == _CHUNKS.c.id).exists()


def _literal(vector: Vectors) -> str:
    return HalfVector(vector).to_text()


def _vector(value: Sequence[float]) -> Vectors:
    return np.asarray(value, np.float32)
