"""Queries for saved answers and their threads.

Row-level security hides answers with a document out of scope. Threads without an answer that the actor may read are
left out.
"""

import uuid
from collections.abc import Sequence
from typing import Any

from sqlalchemy import delete, exists, func, insert, select, text, update

from lectern.answers.models import AnswerThread, SavedAnswer
from lectern.db.pages import fetch_page
from lectern.db.session import Session

_OUTDATED = text("""
SELECT a.id FROM saved_answers AS a WHERE a.id = ANY(:ids) AND EXISTS (
    SELECT FROM document_versions AS v
    WHERE v.document_id = ANY(a.document_ids) AND v.state = 'current' AND v.current_at > a.created_at)
""")
_EXPIRED = text("DELETE FROM saved_answers WHERE created_at < now() - make_interval(days => :days)")
_IS_VISIBLE = exists().where(SavedAnswer.thread_id == AnswerThread.id)


async def add(
    session: Session,
    *,
    answer_id: uuid.UUID,
    thread_id: uuid.UUID,
    actor: str,
    question: str,
    response: dict[str, Any],
    document_ids: Sequence[uuid.UUID],
) -> bool:
    """Insert an answer. Returns False if one of its documents was purged meanwhile."""
    values = {
        "id": answer_id,
        "thread_id": thread_id,
        "actor": actor,
        "question": question,
        "response": response,
        "document_ids": list(document_ids),
    }
    inserted = await session.execute(insert(SavedAnswer).values(values).returning(SavedAnswer.id))
    return inserted.scalar_one_or_none() is not None


async def list_outdated(session: Session, answers: Sequence[SavedAnswer]) -> set[uuid.UUID]:
    """Return the answers with a document that has a newer version."""
    ids = [answer.id for answer in answers]
    return set((await session.execute(_OUTDATED, {"ids": ids})).scalars()) if ids else set()


async def list_answers(
    session: Session, actor: str, *, after: Sequence[Any] | None, limit: int
) -> tuple[Sequence[SavedAnswer], int]:
    """Return answers, newest first, and their total."""
    query, keys = select(SavedAnswer).where(SavedAnswer.actor == actor), (SavedAnswer.created_at, SavedAnswer.id)
    return await fetch_page(session, query, *keys, after=after, limit=limit, is_descending=True)


async def find(session: Session, actor: str, answer_id: uuid.UUID) -> SavedAnswer | None:
    """Return an answer of the actor."""
    query = select(SavedAnswer).where(SavedAnswer.actor == actor, SavedAnswer.id == answer_id)
    return (await session.scalars(query)).one_or_none()


async def set_verdict(session: Session, answer_id: uuid.UUID, verdict: str | None) -> None:
    """Store a verdict, or remove it."""
    await session.execute(update(SavedAnswer).where(SavedAnswer.id == answer_id).values(verdict=verdict))


async def delete_answers(session: Session, actor: str, answer_id: uuid.UUID | None) -> int:
    """Delete one answer of the actor, or all of them. Returns their number."""
    query = delete(SavedAnswer).where(SavedAnswer.actor == actor)
    if answer_id is not None:
        query = query.where(SavedAnswer.id == answer_id)
    return len((await session.execute(query.returning(SavedAnswer.id))).all())


async def delete_expired(session: Session, *, days: int) -> None:
    """Delete the expired answers of every actor, in a system session."""
    await session.execute(_EXPIRED, {"days": days})


async def add_thread(session: Session, *, thread_id: uuid.UUID, actor: str, title: str, scope: dict[str, Any]) -> None:
    """Insert a thread."""
    await session.execute(insert(AnswerThread).values(id=thread_id, actor=actor, title=title, scope=scope))


async def touch_thread(session: Session, actor: str, thread_id: uuid.UUID, *, scope: dict[str, Any]) -> bool:
    """Store the filters and the time of the last question. Returns False if the thread was deleted."""
    where = AnswerThread.actor == actor, AnswerThread.id == thread_id
    changed = update(AnswerThread).where(*where).values(scope=scope, updated_at=func.now())
    return (await session.execute(changed.returning(AnswerThread.id))).scalar_one_or_none() is not None


async def list_threads(
    session: Session, actor: str, *, after: Sequence[Any] | None, limit: int
) -> tuple[Sequence[AnswerThread], int]:
    """Return threads, the last used first, and their total."""
    query = select(AnswerThread).where(AnswerThread.actor == actor, _IS_VISIBLE)
    keys = (AnswerThread.updated_at, AnswerThread.id)
    return await fetch_page(session, query, *keys, after=after, limit=limit, is_descending=True)


async def find_thread(session: Session, actor: str, thread_id: uuid.UUID) -> AnswerThread | None:
    """Return a thread of the actor."""
    query = select(AnswerThread).where(AnswerThread.actor == actor, AnswerThread.id == thread_id, _IS_VISIBLE)
    return (await session.scalars(query)).one_or_none()


async def count_answers(session: Session, thread_ids: Sequence[uuid.UUID]) -> dict[uuid.UUID, int]:
    """Return the number of answers of each thread."""
    query = select(SavedAnswer.thread_id, func.count()).where(SavedAnswer.thread_id.in_(thread_ids))
    rows = await session.execute(query.group_by(SavedAnswer.thread_id))
    return {row[0]: row[1] for row in rows}


async def list_thread_answers(session: Session, thread_id: uuid.UUID, *, limit: int) -> list[SavedAnswer]:
    """Return the last answers of a thread, oldest first."""
    query = select(SavedAnswer).where(SavedAnswer.thread_id == thread_id)
    query = query.order_by(SavedAnswer.created_at.desc(), SavedAnswer.id.desc()).limit(limit)
    return list(reversed((await session.scalars(query)).all()))


async def rename_thread(session: Session, thread_id: uuid.UUID, title: str) -> None:
    """Store a title."""
    await session.execute(update(AnswerThread).where(AnswerThread.id == thread_id).values(title=title))


async def delete_thread(session: Session, thread_id: uuid.UUID) -> None:
    """Delete a thread with its answers."""
    await session.execute(delete(AnswerThread).where(AnswerThread.id == thread_id))
