"""Read and write rows of the audit log."""

import json
import uuid
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, func, select, text

from lectern.accounts.models import AuditEvent
from lectern.accounts.schemas import AuditFilter
from lectern.db.pages import fetch_page
from lectern.db.session import Session
from lectern.logs import REQUEST_ID

# No RETURNING: the scoped role may insert rows but not read them.
_RECORD = text("""
INSERT INTO audit_events (actor, action, target, request_id, details)
VALUES (:actor, :action, :target, :request_id, CAST(:details AS jsonb))
""")
_BLANK = text("SELECT lectern_blank_audit_details(CAST(:targets AS text[]), CAST(:tag_names AS text[]))")

# Names as they are today: an event stays readable after a rename, and a purged name is gone.
_NAMES = text("""
SELECT 'document:' || id, coalesce(title, filename) FROM documents WHERE id = ANY(:ids)
UNION ALL SELECT 'user:' || id, coalesce(nullif(name, ''), email) FROM users WHERE id = ANY(:ids)
UNION ALL SELECT 'key:' || id, name FROM api_keys WHERE id = ANY(:ids)
UNION ALL SELECT 'collection:' || id, name FROM collections WHERE id = ANY(:ids)
UNION ALL SELECT 'tag:' || id, name FROM tags WHERE id = ANY(:ids)
UNION ALL SELECT 'webhook:' || id, url FROM webhooks WHERE id = ANY(:ids)
UNION ALL SELECT 'job:' || jobs.id, coalesce(title, filename)
FROM jobs JOIN documents ON documents.id = document_id WHERE jobs.id = ANY(:ids)
""")


async def record(
    session: Session, actor: str, *, action: str, target: str = "", details: Mapping[str, Any] | None = None
) -> None:
    """Record an action in the current transaction. `action` is `noun.verb`, `target` is `noun:<id>`."""
    values = {"actor": actor, "action": action, "target": target, "request_id": REQUEST_ID.get()}
    await session.execute(_RECORD, values | {"details": json.dumps(details or {}, default=str)})


async def find_newest_id(session: Session) -> int:
    """Return the id of the newest event, or 0."""
    return await session.scalar(select(func.max(AuditEvent.id))) or 0


async def list_events_after(
    session: Session, wanted: AuditFilter, *, after_id: int, last_id: int, limit: int
) -> list[AuditEvent]:
    """Return matching events with ids in (`after_id`, `last_id`], oldest first."""
    query = select(AuditEvent).where(*_conditions(wanted), AuditEvent.id > after_id, AuditEvent.id <= last_id)
    return list((await session.scalars(query.order_by(AuditEvent.id).limit(limit))).all())


def _conditions(wanted: AuditFilter) -> list[ColumnElement[bool]]:
    columns = ((AuditEvent.actor, wanted.actor), (AuditEvent.action, wanted.action), (AuditEvent.target, wanted.target))
    conditions = [column == value for column, value in columns if value is not None]
    if wanted.since:
        conditions.append(AuditEvent.at >= wanted.since)
    if wanted.until:
        conditions.append(AuditEvent.at < wanted.until)
    return conditions


async def find_names(session: Session, references: Iterable[str]) -> dict[str, str]:
    """Return the names of actors and targets such as `document:<id>`, as far as they exist."""
    ids = {made for reference in references if (made := _find_id(reference))}
    if not ids:
        return {}
    rows = await session.execute(_NAMES, {"ids": list(ids)})
    return {row[0]: row[1] for row in rows}


def _find_id(reference: str) -> uuid.UUID | None:
    try:
        return uuid.UUID(reference.partition(":")[2])
    except ValueError:
        return None


async def blank_details(session: Session, *, targets: Sequence[str], tag_names: Sequence[str]) -> int:
    """Blank the details of events on purged targets, and purged tag names in others. Return the number of events."""
    values = {"targets": list(targets), "tag_names": list(tag_names)}
    return (await session.execute(_BLANK, values)).scalar_one()


async def list_events(
    session: Session, wanted: AuditFilter, *, after: Sequence[Any] | None, limit: int
) -> tuple[Sequence[AuditEvent], int]:
    """Return a page of matching events, newest first, and the total."""
    query = select(AuditEvent).where(*_conditions(wanted))
    return await fetch_page(session, query, AuditEvent.id, after=after, limit=limit, is_descending=True)
