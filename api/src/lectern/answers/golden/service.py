"""Golden queries: mark, list, delete."""

import uuid
from collections.abc import Mapping
from datetime import datetime
from functools import partial

from lectern.answers.errors import ChunkNotFound, GoldenQueryNotFound
from lectern.answers.golden import repository
from lectern.answers.golden.repository import GoldenRow
from lectern.answers.golden.schemas import GoldenQueryResponse, GoldenRange
from lectern.db.scope import Scope
from lectern.db.session import Session
from lectern.documents.errors import PageNotFound
from lectern.documents.service import resolve_documents
from lectern.http.pagination import Page, list_page


async def add_golden_query(
    session: Session,
    actor: str,
    *,
    query: str,
    document: str,
    page_number: int,
    chunk_id: uuid.UUID | None = None,
) -> GoldenQueryResponse:
    """Mark a page, or one of its chunks, as the answer to a query. Repeating the call changes nothing.

    Raises:
        UnknownDocument, PageNotFound, ChunkNotFound: It does not exist in scope.
    """
    document_id = (await resolve_documents(session, [document]))[0]
    if not await repository.has_page(session, document_id, page_number):
        raise PageNotFound
    content_hash = None
    if chunk_id is not None:
        content_hash = await repository.find_hash(session, chunk_id, document_id=document_id, page_number=page_number)
        if content_hash is None:
            raise ChunkNotFound
    row = await repository.add(
        session,
        query=query,
        document_id=document_id,
        page_number=page_number,
        content_hash=content_hash,
        actor=actor,
    )
    return _response(row)


async def list_golden_queries(
    session: Session, scope: Scope, *, text: str | None, cursor: str | None, limit: int
) -> Page[GoldenQueryResponse]:
    """List golden queries, newest first. `text` selects one query. Raises BrokenCursor."""
    read, present = (
        partial(repository.list_golden, session, text=text),
        partial(_response, with_ranks=scope.is_unrestricted),
    )
    keys = {"created_at": datetime, "id": uuid.UUID}
    return await list_page(read, present, order="golden", keys=keys, cursor=cursor, limit=limit)


def _response(row: GoldenRow, *, with_ranks: bool = False) -> GoldenQueryResponse:
    """Omit the ranks unless the scope covers the whole library, because they reveal what else is in it."""
    made = GoldenQueryResponse.model_validate(row)
    if row.chunk_id is not None and row.char_start is not None and row.char_end is not None:
        made.chunk = GoldenRange(chunk_id=row.chunk_id, char_start=row.char_start, char_end=row.char_end)
    if not with_ranks:
        made.last_rank = made.last_asked_at = None
    return made


async def newest_golden_queries(session: Session, *, limit: int) -> list[GoldenQueryResponse]:
    """Return the newest golden queries in scope."""
    rows, _ = await repository.list_golden(session, text=None, after=None, limit=limit)
    return [_response(row) for row in rows]


async def store_ranks(session: Session, ranks: Mapping[uuid.UUID, int | None]) -> None:
    """Store the ranks of an evaluation, None if not found. The scope must be unrestricted."""
    await repository.store_ranks(session, ranks)


async def remove_golden_query(session: Session, golden_id: uuid.UUID) -> None:
    """Delete a golden query of the actor, or any in a writable collection. Raises GoldenQueryNotFound."""
    if not await repository.remove(session, golden_id):
        raise GoldenQueryNotFound
