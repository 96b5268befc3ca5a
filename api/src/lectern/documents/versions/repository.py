"""Read and change rows of versions. Row-level security limits them to the session's scope."""

import uuid
from collections.abc import Sequence
from typing import Any

from sqlalchemy import func, select, text, update

from lectern.db.pages import fetch_page
from lectern.db.session import Session
from lectern.documents.models import Document, DocumentVersion

# The first version of a document gets its row when a second one is added.
_FIRST = text("""
INSERT INTO document_versions (document_id, number, state, filename, content_type, size_bytes, sha256, page_count,
    chunk_count, error_code, error_message, error_hint, error_details, created_by, created_at, current_at)
SELECT id, version, CASE WHEN error_code = 'cancelled' THEN 'cancelled' WHEN status = 'failed' THEN 'failed'
       ELSE 'current' END,
    filename, content_type, size_bytes, sha256, page_count, CASE WHEN ready_at IS NOT NULL THEN chunk_count END,
    error_code, error_message, error_hint, error_details, created_by, created_at, ready_at
FROM documents WHERE id = :id
ON CONFLICT DO NOTHING
""")
# Finished versions only, without the newest and the current ones.
_SURPLUS = text("""
DELETE FROM document_versions AS v USING documents AS d
WHERE d.id = v.document_id AND v.state IN ('replaced', 'failed', 'cancelled') AND v.number <> d.version
  AND v.number <= (SELECT max(number) FROM document_versions AS n WHERE n.document_id = v.document_id) - :limit
RETURNING v.sha256
""")


async def ensure_first(session: Session, document_id: uuid.UUID) -> None:
    """Add the row of the current version, if there is none."""
    await session.execute(_FIRST, {"id": document_id})


async def add(session: Session, document_id: uuid.UUID, values: dict[str, Any]) -> DocumentVersion:
    """Add the next version. The caller has locked the document."""
    newest = select(func.max(DocumentVersion.number)).where(DocumentVersion.document_id == document_id)
    number = (await session.scalar(newest) or 0) + 1
    version = DocumentVersion(document_id=document_id, number=number, state="processing", **values)
    session.add(version)
    await session.flush()
    return version


async def find_newest(session: Session, document_id: uuid.UUID) -> DocumentVersion | None:
    wanted = select(DocumentVersion).where(DocumentVersion.document_id == document_id)
    return await session.scalar(wanted.order_by(DocumentVersion.number.desc()).limit(1))


async def find(session: Session, document_id: uuid.UUID, number: int) -> DocumentVersion | None:
    return await session.get(DocumentVersion, (document_id, number))


async def list_versions(
    session: Session, document_id: uuid.UUID, *, after: Sequence[Any] | None, limit: int
) -> tuple[Sequence[DocumentVersion], int]:
    """Return a page of versions, newest first, and the total."""
    query = select(DocumentVersion).where(DocumentVersion.document_id == document_id)
    return await fetch_page(session, query, DocumentVersion.number, after=after, limit=limit, is_descending=True)


async def cancel_pending(session: Session, document_id: uuid.UUID, *, reason: str) -> None:
    """Mark the versions that are processing as cancelled."""
    waiting = update(DocumentVersion).where(
        DocumentVersion.document_id == document_id, DocumentVersion.state == "processing"
    )
    await session.execute(waiting.values(state="cancelled", error_code="cancelled", error_message=reason))


async def list_by_filename(session: Session, *, collection_id: uuid.UUID, filename: str) -> list[uuid.UUID]:
    """List documents of the collection, outside the trash, with this filename in any case."""
    wanted = select(Document.id).where(
        Document.collection_id == collection_id,
        func.lower(Document.filename) == func.lower(filename),
        Document.deleted_at.is_(None),
    )
    return list((await session.scalars(wanted.order_by(Document.created_at, Document.id))).all())


async def remove_surplus(session: Session, *, limit: int) -> list[str]:
    """Delete versions beyond the newest `limit` of each document. Return the hashes of their files."""
    return list((await session.execute(_SURPLUS, {"limit": limit})).scalars())
