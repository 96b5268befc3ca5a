"""Which of the sample documents are in the library. Row-level security decides what a session sees."""

from collections.abc import Sequence

from sqlalchemy import distinct, func, select

from lectern.db.session import Session
from lectern.documents.models import Document


async def count_present(session: Session, hashes: Sequence[str]) -> int:
    """How many of these files are in the library, in whatever collection, without the trash."""
    query = select(func.count(distinct(Document.sha256)))
    query = query.where(Document.sha256.in_(hashes), Document.deleted_at.is_(None))
    return await session.scalar(query) or 0
