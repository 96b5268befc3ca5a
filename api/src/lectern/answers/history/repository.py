"""Queries for saved answers. Row-level security hides those with a document out of scope."""

import uuid
from collections.abc import Sequence
from typing import Any

from sqlalchemy import delete, insert, select, text, update

from lectern.answers.history.models import SavedAnswer
from lectern.db.pages import fetch_page
from lectern.db.session import Session

_OUTDATED = text("""
SELECT a.id FROM saved_answers AS a WHERE a.id = ANY(:ids) AND EXISTS (
    SELECT FROM document_versions AS v
    WHERE v.document_id = ANY(a.document_ids) AND v.state = 'current' AND v.current_at > a.created_at)
""")
_EXPIRED = text("DELETE FROM saved_answers WHERE created_at < now() - make_interval(days => :days)")


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
