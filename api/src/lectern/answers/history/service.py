"""Answer history: save, list, rate and delete answers and their threads."""

import uuid
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any, Final

from lectern.accounts.principals import Principal
from lectern.answers.errors import AnswerNotFound, ThreadNotFound
from lectern.answers.follow_ups.threads import AskedQuestion, Thread, Turn
from lectern.answers.golden.service import add_golden_query
from lectern.answers.history import repository
from lectern.answers.history.schemas import (
    MAX_TITLE_CHARACTERS,
    Feedback,
    FeedbackResponse,
    RightPage,
    SavedAnswerEntry,
    SavedAnswerResponse,
    ThreadEntry,
    ThreadResponse,
    ThreadScope,
    ThreadUpdate,
)
from lectern.answers.models import AnswerThread, SavedAnswer
from lectern.answers.schemas import AnswerResponse
from lectern.db.scope import SYSTEM_SCOPE, Scope
from lectern.db.session import Database, Session
from lectern.http.pagination import Page, list_page_of

_MAX_TURNS: Final = 5
_MAX_ANSWERS: Final = 100


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
    return SavedAnswerResponse.from_row(row, is_outdated=is_outdated)


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
    )


async def open_thread(session: Session, scope: Scope, thread_id: uuid.UUID) -> Thread:
    """Return a thread of the actor with its last turns. Raises ThreadNotFound."""
    row = await _get_thread(session, scope.actor, thread_id)
    answers = await repository.list_thread_answers(session, thread_id, limit=_MAX_TURNS)
    return Thread(id=thread_id, scope=row.scope, turns=tuple(map(_turn, answers)))


async def save_answer(
    session: Session,
    scope: Scope,
    response: AnswerResponse,
    asked: AskedQuestion,
    documents: Collection[uuid.UUID] = (),
) -> AnswerResponse:
    """Save an answer in its thread, or in a new one, and return it with its ids.

    Reading it again requires access to every document it cites or shows, and to `documents`. If one of them was purged
    meanwhile, or the thread was deleted, the answer is not saved.
    """
    answer_id, thread_id = uuid.uuid4(), asked.thread.id or uuid.uuid4()
    data = response.data.model_copy(update={"id": answer_id, "thread_id": thread_id})
    saved = response.model_copy(update={"data": data})
    shown = {place.document_id for place in (*data.citations, *data.nearest)} | set(documents)
    if trace := response.metadata.trace:
        shown |= {one.document_id for one in (*trace.evidence, *trace.rejected) if one.document_id}
    if asked.thread.id is None:
        title = asked.original[:MAX_TITLE_CHARACTERS]
        await repository.add_thread(session, thread_id=thread_id, actor=scope.actor, title=title, scope=asked.scope)
    elif not await repository.touch_thread(session, scope.actor, thread_id, scope=asked.scope):
        return response
    is_saved = await repository.add(
        session,
        answer_id=answer_id,
        thread_id=thread_id,
        actor=scope.actor,
        question=data.question,
        response=saved.model_dump(mode="json"),
        document_ids=sorted(shown),
    )
    if not is_saved and asked.thread.id is None:
        await repository.delete_thread(session, thread_id)
    return saved if is_saved else response


async def list_threads(session: Session, actor: str, *, cursor: str | None, limit: int) -> Page[ThreadEntry]:
    """List the actor's threads, the last used first. Raises BrokenCursor."""
    read, keys = partial(repository.list_threads, session, actor), {"updated_at": datetime, "id": uuid.UUID}

    async def present(rows: Sequence[AnswerThread]) -> list[ThreadEntry]:
        counts = await repository.count_answers(session, [row.id for row in rows])
        return [_thread_entry(row, counts) for row in rows]

    return await list_page_of(read, present, order="threads", keys=keys, cursor=cursor, limit=limit)


async def get_thread(session: Session, actor: str, thread_id: uuid.UUID) -> ThreadResponse:
    """Return a thread with its answers. Raises ThreadNotFound."""
    row = await _get_thread(session, actor, thread_id)
    answers = await repository.list_thread_answers(session, thread_id, limit=_MAX_ANSWERS)
    counts = await repository.count_answers(session, [thread_id])
    outdated = await repository.list_outdated(session, answers)
    shown = [present_answer(answer, is_outdated=answer.id in outdated) for answer in answers]
    return ThreadResponse.model_validate({**dict(_thread_entry(row, counts)), "answers": shown})


async def update_thread(session: Session, actor: str, thread_id: uuid.UUID, changes: ThreadUpdate) -> ThreadEntry:
    """Rename a thread. Raises ThreadNotFound."""
    row = await _get_thread(session, actor, thread_id)
    await repository.rename_thread(session, thread_id, changes.title)
    counts = await repository.count_answers(session, [thread_id])
    return _thread_entry(row, counts).model_copy(update={"title": changes.title})


async def delete_thread(session: Session, actor: str, thread_id: uuid.UUID) -> None:
    """Delete a thread with its answers. Raises ThreadNotFound."""
    await _get_thread(session, actor, thread_id)
    await repository.delete_thread(session, thread_id)


async def _get_thread(session: Session, actor: str, thread_id: uuid.UUID) -> AnswerThread:
    row = await repository.find_thread(session, actor, thread_id)
    if row is None:
        raise ThreadNotFound
    return row


def _thread_entry(row: AnswerThread, counts: Mapping[uuid.UUID, int]) -> ThreadEntry:
    return ThreadEntry.from_row(row, scope=_scope(row.scope), answer_count=counts.get(row.id, 0))


def _scope(stored: Mapping[str, Any]) -> ThreadScope:
    tags: Mapping[str, list[str]] = stored.get("tags", {})
    named = {"tags": tags.get("any", []), "tags_all": tags.get("all", []), "tags_none": tags.get("none", [])}
    return ThreadScope.model_validate({**stored, **named})


def _turn(row: SavedAnswer) -> Turn:
    data = AnswerResponse.model_validate(row.response).data
    return Turn(
        question=data.rewritten_question or data.question,
        answer=data.answer,
        document_ids=frozenset(row.document_ids),
    )
