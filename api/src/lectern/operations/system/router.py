"""`/system`, for administrators. The MCP address is for everyone."""

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, status

from lectern.accounts.dependencies import Admin, Person, SystemSession
from lectern.http.addresses import mcp_address
from lectern.http.health import run_checks
from lectern.operations.system import service
from lectern.operations.system.schemas import McpAddressResponse, SystemResponse
from lectern.settings import Settings

GenerationId = Annotated[int, Path(ge=1, le=2_147_483_647)]
Incomplete = Annotated[
    bool, Query(description="Switch although documents lack these embeddings. Keyword search still finds them.")
]

router = APIRouter(prefix="/api/v1/system", tags=["system"])


@router.get("")
async def get_system(_: Admin, session: SystemSession, request: Request) -> SystemResponse:
    """Return versions, checks, library counts, queue, storage, disk and embedding models."""
    checks = await run_checks(request.app.state.checks)
    return await service.describe(session, request.app.state.process, checks)


@router.post("/embeddings/{generation_id}/use", status_code=status.HTTP_204_NO_CONTENT)
async def use_embeddings(
    generation_id: GenerationId,
    principal: Admin,
    session: SystemSession,
    request: Request,
    *,
    incomplete: Incomplete = False,
) -> None:
    """Search with the embeddings of another configured model, in every process. Switch back the same way.

    Refused while documents lack these embeddings, unless `incomplete` is true.
    """
    provider = request.app.state.process.provider
    await service.use_generation(session, principal, generation_id, provider=provider, is_incomplete=incomplete)


@router.get("/mcp-address")
async def get_mcp_address(_: Person, request: Request) -> McpAddressResponse:
    """Return the address of the MCP service for agents on the caller's machine."""
    settings: Settings = request.app.state.settings
    url = mcp_address(str(request.base_url), http=settings.http, mcp_port=settings.embedded.mcp_port)
    return McpAddressResponse(url=url)
