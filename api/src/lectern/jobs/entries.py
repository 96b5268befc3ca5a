"""Jobs and their entries in the queue, as the database keeps them; for the rooms whose work is done by jobs.

Whoever locks a document's row too locks it before the job's.
"""

import uuid
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import select, text, update

from lectern.db.session import Session
from lectern.jobs.models import Job

ACTIVE: Final = ("queued", "running")
WORKER_LOCKS: Final = (
    1_279_611_476  # first half of the advisory locks that live workers hold; any number nobody else uses
)


@dataclass(frozen=True, slots=True)
class Stalled:
    """An active job whose entry in the queue will not be worked on any more.

    `is_crash`: its worker died with it in hand. `is_loss`: the entry is gone and nobody settled the job.
    Otherwise Postgres went away.
    """

    job_id: uuid.UUID
    queue_id: int | None
    is_crash: bool
    is_loss: bool


async def find_job(session: Session, job_id: uuid.UUID, *, is_locked: bool = False) -> Job | None:
    """The job as the database has it now; with `is_locked` nobody else changes it until the transaction ends."""
    statement = select(Job).where(Job.id == job_id).execution_options(populate_existing=True)
    return (await session.execute(statement.with_for_update() if is_locked else statement)).scalar_one_or_none()


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


# The document first: whoever works on the job locks it first too.
_LOCK_DOCUMENT: Final = text("""
SELECT FROM documents WHERE id = (SELECT document_id FROM jobs WHERE id = :job) FOR UPDATE
""")
_REQUEST_CANCEL: Final = text("UPDATE jobs SET is_cancel_requested = true WHERE id = :job")


async def abort_entry(session: Session, job_id: uuid.UUID) -> None:
    """Take a job out of the queue, or tell the worker that has it to stop; what it becomes is for the caller to say."""
    for statement in (_LOCK_DOCUMENT, _REQUEST_CANCEL, text("SELECT lectern_abort_job(:job)")):
        await session.execute(statement, {"job": job_id})


async def remove_entry(session: Session, queue_id: int) -> None:
    """Forget an entry of the queue (system scope)."""
    await session.execute(text("DELETE FROM queue.procrastinate_jobs WHERE id = :id"), {"id": queue_id})


# Of documents that were purged while a worker had them, and that worker is gone as well.
_REMOVE_ORPHANS: Final = text("""
DELETE FROM queue.procrastinate_jobs AS e
WHERE NOT EXISTS (SELECT FROM public.jobs AS j WHERE j.id::text = e.args ->> 'job_id')
  AND NOT EXISTS (SELECT FROM pg_locks AS l
                  WHERE l.locktype = 'advisory' AND l.objsubid = 2 AND l.granted
                    AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
                    AND l.classid = CAST(:locks AS bigint)::oid AND l.objid = e.worker_id::oid)
""")


async def remove_orphans(session: Session) -> None:
    """Forget entries of jobs that are gone and that no live worker has in hand (system scope)."""
    await session.execute(_REMOVE_ORPHANS, {"locks": WORKER_LOCKS})


# A worker holds an advisory lock for as long as its connection lives: no lock, no worker. After Postgres itself was
# restarted all locks are gone and every worker registers anew, which is nobody's crash. Nor is it one when the entry
# names no worker any more: only a worker that leaves in order takes its name with it.
_OF_DEAD_WORKERS: Final = text("""
SELECT j.id AS job_id, e.id AS queue_id,
       coalesce(w.last_heartbeat >= pg_postmaster_start_time(), true)
           AND e.worker_id IS NOT NULL AND NOT e.worker_id = ANY (:lost) AS is_crash,
       false AS is_loss
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
SELECT j.id AS job_id, j.queue_id, false AS is_crash, true AS is_loss
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
    return [Stalled(row.job_id, row.queue_id, row.is_crash, row.is_loss) for row in (*of_dead_workers, *without_entry)]
