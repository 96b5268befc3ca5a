"""`POST /quotes/verify`."""

from fastapi import APIRouter

from lectern.accounts.dependencies import CurrentPrincipal
from lectern.answers.quotes import service
from lectern.answers.quotes.schemas import QuoteRequest, QuoteResponse
from lectern.documents.chunks import API_PREFIX
from lectern.search.router import CurrentSearchEngine

router = APIRouter(prefix=API_PREFIX, tags=["answers"])


@router.post("/quotes/verify")
async def verify_quote(
    request: QuoteRequest, principal: CurrentPrincipal, engine: CurrentSearchEngine
) -> QuoteResponse:
    """Check a quotation against the documents: EXACT, NEAR (with the differences) or NOT_FOUND.

    Line breaks, hyphenation, ligatures, and the shapes of quotation marks and dashes are ignored. Every word, digit and
    capital counts.
    """
    return await service.verify_quote(request, principal, engine=engine)
