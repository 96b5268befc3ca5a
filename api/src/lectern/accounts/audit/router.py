"""`/system/audit`: read and export the audit log. Administrators only."""

from typing import Annotated, Any, Final

from fastapi import APIRouter, Query
from fastapi.responses import StreamingResponse
from pydantic import Field

from lectern.accounts.audit import service
from lectern.accounts.audit.schemas import AuditFilter
from lectern.accounts.dependencies import Admin, CurrentDatabase, SystemSession
from lectern.accounts.schemas import AuditEventResponse
from lectern.db.scope import SYSTEM_SCOPE
from lectern.http.pagination import MAX_CURSOR_CHARACTERS, MAX_LIMIT, Page

router = APIRouter(prefix="/api/v1/system", tags=["system"])

_JSON_LINES: Final = "application/x-ndjson"
_RESPONSES: Final[dict[int | str, dict[str, Any]]] = {
    200: {"content": {_JSON_LINES: {"schema": {"type": "string"}}}, "description": "One event a line, oldest first."}
}


class AuditListParameters(AuditFilter):
    """A page of audit events."""

    cursor: str | None = Field(
        default=None, max_length=MAX_CURSOR_CHARACTERS, description="`next_cursor` of the previous page."
    )
    limit: int = Field(default=50, ge=1, le=MAX_LIMIT)


@router.get("/audit")
async def list_audit_events(
    _: Admin, session: SystemSession, wanted: Annotated[AuditListParameters, Query()]
) -> Page[AuditEventResponse]:
    """List audit events, newest first."""
    return await service.list_events(session, wanted, cursor=wanted.cursor, limit=wanted.limit)


@router.get("/audit/export", response_class=StreamingResponse, responses=_RESPONSES)
async def export_audit_events(
    principal: Admin, database: CurrentDatabase, wanted: Annotated[AuditFilter, Query()]
) -> StreamingResponse:
    """Download audit events as lines of JSON, oldest first. The export is recorded too."""
    async with database.session(SYSTEM_SCOPE) as session:
        details = wanted.model_dump(mode="json", exclude_none=True)
        await service.record(session, principal.actor, action="audit.export", details=details)
    headers = {"Content-Disposition": 'attachment; filename="lectern-audit.jsonl"', "Cache-Control": "no-store"}
    return StreamingResponse(service.export_events(database, wanted), media_type=_JSON_LINES, headers=headers)
