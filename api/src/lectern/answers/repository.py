"""Queries for the text of pages. Row-level security limits them to the session's scope."""

import uuid
from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import bindparam, select, text
from sqlalchemy.dialects.postgresql import ARRAY, INTEGER, UUID

from lectern.db.session import Session
from lectern.documents.models import Document, DocumentPage

_PAGES_WITHIN = text("""
SELECT p.document_id, p.page_number, p.char_start, p.text
FROM pages p
JOIN (SELECT DISTINCT s.id, n FROM unnest(:ids, :firsts, :lasts) AS s(id, first, last),
             generate_series(s.first, s.last) AS n) AS wanted ON wanted.id = p.document_id AND wanted.n = p.page_number
ORDER BY p.document_id, p.page_number
""").bindparams(
    bindparam("ids", type_=ARRAY(UUID)),
    bindparam("firsts", type_=ARRAY(INTEGER)),
    bindparam("lasts", type_=ARRAY(INTEGER)),
)


class PageOfText(NamedTuple):
    """The text of a page and its offset in the document's text."""

    document_id: uuid.UUID
    page_number: int
    char_start: int
    text: str


class DocumentNames(NamedTuple):
    """Filename and title of a document."""

    filename: str
    title: str | None


async def list_whole_texts(session: Session, document_ids: Sequence[uuid.UUID]) -> list[PageOfText]:
    """Return every page of the documents, in order."""
    query = select(DocumentPage.document_id, DocumentPage.page_number, DocumentPage.char_start, DocumentPage.text)
    query = query.where(DocumentPage.document_id.in_(document_ids)).order_by(
        DocumentPage.document_id, DocumentPage.page_number
    )
    return [PageOfText(*row) for row in (await session.execute(query)).all()]


async def list_texts_within(session: Session, spans: Sequence[tuple[uuid.UUID, int, int]]) -> list[PageOfText]:
    """Return the pages of each span (document, first page, last page), in order and without duplicates."""
    values = {
        "ids": [document_id for document_id, _, _ in spans],
        "firsts": [first for _, first, _ in spans],
        "lasts": [last for _, _, last in spans],
    }
    return [PageOfText(*row) for row in (await session.execute(_PAGES_WITHIN, values)).all()]


async def list_unreadable(
    session: Session, document_ids: Sequence[uuid.UUID], *, limit: int
) -> list[tuple[uuid.UUID, int]]:
    """Return pages that have content but no text, in order."""
    query = select(DocumentPage.document_id, DocumentPage.page_number)
    query = query.where(DocumentPage.document_id.in_(document_ids), DocumentPage.kind == "unreadable")
    query = query.order_by(DocumentPage.document_id, DocumentPage.page_number).limit(limit)
    return [(row.document_id, row.page_number) for row in (await session.execute(query)).all()]


async def list_names(session: Session, document_ids: Sequence[uuid.UUID]) -> dict[uuid.UUID, DocumentNames]:
    """Return the names of the documents that are in scope."""
    query = select(Document.id, Document.filename, Document.title).where(Document.id.in_(document_ids))
    return {row.id: DocumentNames(row.filename, row.title) for row in (await session.execute(query)).all()}
