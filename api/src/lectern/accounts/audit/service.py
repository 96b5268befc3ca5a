"""Write and read the audit log."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from typing import Any

from lectern.accounts.audit import repository
from lectern.accounts.audit.schemas import AuditFilter
from lectern.accounts.schemas import AuditEventResponse
from lectern.db.scope import SYSTEM_SCOPE
from lectern.db.session import Database, Session
from lectern.http.pagination import Page, decode_cursor, paginate
from lectern.logs import REQUEST_ID

_ORDER = "audit"
_EXPORT_BATCH = 1_000


async def record(
    session: Session, actor: str, *, action: str, target: str = "", details: Mapping[str, Any] | None = None
) -> None:
    """Record an action in the current transaction. `action` is `noun.verb`, `target` is `noun:<id>`."""
    await repository.insert(
        session, actor=actor, action=action, target=target, request_id=REQUEST_ID.get(), details=details or {}
    )


async def blank_details(session: Session, *, targets: Sequence[str], tag_names: Sequence[str]) -> int:
    """Blank the details of events on purged targets, and purged tag names in others. Return the number of events."""
    return await repository.blank_details(session, targets=targets, tag_names=tag_names)


async def list_events(
    session: Session, wanted: AuditFilter, *, cursor: str | None = None, limit: int = 50
) -> Page[AuditEventResponse]:
    """List a page of events, newest first. Raises BrokenCursor."""
    before_id = decode_cursor(cursor, order=_ORDER, types=(int,))[0] if cursor else None
    events, total = await repository.list_events(session, wanted, before_id=before_id, limit=limit + 1)
    return paginate(
        events,
        AuditEventResponse.model_validate,
        order=_ORDER,
        keys=lambda event: [event.id],
        limit=limit,
        total=total,
    )


async def export_events(database: Database, wanted: AuditFilter) -> AsyncGenerator[str]:
    """Yield the matching events up to now, oldest first, as lines of JSON."""
    after_id = 0
    async with database.session(SYSTEM_SCOPE) as session:
        last_id = await repository.find_newest_id(session)
    while True:
        async with database.session(SYSTEM_SCOPE) as session:
            events = await repository.list_events_after(
                session, wanted, after_id=after_id, last_id=last_id, limit=_EXPORT_BATCH
            )
        if not events:
            return
        yield "".join(AuditEventResponse.model_validate(event).model_dump_json() + "\n" for event in events)
        after_id = events[-1].id
