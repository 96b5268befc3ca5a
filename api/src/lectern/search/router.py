"""`POST /search` and `POST /search/why`."""

from typing import Annotated

from fastapi import APIRouter, Depends, Response

from lectern.accounts.audit.reads import RecordedRead
from lectern.accounts.dependencies import CurrentMetrics, CurrentPrincipal, from_app
from lectern.accounts.principals import Principal
from lectern.documents.chunks import API_PREFIX
from lectern.search.schemas import SearchRequest, SearchResponse
from lectern.search.service import SearchEngine
from lectern.search.why.schemas import WhyRequest, WhyResponse
from lectern.search.why.service import explain_absence

router = APIRouter(prefix=API_PREFIX, tags=["search"])


CurrentSearchEngine = Annotated[SearchEngine, from_app("search_engine")]


@router.post("/search", response_model=SearchResponse)
async def search(
    request: SearchRequest,
    principal: Annotated[Principal, Depends(RecordedRead("search.query", field="query"))],
    engine: CurrentSearchEngine,
    metrics: CurrentMetrics,
) -> Response:
    """Find passages by keyword and by meaning.

    Unknown tags, documents, collections and languages return an error that lists the known ones.
    `metadata.coverage` shows what was not searched. `message` suggests what to do next.
    """
    response = await engine.search(request, principal)
    found = response.metadata
    metrics.observe_search(seconds=found.took_ms.total / 1000, is_cached=found.is_cached, confidence=found.confidence)
    return _serialize_once(response)


@router.post("/search/why")
async def why(request: WhyRequest, principal: CurrentPrincipal, engine: CurrentSearchEngine) -> WhyResponse:
    """Explain why a search missed an expected document, page or quote.

    Send the same search with the expected passage. `change` is the smallest change that would find it.
    """
    return await explain_absence(engine, request, principal.scope)


def _serialize_once(body: SearchResponse) -> Response:
    """Serialize a valid model. FastAPI would validate and serialize it again."""
    return Response(body.model_dump_json(), media_type="application/json")
