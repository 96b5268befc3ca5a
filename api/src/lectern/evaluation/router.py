"""`/evaluations`: run golden queries and preview search settings."""

from fastapi import APIRouter

from lectern.accounts.dependencies import Admin
from lectern.evaluation import service
from lectern.evaluation.schemas import PreviewRequest, PreviewResponse, RunResponse, SearchSettingsResponse
from lectern.search.router import CurrentSearchEngine

router = APIRouter(prefix="/api/v1/evaluations", tags=["evaluations"])


@router.get("/settings")
async def list_search_settings(_: Admin, engine: CurrentSearchEngine) -> SearchSettingsResponse:
    """List the search settings that `/evaluations/preview` accepts, with their environment variables."""
    return service.list_settings(engine.settings)


@router.post("/run")
async def run_golden_queries(principal: Admin, engine: CurrentSearchEngine) -> RunResponse:
    """Run the newest 200 golden queries. Their ranks are then in `/evaluations/golden`."""
    return await service.run(engine, principal)


@router.post("/preview")
async def preview_search_settings(
    wanted: PreviewRequest, principal: Admin, engine: CurrentSearchEngine
) -> PreviewResponse:
    """Preview which golden queries improve or regress with other settings or another embedding model.

    Nothing is applied. To apply a change, set the environment variables, or call
    `POST /system/embeddings/{generation_id}/use`.

    The newest 200 golden queries run twice, which may take some seconds.
    """
    return await service.preview(engine, principal, wanted)
