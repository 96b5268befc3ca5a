"""Removing documents with all that belongs to them, and counting what went. System sessions only."""

import uuid
from collections.abc import Sequence
from typing import Final, NamedTuple

from sqlalchemy import Uuid, column, func, select, table, text

from lectern.db.session import Session

_PARTS: Final = ("pages", "chunks", "chunk_lexical", "document_tags", "jobs")
_TABLES = text("SELECT id FROM embedding_generations ORDER BY id")
_TEXT_BYTES = text("""
SELECT (SELECT coalesce(sum(octet_length(text)), 0) FROM pages WHERE document_id = ANY(:ids))
     + (SELECT coalesce(sum(octet_length(text)), 0) FROM chunks WHERE document_id = ANY(:ids))
""")
_DELETE = text("DELETE FROM documents WHERE id = ANY(:ids) RETURNING id, sha256")
_ACTIVE_JOBS = text("SELECT id FROM jobs WHERE document_id = ANY(:ids) AND state IN ('queued', 'running')")
_EXPIRED = text("""
SELECT id FROM documents WHERE deleted_at < now() - make_interval(days => :days) ORDER BY deleted_at LIMIT :limit
""")


class Removed(NamedTuple):
    """A document that is gone."""

    id: uuid.UUID
    sha256: str


async def count_rows(session: Session, ids: Sequence[uuid.UUID]) -> dict[str, int]:
    """Rows that belong to these documents, by table."""
    generations = (await session.execute(_TABLES)).scalars().all()
    tables = [*_PARTS, *(f"chunk_embeddings_{generation}" for generation in generations)]
    return {name: await _count(session, name, ids) for name in tables}


async def _count(session: Session, table_name: str, ids: Sequence[uuid.UUID]) -> int:
    parts = table(table_name, column("document_id", Uuid))
    return await session.scalar(select(func.count()).select_from(parts).where(parts.c.document_id.in_(ids))) or 0


async def count_text_bytes(session: Session, ids: Sequence[uuid.UUID]) -> int:
    return int((await session.execute(_TEXT_BYTES, {"ids": list(ids)})).scalar_one())


async def active_jobs(session: Session, ids: Sequence[uuid.UUID]) -> list[uuid.UUID]:
    return list((await session.execute(_ACTIVE_JOBS, {"ids": list(ids)})).scalars())


async def remove(session: Session, ids: Sequence[uuid.UUID]) -> list[Removed]:
    """Their parts go with them."""
    return [Removed(row.id, row.sha256) for row in await session.execute(_DELETE, {"ids": list(ids)})]


async def list_expired(session: Session, *, days: int, limit: int) -> list[uuid.UUID]:
    """Documents that have been in the trash for longer."""
    return list((await session.execute(_EXPIRED, {"days": days, "limit": limit})).scalars())
