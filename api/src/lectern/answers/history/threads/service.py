"""Threads: open for a follow-up question, save its answer, list, rename, delete."""

import uuid
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any, Final

from lectern.answers.errors import ThreadNotFound
from lectern.answers.follow_ups.threads import AskedQuestion, Thread, Turn
from lectern.answers.history import repository as history_repository
from lectern.answers.history.models import AnswerThread, SavedAnswer
from lectern.answers.history.schemas import SavedAnswerResponse
from lectern.answers.history.service import present_answer
from lectern.answers.history.threads import repository
from lectern.answers.history.threads.schemas import (
    MAX_TITLE_CHARACTERS,
    ThreadEntry,
    ThreadResponse,
    ThreadScope,
    ThreadUpdate,
)
from lectern.answers.schemas import AnswerResponse
from lectern.db.scope import Scope
from lectern.db.session import Session
from lectern.http.pagination import Page, list_page_of

_MAX_TURNS: Final = 5
_MAX_ANSWERS: Final = 100


async def open_thread(session: Session, scope: Scope, thread_id: uuid.UUID) -> Thread:
    """Return a thread of the actor with its last turns. Raises ThreadNotFound."""
    row = await _get(session, scope.actor, thread_id)
    answers = await repository.list_answers(session, thread_id, limit=_MAX_TURNS)
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
        await repository.add(session, thread_id=thread_id, actor=scope.actor, title=title, scope=asked.scope)
    elif not await repository.touch(session, scope.actor, thread_id, scope=asked.scope):
        return response
    is_saved = await history_repository.add(
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
        return [_entry(row, counts) for row in rows]

    return await list_page_of(read, present, order="threads", keys=keys, cursor=cursor, limit=limit)


async def get_thread(session: Session, actor: str, thread_id: uuid.UUID) -> ThreadResponse:
    """Return a thread with its answers. Raises ThreadNotFound."""
    row = await _get(session, actor, thread_id)
    answers = await repository.list_answers(session, thread_id, limit=_MAX_ANSWERS)
    counts = await repository.count_answers(session, [thread_id])
    entry = _entry(row, counts)
    return ThreadResponse.model_validate({**dict(entry), "answers": await _present(session, answers)})


async def update_thread(session: Session, actor: str, thread_id: uuid.UUID, changes: ThreadUpdate) -> ThreadEntry:
    """Rename a thread. Raises ThreadNotFound."""
    row = await _get(session, actor, thread_id)
    await repository.rename(session, thread_id, changes.title)
    counts = await repository.count_answers(session, [thread_id])
    return _entry(row, counts).model_copy(update={"title": changes.title})


async def delete_thread(session: Session, actor: str, thread_id: uuid.UUID) -> None:
    """Delete a thread with its answers. Raises ThreadNotFound."""
    await _get(session, actor, thread_id)
    await repository.delete_thread(session, thread_id)


async def _get(session: Session, actor: str, thread_id: uuid.UUID) -> AnswerThread:
    row = await repository.find(session, actor, thread_id)
    if row is None:
        raise ThreadNotFound
    return row


async def _present(session: Session, answers: list[SavedAnswer]) -> list[SavedAnswerResponse]:
    outdated = await history_repository.list_outdated(session, answers)
    return [present_answer(answer, is_outdated=answer.id in outdated) for answer in answers]


def _entry(row: AnswerThread, counts: Mapping[uuid.UUID, int]) -> ThreadEntry:
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
