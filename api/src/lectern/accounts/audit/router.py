"""`/system/audit`: read the audit log. Administrators only."""

from typing import Annotated

from fastapi import APIRouter, Query

from lectern.accounts.audit import service
from lectern.accounts.dependencies import Admin, SystemSession
from lectern.accounts.schemas import AuditEventResponse
from lectern.http.pagination import CursorParameter, Limit, Page

router = APIRouter(prefix="/api/v1/system", tags=["system"])

Filter = Annotated[str | None, Query(max_length=300)]


@router.get("/audit")
async def list_audit_events(
    _: Admin,
    session: SystemSession,
    actor: Filter = None,
    action: Filter = None,
    target: Filter = None,
    cursor: CursorParameter = None,
    limit: Limit = 50,
) -> Page[AuditEventResponse]:
    """List audit events, newest first."""
    return await service.list_events(session, actor=actor, action=action, target=target, cursor=cursor, limit=limit)
