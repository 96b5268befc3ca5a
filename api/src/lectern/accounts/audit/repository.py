"""Read and write rows of the audit log."""

import json
from collections.abc import Mapping
from typing import Any

from sqlalchemy import func, select, text

from lectern.accounts.models import AuditEvent
from lectern.db.session import Session

# No RETURNING: the scoped role may insert rows but not read them.
_RECORD = text("""
INSERT INTO audit_events (actor, action, target, request_id, details)
VALUES (:actor, :action, :target, :request_id, CAST(:details AS jsonb))
""")


async def insert(
    session: Session, *, actor: str, action: str, target: str, request_id: str, details: Mapping[str, Any]
) -> None:
    """Add an event in the current transaction."""
    values = {"actor": actor, "action": action, "target": target, "request_id": request_id}
    await session.execute(_RECORD, values | {"details": json.dumps(details, default=str)})


async def list_events(
    session: Session, *, actor: str | None, action: str | None, target: str | None, before_id: int | None, limit: int
) -> tuple[list[AuditEvent], int]:
    """Return a page of matching events, newest first, and the total."""
    wanted = [
        column == value
        for column, value in ((AuditEvent.actor, actor), (AuditEvent.action, action), (AuditEvent.target, target))
        if value is not None
    ]
    total = await session.scalar(select(func.count()).select_from(AuditEvent).where(*wanted))
    query = select(AuditEvent).where(*wanted).order_by(AuditEvent.id.desc()).limit(limit)
    if before_id is not None:
        query = query.where(AuditEvent.id < before_id)
    return list((await session.scalars(query)).all()), total or 0
