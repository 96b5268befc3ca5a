"""`/system`: for administrators, but for the address that everybody's agents need."""

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, status

from lectern.accounts.dependencies import Admin, Person, SystemSession
from lectern.http.health import run_checks
from lectern.operations.system import service
from lectern.operations.system.mcp_address import mcp_address
from lectern.operations.system.schemas import McpAddressResponse, SystemResponse
from lectern.settings import Settings

GenerationId = Annotated[int, Path(ge=1, le=2_147_483_647)]
Incomplete = Annotated[
    bool, Query(description="Also where documents lack these embeddings; they are found by keyword only until then.")
]

router = APIRouter(prefix="/api/v1/system", tags=["system"])


@router.get("")
async def get_system(_: Admin, session: SystemSession, request: Request) -> SystemResponse:
    """Versions, checks, what the library holds, the queue, storage, disk and the embedding model."""
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
    """Search by the embeddings of another model of the settings, from now on in every process; and back the same way.

    Refused while a document would be found by meaning no more, unless `incomplete` says that it may be so.
    """
    provider = request.app.state.process.provider
    await service.use_generation(session, principal, generation_id, provider=provider, is_incomplete=incomplete)


@router.get("/mcp-address")
async def get_mcp_address(_: Person, request: Request) -> McpAddressResponse:
    """The address of the MCP service, as agents on the caller's machine are likely to reach it."""
    settings: Settings = request.app.state.settings
    url = mcp_address(str(request.base_url), http=settings.http, mcp_port=settings.embedded.mcp_port)
    return McpAddressResponse(url=url)
