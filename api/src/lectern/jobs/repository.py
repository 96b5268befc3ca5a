"""Jobs and their queue entries in the database.

A transaction that locks a document and its job locks the document first.
"""

import uuid
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, TypeAlias

from sqlalchemy import Select, exists, func, select, text, update
from sqlalchemy.dialects.postgresql import distinct_on, insert
from sqlalchemy.orm import aliased

from lectern.db.pages import fetch_page
from lectern.db.session import Session
from lectern.jobs.liveness import WORKER_LOCKS
from lectern.jobs.models import ACTIVE_STATES, Job, StalledJob

DocumentIdQuery: TypeAlias = Select[Any]
"""A subquery of document ids."""

# A worker has an advisory lock while its connection lives: no lock, no worker. A restart of Postgres drops all locks,
# which is no crash of a worker. Nor is an entry without a worker: only a worker that stops in order removes its id.
_STALLED_ENTRIES: Final = text("""
SELECT j.id AS job_id, e.id AS queue_id,
       coalesce(w.last_heartbeat >= pg_postmaster_start_time(), true)
           AND e.worker_id IS NOT NULL AND NOT e.worker_id = ANY (:lost) AS is_crashed,
       false AS is_lost
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
_JOBS_WITHOUT_ENTRY: Final = text("""
SELECT j.id AS job_id, j.queue_id, false AS is_crashed, true AS is_lost
FROM jobs j
WHERE j.state IN ('queued', 'running')
  AND NOT EXISTS (SELECT FROM queue.procrastinate_jobs e WHERE e.id = j.queue_id AND e.status IN ('todo', 'doing'))
""")
# Their documents were purged while a worker had them, and that worker is gone too.
_DELETE_ORPHANS: Final = text("""
DELETE FROM queue.procrastinate_jobs AS e
WHERE NOT EXISTS (SELECT FROM public.jobs AS j WHERE j.id::text = e.args ->> 'job_id')
  AND NOT EXISTS (SELECT FROM pg_locks AS l
                  WHERE l.locktype = 'advisory' AND l.objsubid = 2 AND l.granted
                    AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
                    AND l.classid = CAST(:locks AS bigint)::oid AND l.objid = e.worker_id::oid)
""")
# The document first, as everywhere.
_ABORT: Final = (
    text("SELECT FROM documents WHERE id = (SELECT document_id FROM jobs WHERE id = :job) FOR UPDATE"),
    text("UPDATE jobs SET is_cancel_requested = true WHERE id = :job"),
    text("SELECT lectern_abort_job(:job)"),
)


async def insert_job(session: Session, values: Mapping[str, Any]) -> uuid.UUID | None:
    """Insert a queued job. Returns None if the document has an active one."""
    statement = insert(Job).values(id=uuid.uuid4(), **values)
    active = text("state IN ('queued', 'running')")
    unless_busy = statement.on_conflict_do_nothing(index_elements=[Job.document_id], index_where=active)
    return (await session.execute(unless_busy.returning(Job.id))).scalar_one_or_none()


async def find_job(session: Session, job_id: uuid.UUID, *, is_locked: bool = False) -> Job | None:
    """Return the job, or None if it is missing or outside the scope. `is_locked` locks it for the transaction."""
    statement = select(Job).where(Job.id == job_id).execution_options(populate_existing=True)
    return (await session.execute(statement.with_for_update() if is_locked else statement)).scalar_one_or_none()


async def find_active_job(session: Session, document_id: uuid.UUID) -> Job | None:
    """Return the queued or running job of a document."""
    statement = select(Job).where(Job.document_id == document_id, Job.state.in_(ACTIVE_STATES))
    return (await session.execute(statement.execution_options(populate_existing=True))).scalar_one_or_none()


async def update_job(session: Session, job_id: uuid.UUID, values: Mapping[str, Any]) -> None:
    """Set columns of a job."""
    await session.execute(update(Job).where(Job.id == job_id).values(dict(values)))


async def update_running_job(session: Session, job_id: uuid.UUID, queue_id: int, values: Mapping[str, Any]) -> bool:
    """Set columns and the heartbeat of a running job. Returns False if this queue entry no longer owns it."""
    owned = update(Job).where(Job.id == job_id, Job.queue_id == queue_id, Job.state == "running")
    statement = owned.values({"heartbeat_at": func.now(), **values}).returning(Job.id)
    return (await session.execute(statement)).scalar_one_or_none() is not None


async def has_due_job(session: Session, *, priority: int) -> bool:
    """Return True if a job of at least this priority is running or due."""
    is_due = (Job.state == "running") | (Job.next_try_at.is_(None)) | (Job.next_try_at <= func.now())
    due = select(Job.id).where(Job.state.in_(ACTIVE_STATES), Job.priority >= priority, is_due)
    return (await session.execute(select(due.exists()))).scalar_one()


async def find_latest_jobs(session: Session, document_ids: Collection[uuid.UUID]) -> dict[uuid.UUID, Job]:
    """Return the newest job of each document that has one, by document id."""
    newest = select(Job).where(Job.document_id.in_(document_ids)).ext(distinct_on(Job.document_id))
    statement = newest.order_by(Job.document_id, Job.created_at.desc(), Job.id.desc())
    jobs = await session.scalars(statement.execution_options(populate_existing=True))
    return {job.document_id: job for job in jobs}


async def list_jobs(
    session: Session,
    *,
    states: Collection[str] | None,
    document_id: uuid.UUID | None,
    documents: DocumentIdQuery | None,
    is_newest: bool,
    after: Sequence[Any] | None,
    limit: int,
) -> tuple[Sequence[Job], int]:
    """Return a page of jobs, newest first, and the total. `is_newest` keeps the newest job of each document."""
    query = select(Job)
    if states is not None:
        query = query.where(Job.state.in_(states))
    if document_id is not None:
        query = query.where(Job.document_id == document_id)
    if documents is not None:
        query = query.where(Job.document_id.in_(documents))
    if is_newest:
        newer = aliased(Job)
        query = query.where(~exists().where(newer.document_id == Job.document_id, newer.created_at > Job.created_at))
    return await fetch_page(session, query, Job.created_at, Job.id, after=after, limit=limit, is_descending=True)


async def insert_entry(
    session: Session, job_id: uuid.UUID, *, lane: str, task: str, rank: int, not_before: datetime | None
) -> None:
    """Add an active job to the queue, unless it has an entry. The highest rank comes first."""
    statement = text("SELECT lectern_enqueue_job(:job, :lane, :task, :rank, :not_before)")
    values = {"job": job_id, "lane": lane, "task": task, "rank": rank, "not_before": not_before}
    await session.execute(statement, values)


async def abort(session: Session, job_id: uuid.UUID) -> None:
    """Remove a job from the queue or stop its worker, and leave its record to the caller."""
    for statement in _ABORT:
        await session.execute(statement, {"job": job_id})


async def delete_entry(session: Session, queue_id: int) -> None:
    """Delete a queue entry (system scope)."""
    await session.execute(text("DELETE FROM queue.procrastinate_jobs WHERE id = :id"), {"id": queue_id})


async def delete_orphaned_entries(session: Session) -> None:
    """Delete queue entries of deleted jobs that no live worker has (system scope)."""
    await session.execute(_DELETE_ORPHANS, {"locks": WORKER_LOCKS})


async def list_stalled(
    session: Session, *, heartbeat_seconds: float, lost_workers: Collection[int] = ()
) -> list[StalledJob]:
    """Return active jobs that no worker will continue (system scope).

    `lost_workers` are earlier worker ids of this process, from before it lost its connection.
    """
    values = {"heartbeat_seconds": heartbeat_seconds, "locks": WORKER_LOCKS, "lost": list(lost_workers)}
    rows = [*await session.execute(_STALLED_ENTRIES, values), *await session.execute(_JOBS_WITHOUT_ENTRY)]
    return [StalledJob(row.job_id, row.queue_id, row.is_crashed, row.is_lost) for row in rows]
