"""The jobs table, for this room."""

import uuid
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, and_, func, or_, select, text
from sqlalchemy.dialects.postgresql import distinct_on, insert

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


async def list_latest_jobs(session: Session, document_ids: Collection[uuid.UUID]) -> Sequence[Job]:
    """The newest job of each of these documents that has one."""
    newest = select(Job).where(Job.document_id.in_(document_ids)).ext(distinct_on(Job.document_id))
    statement = newest.order_by(Job.document_id, Job.created_at.desc(), Job.id.desc())
    return (await session.execute(statement.execution_options(populate_existing=True))).scalars().all()


async def list_jobs(
    session: Session,
    *,
    states: Collection[str] | None,
    document_id: uuid.UUID | None,
    before: tuple[datetime, uuid.UUID] | None,
    limit: int,
) -> Sequence[Job]:
    """Jobs, newest first, from after the position `before`."""
    statement = select(Job).where(*_conditions(states, document_id)).order_by(Job.created_at.desc(), Job.id.desc())
    if before is not None:
        moment, job_id = before
        statement = statement.where(or_(Job.created_at < moment, and_(Job.created_at == moment, Job.id < job_id)))
    return (await session.execute(statement.limit(limit))).scalars().all()


async def count_jobs(session: Session, *, states: Collection[str] | None, document_id: uuid.UUID | None) -> int:
    """How many jobs there are of these states and this document."""
    counted = select(func.count()).select_from(Job).where(*_conditions(states, document_id))
    return (await session.execute(counted)).scalar_one()


def _conditions(states: Collection[str] | None, document_id: uuid.UUID | None) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = []
    if states is not None:
        conditions.append(Job.state.in_(states))
    if document_id is not None:
        conditions.append(Job.document_id == document_id)
    return conditions
