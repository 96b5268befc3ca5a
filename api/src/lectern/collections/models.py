"""Tables of collections and their members."""

import uuid

from sqlalchemy import ForeignKey, Text, text
from sqlalchemy.orm import Mapped, mapped_column

from lectern.db.base import Base, CreatedAt, UuidKey


class Collection(Base):
    """A group of documents. Every user has access to an open one, only members and administrators to a closed one."""

    __tablename__ = "collections"

    id: Mapped[UuidKey]
    name: Mapped[str] = mapped_column(Text, unique=True)
    description: Mapped[str] = mapped_column(Text, server_default="")
    is_open: Mapped[bool] = mapped_column(server_default=text("true"))
    is_default: Mapped[bool] = mapped_column(server_default=text("false"))
    created_at: Mapped[CreatedAt]


class CollectionMember(Base):
    """A user's access to a closed collection. What a group gives is renewed at each single sign-on."""

    __tablename__ = "collection_members"

    collection_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("collections.id", ondelete="CASCADE"), primary_key=True)
    user_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True, index=True)
    can_write: Mapped[bool] = mapped_column(server_default=text("false"))
    is_from_group: Mapped[bool] = mapped_column(server_default=text("false"))
