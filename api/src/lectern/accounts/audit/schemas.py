"""The audit log as clients see it."""

from datetime import datetime
from typing import Any

from lectern.http.schemas import ResponseModel


class AuditEventResponse(ResponseModel):
    """One deed."""

    id: int
    at: datetime
    actor: str
    action: str
    target: str
    request_id: str
    details: dict[str, Any]
