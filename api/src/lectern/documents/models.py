"""Tables of documents, their versions, pages, chunks, notes and grants."""

import uuid
from datetime import datetime
from typing import Any

from pgvector.sqlalchemy import HALFVEC
from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    SmallInteger,
    Table,
    Text,
    UniqueConstraint,
    Uuid,
)
from sqlalchemy import (
    text as sql,
)
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlalchemy.orm import Mapped, mapped_column

from lectern.db.base import Base, CreatedAt, ErrorColumns, UuidKey


class FileColumns:
    """The file of a document or a version. `sha256` (hexadecimal) is the key of the original in storage."""

    filename: Mapped[str] = mapped_column(Text)
    content_type: Mapped[str] = mapped_column(Text)
    size_bytes: Mapped[int] = mapped_column(BigInteger)
    sha256: Mapped[str] = mapped_column(Text, index=True)


class Document(FileColumns, ErrorColumns, Base):
    """An uploaded file and its record.

    - `deleted_at`: since when the document is in the trash.
    - `keyword_ready_at`: since when it is searchable by keyword. `ready_at`: since when every chunk is embedded.
    - `version`: the version of the columns, pages and chunks. A newer version replaces them when it is complete.
    - `title_terms`: terms of title and filename in the keyword index. A trigger maintains them.
    - `owner_id`: the account that added it, null for folders and once the account is gone.
    - `aliases`: names that somebody gave. Without them, the file's own metadata has the aliases.
    - `is_duplicate_allowed`: its collection may have the same file out of the writer's sight. A trigger sets it.
    """

    __tablename__ = "documents"
    __table_args__ = (
        CheckConstraint("status IN ('queued', 'processing', 'ready', 'failed')", name="status"),
        CheckConstraint("page_images IN ('available', 'locked', 'none')", name="page_images"),
        Index(
            "uq_documents_collection_id_sha256",
            "collection_id",
            "sha256",
            unique=True,
            postgresql_where=sql("deleted_at IS NULL AND NOT is_duplicate_allowed"),
        ),
        Index("ix_documents_collection_id_sha256", "collection_id", "sha256"),
        Index("ix_documents_created_at_id", "created_at", "id"),
        Index("ix_documents_lower_filename", sql("lower(filename)")),
        Index("ix_documents_status", "status"),
        Index("ix_documents_deleted_at", "deleted_at", postgresql_where=sql("deleted_at IS NOT NULL")),
        Index("ix_documents_title_terms", "title_terms", postgresql_using="gin", postgresql_with={"fastupdate": "off"}),
    )

    id: Mapped[UuidKey]
    collection_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("collections.id"))
    title: Mapped[str | None] = mapped_column(Text)
    language: Mapped[str | None] = mapped_column(Text)
    is_language_given: Mapped[bool] = mapped_column(server_default=sql("false"))
    status: Mapped[str] = mapped_column(Text, server_default="queued")
    page_count: Mapped[int | None]
    unreadable_page_count: Mapped[int] = mapped_column(server_default=sql("0"))
    page_images: Mapped[str] = mapped_column(Text, server_default="none")
    chunk_count: Mapped[int] = mapped_column(server_default=sql("0"))
    embedded_chunk_count: Mapped[int] = mapped_column(server_default=sql("0"))
    outline: Mapped[list[dict[str, Any]]] = mapped_column(JSONB, server_default=sql("'[]'"))
    information: Mapped[dict[str, Any]] = mapped_column(server_default=sql("'{}'"))
    aliases: Mapped[list[str] | None] = mapped_column(ARRAY(Text))
    created_by: Mapped[str] = mapped_column(Text, server_default="system")
    owner_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"), index=True)
    created_at: Mapped[CreatedAt]
    updated_at: Mapped[CreatedAt]
    keyword_ready_at: Mapped[datetime | None]
    ready_at: Mapped[datetime | None]
    deleted_at: Mapped[datetime | None]
    is_duplicate_allowed: Mapped[bool] = mapped_column(server_default=sql("false"))
    version: Mapped[int] = mapped_column(server_default=sql("1"))
    title_terms: Mapped[list[str]] = mapped_column(ARRAY(Text), server_default=sql("'{}'"), deferred=True)


class DocumentVersion(FileColumns, ErrorColumns, Base):
    """One content of a document and its state. A document that was never replaced has no row."""

    __tablename__ = "document_versions"
    __table_args__ = (
        CheckConstraint("state IN ('processing', 'current', 'replaced', 'failed', 'cancelled')", name="state"),
    )

    document_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("documents.id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    state: Mapped[str] = mapped_column(Text)
    page_count: Mapped[int | None]
    chunk_count: Mapped[int | None]
    chunks_unchanged: Mapped[int | None]
    chunks_added: Mapped[int | None]
    chunks_removed: Mapped[int | None]
    restored_from: Mapped[int | None]
    job_id: Mapped[uuid.UUID | None]
    created_by: Mapped[str] = mapped_column(Text)
    created_at: Mapped[CreatedAt]
    current_at: Mapped[datetime | None]

    @classmethod
    def of_document(cls, document: Document) -> "DocumentVersion":
        """Build the only version of a document that was never replaced."""
        unfinished = {"queued": "processing", "processing": "processing", "failed": "failed"}
        shared = set(cls.__table__.columns.keys()) & set(Document.__table__.columns.keys())
        return cls(
            **{name: getattr(document, name) for name in shared - {"chunk_count"}},
            document_id=document.id,
            number=document.version,
            state="current" if document.ready_at else unfinished.get(document.status, "current"),
            chunk_count=document.chunk_count if document.ready_at else None,
            current_at=document.ready_at,
        )


class DocumentPage(Base):
    """One page of a document.

    `boxes` are the packed rectangles of its words (`extraction/layout/boxes.py`). `char_start` is the offset of the
    page's text in the document's text.
    """

    __tablename__ = "pages"
    __table_args__ = (CheckConstraint("kind IN ('text', 'table', 'toc', 'ocr', 'empty', 'unreadable')", name="kind"),)

    document_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("documents.id", ondelete="CASCADE"), primary_key=True)
    page_number: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(Text)
    text: Mapped[str] = mapped_column(Text)
    char_start: Mapped[int]
    char_count: Mapped[int]
    chunk_count: Mapped[int] = mapped_column(server_default=sql("0"))
    language: Mapped[str | None] = mapped_column(Text)
    width_points: Mapped[float] = mapped_column(Double)
    height_points: Mapped[float] = mapped_column(Double)
    boxes: Mapped[bytes] = mapped_column(LargeBinary)
    note: Mapped[str | None] = mapped_column(Text)


class Chunk(Base):
    """The unit of search and citation. Offsets are in the document's text."""

    __tablename__ = "chunks"
    __table_args__ = (
        UniqueConstraint("document_id", "chunk_index"),
        CheckConstraint("content_type IN ('text', 'table', 'list', 'heading')", name="content_type"),
        Index("ix_chunks_content_hash", "content_hash", postgresql_using="hash"),
    )

    id: Mapped[UuidKey]
    document_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("documents.id", ondelete="CASCADE"))
    chunk_index: Mapped[int]
    section_heading: Mapped[str | None] = mapped_column(Text)
    section_path: Mapped[list[str]] = mapped_column(ARRAY(Text), server_default=sql("'{}'"))
    page_number: Mapped[int]
    last_page_number: Mapped[int]
    char_start: Mapped[int]
    char_end: Mapped[int]
    token_count: Mapped[int]
    content_type: Mapped[str] = mapped_column(Text)
    importance: Mapped[float] = mapped_column(Double)
    language: Mapped[str] = mapped_column(Text)
    content_hash: Mapped[bytes] = mapped_column(LargeBinary)
    text: Mapped[str] = mapped_column(Text)


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


class DocumentGrant(Base):
    """Read access of one person to one document, by e-mail address in lower case. Only the system role can read it.

    An address instead of an account: whoever shares does not learn who has an account (docs/adr/0031).
    """

    __tablename__ = "document_grants"
    __table_args__ = (
        UniqueConstraint("document_id", "email"),
        Index("ix_document_grants_email_granted_at", "email", sql("granted_at DESC"), "document_id"),
    )

    id: Mapped[UuidKey]
    document_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("documents.id", ondelete="CASCADE"))
    email: Mapped[str] = mapped_column(Text)
    granted_by: Mapped[str] = mapped_column(Text)
    granted_at: Mapped[CreatedAt]


class TagGrant(Base):
    """Read access of one person to the documents of a tag that `granted_by` may share, for the system role only."""

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


# Embeddings of a version that is not current yet. They move to the active table when the version is complete.
staged_embeddings = Table(
    "staged_embeddings",
    Base.metadata,
    Column("document_id", Uuid, ForeignKey("documents.id", ondelete="CASCADE"), primary_key=True),
    Column("generation_id", Integer, primary_key=True, autoincrement=False),
    Column("chunk_id", Uuid, primary_key=True),
    Column("window_number", SmallInteger, primary_key=True, autoincrement=False),
    Column("content_hash", LargeBinary, nullable=False),
    Column("embedding", HALFVEC(), nullable=False),
    prefixes=["UNLOGGED"],
)
