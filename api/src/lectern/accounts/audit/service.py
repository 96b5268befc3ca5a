"""Recording and reading who did what."""

from collections.abc import Mapping
from typing import Any

from lectern.accounts.audit import repository
from lectern.accounts.audit.schemas import AuditEventResponse
from lectern.db.session import Session
from lectern.http.pagination import Page, decode_cursor, encode_cursor
from lectern.logs import REQUEST_ID

_ORDER = "audit"


async def record(
    session: Session, actor: str, *, action: str, target: str = "", details: Mapping[str, Any] | None = None
) -> None:
    """Note a deed in the transaction that does it: `action` is `noun.verb`, `target` is `noun:<id>`."""
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
    """A page of the log, from the newest on. Raises BrokenCursor."""
    before_id = decode_cursor(cursor, order=_ORDER, types=(int,))[0] if cursor else None
    events, total = await repository.list_events(
        session, actor=actor, action=action, target=target, before_id=before_id, limit=limit + 1
    )
    shown = events[:limit]
    return Page(
        items=[AuditEventResponse.model_validate(event) for event in shown],
        next_cursor=encode_cursor(_ORDER, [shown[-1].id]) if len(events) > limit else None,
        total=total,
    )
