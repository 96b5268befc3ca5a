"""`/evaluations/golden`: golden queries."""

import uuid
from typing import Annotated

from fastapi import APIRouter, Query

from lectern.accounts.dependencies import CurrentPrincipal, ScopedSession
from lectern.answers.golden import service
from lectern.answers.golden.schemas import GoldenQueryResponse, NewGoldenQuery
from lectern.http.page_parameters import CursorParameter, Limit
from lectern.http.pagination import Page
from lectern.search.schemas import QueryText

router = APIRouter(prefix="/api/v1/evaluations/golden", tags=["evaluations"])


@router.get("")
async def list_golden_queries(
    principal: CurrentPrincipal,
    session: ScopedSession,
    query: Annotated[QueryText | None, Query(description="Only golden queries with this text.")] = None,
    cursor: CursorParameter = None,
    limit: Limit = 50,
) -> Page[GoldenQueryResponse]:
    """List the golden queries of documents in scope, newest first. `lectern eval golden` runs them."""
    return await service.list_golden_queries(session, principal.scope, text=query, cursor=cursor, limit=limit)


@router.post("", status_code=201)
async def create_golden_query(
    wanted: NewGoldenQuery, principal: CurrentPrincipal, session: ScopedSession
) -> GoldenQueryResponse:
    """Mark a page, or one of its chunks, as the answer to a query. Repeating the call changes nothing.

    An API key needs write access.
    """
    principal.require_person_or_writing()
    return await service.add_golden_query(
        session,
        principal.actor,
        query=wanted.query,
        document=wanted.document,
        page_number=wanted.page_number,
        chunk_id=wanted.chunk_id,
    )


@router.delete("/{golden_query_id}", status_code=204)
async def delete_golden_query(golden_query_id: uuid.UUID, _: CurrentPrincipal, session: ScopedSession) -> None:
    """Delete your own golden query, or any in a collection that you may write to."""
    await service.remove_golden_query(session, golden_query_id)
