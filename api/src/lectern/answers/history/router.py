"""`/answers` and `/threads`: your saved answers, and those that follow each other."""

import uuid
from typing import Annotated, Literal

from fastapi import APIRouter, Query

from lectern.accounts.dependencies import CurrentPrincipal, ScopedSession
from lectern.answers.history import service
from lectern.answers.history.schemas import (
    Feedback,
    FeedbackResponse,
    SavedAnswerEntry,
    SavedAnswerResponse,
    ThreadEntry,
    ThreadResponse,
    ThreadUpdate,
)
from lectern.documents.chunks import API_PREFIX
from lectern.http.page_parameters import CursorParameter, Limit
from lectern.http.pagination import Page

router = APIRouter(prefix=API_PREFIX, tags=["answers"])


@router.get("/answers")
async def list_answers(
    principal: CurrentPrincipal, session: ScopedSession, cursor: CursorParameter = None, limit: Limit = 50
) -> Page[SavedAnswerEntry]:
    """List your questions and answers, newest first. Nobody else can read them, not even administrators.

    An answer is visible while you may read every document it cites. Purging one of them deletes the answer.
    """
    return await service.list_answers(session, principal.actor, cursor=cursor, limit=limit)


@router.delete("/answers", status_code=204)
async def delete_answers(
    principal: CurrentPrincipal,
    session: ScopedSession,
    confirm: Annotated[Literal["true"], Query(description="Confirms that all answers are deleted.")],
) -> None:
    """Delete your whole history."""
    assert confirm
    await service.delete_all(session, principal.actor)


@router.get("/answers/{answer_id}")
async def get_answer(answer_id: uuid.UUID, principal: CurrentPrincipal, session: ScopedSession) -> SavedAnswerResponse:
    """Get a saved answer."""
    return await service.get_answer(session, principal.actor, answer_id)


@router.delete("/answers/{answer_id}", status_code=204)
async def delete_answer(answer_id: uuid.UUID, principal: CurrentPrincipal, session: ScopedSession) -> None:
    """Delete one answer."""
    await service.delete_answer(session, principal.actor, answer_id)


@router.put("/answers/{answer_id}/feedback")
async def put_answer_feedback(
    answer_id: uuid.UUID, given: Feedback, principal: CurrentPrincipal, session: ScopedSession
) -> FeedbackResponse:
    """Rate an answer.

    The page with the answer becomes a golden query: `right`, or the first citation of a helpful answer.
    A read-only API key can store a verdict, but cannot create golden queries.
    """
    return await service.give_feedback(session, principal, answer_id, given=given)


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
