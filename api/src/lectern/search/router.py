"""`POST /search` and `POST /search/why`."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response

from lectern.accounts.dependencies import CurrentPrincipal
from lectern.http.responses import json_response
from lectern.search.schemas import SearchRequest, SearchResponse
from lectern.search.service import SearchEngine
from lectern.search.why.schemas import WhyRequest, WhyResponse
from lectern.search.why.service import explain_absence

router = APIRouter(tags=["search"])


async def get_search_engine(request: Request) -> SearchEngine:
    """The search engine of the application."""
    return request.app.state.search_engine


@router.post("/search", response_model=SearchResponse)
async def search(
    request: SearchRequest, principal: CurrentPrincipal, engine: Annotated[SearchEngine, Depends(get_search_engine)]
) -> Response:
    """Find the passages that answer a question, by keyword and by meaning.

    A tag, document, collection or language that does not exist in your scope is refused with those that do.
    `metadata.coverage` says what was not searched, `message` what to do next.
    """
    return json_response(await engine.search(request, principal))


@router.post("/search/why")
async def why(
    request: WhyRequest, principal: CurrentPrincipal, engine: Annotated[SearchEngine, Depends(get_search_engine)]
) -> WhyResponse:
    """Why a search did not bring an expected document, page or quote: the stage that lost it.

    Send the search as it was made, with what was expected. `change` is the smallest change that would bring it up.
    """
    return await explain_absence(engine, request, principal)
