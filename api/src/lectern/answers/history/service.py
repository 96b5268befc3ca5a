"""Answer history: list, rate, delete."""

import uuid
from collections.abc import Sequence
from datetime import datetime
from functools import partial

from lectern.accounts.principals import Principal
from lectern.answers.errors import AnswerNotFound
from lectern.answers.golden.service import add_golden_query
from lectern.answers.history import repository
from lectern.answers.history.models import SavedAnswer
from lectern.answers.history.schemas import (
    Feedback,
    FeedbackResponse,
    RightPage,
    SavedAnswerEntry,
    SavedAnswerResponse,
    Verdict,
)
from lectern.answers.schemas import AnswerResponse
from lectern.db.scope import SYSTEM_SCOPE
from lectern.db.session import Database, Session
from lectern.http.pagination import Page, list_page_of


async def list_answers(session: Session, actor: str, *, cursor: str | None, limit: int) -> Page[SavedAnswerEntry]:
    """List the actor's answers, newest first. Raises BrokenCursor."""
    read, keys = partial(repository.list_answers, session, actor), {"created_at": datetime, "id": uuid.UUID}

    async def present(rows: Sequence[SavedAnswer]) -> list[SavedAnswerEntry]:
        outdated = await repository.list_outdated(session, rows)
        return [_entry(row, is_outdated=row.id in outdated) for row in rows]

    return await list_page_of(read, present, order="answers", keys=keys, cursor=cursor, limit=limit)


async def get_answer(session: Session, actor: str, answer_id: uuid.UUID) -> SavedAnswerResponse:
    """Return a saved answer. Raises AnswerNotFound."""
    row = await _get(session, actor, answer_id)
    return present_answer(row, is_outdated=bool(await repository.list_outdated(session, [row])))


def present_answer(row: SavedAnswer, *, is_outdated: bool) -> SavedAnswerResponse:
    """Return a saved answer as clients see it."""
    response = AnswerResponse.model_validate(row.response)
    data = response.data.model_copy(update={"thread_id": row.thread_id})  # Older answers do not hold it.
    return SavedAnswerResponse(
        id=row.id,
        is_outdated=is_outdated,
        verdict=_verdict(row),
        created_at=row.created_at,
        response=response.model_copy(update={"data": data}),
    )


async def delete_answer(session: Session, actor: str, answer_id: uuid.UUID) -> None:
    """Delete a saved answer. Raises AnswerNotFound."""
    if not await repository.delete_answers(session, actor, answer_id):
        raise AnswerNotFound


async def delete_all(session: Session, actor: str) -> None:
    """Delete the whole history of the actor."""
    await repository.delete_answers(session, actor, None)


async def give_feedback(
    session: Session, principal: Principal, answer_id: uuid.UUID, *, given: Feedback
) -> FeedbackResponse:
    """Store a verdict and make the right page a golden query.

    Raises:
        AnswerNotFound: The actor's history has no such answer.
        UnknownDocument, PageNotFound: The right page does not exist in scope.
        ReadOnly: A read-only key named the right page.
    """
    row = await _get(session, principal.actor, answer_id)
    if given.right is not None:
        principal.require_person_or_writing()
    await repository.set_verdict(session, answer_id, given.verdict)
    can_mark = principal.kind == "user" or principal.scope.can_write
    right = given.right or (_first_cited(row) if given.verdict == "helpful" and can_mark else None)
    golden = None
    if right is not None:
        golden = await add_golden_query(
            session,
            principal.actor,
            query=_standalone_question(row),
            document=right.document,
            page_number=right.page_number,
        )
    return FeedbackResponse(id=answer_id, verdict=given.verdict, golden_query_id=golden and golden.id)


async def delete_expired(database: Database, *, days: int) -> None:
    """Delete answers older than the retention period. 0 disables deletion."""
    if days:
        async with database.session(SYSTEM_SCOPE) as session:
            await repository.delete_expired(session, days=days)


async def _get(session: Session, actor: str, answer_id: uuid.UUID) -> SavedAnswer:
    row = await repository.find(session, actor, answer_id)
    if row is None:
        raise AnswerNotFound
    return row


def _standalone_question(row: SavedAnswer) -> str:
    return AnswerResponse.model_validate(row.response).data.rewritten_question or row.question


def _first_cited(row: SavedAnswer) -> RightPage | None:
    """Return the page of the first citation of a chunk. Counts have none."""
    citations = AnswerResponse.model_validate(row.response).data.citations
    place = next((one for one in citations if one.chunk_id is not None), None)
    return place and RightPage(document=str(place.document_id), page_number=place.page_number)


def _entry(row: SavedAnswer, *, is_outdated: bool) -> SavedAnswerEntry:
    response = AnswerResponse.model_validate(row.response)
    return SavedAnswerEntry.from_row(
        row,
        answer=response.data.answer,
        outcome=response.data.outcome,
        answer_found=response.data.answer_found,
        mode=response.metadata.mode,
        citation_count=len(response.data.citations),
        is_outdated=is_outdated,
        verdict=_verdict(row),
    )


def _verdict(row: SavedAnswer) -> Verdict | None:
    return "helpful" if row.verdict == "helpful" else "wrong" if row.verdict else None
