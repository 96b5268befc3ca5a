"""Model of notes."""

import uuid

from sqlalchemy import CheckConstraint, ForeignKey, Index, Text
from sqlalchemy.orm import Mapped, mapped_column

from lectern.db.base import Base, CreatedAt, UuidKey


class Note(Base):
    """A note at a range of one version's text. Its author sees it, and everybody with the document if it is shared."""

    __tablename__ = "notes"
    __table_args__ = (
        CheckConstraint("char_start >= 0 AND char_start < char_end", name="range"),
        Index("ix_notes_document_id_char_start_id", "document_id", "char_start", "id"),
    )

    id: Mapped[UuidKey]
    document_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("documents.id", ondelete="CASCADE"))
    version: Mapped[int]
    author: Mapped[str] = mapped_column(Text)
    author_name: Mapped[str] = mapped_column(Text)
    page_number: Mapped[int]
    char_start: Mapped[int]
    char_end: Mapped[int]
    quote: Mapped[str] = mapped_column(Text)
    text: Mapped[str] = mapped_column(Text)
    is_shared: Mapped[bool]
    created_at: Mapped[CreatedAt]
    updated_at: Mapped[CreatedAt]
