"""`/system`: for administrators, but for the address that everybody's agents need."""

from fastapi import APIRouter, Request

from lectern.accounts.dependencies import Admin, Person, SystemSession
from lectern.http.health import run_checks
from lectern.settings import Settings
from lectern.system import service
from lectern.system.mcp_address import mcp_address
from lectern.system.schemas import McpAddressResponse, SystemResponse

router = APIRouter(prefix="/api/v1/system", tags=["system"])


@router.get("")
async def get_system(_: Admin, session: SystemSession, request: Request) -> SystemResponse:
    """Versions, checks, what the library holds, the queue, storage, disk and the embedding model."""
    checks = await run_checks(request.app.state.checks)
    return await service.describe(session, request.app.state.process, checks)


@router.get("/mcp-address")
async def get_mcp_address(_: Person, request: Request) -> McpAddressResponse:
    """The address of the MCP service, as agents on the caller's machine are likely to reach it."""
    settings: Settings = request.app.state.settings
    url = mcp_address(str(request.base_url), http=settings.http, mcp_port=settings.embedded.mcp_port)
    return McpAddressResponse(url=url)
