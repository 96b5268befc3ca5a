"""Jobs whose worker died, or that fell out of the queue, are queued again; after too many crashes they fail."""

import logging
import uuid
from collections.abc import Collection
from typing import Final

from lectern.db.scope import SYSTEM_SCOPE
from lectern.db.session import Database, Session
from lectern.ingestion import lease
from lectern.ingestion.errors import CrashedWorker
from lectern.ingestion.retry import MAX_TRIES
from lectern.jobs import entries
from lectern.jobs.entries import Stalled
from lectern.jobs.models import Job

logger = logging.getLogger(__name__)

RESCUE_SECONDS: Final = 5.0


async def rescue_jobs(
    database: Database, *, heartbeat_seconds: float, max_attempts: int = 3, lost_workers: Collection[int] = ()
) -> list[uuid.UUID]:
    """Put every stalled job back, each in a transaction of its own; any number of workers may do so at once.

    `lost_workers` are ids under which this process worked before it lost its connection: that was nobody's crash.
    """
    async with database.session(SYSTEM_SCOPE) as session:
        stalled = await entries.list_stalled(session, heartbeat_seconds=heartbeat_seconds, lost_workers=lost_workers)
    rescued: list[uuid.UUID] = []
    for one in stalled:
        async with database.session(SYSTEM_SCOPE) as session:
            if await _rescue(session, one, max_attempts=max_attempts):
                rescued.append(one.job_id)
    return rescued


async def _rescue(session: Session, stalled: Stalled, *, max_attempts: int) -> bool:
    document, job = await lease.locked_pair(session, stalled.job_id)
    if document is None or job is None or job.state not in entries.ACTIVE or job.queue_id != stalled.queue_id:
        return False
    if stalled.queue_id is not None:
        await entries.remove_entry(session, stalled.queue_id)
    job.max_attempts = max_attempts
    job.crashes += stalled.is_crash
    job.attempts += stalled.is_loss  # a job that cannot even be taken on must not go round for ever
    extra = {"job_id": str(job.id), "document_id": str(document.id), "crashes": job.crashes, "stage": job.stage}
    if job.crashes >= max_attempts or job.attempts >= MAX_TRIES:
        crashes = max(job.crashes, job.attempts)
        error = CrashedWorker(f"Working on this file ended its worker {crashes} times.", details={"crashes": crashes})
        await lease.settle_failed(session, job, document, error)
        logger.error("A job ended its worker too often", extra=extra)
        return True
    await _requeue(session, job, size_bytes=document.size_bytes, chunk_count=document.chunk_count)
    logger.warning("A stalled job was rescued", extra=extra)
    return True


async def _requeue(session: Session, job: Job, *, size_bytes: int, chunk_count: int) -> None:
    job.state, job.queue_id = "queued", None
    await session.flush()
    lane = lease.lane_of(job.stage, size_bytes=size_bytes, crashes=job.crashes)
    rank = lease.embedding_rank(job.priority, chunk_count) if job.stage == "embed" else job.priority
    await entries.put_entry(session, job.id, lane=lane, task=lane.task, rank=rank)
