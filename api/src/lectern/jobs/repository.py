"""The jobs table, for this room."""

import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias

from sqlalchemy import ColumnElement, Select, and_, exists, func, or_, select, text
from sqlalchemy.dialects.postgresql import distinct_on, insert
from sqlalchemy.orm import aliased

from lectern.db.session import Session
from lectern.jobs.entries import ACTIVE
from lectern.jobs.models import Job


async def insert_job(
    session: Session,
    *,
    kind: str,
    document_id: uuid.UUID,
    priority: int,
    max_attempts: int,
    arguments: Mapping[str, Any],
    version: int | None = None,
) -> uuid.UUID | None:
    """Add a queued job; None when the document has an active one."""
    job_id = uuid.uuid4()
    statement = insert(Job).values(
        id=job_id,
        kind=kind,
        document_id=document_id,
        priority=priority,
        max_attempts=max_attempts,
        arguments=dict(arguments),
        version=version,
    )
    active = text("state IN ('queued', 'running')")
    unless_busy = statement.on_conflict_do_nothing(index_elements=[Job.document_id], index_where=active)
    return (await session.execute(unless_busy.returning(Job.id))).scalar_one_or_none()


async def find_active_job(session: Session, document_id: uuid.UUID) -> Job | None:
    """The queued or running job of a document."""
    statement = select(Job).where(Job.document_id == document_id, Job.state.in_(ACTIVE))
    return (await session.execute(statement.execution_options(populate_existing=True))).scalar_one_or_none()


async def has_due_job(session: Session, *, priority: int) -> bool:
    """Whether a job of at least this priority runs or could."""
    is_due = (Job.state == "running") | (Job.next_try_at.is_(None)) | (Job.next_try_at <= func.now())
    due = select(Job.id).where(Job.state.in_(ACTIVE), Job.priority >= priority, is_due)
    return (await session.execute(select(due.exists()))).scalar_one()


async def list_latest_jobs(session: Session, document_ids: Collection[uuid.UUID]) -> Sequence[Job]:
    """The newest job of each of these documents that has one."""
    newest = select(Job).where(Job.document_id.in_(document_ids)).ext(distinct_on(Job.document_id))
    statement = newest.order_by(Job.document_id, Job.created_at.desc(), Job.id.desc())
    return (await session.execute(statement.execution_options(populate_existing=True))).scalars().all()


DocumentIds: TypeAlias = Select[Any]
"""A statement for ids of documents, as a part of another."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which jobs: of these states, of this document, of those documents, only the newest of each document."""

    states: Collection[str] | None = None
    document_id: uuid.UUID | None = None
    of: DocumentIds | None = None
    is_newest: bool = False

    def conditions(self) -> list[ColumnElement[bool]]:
        """For a statement over jobs."""
        conditions: list[ColumnElement[bool]] = []
        if self.states is not None:
            conditions.append(Job.state.in_(self.states))
        if self.document_id is not None:
            conditions.append(Job.document_id == self.document_id)
        if self.of is not None:
            conditions.append(Job.document_id.in_(self.of))
        if self.is_newest:
            newer = aliased(Job)
            is_older = exists().where(newer.document_id == Job.document_id, newer.created_at > Job.created_at)
            conditions.append(~is_older)
        return conditions


async def list_jobs(
    session: Session, wanted: Wanted, *, before: tuple[datetime, uuid.UUID] | None, limit: int
) -> Sequence[Job]:
    """Jobs, newest first, from after the position `before`."""
    statement = select(Job).where(*wanted.conditions()).order_by(Job.created_at.desc(), Job.id.desc())
    if before is not None:
        moment, job_id = before
        statement = statement.where(or_(Job.created_at < moment, and_(Job.created_at == moment, Job.id < job_id)))
    return (await session.execute(statement.limit(limit))).scalars().all()


async def count_jobs(session: Session, wanted: Wanted) -> int:
    """How many there are."""
    counted = select(func.count()).select_from(Job).where(*wanted.conditions())
    return (await session.execute(counted)).scalar_one()
