"""`/answers`: the history of the one who asks."""

import uuid
from typing import Annotated, Literal

from fastapi import APIRouter, Query

from lectern.accounts.dependencies import CurrentPrincipal, ScopedSession
from lectern.answers.history import service
from lectern.answers.history.schemas import Feedback, FeedbackResponse, SavedAnswerEntry, SavedAnswerResponse
from lectern.http.pagination import CursorParameter, Limit, Page

router = APIRouter(tags=["answers"])


@router.get("/answers")
async def list_answers(
    principal: CurrentPrincipal, session: ScopedSession, cursor: CursorParameter = None, limit: Limit = 50
) -> Page[SavedAnswerEntry]:
    """Your questions and their answers, newest first. Nobody else can read them, administrators included.

    An answer is shown as long as you may see every document that it cites, and goes when one of them is purged.
    """
    return await service.list_answers(session, principal.actor, cursor=cursor, limit=limit)


@router.delete("/answers", status_code=204)
async def delete_answers(
    principal: CurrentPrincipal,
    session: ScopedSession,
    confirm: Annotated[Literal["true"], Query(description="So that nothing is forgotten by mistake.")],
) -> None:
    """Forget your whole history."""
    assert confirm
    await service.forget_all(session, principal.actor)


@router.get("/answers/{answer_id}")
async def get_answer(answer_id: uuid.UUID, principal: CurrentPrincipal, session: ScopedSession) -> SavedAnswerResponse:
    """An answer as it was given."""
    return await service.get_answer(session, principal.actor, answer_id)


@router.delete("/answers/{answer_id}", status_code=204)
async def delete_answer(answer_id: uuid.UUID, principal: CurrentPrincipal, session: ScopedSession) -> None:
    """Forget one answer."""
    await service.forget_answer(session, principal.actor, answer_id)


@router.put("/answers/{answer_id}/feedback")
async def put_answer_feedback(
    answer_id: uuid.UUID, given: Feedback, principal: CurrentPrincipal, session: ScopedSession
) -> FeedbackResponse:
    """Say whether an answer helped.

    The place that is right (`right`, or the first citation of a helpful answer) becomes a golden query.
    """
    return await service.give_feedback(session, principal.actor, answer_id, given=given)
