"""Model of saved answers."""

import uuid
from typing import Any

from sqlalchemy import CheckConstraint, Index, Text
from sqlalchemy.dialects.postgresql import ARRAY, UUID
from sqlalchemy.orm import Mapped, mapped_column

from lectern.db.base import Base, CreatedAt, UuidKey


class SavedAnswer(Base):
    """An answer in the history of `actor`, who alone can read it while all `document_ids` are in scope.

    Purging one of its documents deletes the row, because `response` quotes them.
    """

    __tablename__ = "saved_answers"
    __table_args__ = (
        CheckConstraint("verdict IN ('helpful', 'wrong')", name="verdict"),
        Index("ix_saved_answers_actor_created_at_id", "actor", "created_at", "id"),
        Index("ix_saved_answers_document_ids", "document_ids", postgresql_using="gin"),
    )

    id: Mapped[UuidKey]
    actor: Mapped[str] = mapped_column(Text)
    question: Mapped[str] = mapped_column(Text)
    response: Mapped[dict[str, Any]]
    document_ids: Mapped[list[uuid.UUID]] = mapped_column(ARRAY(UUID(as_uuid=True)))
    verdict: Mapped[str | None] = mapped_column(Text)
    created_at: Mapped[CreatedAt]
