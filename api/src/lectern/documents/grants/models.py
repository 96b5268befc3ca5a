"""Models of grants. Only the system role can read them."""

import uuid

from sqlalchemy import ForeignKey, Index, Text, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from lectern.db.base import Base, CreatedAt, UuidKey


class DocumentGrant(Base):
    """Read access of one person to one document, by e-mail address in lower case.

    An address instead of an account: whoever shares does not learn who has an account (docs/adr/0031).
    """

    __tablename__ = "document_grants"
    __table_args__ = (
        UniqueConstraint("document_id", "email"),
        Index("ix_document_grants_email_granted_at", "email", text("granted_at DESC"), "document_id"),
    )

    id: Mapped[UuidKey]
    document_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("documents.id", ondelete="CASCADE"))
    email: Mapped[str] = mapped_column(Text)
    granted_by: Mapped[str] = mapped_column(Text)
    granted_at: Mapped[CreatedAt]


class TagGrant(Base):
    """Read access of one person to the documents of a tag that `granted_by` may share."""

    __tablename__ = "tag_grants"
    __table_args__ = (
        UniqueConstraint("tag_id", "email", "granted_by"),
        Index("ix_tag_grants_email", "email"),
        Index("ix_tag_grants_granted_by", "granted_by"),
    )

    id: Mapped[UuidKey]
    tag_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("tags.id", ondelete="CASCADE"))
    email: Mapped[str] = mapped_column(Text)
    granted_by: Mapped[uuid.UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    granted_at: Mapped[CreatedAt]
