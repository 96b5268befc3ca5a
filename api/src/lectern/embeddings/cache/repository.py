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

# The lock on the document's row makes a purge wait. Nothing is stored for a purged document.
_PUT: Final = """
WITH owner AS MATERIALIZED (SELECT id FROM documents WHERE id = :document FOR KEY SHARE)
INSERT INTO embedding_cache (document_id, fingerprint, content_hash, embedding, is_imported)
SELECT owner.id, :fingerprint, v.content_hash, CAST(v.embedding AS halfvec), :is_imported
FROM owner, unnest(CAST(:hashes AS bytea[]), CAST(:embeddings AS text[])) AS v (content_hash, embedding)
ON CONFLICT DO NOTHING
RETURNING 1
"""
# Once an hour is enough. A locked row is being touched by another worker.
_TOUCH: Final = """
UPDATE embedding_cache SET used_at = now(), is_imported = false
WHERE (document_id, fingerprint, content_hash) IN (
    SELECT document_id, fingerprint, content_hash FROM embedding_cache
    WHERE document_id = :document AND fingerprint = :fingerprint AND content_hash = ANY (:hashes)
      AND (is_imported OR used_at < now() - interval '1 hour')
    ORDER BY content_hash FOR UPDATE SKIP LOCKED)
"""
_DELETE_UNUSED_IMPORTS: Final = "DELETE FROM embedding_cache WHERE document_id = :document AND is_imported"
_EVICT: Final = """
DELETE FROM embedding_cache WHERE (document_id, fingerprint, content_hash) IN (
    SELECT document_id, fingerprint, content_hash FROM embedding_cache
    ORDER BY used_at LIMIT greatest(0, least(:at_once, (SELECT count(*) FROM embedding_cache) - :max_vectors))
    FOR UPDATE SKIP LOCKED)
RETURNING 1
"""


class PostgresCache:
    """The embedding cache of one document in the database. Every call is one short transaction.

    Documents share no vectors. Otherwise, the time that an upload takes would tell what other documents say.
    """

    def __init__(self, database: Database, document_id: uuid.UUID) -> None:
        self._database = database
        self._document_id = document_id

    async def get_many(self, fingerprint: str, hashes: Sequence[bytes]) -> dict[bytes, Vectors]:
        columns = (CachedEmbedding.content_hash, CachedEmbedding.embedding)
        wanted = select(*columns).where(
            CachedEmbedding.document_id == self._document_id,
            CachedEmbedding.fingerprint == fingerprint,
            CachedEmbedding.content_hash == func.any(list(hashes)),
        )
        async with self._database.session(SYSTEM_SCOPE) as session:
            rows = (await session.execute(wanted)).all()
            if rows:
                hits = [content_hash for content_hash, _ in rows]
                values = {"document": self._document_id, "fingerprint": fingerprint, "hashes": hits}
                await session.execute(text(_TOUCH), values)
        return {content_hash: _vector(embedding) for content_hash, embedding in rows}

    async def put_many(self, fingerprint: str, vectors: Mapping[bytes, Vectors]) -> None:
        await self._put(fingerprint, vectors, is_imported=False)

    async def import_many(self, fingerprint: str, vectors: Mapping[bytes, Vectors]) -> int:
        """Store vectors of an export until the ingestion of the document has used them. Return their number."""
        return await self._put(fingerprint, vectors, is_imported=True)

    async def _put(self, fingerprint: str, vectors: Mapping[bytes, Vectors], *, is_imported: bool) -> int:
        if not vectors:
            return 0
        values = {
            "document": self._document_id,
            "fingerprint": fingerprint,
            "hashes": list(vectors),
            "embeddings": [to_literal(vector) for vector in vectors.values()],
            "is_imported": is_imported,
        }
        async with self._database.session(SYSTEM_SCOPE) as session:
            return len((await session.execute(text(_PUT), values)).all())


async def delete_unused_imports(session: AsyncSession, document_id: uuid.UUID) -> None:
    """Delete the imported vectors that no text of the document has used (system scope)."""
    await session.execute(text(_DELETE_UNUSED_IMPORTS), {"document": document_id})


async def evict(session: AsyncSession, *, max_vectors: int, at_once: int) -> int:
    """Delete up to `at_once` least recently used vectors beyond `max_vectors`. Returns their number."""
    return len((await session.execute(text(_EVICT), {"max_vectors": max_vectors, "at_once": at_once})).all())


def to_literal(vector: Vectors) -> str:
    """Format a vector as a halfvec literal."""
    return HalfVector(vector).to_text()


def _vector(value: Sequence[float]) -> Vectors:
    return np.asarray(value, np.float32)
