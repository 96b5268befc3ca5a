"""Embedding generations and the cache of embeddings."""

import uuid
from datetime import datetime
from typing import Any

from pgvector.sqlalchemy import HALFVEC
from sqlalchemy import CheckConstraint, ForeignKey, Identity, Index, LargeBinary, Text, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from lectern.db.base import Base, CreatedAt


class EmbeddingGeneration(Base):
    """All embeddings made by one model: they live in a table of their own, `chunk_embeddings_<id>`.

    `fingerprint` names the exact weights and settings; embeddings of different fingerprints are never mixed.
    At most one generation is active (searched). `confidence_bias` and `confidence_slope` calibrate the confidence of
    its searches to this library, and `ranker_fit` weighs the trees of the ranker (`search/ranking/fitted.py`).
    """

    __tablename__ = "embedding_generations"
    __table_args__ = (
        CheckConstraint("state IN ('filling', 'active', 'retired')", name="state"),
        Index("uq_embedding_generations_active", "state", unique=True, postgresql_where=text("state = 'active'")),
    )

    id: Mapped[int] = mapped_column(Identity(), primary_key=True)
    fingerprint: Mapped[str] = mapped_column(Text, unique=True)
    embedding_model: Mapped[str] = mapped_column(Text)
    dimensions: Mapped[int]
    state: Mapped[str] = mapped_column(Text)
    created_at: Mapped[CreatedAt]
    activated_at: Mapped[datetime | None]
    confidence_bias: Mapped[float] = mapped_column(server_default=text("0"))
    confidence_slope: Mapped[float] = mapped_column(server_default=text("1"))
    ranker_fit: Mapped[dict[str, Any] | None] = mapped_column(JSONB)


class CachedEmbedding(Base):
    """The embedding of a text of a document, so that unchanged text is not embedded again.

    `is_imported` until the ingestion of the document has used it.
    """

    __tablename__ = "embedding_cache"
    __table_args__ = (Index("ix_embedding_cache_used_at", "used_at"),)

    document_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("documents.id", ondelete="CASCADE"), primary_key=True)
    fingerprint: Mapped[str] = mapped_column(Text, primary_key=True)
    content_hash: Mapped[bytes] = mapped_column(LargeBinary, primary_key=True)
    embedding: Mapped[Any] = mapped_column(HALFVEC())
    is_imported: Mapped[bool]
    used_at: Mapped[CreatedAt]
