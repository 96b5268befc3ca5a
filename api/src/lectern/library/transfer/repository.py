"""Queries of exports and imports, for system sessions only."""

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import exists, insert, select

from lectern.accounts.models import User
from lectern.collections.models import Collection
from lectern.db.session import Session
from lectern.documents.models import Chunk, Document, DocumentPage, Note
from lectern.tags.models import DocumentTag, Tag


async def get_document(session: Session, document_id: uuid.UUID) -> tuple[Document, Collection, list[str]]:
    """Return a document with its collection and the names of its tags."""
    wanted = select(Document, Collection).join(Collection, Collection.id == Document.collection_id)
    document, collection = (await session.execute(wanted.where(Document.id == document_id))).one()
    tagged = select(Tag.name).join(DocumentTag, DocumentTag.tag_id == Tag.id)
    tags = await session.scalars(tagged.where(DocumentTag.document_id == document_id).order_by(Tag.name))
    return document, collection, list(tags)


async def get_version(session: Session, document_id: uuid.UUID) -> int:
    return (await session.execute(select(Document.version).where(Document.id == document_id))).scalar_one()


async def list_pages(session: Session, document_id: uuid.UUID) -> Sequence[dict[str, Any]]:
    columns = [getattr(DocumentPage, name) for name in ("page_number", "kind", "language", "char_start", "text")]
    query = select(*columns).where(DocumentPage.document_id == document_id).order_by(DocumentPage.page_number)
    return [dict(row) for row in (await session.execute(query)).mappings()]


async def list_chunks(session: Session, document_id: uuid.UUID) -> Sequence[dict[str, Any]]:
    columns = [getattr(Chunk, column.key) for column in Chunk.__table__.columns if column.key != "document_id"]
    query = select(*columns).where(Chunk.document_id == document_id).order_by(Chunk.chunk_index)
    rows = (await session.execute(query)).mappings()
    return [{**row, "id": str(row["id"]), "content_hash": row["content_hash"].hex()} for row in rows]


async def list_shared_notes(session: Session, document_id: uuid.UUID) -> Sequence[dict[str, Any]]:
    """Return the notes that their authors share. Private notes are for nobody else."""
    names = ("version", "author_name", "page_number", "char_start", "char_end", "quote", "text")
    notes = await session.scalars(
        select(Note).where(Note.document_id == document_id, Note.is_shared).order_by(Note.char_start, Note.id)
    )
    return [
        {name: getattr(note, name) for name in names} | {"updated_at": note.updated_at.isoformat()} for note in notes
    ]


async def find_actor(session: Session, email: str) -> str | None:
    """Return the actor of the account with this address, None without one."""
    user_id = await session.scalar(select(User.id).where(User.email == email))
    return None if user_id is None else f"user:{user_id}"


async def add_note(session: Session, values: Mapping[str, Any]) -> bool:
    """Insert a shared note. Returns False if the document has one like it."""
    same = ("document_id", "author_name", "char_start", "char_end", "text")
    if await session.scalar(select(exists().where(*(getattr(Note, name) == values[name] for name in same)))):
        return False
    await session.execute(insert(Note).values(id=uuid.uuid4(), is_shared=True, **values))
    return True
