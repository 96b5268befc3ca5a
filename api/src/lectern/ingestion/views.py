"""Jobs and news of documents within the caller's scope, for the router."""

import uuid
from collections.abc import Collection
from datetime import datetime

from lectern.accounts.audit.service import record
from lectern.accounts.principals import Principal
from lectern.db.session import Session
from lectern.documents.presentation import find_newer_versions
from lectern.http.pagination import Page, decode_cursor, encode_cursor
from lectern.ingestion import repository
from lectern.ingestion.schemas import DocumentEvent, DocumentJobResponse, JobRetry
from lectern.ingestion.service import cancel_ingestion, retry_ingestion
from lectern.jobs import service as jobs
from lectern.jobs.models import Job
from lectern.jobs.schemas import job_fields, job_response
from lectern.jobs.service import JobGroup


async def list_jobs(
    session: Session,
    *,
    group: JobGroup | None = None,
    document_id: uuid.UUID | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[DocumentJobResponse]:
    """A page of jobs, newest first; none of documents in the trash among those that need attention.

    Raises BrokenCursor.
    """
    order = f"jobs:{group or ''}:{document_id or ''}"
    before = _position(cursor, order) if cursor else None
    of = repository.documents_outside_trash() if group is JobGroup.NEEDS_ATTENTION else None
    found, total = await jobs.list_jobs(
        session, group=group, document_id=document_id, of=of, before=before, limit=limit + 1
    )
    shown = found[:limit]
    next_cursor = encode_cursor(order, [shown[-1].created_at, shown[-1].id]) if len(found) > limit else None
    return Page(items=await _with_names(session, shown), next_cursor=next_cursor, total=total)


def _position(cursor: str, order: str) -> tuple[datetime, uuid.UUID]:
    moment, job_id = decode_cursor(cursor, order=order, types=(datetime, uuid.UUID))
    return moment, job_id


async def get_job(session: Session, job_id: uuid.UUID) -> DocumentJobResponse:
    """Raises JobNotFound."""
    return (await _with_names(session, [await jobs.get_job(session, job_id)]))[0]


async def retry_job(
    session: Session, principal: Principal, job_id: uuid.UUID, *, wanted: JobRetry | None
) -> DocumentJobResponse:
    """Raises JobNotFound, JobNotRetryable, ReadOnly."""
    await _require_writing(session, principal, job_id)
    arguments = {"password": wanted.password.get_secret_value()} if wanted and wanted.password else {}
    await retry_ingestion(session, job_id, arguments=arguments)
    await record(session, principal.actor, action="job.retry", target=f"job:{job_id}")
    return await get_job(session, job_id)


async def cancel_job(session: Session, principal: Principal, job_id: uuid.UUID) -> DocumentJobResponse:
    """Raises JobNotFound, JobNotCancellable, ReadOnly."""
    await _require_writing(session, principal, job_id)
    await cancel_ingestion(session, job_id)
    await record(session, principal.actor, action="job.cancel", target=f"job:{job_id}")
    return await get_job(session, job_id)


async def list_news(session: Session, document_ids: Collection[uuid.UUID]) -> list[DocumentEvent]:
    """Where these documents stand; those outside the scope and those that are gone are left out."""
    documents = await repository.list_documents(session, document_ids)
    ids = [document.id for document in documents]
    latest = await jobs.find_latest_jobs(session, ids)
    newer = await find_newer_versions(session, ids)
    return [
        DocumentEvent(
            document_id=document.id,
            newer_version=newer.get(document.id),
            job=job_response(latest[document.id]) if document.id in latest else None,
            **{
                name: getattr(document, name)
                for name in DocumentEvent.model_fields
                if name not in {"document_id", "newer_version", "job"}
            },
        )
        for document in documents
    ]


async def _require_writing(session: Session, principal: Principal, job_id: uuid.UUID) -> None:
    job = await jobs.get_job(session, job_id)
    documents = await repository.list_documents(session, [job.document_id])
    principal.require_writing_to(document.collection_id for document in documents)


async def _with_names(session: Session, found: Collection[Job]) -> list[DocumentJobResponse]:
    documents = await repository.list_documents(session, {job.document_id for job in found})
    names = {document.id: document.filename for document in documents}
    return [
        DocumentJobResponse(filename=names[job.document_id], **job_fields(job))
        for job in found
        if job.document_id in names
    ]
