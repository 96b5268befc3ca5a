"""The jobs table and the queue behind it. Whoever locks a document's row too locks it before the job's."""

import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import ColumnElement, and_, func, or_, select, text, update
from sqlalchemy.dialects.postgresql import insert

from lectern.db.session import Session
from lectern.jobs.models import Job

ACTIVE: Final = ("queued", "running")
WORKER_LOCKS: Final = (
    1_279_611_476  # first half of the advisory locks that live workers hold; any number nobody else uses
)
RESCUE_LOCK: Final = 7_263_510_443


@dataclass(frozen=True, slots=True)
class Stalled:
    """An active job whose entry in the queue will not be worked on any more.

    `is_crash`: its worker died with it in hand. Otherwise Postgres went away, or the entry was lost.
    """

    job_id: uuid.UUID
    queue_id: int | None
    is_crash: bool


async def insert_job(
    session: Session,
    *,
    kind: str,
    document_id: uuid.UUID,
    priority: int,
    max_attempts: int,
    arguments: Mapping[str, Any],
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
    )
    active = text("state IN ('queued', 'running')")
    unless_busy = statement.on_conflict_do_nothing(index_elements=[Job.document_id], index_where=active)
    return (await session.execute(unless_busy.returning(Job.id))).scalar_one_or_none()


async def find_job(session: Session, job_id: uuid.UUID, *, is_locked: bool = False) -> Job | None:
    """The job as the database has it now; with `is_locked` nobody else changes it until the transaction ends."""
    statement = select(Job).where(Job.id == job_id).execution_options(populate_existing=True)
    return (await session.execute(statement.with_for_update() if is_locked else statement)).scalar_one_or_none()


async def find_active_job(session: Session, document_id: uuid.UUID) -> Job | None:
    """The queued or running job of a document."""
    statement = select(Job).where(Job.document_id == document_id, Job.state.in_(ACTIVE))
    return (await session.execute(statement.execution_options(populate_existing=True))).scalar_one_or_none()


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


async def change_job(session: Session, job_id: uuid.UUID, values: Mapping[str, Any]) -> None:
    """Set columns of a job."""
    await session.execute(update(Job).where(Job.id == job_id).values(dict(values)))


async def put_entry(
    session: Session,
    job_id: uuid.UUID,
    *,
    lane: str,
    task: str,
    rank: int,
    not_before: datetime | None = None,
) -> int | None:
    """Put an active job that is not in the queue into it, as part of the caller's transaction; highest rank first."""
    statement = text("SELECT lectern_enqueue_job(:job, :lane, :task, :rank, :not_before)")
    values = {"job": job_id, "lane": lane, "task": task, "rank": rank, "not_before": not_before}
    return (await session.execute(statement, values)).scalar_one()


async def abort_entry(session: Session, job_id: uuid.UUID) -> None:
    """Take a job that is to be cancelled out of the queue, or tell the worker that has it to stop."""
    await session.execute(text("SELECT lectern_abort_job(:job)"), {"job": job_id})


async def remove_entry(session: Session, queue_id: int) -> None:
    """Forget an entry of the queue (system scope)."""
    await session.execute(text("DELETE FROM queue.procrastinate_jobs WHERE id = :id"), {"id": queue_id})


async def is_only_rescuer(session: Session) -> bool:
    """Whether no other worker is rescuing jobs at this moment; holds until the transaction ends."""
    statement = text("SELECT pg_try_advisory_xact_lock(:lock)")
    return (await session.execute(statement, {"lock": RESCUE_LOCK})).scalar_one()


# A worker holds an advisory lock for as long as its connection lives: no lock, no worker. After Postgres itself was
# restarted all locks are gone and every worker registers anew, which is nobody's crash.
_OF_DEAD_WORKERS: Final = text("""
SELECT j.id AS job_id, e.id AS queue_id,
       coalesce(w.last_heartbeat >= pg_postmaster_start_time(), true) AND NOT e.worker_id = ANY (:lost) AS is_crash
FROM jobs j
JOIN queue.procrastinate_jobs e ON e.id = j.queue_id AND e.status = 'doing'
LEFT JOIN queue.procrastinate_workers w ON w.id = e.worker_id
WHERE j.state IN ('queued', 'running')
  AND (w.id IS NULL
       OR w.last_heartbeat < now() - make_interval(secs => :heartbeat_seconds)
       OR NOT EXISTS (SELECT FROM pg_locks l
                      WHERE l.locktype = 'advisory' AND l.objsubid = 2 AND l.granted
                        AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
                        AND l.classid = CAST(:locks AS bigint)::oid AND l.objid = w.id::oid))
""")
_WITHOUT_ENTRY: Final = text("""
SELECT j.id AS job_id, j.queue_id, false AS is_crash
FROM jobs j
WHERE j.state IN ('queued', 'running')
  AND NOT EXISTS (SELECT FROM queue.procrastinate_jobs e WHERE e.id = j.queue_id AND e.status IN ('todo', 'doing'))
""")


async def list_stalled(
    session: Session, *, heartbeat_seconds: float, lost_workers: Collection[int] = ()
) -> list[Stalled]:
    """Active jobs that nobody will go on with (system scope).

    `lost_workers` are ids under which this process itself worked before it lost its connection.
    """
    values = {"heartbeat_seconds": heartbeat_seconds, "locks": WORKER_LOCKS, "lost": list(lost_workers)}
    of_dead_workers = (await session.execute(_OF_DEAD_WORKERS, values)).all()
    without_entry = (await session.execute(_WITHOUT_ENTRY)).all()
    return [Stalled(row.job_id, row.queue_id, row.is_crash) for row in (*of_dead_workers, *without_entry)]
