"""The cache of embeddings in Postgres."""

import uuid
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from pgvector import HalfVector
from sqlalchemy import func, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from lectern.db.scope import SYSTEM_SCOPE
from lectern.db.session import Database
from lectern.embeddings.models import CachedEmbedding
from lectern.embeddings.provider import Vectors

# Lock the document's row while vectors are stored for it, so that a purge waits or nothing is stored.
_OWNER: Final = "SELECT id FROM documents WHERE id = :document FOR KEY SHARE"
_PUT_CACHE: Final = f"""
WITH owner AS MATERIALIZED ({_OWNER})
INSERT INTO embedding_cache (fingerprint, content_hash, embedding)
SELECT :fingerprint, v.content_hash, CAST(v.embedding AS halfvec)
FROM unnest(CAST(:hashes AS bytea[]), CAST(:embeddings AS text[])) AS v (content_hash, embedding)
WHERE CAST(:document AS uuid) IS NULL OR EXISTS (SELECT FROM owner)
ORDER BY v.content_hash
ON CONFLICT DO NOTHING
"""  # noqa: S608 - built from a constant
_RECORD_USE: Final = f"""
WITH owner AS MATERIALIZED ({_OWNER})
INSERT INTO embedding_cache_uses (content_hash, document_id)
SELECT h, owner.id FROM owner, unnest(CAST(:hashes AS bytea[])) AS h ORDER BY h
ON CONFLICT DO NOTHING
"""  # noqa: S608 - built from a constant
# Once an hour is enough. A locked row is being touched by another worker.
_TOUCH: Final = """
UPDATE embedding_cache SET used_at = now()
WHERE (fingerprint, content_hash) IN (
    SELECT fingerprint, content_hash FROM embedding_cache
    WHERE fingerprint = :fingerprint AND content_hash = ANY (:hashes) AND used_at < now() - interval '1 hour'
    ORDER BY content_hash FOR UPDATE SKIP LOCKED)
"""
_DELETE: Final = """
WITH used AS (
    SELECT DISTINCT content_hash FROM embedding_cache_uses WHERE document_id = ANY (:ids)
), deleted AS (
    DELETE FROM embedding_cache AS c USING used
    WHERE c.content_hash = used.content_hash AND NOT EXISTS (
        SELECT FROM embedding_cache_uses AS u
        WHERE u.content_hash = used.content_hash AND u.document_id <> ALL (:ids))
    RETURNING pg_column_size(c.embedding) AS size
)
SELECT count(*) AS vectors, coalesce(sum(size), 0)::bigint AS size_bytes FROM deleted
"""
_EVICT: Final = """
WITH deleted AS (
    DELETE FROM embedding_cache WHERE (fingerprint, content_hash) IN (
        SELECT fingerprint, content_hash FROM embedding_cache
        ORDER BY used_at LIMIT greatest(0, least(:at_once, (SELECT count(*) FROM embedding_cache) - :max_vectors))
        FOR UPDATE SKIP LOCKED)
    RETURNING content_hash, fingerprint
), unused AS (
    DELETE FROM embedding_cache_uses AS u USING deleted
    WHERE u.content_hash = deleted.content_hash AND NOT EXISTS (
        SELECT FROM embedding_cache AS c
        WHERE c.content_hash = deleted.content_hash AND c.fingerprint <> deleted.fingerprint)
)
SELECT count(*) FROM deleted
"""


class PostgresCache:
    """The embedding cache in the database. Every call is one short transaction.

    With a document, lookups are recorded as used by it, and nothing is stored once it is deleted.
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
                await session.execute(text(_RECORD_USE), {"document": self._document_id, "hashes": list(hashes)})
            rows = (await session.execute(wanted)).all()
            if rows:
                hits = {"fingerprint": fingerprint, "hashes": [content_hash for content_hash, _ in rows]}
                await session.execute(text(_TOUCH), hits)
        return {content_hash: _vector(embedding) for content_hash, embedding in rows}

    async def put_many(self, fingerprint: str, vectors: Mapping[bytes, Vectors]) -> None:
        if not vectors:
            return
        values = {
            "document": self._document_id,
            "fingerprint": fingerprint,
            "hashes": list(vectors),
            "embeddings": [to_literal(vector) for vector in vectors.values()],
        }
        async with self._database.session(SYSTEM_SCOPE) as session:
            await session.execute(text(_PUT_CACHE), values)


async def delete_cached_vectors(session: AsyncSession, document_ids: Sequence[uuid.UUID]) -> tuple[int, int]:
    """Delete vectors that only these documents use. Returns their number and bytes."""
    row = (await session.execute(text(_DELETE), {"ids": list(document_ids)})).one()
    return row.vectors, row.size_bytes


async def evict(session: AsyncSession, *, max_vectors: int, at_once: int) -> int:
    """Delete up to `at_once` least recently used vectors beyond `max_vectors`. Returns their number."""
    return (await session.execute(text(_EVICT), {"max_vectors": max_vectors, "at_once": at_once})).scalar_one()


def to_literal(vector: Vectors) -> str:
    """Format a vector as a halfvec literal."""
    return HalfVector(vector).to_text()


def _vector(value: Sequence[float]) -> Vectors:
    return np.asarray(value, np.float32)
