"""Webhooks, their events and their deliveries."""

import uuid
from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, ForeignKey, Identity, Index, Text, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped, mapped_column

from lectern.db.base import Base, CreatedAt, UuidKey


class Webhook(Base):
    """An endpoint that gets events, in the order of their positions.

    `position` is that of the last event that is done. `attempts` counts the failures of the next one. `stopped_at` is
    set when they were too many. A worker that delivers holds the lease. Secrets are encrypted.
    """

    __tablename__ = "webhooks"

    id: Mapped[UuidKey]
    url: Mapped[str] = mapped_column(Text)
    description: Mapped[str] = mapped_column(Text, server_default="")
    event_types: Mapped[list[str] | None] = mapped_column(ARRAY(Text))
    is_active: Mapped[bool] = mapped_column(server_default=text("true"))
    secret: Mapped[str] = mapped_column(Text)
    previous_secret: Mapped[str | None] = mapped_column(Text)
    previous_expires_at: Mapped[datetime | None]
    position: Mapped[int] = mapped_column(BigInteger, server_default=text("0"))
    attempts: Mapped[int] = mapped_column(server_default=text("0"))
    next_attempt_at: Mapped[datetime | None]
    stopped_at: Mapped[datetime | None]
    last_error: Mapped[str | None] = mapped_column(Text)
    last_delivered_at: Mapped[datetime | None]
    lease_id: Mapped[uuid.UUID | None]
    leased_until: Mapped[datetime | None]
    created_by: Mapped[str] = mapped_column(Text)
    created_at: Mapped[CreatedAt]


class WebhookEvent(Base):
    """An event in the outbox, written by triggers in the transaction of the change.

    `position` is its place in the order of delivery, given after the commit: no smaller one becomes visible later.
    `subject_id` is a document, or the collection of `collection.*`. `transaction_id` merges changes until then.
    """

    __tablename__ = "webhook_events"
    __table_args__ = (
        Index("uq_webhook_events_position", "position", unique=True),
        Index("ix_webhook_events_type_position", "type", "position"),
        Index("ix_webhook_events_transaction_id", "transaction_id", postgresql_where=text("position IS NULL")),
        Index("ix_webhook_events_created_at", "created_at"),
    )

    id: Mapped[UuidKey]
    sequence: Mapped[int] = mapped_column(BigInteger, Identity())
    position: Mapped[int | None] = mapped_column(BigInteger)
    type: Mapped[str] = mapped_column(Text)
    subject_id: Mapped[uuid.UUID | None]
    details: Mapped[dict[str, Any]] = mapped_column(server_default=text("'{}'"))
    transaction_id: Mapped[int | None] = mapped_column(BigInteger)
    created_at: Mapped[CreatedAt]

    @property
    def document_id(self) -> uuid.UUID | None:
        return self.subject_id if self.type.startswith(("document.", "job.")) else None

    @property
    def cursor(self) -> int:
        """The position of a published event."""
        return self.position or 0


class WebhookDelivery(Base):
    """One attempt to send an event. `error` is a code, or None if the endpoint accepted it."""

    __tablename__ = "webhook_deliveries"
    __table_args__ = (
        Index("ix_webhook_deliveries_webhook_id_id", "webhook_id", "id"),
        Index("ix_webhook_deliveries_at", "at"),
    )

    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    webhook_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("webhooks.id", ondelete="CASCADE"))
    event_id: Mapped[uuid.UUID]
    event_type: Mapped[str] = mapped_column(Text)
    cursor: Mapped[int | None] = mapped_column(BigInteger)
    attempt: Mapped[int]
    status_code: Mapped[int | None]
    error: Mapped[str | None] = mapped_column(Text)
    milliseconds: Mapped[int]
    at: Mapped[CreatedAt]
