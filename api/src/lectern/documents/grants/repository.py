"""Queries for grants. All but `find_document` need a system session."""

import uuid
from typing import NamedTuple

from sqlalchemy import delete, func, select
from sqlalchemy.dialects.postgresql import insert

from lectern.accounts.models import User
from lectern.collections.models import Collection
from lectern.db.session import Session
from lectern.documents.grants.models import DocumentGrant
from lectern.documents.models import Document


class SharedDocument(NamedTuple):
    """A document with its owner and collection, which decide who may share it."""

    id: uuid.UUID
    owner_id: uuid.UUID | None
    collection_id: uuid.UUID
    collection: str
    is_open: bool


async def find_document(session: Session, document_id: uuid.UUID) -> SharedDocument | None:
    """Return a document in scope."""
    columns = (Document.id, Document.owner_id, Document.collection_id, Collection.name, Collection.is_open)
    query = select(*columns).join(Collection, Collection.id == Document.collection_id).where(Document.id == document_id)
    row = (await session.execute(query)).one_or_none()
    return SharedDocument(*row) if row else None


async def find_user(session: Session, user_id: uuid.UUID | None) -> User | None:
    return await session.scalar(select(User).where(User.id == user_id))


async def list_grants(session: Session, document_id: uuid.UUID) -> list[DocumentGrant]:
    """Return the grants of a document by e-mail address."""
    query = select(DocumentGrant).where(DocumentGrant.document_id == document_id).order_by(DocumentGrant.email)
    return list((await session.scalars(query)).all())


async def count_grants(session: Session, document_id: uuid.UUID) -> int:
    query = select(func.count()).select_from(DocumentGrant).where(DocumentGrant.document_id == document_id)
    return await session.scalar(query) or 0


async def add(session: Session, document_id: uuid.UUID, email: str, *, granted_by: str) -> bool:
    """Insert a grant. Returns False if there is one."""
    values = {"id": uuid.uuid4(), "document_id": document_id, "email": email, "granted_by": granted_by}
    query = insert(DocumentGrant).values(values).on_conflict_do_nothing().returning(DocumentGrant.id)
    return await session.scalar(query) is not None


async def remove(session: Session, document_id: uuid.UUID, grant_id: uuid.UUID) -> str | None:
    """Delete a grant and return its e-mail address, None without one."""
    query = delete(DocumentGrant).where(DocumentGrant.document_id == document_id, DocumentGrant.id == grant_id)
    return await session.scalar(query.returning(DocumentGrant.email))
