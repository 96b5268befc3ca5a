"""Stream changes of documents as server-sent events, looked up in the scope of the subscriber.

    refetch          reload everything (always the first event, and after missed changes)
    document         {DocumentEvent}
    document_gone    {"document_id"}: a document that was sent before is deleted or has left the scope
    alive            nothing happened for 15 seconds

`alive` keeps the connection open and lets clients detect a dead one, because browsers hide comments from pages. A
stream ends when the permissions of its subscriber change, and after some minutes. Clients reconnect automatically.
"""

import asyncio
import json
import time
import uuid
from collections import OrderedDict
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Final

from lectern.db.scope import Scope
from lectern.db.session import Database
from lectern.ingestion.service import list_events
from lectern.jobs.events import DocumentChanges, EventHub

HEARTBEAT_SECONDS: Final = 15.0
COALESCE_SECONDS: Final = 0.25  # several changes within this time become one event
STREAM_SECONDS: Final = 300.0
RETRY_MILLISECONDS: Final = 1_000
ACCESS_SECONDS: Final = 1.0  # permissions are checked again after this time, because a key may have expired
_MAX_SENT: Final = 10_000
_BATCH: Final = 200


async def stream_events(
    hub: EventHub,
    database: Database,
    scope: Scope,
    *,
    is_current: Callable[[], Awaitable[bool]],
    document_id: uuid.UUID | None = None,
    seconds: float = STREAM_SECONDS,
    heartbeat_seconds: float = HEARTBEAT_SECONDS,
) -> AsyncGenerator[str]:
    """Yield events in the event-stream format for one subscriber, of all documents or one.

    The stream ends when `is_current` is false: the subscriber no longer has this scope.
    """
    with hub.subscribe() as subscription:
        if not await is_current():  # changes before the subscription are unknown
            return
        checked_at = time.monotonic()
        writer = _EventWriter(database, scope, only=document_id)
        yield f"retry: {RETRY_MILLISECONDS}\n{_event('refetch', {})}"
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            changes = await subscription.next(timeout_seconds=min(heartbeat_seconds, max(until - time.monotonic(), 0)))
            is_due = changes is None or changes.is_access_changed or time.monotonic() - checked_at > ACCESS_SECONDS
            if is_due and not await is_current():
                return
            checked_at = time.monotonic() if is_due else checked_at
            if changes is None:
                yield _event("alive", {})
                continue
            async for event in writer.write(changes):
                yield event
            await asyncio.sleep(COALESCE_SECONDS)


class _EventWriter:
    """Turns changes into the events that one subscriber may see."""

    def __init__(self, database: Database, scope: Scope, *, only: uuid.UUID | None) -> None:
        self._database = database
        self._scope = scope
        self._only = only
        self._sent: OrderedDict[uuid.UUID, None] = OrderedDict()

    async def write(self, changes: DocumentChanges) -> AsyncGenerator[str]:
        if changes.has_gap:
            yield _event("refetch", {})
        removed = self._relevant(changes.removed)
        changed = self._relevant(changes.changed)
        for start in range(0, len(changed), _BATCH):
            batch = changed[start : start + _BATCH]
            # One snapshot: a job that has ended and a document that is not ready yet would contradict each other.
            async with self._database.session(self._scope, is_snapshot=True) as session:
                events = await list_events(session, batch)
            for event in events:
                self._remember(event.document_id)
                yield f"event: document\ndata: {event.model_dump_json()}\n\n"
            visible = {event.document_id for event in events}
            removed += [document_id for document_id in batch if document_id not in visible]
        for document_id in removed:
            # A subscriber who never saw the document must not learn its id.
            if self._scope.is_unrestricted or document_id in self._sent:
                self._sent.pop(document_id, None)
                yield _event("document_gone", {"document_id": str(document_id)})

    def _relevant(self, document_ids: tuple[uuid.UUID, ...]) -> list[uuid.UUID]:
        return [one for one in document_ids if self._only is None or one == self._only]

    def _remember(self, document_id: uuid.UUID) -> None:
        self._sent[document_id] = None
        self._sent.move_to_end(document_id)
        if len(self._sent) > _MAX_SENT:
            self._sent.popitem(last=False)


def _event(name: str, data: dict[str, str]) -> str:
    return f"event: {name}\ndata: {json.dumps(data)}\n\n"
