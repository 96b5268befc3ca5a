"""Requeue jobs whose worker died or whose queue entry is lost. Fail them after too many crashes."""

import logging
import uuid
from collections.abc import Collection
from typing import Final

from lectern.db.scope import SYSTEM_SCOPE
from lectern.db.session import Database, Session
from lectern.ingestion import lease, repository
from lectern.ingestion.errors import CrashedWorker
from lectern.ingestion.retry import MAX_TRIES
from lectern.jobs import service as jobs
from lectern.jobs.models import ACTIVE_STATES, Job, StalledJob

logger = logging.getLogger(__name__)

RECOVERY_SECONDS: Final = 5.0


async def recover_jobs(
    database: Database, *, heartbeat_seconds: float, max_attempts: int = 3, lost_workers: Collection[int] = ()
) -> list[uuid.UUID]:
    """Requeue every stalled job, each in one transaction. Several workers may do so at once.

    `lost_workers` are earlier worker ids of this process. Losing its connection is no crash.
    """
    async with database.session(SYSTEM_SCOPE) as session:
        stalled = await jobs.list_stalled(session, heartbeat_seconds=heartbeat_seconds, lost_workers=lost_workers)
    recovered: list[uuid.UUID] = []
    for one in stalled:
        async with database.session(SYSTEM_SCOPE) as session:
            if await _recover(session, one, max_attempts=max_attempts):
                recovered.append(one.job_id)
    return recovered


async def _recover(session: Session, stalled: StalledJob, *, max_attempts: int) -> bool:
    document, job = await lease.lock_document_and_job(session, stalled.job_id)
    if document is None or job is None or job.state not in ACTIVE_STATES or job.queue_id != stalled.queue_id:
        return False
    if stalled.queue_id is not None:
        await jobs.delete_entry(session, stalled.queue_id)
    job.max_attempts = max_attempts
    job.crashes += stalled.is_crashed
    job.attempts += stalled.is_lost  # a job that nobody can claim must not be requeued for ever
    extra = {"job_id": str(job.id), "document_id": str(document.id), "crashes": job.crashes, "stage": job.stage}
    if job.crashes >= max_attempts or job.attempts >= MAX_TRIES:
        crashes = max(job.crashes, job.attempts)
        error = CrashedWorker(f"This file ended its worker {crashes} times.", details={"crashes": crashes})
        await lease.end_failed(session, job, document, error)
        logger.error("A job crashed its worker too often", extra=extra)
        return True
    await _requeue(session, job, size_bytes=document.size_bytes, chunk_count=document.chunk_count)
    logger.warning("Recovered a stalled job", extra=extra)
    return True


async def _requeue(session: Session, job: Job, *, size_bytes: int, chunk_count: int) -> None:
    job.state, job.queue_id = "queued", None
    await session.flush()
    lane = lease.lane_of(job.stage, size_bytes=size_bytes, crashes=job.crashes)
    rank = lease.rank_of(job.stage, priority=job.priority, chunk_count=chunk_count)
    await jobs.put_in_lane(session, job.id, lane, rank=rank)


async def delete_stale_work(session: Session) -> None:
    """Delete checkpoints, staged embeddings and queue entries that no active job owns (system scope)."""
    await repository.delete_work_of_ended_jobs(session)
    await jobs.delete_orphaned_entries(session)
