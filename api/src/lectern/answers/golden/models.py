"""Golden queries."""

import uuid

from sqlalchemy import ForeignKey, Index, Integer, Text
from sqlalchemy.orm import Mapped, mapped_column

from lectern.db.base import Base, CreatedAt, UuidKey


class GoldenQuery(Base):
    """A query and the page that answers it. `created_by` is the actor who said so."""

    __tablename__ = "golden_queries"
    __table_args__ = (
        Index("uq_golden_queries_query_document_id_page_number", "query", "document_id", "page_number", unique=True),
    )

    id: Mapped[UuidKey]
    query: Mapped[str] = mapped_column(Text)
    document_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("documents.id", ondelete="CASCADE"), index=True)
    page_number: Mapped[int] = mapped_column(Integer)
    created_by: Mapped[str] = mapped_column(Text)
    created_at: Mapped[CreatedAt]
