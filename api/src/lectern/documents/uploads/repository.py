"""Register files. The session holds the lock of the file's hash."""

import uuid
from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import case, distinct, func, select, text
from sqlalchemy.dialects.postgresql import insert

from lectern.db.session import Session
from lectern.documents.models import Document

# Runs in the caller's scope, so it returns only rows that the caller may change.
_TOUCH = text("UPDATE documents SET updated_at = updated_at WHERE id = ANY(:ids) RETURNING id")


class ExistingDocument(NamedTuple):
    """A document with the same file in the same collection."""

    id: uuid.UUID
    status: str
    error_code: str | None
    is_deleted: bool
    given_language: str | None


async def find_same(session: Session, *, collection_id: uuid.UUID, sha256: str) -> ExistingDocument | None:
    """Lock the document in scope outside the trash, or the one trashed last. It cannot be purged meanwhile."""
    query = (
        select(
            *(Document.id, Document.status, Document.error_code, Document.deleted_at.is_not(None)),
            case((Document.is_language_given, Document.language)),
        )
        .where(Document.collection_id == collection_id, Document.sha256 == sha256)
        .order_by(Document.deleted_at.desc().nulls_first(), Document.created_at, Document.id)
        .limit(1)
        .with_for_update(key_share=True)
    )
    row = (await session.execute(query)).one_or_none()
    return ExistingDocument(*row) if row else None


async def add(session: Session, values: dict[str, Any]) -> uuid.UUID:
    query = insert(Document).values(id=uuid.uuid4(), **values).returning(Document.id)
    return (await session.execute(query)).scalar_one()


async def list_changeable(session: Session, document_ids: Sequence[uuid.UUID]) -> set[uuid.UUID]:
    """Return the documents that the session may see and change."""
    return set((await session.execute(_TOUCH, {"ids": list(document_ids)})).scalars())


async def count_present(session: Session, hashes: Sequence[str]) -> int:
    """Count the files that are in any collection, without the trash."""
    query = select(func.count(distinct(Document.sha256)))
    query = query.where(Document.sha256.in_(hashes), Document.deleted_at.is_(None))
    return await session.scalar(query) or 0
