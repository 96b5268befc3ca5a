"""Golden queries: what people marked as the place that answers."""

import uuid
from datetime import datetime
from typing import Final

from lectern.answers.golden import repository
from lectern.answers.golden.errors import GoldenQueryNotFound
from lectern.answers.golden.schemas import GoldenQueryResponse
from lectern.db.session import Session
from lectern.documents.errors import PageNotFound
from lectern.documents.service import resolve_documents
from lectern.http.pagination import Page, decode_cursor, encode_cursor

_ORDER: Final = "golden"


async def add_golden_query(
    session: Session, actor: str, *, query: str, document: str, page_number: int
) -> GoldenQueryResponse:
    """Mark a page as the one that answers a query; marking it again changes nothing.

    Raises:
        UnknownDocument, PageNotFound: There is no such place in scope.
    """
    document_id = (await resolve_documents(session, [document]))[0]
    if not await repository.has_page(session, document_id, page_number):
        raise PageNotFound
    row = await repository.add(session, query=query, document_id=document_id, page_number=page_number, actor=actor)
    return GoldenQueryResponse.model_validate(row)


async def list_golden_queries(session: Session, *, cursor: str | None, limit: int) -> Page[GoldenQueryResponse]:
    """Newest first. Raises BrokenCursor."""
    after = None
    if cursor:
        moment, golden_id = decode_cursor(cursor, order=_ORDER, types=(datetime, uuid.UUID))
        after = (moment, golden_id)
    rows, total = await repository.list_golden(session, after=after, limit=limit + 1)
    shown = rows[:limit]
    is_more = len(rows) > limit
    return Page(
        items=[GoldenQueryResponse.model_validate(row) for row in shown],
        next_cursor=encode_cursor(_ORDER, [shown[-1].created_at, shown[-1].id]) if is_more else None,
        total=total,
    )


async def newest_golden_queries(session: Session, *, limit: int) -> list[GoldenQueryResponse]:
    """The newest of those in scope, at most `limit`."""
    rows, _ = await repository.list_golden(session, after=None, limit=limit)
    return [GoldenQueryResponse.model_validate(row) for row in rows]


async def remove_golden_query(session: Session, golden_id: uuid.UUID) -> None:
    """One's own, or any where one may write. Raises GoldenQueryNotFound."""
    if not await repository.remove(session, golden_id):
        raise GoldenQueryNotFound
