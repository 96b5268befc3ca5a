"""The rows of a job and its document while it is worked on: claimed, fenced, moved on, settled.

Every change is fenced: it happens only while the job is active and still belongs to the run's entry of the queue, so a
run that was cancelled, rescued or delivered twice changes nothing (`Superseded`). The document's row is locked before
the job's, everywhere.
"""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from sqlalchemy import delete, func, select, update

from lectern.db.base import NO_ERROR, error_values
from lectern.db.session import Session
from lectern.documents.models import Document, DocumentVersion
from lectern.embeddings import service as embeddings
from lectern.errors import LecternError
from lectern.ingestion import versions
from lectern.ingestion.errors import Cancelled, Superseded
from lectern.ingestion.retry import pause_seconds
from lectern.jobs import entries
from lectern.jobs.models import Job, JobCheckpoint
from lectern.jobs.queue import Delivery
from lectern.jobs.service import Lane

SMALL_BYTES: Final = 8_388_608
_RANKS: Final = 32  # of sizes within one priority


@dataclass(frozen=True, slots=True, kw_only=True)
class Assignment:
    """What a run has been given to do.

    `version` is the version of the document that is to take over. With `is_update` all that there is of the document
    stays until what comes in its place is complete.
    """

    job_id: uuid.UUID
    queue_id: int
    document_id: uuid.UUID
    priority: int
    attempts: int
    crashes: int
    arguments: Mapping[str, Any]
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


async def claim(session: Session, delivery: Delivery) -> Assignment | None:
    """Take on a delivered job and count the try; None when there is nothing (more) to do for this delivery."""
    document, job = await locked_pair(session, delivery.job_id)
    if document is None or job is None or job.state not in entries.ACTIVE or job.queue_id != delivery.queue_id:
        return None
    if document.deleted_at is not None:
        await settle_cancelled(session, job, document, note="Its document was deleted.")
        return None
    job.state, job.next_try_at = "running", None
    job.attempts += 1
    job.started_at = job.started_at or datetime.now(UTC)
    job.heartbeat_at = datetime.now(UTC)
    document.status = "processing"
    for row in (job, document):
        row.clear_error()
    await session.flush()
    made = await versions.find_made(session, job, document)
    return _assignment(job, document, made, queue_id=delivery.queue_id)


def _assignment(job: Job, document: Document, made: DocumentVersion | None, *, queue_id: int) -> Assignment:
    content = made or document
    return Assignment(
        job_id=job.id,
        queue_id=queue_id,
        document_id=document.id,
        priority=job.priority,
        attempts=job.attempts,
        crashes=job.crashes,
        arguments=job.arguments,
        timings_seconds=job.timings_seconds,
        stage=job.stage,
        filename=document.filename,
        content_type=content.content_type,
        sha256=content.sha256,
        size_bytes=content.size_bytes,
        title=document.title,
        given_language=job.arguments.get("language") or (document.language if document.is_language_given else None),
        chunk_count=job.chunks_to_embed or document.chunk_count,
        version=made.number if made else None,
        is_update=versions.replaces_content(document, made),
    )


async def locked_pair(session: Session, job_id: uuid.UUID) -> tuple[Document | None, Job | None]:
    document_id = select(Job.document_id).where(Job.id == job_id).scalar_subquery()
    document = await session.execute(select(Document).where(Document.id == document_id).with_for_update(key_share=True))
    return document.scalar_one_or_none(), await entries.find_job(session, job_id, is_locked=True)


async def hold(session: Session, run: Assignment, values: Mapping[str, Any] | None = None) -> None:
    """Show a sign of life, set columns of the job, and keep it from changing hands until the transaction ends.

    Raises:
        Superseded: The job is not this run's any more.
    """
    fenced = update(Job).where(Job.id == run.job_id, Job.queue_id == run.queue_id, Job.state == "running")
    held = await session.execute(fenced.values(heartbeat_at=func.now(), **(values or {})).returning(Job.id))
    if held.scalar_one_or_none() is None:
        raise Superseded


async def hold_with_document(session: Session, run: Assignment, values: Mapping[str, Any] | None = None) -> Document:
    """As `hold`, with the document's row locked as well. Raises Superseded, also for a document in the trash."""
    statement = select(Document).where(Document.id == run.document_id).execution_options(populate_existing=True)
    document = (await session.execute(statement.with_for_update(key_share=True))).scalar_one_or_none()
    if document is None:
        raise Superseded
    await hold(session, run, values)
    if document.deleted_at is not None:
        raise Superseded
    return document


async def move_to(
    session: Session, run: Assignment, lane: Lane, *, rank: int, not_before: datetime | None = None
) -> None:
    """Put the job that this run holds back into the queue, for any worker; this run is over then."""
    await entries.change_job(session, run.job_id, {"queue_id": None})
    await entries.put_entry(session, run.job_id, lane=lane, task=lane.task, rank=rank, not_before=not_before)


def lane_of(stage: str | None, *, size_bytes: int, crashes: int) -> Lane:
    """Where a job in this stage waits."""
    if stage == "embed":
        return Lane.EMBED
    return Lane.READ_ALONE if crashes or size_bytes > SMALL_BYTES else Lane.READ


def lane_of_run(run: Assignment) -> Lane:
    """Where the job of this run belongs."""
    return lane_of(run.stage, size_bytes=run.size_bytes, crashes=run.crashes)


def embedding_rank(priority: int, chunks_left: int) -> int:
    """Interactive before bulk, then the one that needs the fewest chunks: a long document lets short ones pass."""
    return priority * _RANKS + max(_RANKS - 1 - chunks_left.bit_length(), 0)


def rank_of(run: Assignment) -> int:
    """The rank a run's job had in the lane of its stage."""
    return embedding_rank(run.priority, run.chunk_count) if run.stage == "embed" else run.priority


async def hand_back(session: Session, run: Assignment) -> None:
    """Give up a job that did nothing wrong, for any worker of its lane to go on with; the try does not count."""
    await hold(session, run, {"state": "queued", "attempts": Job.attempts - 1})
    await move_to(session, run, lane_of_run(run), rank=rank_of(run))


async def retry_later(session: Session, run: Assignment, fault: LecternError) -> datetime:
    """Let a passing fault pass; returns when the next try will be."""
    next_try_at = datetime.now(UTC) + timedelta(seconds=pause_seconds(run.attempts))
    values = {
        "state": "queued",
        "next_try_at": next_try_at,
        **error_values(fault),
    }
    await hold(session, run, values)
    await move_to(session, run, lane_of_run(run), rank=rank_of(run), not_before=next_try_at)
    return next_try_at


async def fail(session: Session, run: Assignment, error: LecternError) -> None:
    """End the job and its document with what a person should read. Raises Superseded."""
    document = await hold_with_document(session, run)
    job = await entries.find_job(session, run.job_id)
    if job is not None:
        await settle_failed(session, job, document, error)


def without_secrets(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """What may stay on a job that has read its file: a password has done its work by then."""
    return {name: value for name, value in arguments.items() if name != "password"}


async def settle_failed(session: Session, job: Job, document: Document, error: LecternError) -> None:
    """Write the end of a job whose rows are locked.

    A document that was complete before stays ready: of what should have come in its place nothing was stored.
    """
    await session.execute(delete(JobCheckpoint).where(JobCheckpoint.job_id == job.id))
    await embeddings.delete_staged(session, document.id)
    job.state, job.finished_at, job.next_try_at = "failed", datetime.now(UTC), None
    job.arguments = without_secrets(job.arguments)
    await versions.settle(session, job, document, state="failed", error=error)


async def settle_cancelled(session: Session, job: Job, document: Document, *, note: str = "") -> None:
    """Write that a job whose rows are locked was cancelled.

    A document that was complete before, and is only being ingested anew, stays ready: its old chunks are all there.
    """
    error = Cancelled(f"The ingestion was cancelled. {note}".strip())
    job.state, job.finished_at, job.next_try_at, job.is_cancel_requested = "cancelled", datetime.now(UTC), None, True
    job.arguments = without_secrets(job.arguments)
    await versions.settle(session, job, document, state="cancelled", error=error)


async def succeed(
    session: Session,
    run: Assignment,
    document: Document,
    *,
    seconds: float,
    more: Mapping[str, float] | None = None,
) -> None:
    """The document is ready; exactly one run of its job gets to say so. `seconds` of embedding, `more` of the rest."""
    moment = datetime.now(UTC)
    document.status, document.ready_at = "ready", moment
    embedding = round(run.timings_seconds.get("embed", 0.0) + seconds, 3)
    timings = {**run.timings_seconds, "embed": embedding, **(more or {})}
    values = {
        "state": "succeeded",
        "stage": "embed",
        "finished_at": moment,
        "crashes": 0,
        **NO_ERROR,
        "timings_seconds": timings,
    }
    await session.flush()
    await hold(session, run, values)
