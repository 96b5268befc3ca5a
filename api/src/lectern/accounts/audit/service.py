"""Write and read the audit log."""

import csv
import io
import json
from collections.abc import AsyncGenerator, Mapping, Sequence
from functools import partial
from typing import Any, Literal

from lectern.accounts.audit import repository
from lectern.accounts.models import AuditEvent
from lectern.accounts.schemas import AuditEventResponse, AuditFilter
from lectern.db.scope import SYSTEM_SCOPE
from lectern.db.session import Database, Session
from lectern.http.pagination import Page, list_page_of

ExportFormat = Literal["jsonl", "csv"]
_EXPORT_BATCH = 1_000
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
# Queries that other packages call directly.
blank_details = repository.blank_details
record = repository.record


def changes_with_before(changes: Mapping[str, Any], current: object) -> dict[str, Any]:
    """Return changes with `before`: the values of `current` that they replace, where they differ."""
    before = {name: getattr(current, name) for name in changes if getattr(current, name) != changes[name]}
    return dict(changes) | ({"before": before} if before else {})


async def list_events(
    session: Session, wanted: AuditFilter, *, cursor: str | None, limit: int
) -> Page[AuditEventResponse]:
    """List a page of events, newest first. Raises BrokenCursor."""
    read, present = partial(repository.list_events, session, wanted), partial(_present, session)
    return await list_page_of(read, present, order="audit", keys={"id": int}, cursor=cursor, limit=limit)


async def _present(session: Session, events: Sequence[AuditEvent]) -> list[AuditEventResponse]:
    """Build responses with the names of actor and target."""
    names = await repository.find_names(session, {one for event in events for one in (event.actor, event.target)})
    return [
        AuditEventResponse.model_validate(event).model_copy(
            update={"actor_name": names.get(event.actor), "target_name": names.get(event.target)}
        )
        for event in events
    ]


async def export_events(
    database: Database, wanted: AuditFilter, *, layout: ExportFormat = "jsonl"
) -> AsyncGenerator[str]:
    """Yield the matching events up to now, oldest first, as lines of JSON or CSV."""
    after_id = 0
    if layout == "csv":
        yield _csv_lines([list(AuditEventResponse.model_fields)])
    async with database.session(SYSTEM_SCOPE) as session:
        last_id = await repository.find_newest_id(session)
    while True:
        async with database.session(SYSTEM_SCOPE) as session:
            events = await repository.list_events_after(
                session, wanted, after_id=after_id, last_id=last_id, limit=_EXPORT_BATCH
            )
            made = await _present(session, events)
        if not made:
            return
        if layout == "csv":
            yield _csv_lines([_csv_cells(event) for event in made])
        else:
            yield "".join(event.model_dump_json() + "\n" for event in made)
        after_id = made[-1].id


def _csv_cells(event: AuditEventResponse) -> list[str]:
    """Return the cells of an event. A text that a spreadsheet would run as a formula gets an apostrophe."""
    values = event.model_dump(mode="json") | {"details": json.dumps(event.details, ensure_ascii=False)}
    cells = ["" if value is None else str(value) for value in values.values()]
    return [f"'{cell}" if cell.startswith(_FORMULA_STARTS) else cell for cell in cells]


def _csv_lines(rows: Sequence[Sequence[str]]) -> str:
    buffer = io.StringIO()
    csv.writer(buffer).writerows(rows)
    return buffer.getvalue()
