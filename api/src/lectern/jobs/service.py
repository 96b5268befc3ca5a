"""Enqueue, find, retry and cancel jobs in the caller's transaction and scope.

    job = await enqueue(session, document_id=..., priority=INTERACTIVE)

`ingestion/service.py` decides what the end of a job means for its document.
"""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, Final

from lectern.db.base import NO_ERROR
from lectern.db.session import Session
from lectern.jobs import repository
from lectern.jobs.errors import JobNotCancellable, JobNotFound, JobNotRetryable
from lectern.jobs.models import ACTIVE_STATES, Job, JobArguments
from lectern.tracing import current_traceparent

INTERACTIVE: Final = 10
BULK: Final = 0
_INGEST: Final = "ingest"  # the only kind of work
_MAX_ATTEMPTS: Final = 3
# Queries that other packages call directly.
abort = repository.abort
delete_entry = repository.delete_entry
delete_orphaned_entries = repository.delete_orphaned_entries
find_active_job = repository.find_active_job
find_job = repository.find_job
find_latest_jobs = repository.find_latest_jobs
list_stalled = repository.list_stalled
update_job = repository.update_job
update_running_job = repository.update_running_job


class Lane(StrEnum):
    """A queue with its own workers, so that long work does not delay short work.

    Large files are read one at a time beside the others. So is a file that ended its worker: if it is the cause, it
    would end other jobs with it, and they would be blamed too.
    """

    READ = "read"
    READ_ALONE = "read_alone"
    EMBED = "embed"

    @property
    def task(self) -> str:
        """The queue task that does the work of this lane."""
        return "embed" if self is Lane.EMBED else "read"


class JobGroup(StrEnum):
    """Groups of job states for lists."""

    NEEDS_ATTENTION = "needs_attention"
    IN_PROGRESS = "in_progress"
    DONE = "done"


STATES: Final[Mapping[JobGroup, tuple[str, ...]]] = {
    JobGroup.NEEDS_ATTENTION: ("failed", "cancelled"),
    JobGroup.IN_PROGRESS: ACTIVE_STATES,
    JobGroup.DONE: ("succeeded",),
}
_RETRY_VALUES: Final[Mapping[str, Any]] = {
    "state": "queued",
    "queue_id": None,
    "is_cancel_requested": False,
    "attempts": 0,
    "crashes": 0,
    "stage": None,
    "page": None,
    "page_count": None,
    "chunks_embedded": None,
    "chunks_to_embed": None,
    "chunks_unchanged": None,
    "chunks_added": None,
    "chunks_removed": None,
    **NO_ERROR,
    "next_try_at": None,
    "finished_at": None,
}


async def enqueue(
    session: Session,
    *,
    document_id: uuid.UUID,
    priority: int = BULK,
    arguments: JobArguments | None = None,
    version: int | None = None,
) -> Job:
    """Queue the ingestion of a document, or return its active job. `version` is the version that the work makes."""
    arguments = arguments or JobArguments()
    arguments = replace(arguments, traceparent=current_traceparent() or arguments.traceparent)
    values = {
        "kind": _INGEST,
        "document_id": document_id,
        "priority": priority,
        "max_attempts": _MAX_ATTEMPTS,
        "arguments": arguments.to_row(),
        "version": version,
    }
    while True:
        job_id = await repository.insert_job(session, values)
        if job_id is not None:
            await put_in_lane(session, job_id, Lane.READ, rank=priority)
            return await get_job(session, job_id)
        # The other job may have ended between the two statements. Then there is room for this one.
        if (active := await repository.find_active_job(session, document_id)) is not None:
            return active


async def put_in_lane(
    session: Session, job_id: uuid.UUID, lane: Lane, *, rank: int, not_before: datetime | None = None
) -> None:
    """Add an active job to a lane, unless it is in the queue. The highest rank comes first."""
    await repository.insert_entry(session, job_id, lane=lane, task=lane.task, rank=rank, not_before=not_before)


async def get_job(session: Session, job_id: uuid.UUID, *, is_locked: bool = False) -> Job:
    """Return the job. Raises JobNotFound if it is missing or outside the scope."""
    job = await repository.find_job(session, job_id, is_locked=is_locked)
    if job is None:
        raise JobNotFound
    return job


async def list_jobs(
    session: Session,
    *,
    group: JobGroup | None = None,
    document_id: uuid.UUID | None = None,
    documents: repository.DocumentIdQuery | None = None,
    after: Sequence[Any] | None,
    limit: int,
) -> tuple[Sequence[Job], int]:
    """Return jobs in scope after a position, newest first, and their total number.

    `documents` restricts the list to these documents. Jobs that need attention are the newest of their document,
    because a retried document needs no attention.
    """
    return await repository.list_jobs(
        session,
        states=STATES[group] if group else None,
        document_id=document_id,
        documents=documents,
        is_newest=group is JobGroup.NEEDS_ATTENTION,
        after=after,
        limit=limit,
    )


async def cancel(session: Session, job_id: uuid.UUID) -> Job:
    """Cancel a job: remove it from the queue, or tell its worker to stop.

    Raises JobNotFound, JobNotCancellable.
    """
    job = await get_job(session, job_id, is_locked=True)
    if job.state not in ACTIVE_STATES:
        raise JobNotCancellable
    ended = {"state": "cancelled", "is_cancel_requested": True, "finished_at": datetime.now(UTC), "next_try_at": None}
    await repository.update_job(session, job_id, ended)
    await repository.abort(session, job_id)
    return await get_job(session, job_id)


async def supersede(session: Session, job_id: uuid.UUID, *, reason: str) -> None:
    """Cancel a job because newer work replaces it, and delete its arguments.

    Raises JobNotFound, JobNotCancellable.
    """
    await cancel(session, job_id)
    values: dict[str, Any] = {**NO_ERROR, "error_code": "cancelled", "error_message": reason, "arguments": {}}
    await repository.update_job(session, job_id, values)


async def retry(session: Session, job_id: uuid.UUID, *, priority: int | None = None) -> Job:
    """Queue a failed or cancelled job again, with all its tries.

    Raises JobNotFound, JobNotRetryable.
    """
    job = await get_job(session, job_id, is_locked=True)
    if job.state not in STATES[JobGroup.NEEDS_ATTENTION]:
        raise JobNotRetryable
    if await repository.find_active_job(session, job.document_id) is not None:
        raise JobNotRetryable("A newer job is working on this document.")
    rank = job.priority if priority is None else priority
    await repository.update_job(session, job_id, {**_RETRY_VALUES, "priority": rank})
    await put_in_lane(session, job_id, Lane.READ, rank=rank)
    return await get_job(session, job_id)


async def has_interactive_work(session: Session) -> bool:
    """Return True if an interactive job is running or due."""
    return await repository.has_due_job(session, priority=INTERACTIVE)
