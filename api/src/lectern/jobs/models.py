"""Jobs as people see them: what is being done to a document, how far it is, and how it ended."""

import uuid
from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, Index, LargeBinary, SmallInteger, Text, text
from sqlalchemy.orm import Mapped, mapped_column

from lectern.db.base import Base, CreatedAt, ErrorColumns, UuidKey


class Job(ErrorColumns, Base):
    """One piece of background work on a document.

    `stage` is one of extract, chunk, index, embed; `page` of `page_count` is how far extraction is;
    `chunks_embedded` of `chunks_to_embed` how far embedding is. `heartbeat_at` is the worker's last sign of life.
    `attempts` counts the tries since the last lasting progress, `crashes` those of them that ended with their worker.
    `version` is the version of the document that it makes, none when it reads the current one (again). A job on a
    document that is complete says how many chunks it keeps, adds and removes.
    `queue_id` is the one entry of the queue that may work on the job; a run that holds another has been replaced.
    """

    __tablename__ = "jobs"
    __table_args__ = (
        CheckConstraint("state IN ('queued', 'running', 'succeeded', 'failed', 'cancelled')", name="state"),
        Index("ix_jobs_document_id_created_at", "document_id", "created_at"),
        Index("ix_jobs_state", "state", "created_at"),
        Index("ix_jobs_created_at_id", "created_at", "id"),
        Index(
            "uq_jobs_document_id_active",
            "document_id",
            unique=True,
            postgresql_where=text("state IN ('queued', 'running')"),
        ),
    )

    id: Mapped[UuidKey]
    kind: Mapped[str] = mapped_column(Text)
    document_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("documents.id", ondelete="CASCADE"))
    state: Mapped[str] = mapped_column(Text, server_default="queued")
    priority: Mapped[int] = mapped_column(SmallInteger, server_default=text("0"))
    stage: Mapped[str | None] = mapped_column(Text)
    page: Mapped[int | None]
    page_count: Mapped[int | None]
    chunks_embedded: Mapped[int | None]
    chunks_to_embed: Mapped[int | None]
    version: Mapped[int | None]
    chunks_unchanged: Mapped[int | None]
    chunks_added: Mapped[int | None]
    chunks_removed: Mapped[int | None]
    attempts: Mapped[int] = mapped_column(server_default=text("0"))
    crashes: Mapped[int] = mapped_column(server_default=text("0"))
    max_attempts: Mapped[int] = mapped_column(server_default=text("3"))
    is_cancel_requested: Mapped[bool] = mapped_column(server_default=text("false"))
    arguments: Mapped[dict[str, Any]] = mapped_column(server_default=text("'{}'"))
    timings_seconds: Mapped[dict[str, Any]] = mapped_column(server_default=text("'{}'"))
    queue_id: Mapped[int | None] = mapped_column(BigInteger)
    created_at: Mapped[CreatedAt]
    started_at: Mapped[datetime | None]
    heartbeat_at: Mapped[datetime | None]
    next_try_at: Mapped[datetime | None]
    finished_at: Mapped[datetime | None]


class JobCheckpoint(Base):
    """What a stage of a job has made, for the run that goes on with the next. Only the workers reach it."""

    __tablename__ = "job_checkpoints"
    __table_args__ = ({"prefixes": ["UNLOGGED"]},)

    job_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("jobs.id", ondelete="CASCADE"), primary_key=True)
    stage: Mapped[str] = mapped_column(Text, primary_key=True)
    data: Mapped[bytes] = mapped_column(LargeBinary)
    created_at: Mapped[CreatedAt]
