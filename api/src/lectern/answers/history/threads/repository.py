"""Queries for threads. Those without an answer that the actor may read are left out."""

import uuid
from collections.abc import Sequence
from typing import Any

from sqlalchemy import delete, exists, func, insert, select, update

from lectern.answers.history.models import AnswerThread, SavedAnswer
from lectern.db.pages import fetch_page
from lectern.db.session import Session

_IS_VISIBLE = exists().where(SavedAnswer.thread_id == AnswerThread.id)


async def add(session: Session, *, thread_id: uuid.UUID, actor: str, title: str, scope: dict[str, Any]) -> None:
    """Insert a thread."""
    await session.execute(insert(AnswerThread).values(id=thread_id, actor=actor, title=title, scope=scope))


async def touch(session: Session, actor: str, thread_id: uuid.UUID, *, scope: dict[str, Any]) -> bool:
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


async def find(session: Session, actor: str, thread_id: uuid.UUID) -> AnswerThread | None:
    """Return a thread of the actor."""
    query = select(AnswerThread).where(AnswerThread.actor == actor, AnswerThread.id == thread_id, _IS_VISIBLE)
    return (await session.scalars(query)).one_or_none()


async def count_answers(session: Session, thread_ids: Sequence[uuid.UUID]) -> dict[uuid.UUID, int]:
    """Return the number of answers of each thread."""
    query = select(SavedAnswer.thread_id, func.count()).where(SavedAnswer.thread_id.in_(thread_ids))
    rows = await session.execute(query.group_by(SavedAnswer.thread_id))
    return {row[0]: row[1] for row in rows}


async def list_answers(session: Session, thread_id: uuid.UUID, *, limit: int) -> list[SavedAnswer]:
    """Return the last answers of a thread, oldest first."""
    query = select(SavedAnswer).where(SavedAnswer.thread_id == thread_id)
    query = query.order_by(SavedAnswer.created_at.desc(), SavedAnswer.id.desc()).limit(limit)
    return list(reversed((await session.scalars(query)).all()))


async def rename(session: Session, thread_id: uuid.UUID, title: str) -> None:
    """Store a title."""
    await session.execute(update(AnswerThread).where(AnswerThread.id == thread_id).values(title=title))


async def delete_thread(session: Session, thread_id: uuid.UUID) -> None:
    """Delete a thread with its answers."""
    await session.execute(delete(AnswerThread).where(AnswerThread.id == thread_id))
