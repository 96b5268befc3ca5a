"""Watched folders and their files."""

import uuid
from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, ForeignKey, Text
from sqlalchemy.orm import Mapped, mapped_column

from lectern.db.base import Base, CreatedAt


class WatchedFolder(Base):
    """The directory that a collection is bound to.

    `device` is the device of the directory when it was bound. Another device means another mount, or none.
    `last_outcome` is the result of the last scan, as in the API.
    """

    __tablename__ = "watched_folders"

    collection_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("collections.id", ondelete="CASCADE"), primary_key=True)
    path: Mapped[str] = mapped_column(Text)
    device: Mapped[int] = mapped_column(BigInteger)
    created_at: Mapped[CreatedAt]
    requested_at: Mapped[datetime | None]
    last_scan_at: Mapped[datetime | None]
    last_outcome: Mapped[dict[str, Any] | None]


class WatchedFile(Base):
    """A file as of the last scan that read it. `path` is relative to the folder.

    `document_id` is empty if the file was refused (`problem` is the error's code) or its document was purged.
    Such a file is left alone until it changes.
    """

    __tablename__ = "watched_files"

    collection_id: Mapped[uuid.UUID] = mapped_column(
        ForeignKey("watched_folders.collection_id", ondelete="CASCADE"), primary_key=True
    )
    path: Mapped[str] = mapped_column(Text, primary_key=True)
    size_bytes: Mapped[int] = mapped_column(BigInteger)
    modified_ns: Mapped[int] = mapped_column(BigInteger)
    inode: Mapped[int] = mapped_column(BigInteger)
    content_hash: Mapped[str | None] = mapped_column(Text)
    document_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("documents.id", ondelete="SET NULL"), index=True)
    problem: Mapped[str | None] = mapped_column(Text)
