"""`/threads`: your questions and answers that follow each other."""

import uuid

from fastapi import APIRouter

from lectern.accounts.dependencies import CurrentPrincipal, ScopedSession
from lectern.answers.history.threads import service
from lectern.answers.history.threads.schemas import ThreadEntry, ThreadResponse, ThreadUpdate
from lectern.documents.chunks import API_PREFIX
from lectern.http.page_parameters import CursorParameter, Limit
from lectern.http.pagination import Page

router = APIRouter(prefix=API_PREFIX, tags=["answers"])


@router.get("/threads")
async def list_threads(
    principal: CurrentPrincipal, session: ScopedSession, cursor: CursorParameter = None, limit: Limit = 50
) -> Page[ThreadEntry]:
    """List your threads, the last used first. Nobody else can read them, not even administrators.

    A thread is visible while you may read one of its answers. `POST /answers` begins and continues threads.
    """
    return await service.list_threads(session, principal.actor, cursor=cursor, limit=limit)


@router.get("/threads/{thread_id}")
async def get_thread(thread_id: uuid.UUID, principal: CurrentPrincipal, session: ScopedSession) -> ThreadResponse:
    """Get a thread with those of its answers that you may read."""
    return await service.get_thread(session, principal.actor, thread_id)


@router.patch("/threads/{thread_id}")
async def update_thread(
    thread_id: uuid.UUID, body: ThreadUpdate, principal: CurrentPrincipal, session: ScopedSession
) -> ThreadEntry:
    """Rename a thread."""
    return await service.update_thread(session, principal.actor, thread_id, body)


@router.delete("/threads/{thread_id}", status_code=204)
async def delete_thread(thread_id: uuid.UUID, principal: CurrentPrincipal, session: ScopedSession) -> None:
    """Delete a thread with its answers."""
    await service.delete_thread(session, principal.actor, thread_id)
