"""`POST /quotes/verify` and `GET /documents/{id}/stats`."""

import uuid
from typing import Annotated

from fastapi import APIRouter, Depends, Query

from lectern.accounts.dependencies import CurrentPrincipal, SnapshotSession
from lectern.answers.quotes import service
from lectern.answers.quotes.schemas import DocumentStats, QuoteRequest, QuoteResponse
from lectern.search.router import get_search_engine
from lectern.search.service import SearchEngine

router = APIRouter(tags=["answers"])


@router.post("/quotes/verify")
async def verify_quote(
    request: QuoteRequest, principal: CurrentPrincipal, engine: Annotated[SearchEngine, Depends(get_search_engine)]
) -> QuoteResponse:
    """Whether documents say this: EXACT, NEAR (with what differs) or NOT_FOUND, with page and rectangles.

    Line breaks, words divided at the end of a line, ligatures and the shapes of quotation marks and dashes do not
    count; every word, digit and capital does.
    """
    return await service.verify_quote(request, principal, engine=engine)


@router.get("/documents/{document_id}/stats")
async def get_document_stats(
    document_id: uuid.UUID,
    _: CurrentPrincipal,
    session: SnapshotSession,
    term: Annotated[
        str | None, Query(pattern=r"\S", max_length=200, description="Also count this, as whole words.")
    ] = None,
) -> DocumentStats:
    """Counts over the full text: pages, words, and how often a term stands on which pages."""
    return await service.get_stats(session, document_id, term=term)
