"""Cancel and retry an ingestion: the job and what it means for its document, in the caller's transaction and scope."""

import uuid
from collections.abc import Mapping
from typing import Any

from lectern.db.session import Session
from lectern.ingestion import lease, versions
from lectern.jobs import entries
from lectern.jobs import service as jobs
from lectern.jobs.errors import JobNotCancellable, JobNotFound, JobNotRetryable
from lectern.jobs.models import Job
from lectern.jobs.service import INTERACTIVE


async def cancel_ingestion(session: Session, job_id: uuid.UUID) -> Job:
    """End an ingestion at once; whoever is working on it is told to stop and changes nothing any more.

    A document that was ready before stays ready; another becomes `failed` with the code `cancelled`, and what is
    indexed of it by then can be found by keyword.

    Raises:
        JobNotFound: There is none, or it is outside the scope.
        JobNotCancellable: It has ended already.
    """
    document, job = await lease.locked_pair(session, job_id)
    if document is None or job is None:
        raise JobNotFound
    if job.state not in entries.ACTIVE:
        raise JobNotCancellable
    await lease.settle_cancelled(session, job, document)
    await entries.abort_entry(session, job_id)
    return job


async def retry_ingestion(session: Session, job_id: uuid.UUID, *, arguments: Mapping[str, Any] | None = None) -> Job:
    """Queue a failed or cancelled ingestion again; `arguments` are added, a password for example.

    Raises:
        JobNotFound: There is none, or it is outside the scope.
        JobNotRetryable: It has not failed, a newer one is at work, or a newer version of the document came since.
    """
    document, job = await lease.locked_pair(session, job_id)
    if document is None or job is None:
        raise JobNotFound
    if await versions.has_newer(session, job):
        raise JobNotRetryable(
            "A newer version of this document came since.", hint="Restore this version from the document's versions."
        )
    retried = await jobs.retry(session, job_id, priority=INTERACTIVE)
    if arguments:
        await entries.change_job(session, job_id, {"arguments": {**job.arguments, **arguments}})
    await versions.reopen(session, job, document)
    document.status = "queued"
    document.clear_error()
    await session.flush()
    return retried
