"""Routes of jobs and of event streams."""

import uuid
from collections.abc import AsyncGenerator
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import StreamingResponse

from lectern.accounts.authentication import is_current
from lectern.accounts.dependencies import (
    CurrentAccounts,
    CurrentDatabase,
    CurrentPrincipal,
    ScopedSession,
    Writer,
    from_app,
)
from lectern.documents.errors import DocumentNotFound
from lectern.http.page_parameters import CursorParameter, Limit
from lectern.http.pagination import Page
from lectern.http.streams import STREAM_HEADERS, mark_endless
from lectern.ingestion import service
from lectern.ingestion.event_stream import stream_events
from lectern.ingestion.schemas import DocumentJobResponse, JobRetry
from lectern.jobs.events import EventHub
from lectern.jobs.service import JobGroup

router = APIRouter(prefix="/api/v1", tags=["jobs"])

STREAM_RESPONSES: dict[int | str, dict[str, Any]] = {
    200: {"content": {"text/event-stream": {}}, "description": "Server-sent events."}
}


Events = Annotated[EventHub, from_app("events")]


@router.get("/jobs")
async def list_jobs(
    _: CurrentPrincipal,
    session: ScopedSession,
    state: Annotated[JobGroup | None, Query(description="Group of job states.")] = None,
    document_id: Annotated[uuid.UUID | None, Query(description="Only jobs of this document.")] = None,
    cursor: CursorParameter = None,
    limit: Limit = 50,
) -> Page[DocumentJobResponse]:
    """List jobs of the documents in scope, newest first."""
    return await service.list_jobs(session, group=state, document_id=document_id, cursor=cursor, limit=limit)


@router.get("/jobs/{job_id}")
async def get_job(job_id: uuid.UUID, _: CurrentPrincipal, session: ScopedSession) -> DocumentJobResponse:
    """Return one job."""
    return await service.get_job(session, job_id)


@router.post("/jobs/{job_id}/retry", status_code=202)
async def retry_job(
    job_id: uuid.UUID, principal: Writer, session: ScopedSession, body: JobRetry | None = None
) -> DocumentJobResponse:
    """Retry a failed or cancelled job."""
    return await service.retry_job(session, principal, job_id, password=body.password if body else None)


@router.post("/jobs/{job_id}/cancel")
async def cancel_job(job_id: uuid.UUID, principal: Writer, session: ScopedSession) -> DocumentJobResponse:
    """Cancel a queued or running job."""
    return await service.cancel_job(session, principal, job_id)


@router.get("/events", response_class=StreamingResponse, responses=STREAM_RESPONSES)
async def stream_all_events(
    request: Request, principal: CurrentPrincipal, database: CurrentDatabase, hub: Events, accounts: CurrentAccounts
) -> StreamingResponse:
    """Stream events of all documents in scope. The stream ends when the caller's permissions change."""
    check = partial(is_current, accounts, principal)
    return _stream(request, stream_events(hub, database, principal.scope, is_current=check))


@router.get("/documents/{document_id}/events", response_class=StreamingResponse, responses=STREAM_RESPONSES)
async def stream_document_events(
    document_id: uuid.UUID,
    request: Request,
    principal: CurrentPrincipal,
    database: CurrentDatabase,
    hub: Events,
    accounts: CurrentAccounts,
) -> StreamingResponse:
    """Stream events of one document. The stream ends when the caller's permissions change."""
    async with database.session(principal.scope) as session:
        if not await service.list_events(session, [document_id]):
            raise DocumentNotFound
    check = partial(is_current, accounts, principal)
    events = stream_events(hub, database, principal.scope, is_current=check, document_id=document_id)
    return _stream(request, events)


def _stream(request: Request, events: AsyncGenerator[str]) -> StreamingResponse:
    mark_endless(request)
    return StreamingResponse(events, media_type="text/event-stream", headers=STREAM_HEADERS)
