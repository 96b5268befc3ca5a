"""Counts over the whole database, for system sessions only."""

from typing import Final

from sqlalchemy import RowMapping, select, text

from lectern.db.session import Session
from lectern.embeddings.models import EmbeddingGeneration
from lectern.jobs.liveness import WORKER_LOCKS

_VERSIONS: Final = text("""
SELECT current_setting('server_version') AS postgres,
       coalesce((SELECT extversion FROM pg_extension WHERE extname = 'vector'), '') AS pgvector
""")
_LIBRARY: Final = text("""
SELECT count(*) FILTER (WHERE deleted_at IS NOT NULL) AS trashed_documents,
       count(*) FILTER (WHERE deleted_at IS NULL AND status = 'queued') AS queued,
       count(*) FILTER (WHERE deleted_at IS NULL AND status = 'processing') AS processing,
       count(*) FILTER (WHERE deleted_at IS NULL AND status = 'ready') AS ready,
       count(*) FILTER (WHERE deleted_at IS NULL AND status = 'failed') AS failed,
       coalesce(sum(page_count) FILTER (WHERE deleted_at IS NULL), 0)::bigint AS pages,
       coalesce(sum(chunk_count) FILTER (WHERE deleted_at IS NULL), 0)::bigint AS chunks,
       coalesce(sum(embedded_chunk_count) FILTER (WHERE deleted_at IS NULL), 0)::bigint AS embedded_chunks,
       (SELECT count(*) FROM tags) AS tags,
       (SELECT count(*) FROM collections) AS collections,
       (SELECT count(*) FROM users WHERE is_active) AS users
FROM documents
""")
# A failed document is one whose newest job failed: jobs that were tried again with success need nobody.
_QUEUE: Final = text("""
SELECT (SELECT count(*) FROM jobs WHERE state = 'queued') AS queued,
       (SELECT count(*) FROM jobs WHERE state = 'running') AS running,
       (SELECT count(*) FROM documents WHERE status = 'failed' AND deleted_at IS NULL) AS failed,
       (SELECT min(created_at) FROM jobs WHERE state = 'queued') AS oldest_queued_at,
       (SELECT count(DISTINCT pid) FROM pg_locks
        WHERE locktype = 'advisory' AND objsubid = 2 AND granted AND classid = CAST(:locks AS bigint)::oid
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database())) AS workers
""")
# The same bytes uploaded twice are kept once.
_STORAGE: Final = text("""
SELECT count(*) AS original_count, coalesce(sum(size_bytes), 0)::bigint AS original_bytes,
       pg_database_size(current_database()) AS database_bytes
FROM (SELECT sha256, size_bytes FROM documents
      UNION SELECT sha256, size_bytes FROM document_versions) originals
""")


async def read_versions(session: Session) -> RowMapping:
    """Return the versions of Postgres and pgvector."""
    return (await session.execute(_VERSIONS)).mappings().one()


async def count_library(session: Session) -> RowMapping:
    """Count documents by status, pages, chunks, tags, collections and users."""
    return (await session.execute(_LIBRARY)).mappings().one()


async def count_queue(session: Session) -> RowMapping:
    """Count jobs by state, and live workers."""
    return (await session.execute(_QUEUE, {"locks": WORKER_LOCKS})).mappings().one()


async def measure_storage(session: Session) -> RowMapping:
    """Measure originals and the database, in bytes."""
    return (await session.execute(_STORAGE)).mappings().one()


async def list_generations(session: Session) -> list[EmbeddingGeneration]:
    """Return every generation, newest first."""
    return list((await session.scalars(select(EmbeddingGeneration).order_by(EmbeddingGeneration.id.desc()))).all())
