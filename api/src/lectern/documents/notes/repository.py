"""Queries for notes. Row-level security hides private notes of others, and those of documents out of scope."""

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Integer, and_, cast, delete, func, insert, literal, or_, select, update

from lectern.db.pages import fetch_page
from lectern.db.session import Session
from lectern.documents.models import Document, Note


async def find_version(session: Session, document_id: uuid.UUID) -> int | None:
    """Return the number of the current version, None without such a document."""
    return await session.scalar(select(Document.version).where(Document.id == document_id))


async def list_notes(
    session: Session, actor: str, document_id: uuid.UUID, *, after: Sequence[Any] | None, limit: int
) -> tuple[Sequence[Note], int]:
    """Return the notes of the actor and those that are shared, in reading order, and their total.

    Sessions of administrators are not limited by row-level security.
    """
    query = select(Note).where(Note.document_id == document_id, or_(Note.is_shared, Note.author == actor))
    return await fetch_page(session, query, Note.char_start, Note.id, after=after, limit=limit)


async def search_notes(
    session: Session, actor: str, words: Sequence[str], *, limit: int
) -> tuple[list[tuple[Note, Document]], int]:
    """Return the visible notes with at least half of the words in text or quote, the best first, and their total.

    A note has a word if one of its own begins with it. Numbers match exactly.
    """
    patterns = [rf"\m{word}\M" if word.isdecimal() else rf"\m{word}" for word in words]
    text = func.lower(Note.text + "\n" + Note.quote)
    matched = sum((cast(text.regexp_match(pattern), Integer) for pattern in patterns), start=literal(0))
    wanted = and_(or_(Note.is_shared, Note.author == actor), Document.deleted_at.is_(None), matched * 2 >= len(words))
    visible = select(Note, Document).join(Document, Document.id == Note.document_id).where(wanted)
    total = await session.scalar(select(func.count()).select_from(visible.subquery()))
    best_first = visible.order_by(matched.desc(), Note.updated_at.desc(), Note.id).limit(limit)
    return [(note, document) for note, document in await session.execute(best_first)], total or 0


async def add(session: Session, values: Mapping[str, Any]) -> Note:
    return (await session.scalars(insert(Note).values(values).returning(Note))).one()


async def change(
    session: Session, actor: str, document_id: uuid.UUID, note_id: uuid.UUID, values: Mapping[str, Any]
) -> Note | None:
    """Change a note of the actor. Returns None if there is none."""
    query = update(Note).where(Note.id == note_id, Note.document_id == document_id, Note.author == actor)
    return (await session.scalars(query.values(**values, updated_at=func.now()).returning(Note))).one_or_none()


async def delete_note(session: Session, actor: str, document_id: uuid.UUID, note_id: uuid.UUID) -> bool:
    """Delete a note of the actor. Returns False if there is none."""
    query = delete(Note).where(Note.id == note_id, Note.document_id == document_id, Note.author == actor)
    return (await session.scalar(query.returning(Note.id))) is not None
