"""The lease of a worker on a job: claim, heartbeat, requeue, release, end.

Every change is fenced. It happens only while the job is running and its queue entry owns it. A run that was cancelled,
recovered or delivered twice changes nothing and gets `Superseded`. The document's row is locked before the job's.
"""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from lectern.db.base import NO_ERROR, error_values
from lectern.db.session import Session
from lectern.documents.models import Document, DocumentVersion
from lectern.embeddings import service as embeddings
from lectern.errors import LecternError
from lectern.ingestion import repository, versions
from lectern.ingestion.errors import Cancelled, Superseded
from lectern.ingestion.retry import retry_delay_seconds
from lectern.jobs import service as jobs
from lectern.jobs.models import ACTIVE_STATES, Job, JobArguments
from lectern.jobs.queue import Delivery
from lectern.jobs.service import Lane

SMALL_BYTES: Final = 8_388_608
# After stored progress, the next failure is not a repetition of the last one.
PROGRESS: Final = {"attempts": 1, "crashes": 0}
_IN_TRASH: Final = "Its document was deleted."
_SIZE_RANKS: Final = 32  # within one priority


@dataclass(frozen=True, slots=True, kw_only=True)
class JobRun:
    """One run of a job: its claim and the facts that its stages need.

    `version` is the version that the run makes. `is_update`: the current content stays until the new one is complete.
    """

    job_id: uuid.UUID
    queue_id: int
    document_id: uuid.UUID
    priority: int
    attempts: int
    crashes: int
    arguments: JobArguments
    timings_seconds: Mapping[str, float]
    stage: str | None
    filename: str
    content_type: str
    sha256: str
    size_bytes: int
    title: str | None
    given_language: str | None
    chunk_count: int
    version: int | None
    is_update: bool

    @property
    def lane(self) -> Lane:
        return lane_of(self.stage, size_bytes=self.size_bytes, crashes=self.crashes)

    @property
    def rank(self) -> int:
        return rank_of(self.stage, priority=self.priority, chunk_count=self.chunk_count)


def lane_of(stage: str | None, *, size_bytes: int, crashes: int) -> Lane:
    """Choose the lane of a job in this stage."""
    if stage == "embed":
        return Lane.EMBED
    return Lane.READ_ALONE if crashes or size_bytes > SMALL_BYTES else Lane.READ


def rank_of(stage: str | None, *, priority: int, chunk_count: int) -> int:
    """Rank a job in the lane of its stage. Within a priority, documents with few chunks are embedded first."""
    if stage != "embed":
        return priority
    return priority * _SIZE_RANKS + max(_SIZE_RANKS - 1 - chunk_count.bit_length(), 0)


async def claim(session: Session, delivery: Delivery) -> JobRun | None:
    """Claim a delivered job and count the try. Returns None if the delivery is void."""
    document, job = await lock_document_and_job(session, delivery.job_id)
    if document is None or job is None or job.state not in ACTIVE_STATES or job.queue_id != delivery.queue_id:
        return None
    if document.deleted_at is not None:
        await end_cancelled(session, job, document, note=_IN_TRASH)
        return None
    job.state, job.next_try_at = "running", None
    job.attempts += 1
    job.started_at = job.started_at or datetime.now(UTC)
    job.heartbeat_at = datetime.now(UTC)
    document.status = "processing"
    for row in (job, document):
        row.clear_error()
    await session.flush()
    pending = await versions.find_pending_version(session, job, document)
    return _job_run(job, document, pending, queue_id=delivery.queue_id)


def _job_run(job: Job, document: Document, pending: DocumentVersion | None, *, queue_id: int) -> JobRun:
    content = pending or document
    arguments = JobArguments.from_row(job.arguments)
    return JobRun(
        job_id=job.id,
        queue_id=queue_id,
        document_id=document.id,
        priority=job.priority,
        attempts=job.attempts,
        crashes=job.crashes,
        arguments=arguments,
        timings_seconds=job.timings_seconds,
        stage=job.stage,
        filename=document.filename,
        content_type=content.content_type,
        sha256=content.sha256,
        size_bytes=content.size_bytes,
        title=document.title,
        given_language=arguments.language or (document.language if document.is_language_given else None),
        chunk_count=job.chunks_to_embed or document.chunk_count,
        version=pending.number if pending else None,
        is_update=versions.keeps_current_content(document, pending),
    )


async def lock_document_and_job(session: Session, job_id: uuid.UUID) -> tuple[Document | None, Job | None]:
    """Lock both rows, the document first. Each is None if it is missing or outside the scope."""
    return await repository.lock_document_of_job(session, job_id), await jobs.find_job(session, job_id, is_locked=True)


async def heartbeat(session: Session, run: JobRun, values: Mapping[str, Any] | None = None) -> None:
    """Update the job and lock it, if this run still owns it. Raises Superseded."""
    if not await jobs.update_running_job(session, run.job_id, run.queue_id, values or {}):
        raise Superseded


async def heartbeat_with_document(session: Session, run: JobRun) -> Document:
    """Lock the document, then update the job. Raises Superseded, also for a document in the trash."""
    document = await repository.lock_document(session, run.document_id)
    if document is None:
        raise Superseded
    await heartbeat(session, run)
    if document.deleted_at is not None:
        raise Superseded
    return document


async def requeue(session: Session, run: JobRun, lane: Lane, *, rank: int, not_before: datetime | None = None) -> None:
    """Give the job back to the queue for any worker, which ends this run."""
    await jobs.update_job(session, run.job_id, {"queue_id": None})
    await jobs.put_in_lane(session, run.job_id, lane, rank=rank, not_before=not_before)


async def queue_embedding(session: Session, run: JobRun, values: Mapping[str, Any], *, chunk_count: int) -> None:
    """Store the progress of a run and queue its embedding, without the password of the file. Raises Superseded."""
    stored = {"stage": "embed", "arguments": run.arguments.without_password().to_row(), "attempts": 0, **values}
    await heartbeat(session, run, stored)
    rank = rank_of("embed", priority=run.priority, chunk_count=chunk_count)
    await requeue(session, run, Lane.EMBED, rank=rank)


async def release(session: Session, run: JobRun) -> None:
    """Requeue the job without counting the attempt. Raises Superseded."""
    await heartbeat(session, run, {"state": "queued", "attempts": Job.attempts - 1})
    await requeue(session, run, run.lane, rank=run.rank)


async def retry_later(session: Session, run: JobRun, error: LecternError) -> datetime:
    """Requeue the job after a transient error. Returns the time of the next try."""
    next_try_at = datetime.now(UTC) + timedelta(seconds=retry_delay_seconds(run.attempts))
    await heartbeat(session, run, {"state": "queued", "next_try_at": next_try_at, **error_values(error)})
    await requeue(session, run, run.lane, rank=run.rank, not_before=next_try_at)
    return next_try_at


async def fail(session: Session, run: JobRun, error: LecternError) -> None:
    """End the job and its document with an error. Raises Superseded."""
    document = await heartbeat_with_document(session, run)
    job = await jobs.find_job(session, run.job_id)
    if job is not None:
        await end_failed(session, job, document, error)


async def end_failed(session: Session, job: Job, document: Document, error: LecternError) -> None:
    """Record the failure of a job whose rows are locked. A complete document stays ready with its old content."""
    await repository.delete_checkpoints(session, job.id)
    await embeddings.delete_staged(session, document.id)
    await _end(session, job, document, state="failed", error=error)


async def end_cancelled(session: Session, job: Job, document: Document, *, note: str = "") -> None:
    """Record the cancellation of a job whose rows are locked. A complete document stays ready."""
    job.is_cancel_requested = True
    error = Cancelled(f"The ingestion was cancelled. {note}".strip())
    await _end(session, job, document, state="cancelled", error=error)


async def cancel_if_in_trash(session: Session, run: JobRun) -> None:
    """Cancel the job if this run still owns it and its document is in the trash."""
    document, job = await lock_document_and_job(session, run.job_id)
    if document is None or job is None or document.deleted_at is None:
        return
    if job.state == "running" and job.queue_id == run.queue_id:
        await end_cancelled(session, job, document, note=_IN_TRASH)


async def _end(session: Session, job: Job, document: Document, *, state: str, error: LecternError) -> None:
    job.state, job.finished_at, job.next_try_at = state, datetime.now(UTC), None
    job.forget_password()
    await versions.record_end(session, job, document, state=state, error=error)


async def succeed(
    session: Session,
    run: JobRun,
    document: Document,
    *,
    seconds: float,
    more_timings: Mapping[str, float] | None = None,
) -> None:
    """Make the document ready. Only one run of a job gets here. `seconds` is the time of embedding."""
    moment = datetime.now(UTC)
    document.status, document.ready_at = "ready", moment
    embedding = round(run.timings_seconds.get("embed", 0.0) + seconds, 3)
    values = {
        "state": "succeeded",
        "stage": "embed",
        "finished_at": moment,
        "crashes": 0,
        **NO_ERROR,
        "timings_seconds": {**run.timings_seconds, "embed": embedding, **(more_timings or {})},
    }
    await embeddings.delete_unused_imports(session, document.id)
    await session.flush()
    await heartbeat(session, run, values)
