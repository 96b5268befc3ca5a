"""Which documents hold the same file or the same passages. Row-level security decides what a session sees."""

import uuid
from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import RowMapping, text

from lectern.db.session import Session

# Chunks are compared by the hash of their text, which is indexed.
_COPIES: Final = text("""
WITH mine AS MATERIALIZED (SELECT DISTINCT content_hash FROM chunks WHERE document_id = :id),
total AS (SELECT count(*) AS chunk_count FROM mine),
shared AS (
    SELECT c.document_id, count(DISTINCT c.content_hash) AS shared_chunk_count
    FROM chunks c JOIN mine USING (content_hash)
    WHERE c.document_id <> :id
    GROUP BY c.document_id
)
SELECT d.id, d.filename, d.title, d.collection_id, s.name AS collection_name, d.created_at,
       d.sha256 = asked.sha256 AS is_exact,
       coalesce(shared.shared_chunk_count, 0) AS shared_chunk_count, total.chunk_count
FROM documents asked
CROSS JOIN total
JOIN documents d ON d.id <> asked.id AND d.deleted_at IS NULL
JOIN collections s ON s.id = d.collection_id
LEFT JOIN shared ON shared.document_id = d.id
WHERE asked.id = :id AND (d.sha256 = asked.sha256 OR shared.shared_chunk_count >= :share * total.chunk_count)
ORDER BY is_exact DESC, coalesce(shared.shared_chunk_count, 0) DESC, d.created_at, d.id
LIMIT :limit
""")


async def list_copies(
    session: Session, document_id: uuid.UUID, *, share: float, limit: int
) -> Sequence[RowMapping | dict[str, Any]]:
    """Documents with the same file, or with at least `share` (0..1) of the document's passages."""
    values = {"id": document_id, "share": share, "limit": limit}
    return (await session.execute(_COPIES, values)).mappings().all()
