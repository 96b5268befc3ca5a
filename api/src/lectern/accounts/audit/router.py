"""`/system/audit`: read and export the audit log. Administrators only."""

from typing import Annotated, Any, Final

from fastapi import APIRouter, Query
from fastapi.responses import StreamingResponse
from pydantic import Field

from lectern.accounts.audit import service
from lectern.accounts.audit.service import ExportFormat
from lectern.accounts.dependencies import Admin, CurrentDatabase, SystemSession
from lectern.accounts.schemas import AuditEventResponse, AuditFilter
from lectern.db.scope import SYSTEM_SCOPE
from lectern.http.pagination import MAX_CURSOR_CHARACTERS, MAX_LIMIT, Page

router = APIRouter(prefix="/api/v1/system", tags=["system"])

_MEDIA_TYPES: Final[dict[ExportFormat, str]] = {"jsonl": "application/x-ndjson", "csv": "text/csv"}
_RESPONSES: Final[dict[int | str, dict[str, Any]]] = {
    200: {
        "content": {media_type: {"schema": {"type": "string"}} for media_type in _MEDIA_TYPES.values()},
        "description": "One event a line, oldest first.",
    }
}


class AuditListParameters(AuditFilter):
    """A page of audit events."""

    cursor: str | None = Field(
        default=None, max_length=MAX_CURSOR_CHARACTERS, description="`next_cursor` of the previous page."
    )
    limit: int = Field(default=50, ge=1, le=MAX_LIMIT)


class AuditExportParameters(AuditFilter):
    """Conditions and format of an export."""

    format: ExportFormat = Field(default="jsonl", description="`jsonl` (lines of JSON) or `csv`.")


@router.get("/audit")
async def list_audit_events(
    _: Admin, session: SystemSession, wanted: Annotated[AuditListParameters, Query()]
) -> Page[AuditEventResponse]:
    """List audit events, newest first."""
    return await service.list_events(session, wanted, cursor=wanted.cursor, limit=wanted.limit)


@router.get("/audit/export", response_class=StreamingResponse, responses=_RESPONSES)
async def export_audit_events(
    principal: Admin, database: CurrentDatabase, wanted: Annotated[AuditExportParameters, Query()]
) -> StreamingResponse:
    """Download audit events as lines of JSON or CSV, oldest first. The export is recorded too."""
    async with database.session(SYSTEM_SCOPE) as session:
        details = wanted.model_dump(mode="json", exclude_none=True, exclude_defaults=True)
        await service.record(session, principal.actor, action="audit.export", details=details)
    name = f"lectern-audit.{wanted.format}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    lines = service.export_events(database, wanted, layout=wanted.format)
    return StreamingResponse(lines, media_type=_MEDIA_TYPES[wanted.format], headers=headers)
