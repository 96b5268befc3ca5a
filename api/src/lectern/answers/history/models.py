"""Models of saved answers and their threads."""

import uuid
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, Index, Text
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
