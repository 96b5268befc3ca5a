"""The table of collections."""

from sqlalchemy import Text, text
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
