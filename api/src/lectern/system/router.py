"""`/system`: for administrators."""

from fastapi import APIRouter, Request

from lectern.accounts.dependencies import Admin, SystemSession
from lectern.http.health import run_checks
from lectern.system import service
from lectern.system.schemas import SystemResponse

router = APIRouter(prefix="/api/v1/system", tags=["system"])


@router.get("")
async def get_system(_: Admin, session: SystemSession, request: Request) -> SystemResponse:
    """Versions, checks, what the library holds, the queue, storage, disk and the embedding model."""
    checks = await run_checks(request.app.state.checks)
    return await service.describe(session, request.app.state.process, checks)
