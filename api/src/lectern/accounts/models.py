"""Tables of users, sessions, API keys, audit events and rate limits. Only the system role can read them."""

import uuid
from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, CheckConstraint, Double, ForeignKey, Identity, Index, Text, text
from sqlalchemy.dialects.postgresql import ARRAY, UUID
from sqlalchemy.orm import Mapped, mapped_column

from lectern.db.base import Base, CreatedAt, UuidKey


class User(Base):
    """A user. `email` is in lower case."""

    __tablename__ = "users"
    __table_args__ = (CheckConstraint("role IN ('admin', 'editor', 'reader')", name="role"),)

    id: Mapped[UuidKey]
    email: Mapped[str] = mapped_column(Text, unique=True)
    name: Mapped[str] = mapped_column(Text, server_default="")
    password_hash: Mapped[str] = mapped_column(Text)
    role: Mapped[str] = mapped_column(Text)
    is_active: Mapped[bool] = mapped_column(server_default=text("true"))
    created_at: Mapped[CreatedAt]
    last_sign_in_at: Mapped[datetime | None]


class UserSession(Base):
    """A signed-in browser or program. Its refresh token is replaced at each use (`refresh_hash` is SHA-256)."""

    __tablename__ = "sessions"

    id: Mapped[UuidKey]
    user_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    refresh_hash: Mapped[str] = mapped_column(Text, unique=True)
    previous_refresh_hash: Mapped[str | None] = mapped_column(Text, index=True)
    user_agent: Mapped[str] = mapped_column(Text, server_default="")
    ip: Mapped[str] = mapped_column(Text, server_default="")
    created_at: Mapped[CreatedAt]
    refreshed_at: Mapped[CreatedAt]
    expires_at: Mapped[datetime]
    revoked_at: Mapped[datetime | None]


class ApiKey(Base):
    """An API key, stored as a hash. A list of ids that is NULL means no limit."""

    __tablename__ = "api_keys"

    id: Mapped[UuidKey]
    name: Mapped[str] = mapped_column(Text)
    prefix: Mapped[str] = mapped_column(Text)
    key_hash: Mapped[str] = mapped_column(Text, unique=True)
    can_write: Mapped[bool] = mapped_column(server_default=text("false"))
    toolsets: Mapped[list[str]] = mapped_column(ARRAY(Text), server_default=text("'{search}'"))
    collection_ids: Mapped[list[uuid.UUID] | None] = mapped_column(ARRAY(UUID(as_uuid=True)))
    tag_ids: Mapped[list[uuid.UUID] | None] = mapped_column(ARRAY(UUID(as_uuid=True)))
    document_ids: Mapped[list[uuid.UUID] | None] = mapped_column(ARRAY(UUID(as_uuid=True)))
    created_by: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    created_at: Mapped[CreatedAt]
    expires_at: Mapped[datetime | None]
    last_used_at: Mapped[datetime | None]
    revoked_at: Mapped[datetime | None]


class AuditEvent(Base):
    """An action of an actor on a target. Written in the transaction of the action."""

    __tablename__ = "audit_events"
    __table_args__ = (Index("ix_audit_events_at", "at"),)

    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    at: Mapped[CreatedAt]
    actor: Mapped[str] = mapped_column(Text)
    action: Mapped[str] = mapped_column(Text)
    target: Mapped[str] = mapped_column(Text, server_default="")
    request_id: Mapped[str] = mapped_column(Text, server_default="")
    details: Mapped[dict[str, Any]] = mapped_column(server_default=text("'{}'"))


class RateBucket(Base):
    """A token bucket shared by all processes. Unlogged, because a crash may lose it."""

    __tablename__ = "rate_buckets"
    __table_args__ = ({"prefixes": ["UNLOGGED"]},)

    key: Mapped[str] = mapped_column(Text, primary_key=True)
    tokens: Mapped[float] = mapped_column(Double)
    updated_at: Mapped[datetime]
