"""Write and read the audit log."""

from collections.abc import Mapping
from typing import Any

from lectern.accounts.audit import repository
from lectern.accounts.schemas import AuditEventResponse
from lectern.db.session import Session
from lectern.http.pagination import Page, decode_cursor, paginate
from lectern.logs import REQUEST_ID

_ORDER = "audit"


async def record(
    session: Session, actor: str, *, action: str, target: str = "", details: Mapping[str, Any] | None = None
) -> None:
    """Record an action in the current transaction. `action` is `noun.verb`, `target` is `noun:<id>`."""
    await repository.insert(
        session, actor=actor, action=action, target=target, request_id=REQUEST_ID.get(), details=details or {}
    )


async def list_events(
    session: Session,
    *,
    actor: str | None = None,
    action: str | None = None,
    target: str | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[AuditEventResponse]:
    """List a page of events, newest first. Raises BrokenCursor."""
    before_id = decode_cursor(cursor, order=_ORDER, types=(int,))[0] if cursor else None
    events, total = await repository.list_events(
        session, actor=actor, action=action, target=target, before_id=before_id, limit=limit + 1
    )
    return paginate(
        events,
        AuditEventResponse.model_validate,
        order=_ORDER,
        keys=lambda event: [event.id],
        limit=limit,
        total=total,
    )
