"""Jobs, their arguments, and the checkpoints of their stages."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final, Self

from pydantic import SecretStr
from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, Index, LargeBinary, SmallInteger, Text, text
from sqlalchemy.orm import Mapped, mapped_column

from lectern.db.base import Base, CreatedAt, ErrorColumns, UuidKey


@dataclass(frozen=True, slots=True)
class JobArguments:
    """The language and password that somebody gave for a file, and the span of the request, as a `traceparent`.

    The password stays with a job only until its file has been read: `without_password` is what is stored afterwards.
    """

    language: str | None = None
    password: SecretStr | None = None
    traceparent: str | None = None

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> Self:
        """Read the column of a job."""
        password = row.get("password")
        return cls(row.get("language"), SecretStr(password) if password else None, row.get("traceparent"))

    def to_row(self) -> dict[str, str]:
        """Build the column of a job that still has to read its file."""
        password = self.password.get_secret_value() if self.password else None
        row = {"language": self.language, "password": password, "traceparent": self.traceparent}
        return {name: value for name, value in row.items() if value}

    def without_password(self) -> Self:
        """Return the arguments of a job that has read its file."""
        return replace(self, password=None)


ACTIVE_STATES: Final = ("queued", "running")


class Job(ErrorColumns, Base):
    """One piece of background work on a document.

    `stage` is one of extract, chunk, index, embed. `page` of `page_count` is the progress of extraction,
    `chunks_embedded` of `chunks_to_embed` the progress of embedding. `attempts` counts tries since the last stored
    progress, `crashes` the tries that ended their worker. `version` is the version that the job makes, None if it
    reprocesses the current one. A job on a complete document counts unchanged, added and removed chunks. `queue_id` is
    the queue entry that owns the job: a run with another entry has been superseded.
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

    def forget_password(self) -> None:
        """Remove the password of the file from the arguments."""
        self.arguments = JobArguments.from_row(self.arguments).without_password().to_row()


class JobCheckpoint(Base):
    """The result of a stage, for the run that continues with the next stage. Only workers can read it."""

    __tablename__ = "job_checkpoints"
    __table_args__ = ({"prefixes": ["UNLOGGED"]},)

    job_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("jobs.id", ondelete="CASCADE"), primary_key=True)
    stage: Mapped[str] = mapped_column(Text, primary_key=True)
    data: Mapped[bytes] = mapped_column(LargeBinary)
    created_at: Mapped[CreatedAt]


@dataclass(frozen=True, slots=True)
class StalledJob:
    """An active job that no worker will continue.

    `is_crashed`: its worker died with it. `is_lost`: its queue entry is gone. Otherwise Postgres went away.
    """

    job_id: uuid.UUID
    queue_id: int | None
    is_crashed: bool
    is_lost: bool
