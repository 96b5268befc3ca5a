"""Models of saved answers, their threads and golden queries."""

import uuid
from datetime import datetime
from typing import Any

from sqlalchemy import CheckConstraint, DateTime, ForeignKey, Index, Integer, LargeBinary, Text
from sqlalchemy.dialects.postgresql import ARRAY, UUID
from sqlalchemy.orm import Mapped, mapped_column

from lectern.db.base import Base, CreatedAt, UuidKey


class AnswerThread(Base):
    """Questions of `actor` that follow each other. `scope` has the filters of the last one."""

    __tablename__ = "answer_threads"
    __table_args__ = (Index("ix_answer_threads_actor_updated_at_id", "actor", "updated_at", "id"),)

    id: Mapped[UuidKey]
    actor: Mapped[str] = mapped_column(Text)
    title: Mapped[str] = mapped_column(Text)
    scope: Mapped[dict[str, Any]]
    created_at: Mapped[CreatedAt]
    updated_at: Mapped[CreatedAt]


class SavedAnswer(Base):
    """An answer in the history of `actor`, who alone can read it while all `document_ids` are in scope.

    Purging one of its documents deletes the row, because `response` quotes them.
    """

    __tablename__ = "saved_answers"
    __table_args__ = (
        CheckConstraint("verdict IN ('helpful', 'wrong')", name="verdict"),
        Index("ix_saved_answers_actor_created_at_id", "actor", "created_at", "id"),
        Index("ix_saved_answers_thread_id_created_at", "thread_id", "created_at"),
        Index("ix_saved_answers_document_ids", "document_ids", postgresql_using="gin"),
    )

    id: Mapped[UuidKey]
    thread_id: Mapped[uuid.UUID] = mapped_column(
        UUID(as_uuid=True), ForeignKey("answer_threads.id", ondelete="CASCADE")
    )
    actor: Mapped[str] = mapped_column(Text)
    question: Mapped[str] = mapped_column(Text)
    response: Mapped[dict[str, Any]]
    document_ids: Mapped[list[uuid.UUID]] = mapped_column(ARRAY(UUID(as_uuid=True)))
    verdict: Mapped[str | None] = mapped_column(Text)
    created_at: Mapped[CreatedAt]


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
