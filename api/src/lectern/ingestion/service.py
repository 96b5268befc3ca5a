"""List, retry and cancel jobs, and describe documents for events, in the caller's transaction and scope."""

import uuid
from collections.abc import Collection
from dataclasses import replace
from datetime import datetime
from functools import partial

from pydantic import SecretStr

from lectern.accounts.audit.service import record
from lectern.accounts.principals import Principal
from lectern.db.session import Session
from lectern.documents.presentation import find_pending_versions
from lectern.http.pagination import Page, list_page_of
from lectern.ingestion import lease, repository, versions
from lectern.ingestion.schemas import DocumentEvent, DocumentJobResponse
from lectern.jobs import service as jobs
from lectern.jobs.errors import JobNotCancellable, JobNotFound, JobNotRetryable
from lectern.jobs.models import ACTIVE_STATES, Job, JobArguments
from lectern.jobs.schemas import JobResponse, progress_of
from lectern.jobs.service import INTERACTIVE, JobGroup


async def list_jobs(
    session: Session,
    *,
    group: JobGroup | None = None,
    document_id: uuid.UUID | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[DocumentJobResponse]:
    """Return a page of jobs, newest first. Jobs that need attention exclude documents in the trash.

    Raises BrokenCursor.
    """
    order = f"jobs:{group or ''}:{document_id or ''}"
    documents = repository.documents_outside_trash() if group is JobGroup.NEEDS_ATTENTION else None
    read = partial(jobs.list_jobs, session, group=group, document_id=document_id, documents=documents)
    present, keys = partial(_with_filenames, session), {"created_at": datetime, "id": uuid.UUID}
    return await list_page_of(read, present, order=order, keys=keys, cursor=cursor, limit=limit)


async def get_job(session: Session, job_id: uuid.UUID) -> DocumentJobResponse:
    """Return a job. Raises JobNotFound."""
    return (await _with_filenames(session, [await jobs.get_job(session, job_id)]))[0]


async def retry_job(
    session: Session, principal: Principal, job_id: uuid.UUID, *, password: SecretStr | None
) -> DocumentJobResponse:
    """Retry a job and record it in the audit log. Raises JobNotFound, JobNotRetryable, ReadOnly."""
    await _require_writing(session, principal, job_id)
    await retry_ingestion(session, job_id, password=password)
    await record(session, principal.actor, action="job.retry", target=f"job:{job_id}")
    return await get_job(session, job_id)


async def cancel_job(session: Session, principal: Principal, job_id: uuid.UUID) -> DocumentJobResponse:
    """Cancel a job and record it in the audit log. Raises JobNotFound, JobNotCancellable, ReadOnly."""
    await _require_writing(session, principal, job_id)
    await cancel_ingestion(session, job_id)
    await record(session, principal.actor, action="job.cancel", target=f"job:{job_id}")
    return await get_job(session, job_id)


async def retry_ingestion(session: Session, job_id: uuid.UUID, *, password: SecretStr | None = None) -> Job:
    """Queue a failed or cancelled ingestion again, with a password for its file.

    Raises:
        JobNotFound: The job is missing or outside the scope.
        JobNotRetryable: It has not failed, or the document has a newer job or version.
    """
    document, job = await lease.lock_document_and_job(session, job_id)
    if document is None or job is None:
        raise JobNotFound
    if await versions.has_newer_version(session, job):
        raise JobNotRetryable(
            "This document has a newer version.", hint="Restore this version from the versions of the document."
        )
    retried = await jobs.retry(session, job_id, priority=INTERACTIVE)
    if password:
        arguments = replace(JobArguments.from_row(job.arguments), password=password)
        await jobs.update_job(session, job_id, {"arguments": arguments.to_row()})
    await versions.reopen(session, job, document)
    document.status = "queued"
    document.clear_error()
    await session.flush()
    return retried


async def cancel_ingestion(session: Session, job_id: uuid.UUID) -> Job:
    """Cancel an ingestion at once. Its worker stops and can change nothing any more.

    A document that was ready stays ready. Any other becomes `failed` with the code `cancelled`, and keeps the keyword
    index that it has.

    Raises:
        JobNotFound: The job is missing or outside the scope.
        JobNotCancellable: It has already ended.
    """
    document, job = await lease.lock_document_and_job(session, job_id)
    if document is None or job is None:
        raise JobNotFound
    if job.state not in ACTIVE_STATES:
        raise JobNotCancellable
    await lease.end_cancelled(session, job, document)
    await jobs.abort(session, job_id)
    return job


async def list_events(session: Session, document_ids: Collection[uuid.UUID]) -> list[DocumentEvent]:
    """Describe the current state of documents. Missing documents and those outside the scope are left out."""
    documents = await repository.list_documents(session, document_ids)
    ids = [document.id for document in documents]
    latest = await jobs.find_latest_jobs(session, ids)
    newer = await find_pending_versions(session, ids)
    described = {key: JobResponse.from_row(job, progress=progress_of(job)) for key, job in latest.items()}
    return [
        DocumentEvent.from_row(
            document,
            document_id=document.id,
            newer_version=newer.get(document.id),
            job=described.get(document.id),
        )
        for document in documents
    ]


async def _require_writing(session: Session, principal: Principal, job_id: uuid.UUID) -> None:
    job = await jobs.get_job(session, job_id)
    documents = await repository.list_documents(session, [job.document_id])
    principal.require_writing_to(document.collection_id for document in documents)


async def _with_filenames(session: Session, rows: Collection[Job]) -> list[DocumentJobResponse]:
    documents = await repository.list_documents(session, {job.document_id for job in rows})
    names = {document.id: document.filename for document in documents}
    return [
        DocumentJobResponse.from_row(job, filename=names[job.document_id], progress=progress_of(job))
        for job in rows
        if job.document_id in names
    ]
