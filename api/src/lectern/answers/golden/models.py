"""Model of golden queries."""

import uuid
from datetime import datetime

from sqlalchemy import DateTime, ForeignKey, Index, Integer, LargeBinary, Text
from sqlalchemy.orm import Mapped, mapped_column

from lectern.db.base import Base, CreatedAt, UuidKey


class GoldenQuery(Base):
    """A query and the page that answers it, marked by the actor `created_by`.

    `content_hash` is of the marked chunk, if any. `last_rank` is the page's rank in the last evaluation of the whole
    library, None if not in the first 20.
    """

    __tablename__ = "golden_queries"
    __table_args__ = (
        Index(
            "uq_golden_queries_query_document_id_page_number_content_hash",
            *("query", "document_id", "page_number", "content_hash"),
            unique=True,
            postgresql_nulls_not_distinct=True,
        ),
    )

    id: Mapped[UuidKey]
    query: Mapped[str] = mapped_column(Text)
    document_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("documents.id", ondelete="CASCADE"), index=True)
    page_number: Mapped[int] = mapped_column(Integer)
    content_hash: Mapped[bytes | None] = mapped_column(LargeBinary)
    created_by: Mapped[str] = mapped_column(Text)
    created_at: Mapped[CreatedAt]
    last_rank: Mapped[int | None] = mapped_column(Integer)
    last_asked_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
