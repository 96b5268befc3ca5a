"""Tables of tags and of the documents that have them."""

import uuid

from sqlalchemy import ForeignKey, Index, Text
from sqlalchemy.orm import Mapped, mapped_column

from lectern.db.base import Base, CreatedAt, UuidKey


class Tag(Base):
    """A label of documents. `normalized_name` (case-folded, spaces collapsed) is unique within each view.

    - `created_by`: the actor who made or last changed it. A tag that was made by attaching it has none.
    - `owner_id`: the account that added it, null for folders and once the account is gone. It makes no tag visible.
    """

    __tablename__ = "tags"

    id: Mapped[UuidKey]
    name: Mapped[str] = mapped_column(Text)
    normalized_name: Mapped[str] = mapped_column(Text, index=True)
    color: Mapped[str] = mapped_column(Text, server_default="gray")
    description: Mapped[str] = mapped_column(Text, server_default="")
    created_by: Mapped[str | None] = mapped_column(Text)
    owner_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"), index=True)
    created_at: Mapped[CreatedAt]


class DocumentTag(Base):
    """One tag of one document. Both orders are indexed."""

    __tablename__ = "document_tags"
    __table_args__ = (Index("ix_document_tags_tag_id_document_id", "tag_id", "document_id"),)

    document_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("documents.id", ondelete="CASCADE"), primary_key=True)
    tag_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("tags.id", ondelete="CASCADE"), primary_key=True)
