"""Enqueue, find and end jobs, as part of the caller's transaction and within its scope.

    job = await enqueue(session, kind="ingest", document_id=..., priority=INTERACTIVE, arguments={})

Nothing of it happens when the transaction is rolled back. What a job's end means for its document is decided by the
room that does the work (`ingestion/service.py` for cancel and retry).
"""

import uuid
from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, Final

from lectern.db.base import NO_ERROR
from lectern.db.session import Session
from lectern.jobs import entries, repository
from lectern.jobs.errors import JobNotCancellable, JobNotFound, JobNotRetryable
from lectern.jobs.models import Job

INTERACTIVE: Final = 10
BULK: Final = 0
DEFAULT_MAX_ATTEMPTS: Final = 3


class Lane(StrEnum):
    """A queue of its own with its own workers, so that long work never stands in front of short work.

    Large files are read one at a time beside the others, and so is a file whose worker died with it: were it the
    cause, it would take others along, and they would be blamed as well.
    """

    READ = "read"
    READ_ALONE = "read_alone"
    EMBED = "embed"

    @property
    def task(self) -> str:
        """The name of the task in the queue that does this lane's work."""
        return "embed" if self is Lane.EMBED else "read"


class JobGroup(StrEnum):
    """Jobs as people ask for them."""

    NEEDS_ATTENTION = "needs_attention"
    IN_PROGRESS = "in_progress"
    DONE = "done"


STATES: Final[Mapping[JobGroup, tuple[str, ...]]] = {
    JobGroup.NEEDS_ATTENTION: ("failed", "cancelled"),
    JobGroup.IN_PROGRESS: ("queued", "running"),
    JobGroup.DONE: ("succeeded",),
}


async def enqueue(
    session: Session,
    *,
    kind: str,
    document_id: uuid.UUID,
    priority: int = BULK,
    arguments: Mapping[str, Any] | None = None,
    max_attempts: int = DEFAULT_MAX_ATTEMPTS,
    version: int | None = None,
) -> Job:
    """Queue work on a document; when it has a job under way already, that one is the answer.

    `version` is the version of the document that the work makes.
    """
    job_id = await repository.insert_job(
        session,
        kind=kind,
        document_id=document_id,
        priority=priority,
        max_attempts=max_attempts,
        arguments=arguments or {},
        version=version,
    )
    if job_id is not None:
        await entries.put_entry(session, job_id, lane=Lane.READ, task=Lane.READ.task, rank=priority)
        return await get_job(session, job_id)
    active = await repository.find_active_job(session, document_id)
    # Between the two statements the other job may have ended: then there is room for this one.
    return active or await enqueue(
        session,
        kind=kind,
        document_id=document_id,
        priority=priority,
        arguments=arguments,
        max_attempts=max_attempts,
        version=version,
    )


async def get_job(session: Session, job_id: uuid.UUID) -> Job:
    """The job. Raises JobNotFound, also for one outside the caller's scope."""
    job = await entries.find_job(session, job_id)
    if job is None:
        raise JobNotFound
    return job


async def find_latest_jobs(session: Session, document_ids: Collection[uuid.UUID]) -> dict[uuid.UUID, Job]:
    """The newest job of each document, by the document's id; documents without one are left out."""
    return {job.document_id: job for job in await repository.list_latest_jobs(session, document_ids)}


async def list_jobs(
    session: Session,
    *,
    group: JobGroup | None = None,
    document_id: uuid.UUID | None = None,
    of: repository.DocumentIds | None = None,
    before: tuple[datetime, uuid.UUID] | None = None,
    limit: int = 50,
) -> tuple[Sequence[Job], int]:
    """Jobs in the caller's scope, newest first, from after the position `before`; and how many there are in all.

    `of` narrows them to these documents. Those that need attention are each the newest of its document: what was tried
    again needs nobody.
    """
    wanted = repository.Wanted(
        states=STATES[group] if group else None,
        document_id=document_id,
        of=of,
        is_newest=group is JobGroup.NEEDS_ATTENTION,
    )
    jobs = await repository.list_jobs(session, wanted, before=before, limit=limit)
    return jobs, await repository.count_jobs(session, wanted)


async def find_active_job(session: Session, document_id: uuid.UUID) -> Job | None:
    """The queued or running job of a document."""
    return await repository.find_active_job(session, document_id)


async def cancel(session: Session, job_id: uuid.UUID) -> Job:
    """End a job: a queued one leaves the queue, the worker of a running one is told to stop.

    Raises JobNotFound, JobNotCancellable.
    """
    job = await _locked(session, job_id)
    if job.state not in entries.ACTIVE:
        raise JobNotCancellable
    ended = {"state": "cancelled", "is_cancel_requested": True, "finished_at": datetime.now(UTC), "next_try_at": None}
    await entries.change_job(session, job_id, ended)
    await entries.abort_entry(session, job_id)
    return await get_job(session, job_id)


async def do_people_wait(session: Session) -> bool:
    """Whether something that a person asked for is being worked on, or its turn has come."""
    return await repository.has_due_job(session, priority=INTERACTIVE)


async def retry(session: Session, job_id: uuid.UUID, *, priority: int | None = None) -> Job:
    """Queue a failed or cancelled job again, with all its tries.

    Raises JobNotFound, JobNotRetryable.
    """
    job = await _locked(session, job_id)
    if job.state not in STATES[JobGroup.NEEDS_ATTENTION]:
        raise JobNotRetryable
    if await repository.find_active_job(session, job.document_id) is not None:
        raise JobNotRetryable("A newer job is working on this document.")
    rank = job.priority if priority is None else priority
    await entries.change_job(session, job_id, {**AS_NEW, "priority": rank})
    await entries.put_entry(session, job_id, lane=Lane.READ, task=Lane.READ.task, rank=rank)
    return await get_job(session, job_id)


def cancelled(message: str) -> dict[str, Any]:
    """What is written on a job that something newer has ended; its arguments are forgotten."""
    return {**NO_ERROR, "error_code": "cancelled", "error_message": message, "arguments": {}}


AS_NEW: Final[Mapping[str, Any]] = {
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


async def _locked(session: Session, job_id: uuid.UUID) -> Job:
    job = await entries.find_job(session, job_id, is_locked=True)
    if job is None:
        raise JobNotFound
    return job
