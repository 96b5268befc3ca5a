"""`/evaluations`: settings of the search, tried on the golden queries."""

from typing import Annotated

from fastapi import APIRouter, Depends

from lectern.accounts.dependencies import Admin
from lectern.evaluation import service
from lectern.evaluation.schemas import PreviewRequest, PreviewResponse, RunResponse, SearchSettingsResponse
from lectern.search.router import get_search_engine
from lectern.search.service import SearchEngine

router = APIRouter(prefix="/api/v1/evaluations", tags=["evaluations"])

Engine = Annotated[SearchEngine, Depends(get_search_engine)]


@router.get("/settings")
async def list_search_settings(_: Admin, engine: Engine) -> SearchSettingsResponse:
    """The settings of the search that `/evaluations/preview` can try, and how each is applied."""
    return service.list_settings(engine.settings)


@router.post("/run")
async def run_golden_queries(principal: Admin, engine: Engine) -> RunResponse:
    """Ask the newest 200 golden queries; where each was found is in `/evaluations/golden` afterwards."""
    return await service.run(engine, principal)


@router.post("/preview")
async def preview_search_settings(wanted: PreviewRequest, principal: Admin, engine: Engine) -> PreviewResponse:
    """Which golden queries other settings or the embeddings of another model would win and lose.

    Nothing is applied: settings are by the environment, embeddings by `POST /system/embeddings/{generation_id}/use`.

    The newest 200 golden queries are asked twice, which may take some seconds.
    """
    return await service.preview(engine, principal, wanted)
