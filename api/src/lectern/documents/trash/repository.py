"""Delete documents with all their rows, and measure them. System sessions only."""

import uuid
from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

from sqlalchemy import Uuid, column, func, literal_column, select, table, text
from sqlalchemy.dialects.postgresql import ARRAY

from lectern.db.session import Session

# Tables with rows of documents, from the catalogue, so new tables are counted too. Rows with a job id belong to the
# job's document. Notes, grants and saved answers are left out: their numbers would tell of other people.
_TABLES = text("""
SELECT c.relname AS name, a.attname AS reference
FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = a.attrelid
WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped
  AND (a.atttypid = 'uuid'::regtype AND a.attname IN ('document_id', 'job_id')
       OR a.atttypid = 'uuid[]'::regtype AND a.attname = 'document_ids')
  AND c.relname NOT IN ('notes', 'document_grants', 'saved_answers')
  AND (a.attname <> 'job_id' OR NOT EXISTS (
        SELECT FROM pg_attribute AS o
        WHERE o.attrelid = a.attrelid AND o.attname = 'document_id' AND NOT o.attisdropped))
ORDER BY 1
""")
_LOCK = text("SELECT id FROM documents WHERE id = ANY(:ids) ORDER BY id FOR UPDATE")
_TEXT_BYTES = text("""
SELECT (SELECT coalesce(sum(octet_length(text)), 0) FROM pages WHERE document_id = ANY(:ids))
     + (SELECT coalesce(sum(octet_length(text)), 0) FROM chunks WHERE document_id = ANY(:ids))
""")
_HASHES = text("""
SELECT sha256 FROM documents WHERE id = ANY(:ids)
UNION SELECT sha256 FROM document_versions WHERE document_id = ANY(:ids)
""")
_DELETE = text("DELETE FROM documents WHERE id = ANY(:ids) RETURNING id")
_TAGS = text("""
SELECT id, name, pg_column_size(tags.*) AS size FROM tags
WHERE id IN (SELECT tag_id FROM document_tags WHERE document_id = ANY(:ids))
""")
_EXISTING_TAGS = text("SELECT id FROM tags WHERE id = ANY(:ids)")
_ACTIVE_JOBS = text("SELECT id FROM jobs WHERE document_id = ANY(:ids) AND state IN ('queued', 'running')")
_EXPIRED = text("""
SELECT id FROM documents WHERE deleted_at < now() - make_interval(days => :days) ORDER BY deleted_at LIMIT :limit
""")
_JOBS: Final = table("jobs", column("id", Uuid), column("document_id", Uuid))


class Size(NamedTuple):
    """Number of rows and their bytes, without indexes."""

    rows: int
    bytes: int


async def lock(session: Session, ids: Sequence[uuid.UUID]) -> list[uuid.UUID]:
    """Lock the existing documents until the transaction ends. Return their ids."""
    return list((await session.execute(_LOCK, {"ids": list(ids)})).scalars())


async def measure(session: Session, ids: Sequence[uuid.UUID]) -> dict[str, Size]:
    """Measure the rows of these documents by table."""
    references = (await session.execute(_TABLES)).all()
    sizes = {name: await _measure(session, name, reference, ids) for name, reference in references}
    return {"documents": await _measure(session, "documents", "id", ids), **sizes}


async def _measure(session: Session, table_name: str, reference: str, ids: Sequence[uuid.UUID]) -> Size:
    parts = table(table_name, column(reference, ARRAY(Uuid) if reference == "document_ids" else Uuid))
    wanted = parts.c[reference].in_(ids)
    if reference == "document_ids":
        wanted = parts.c[reference].overlap(list(ids))
    elif reference == "job_id":
        wanted = parts.c[reference].in_(select(_JOBS.c.id).where(_JOBS.c.document_id.in_(ids)))
    size = func.coalesce(func.sum(func.pg_column_size(literal_column(f"{table_name}.*"))), 0)
    row = (await session.execute(select(func.count(), size).select_from(parts).where(wanted))).one()
    return Size(int(row[0]), int(row[1]))


async def count_text_bytes(session: Session, ids: Sequence[uuid.UUID]) -> int:
    return int((await session.execute(_TEXT_BYTES, {"ids": list(ids)})).scalar_one())


async def active_jobs(session: Session, ids: Sequence[uuid.UUID]) -> list[uuid.UUID]:
    return list((await session.execute(_ACTIVE_JOBS, {"ids": list(ids)})).scalars())


async def list_hashes(session: Session, ids: Sequence[uuid.UUID]) -> list[str]:
    """Return the hashes of the originals of all versions."""
    return list((await session.execute(_HASHES, {"ids": list(ids)})).scalars())


async def list_tags(session: Session, ids: Sequence[uuid.UUID]) -> dict[uuid.UUID, tuple[str, int]]:
    """Return names and bytes of the tags of these documents by id."""
    return {row.id: (row.name, row.size) for row in await session.execute(_TAGS, {"ids": list(ids)})}


async def list_existing_tags(session: Session, tag_ids: Collection[uuid.UUID]) -> set[uuid.UUID]:
    """Return those of the tags that exist."""
    return set((await session.execute(_EXISTING_TAGS, {"ids": list(tag_ids)})).scalars())


async def remove(session: Session, ids: Sequence[uuid.UUID]) -> list[uuid.UUID]:
    """Delete documents. Foreign keys cascade to their rows."""
    return list((await session.execute(_DELETE, {"ids": list(ids)})).scalars())


async def list_expired(session: Session, *, days: int, limit: int) -> list[uuid.UUID]:
    """List documents that have been in the trash for more than `days`."""
    return list((await session.execute(_EXPIRED, {"days": days, "limit": limit})).scalars())
