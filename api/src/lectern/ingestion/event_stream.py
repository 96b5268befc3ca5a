"""News of documents as server-sent events, each looked up under the subscriber's scope before it is sent.

    refetch          what was there before, or was missed, must be asked for again (always the first event)
    document         {DocumentEvent}
    document_gone    {"document_id"}: it was purged or left the scope of this subscriber, who had been told of it
    alive            nothing happened for 15 seconds

`alive` keeps the line open, and a client that hears nothing for longer knows that the line is dead: browsers do not
tell their pages of comments. A stream ends after some minutes, so that a key that was revoked or a scope that was
narrowed takes effect: clients connect anew by themselves.
"""

import asyncio
import json
import time
import uuid
from collections import OrderedDict
from collections.abc import AsyncGenerator
from typing import Final

from lectern.db.scope import Scope
from lectern.db.session import Database
from lectern.ingestion.views import list_news
from lectern.jobs.events import EventHub, News

HEARTBEAT_SECONDS: Final = 15.0
BREATH_SECONDS: Final = 0.25  # what changes within it is told once
STREAM_SECONDS: Final = 300.0
RETRY_MILLISECONDS: Final = 1_000
_MOST_KNOWN: Final = 10_000
_AT_ONCE: Final = 200


async def stream_events(
    hub: EventHub,
    database: Database,
    scope: Scope,
    *,
    document_id: uuid.UUID | None = None,
    seconds: float = STREAM_SECONDS,
    heartbeat_seconds: float = HEARTBEAT_SECONDS,
) -> AsyncGenerator[str]:
    """Events for one subscriber, as text of the event-stream format; of one document only, if it is named."""
    with hub.subscribe() as subscription:
        teller = _Teller(database, scope, only=document_id)
        yield f"retry: {RETRY_MILLISECONDS}\n{_event('refetch', {})}"
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            news = await subscription.next(timeout_seconds=min(heartbeat_seconds, max(until - time.monotonic(), 0)))
            if news is None:
                yield _event("alive", {})
                continue
            async for event in teller.tell(news):
                yield event
            await asyncio.sleep(BREATH_SECONDS)


class _Teller:
    """Turns news into what one subscriber may know of them."""

    def __init__(self, database: Database, scope: Scope, *, only: uuid.UUID | None) -> None:
        self._database = database
        self._scope = scope
        self._only = only
        self._known: OrderedDict[uuid.UUID, None] = OrderedDict()

    async def tell(self, news: News) -> AsyncGenerator[str]:
        if news.is_gap:
            yield _event("refetch", {})
        gone = self._relevant(news.gone)
        changed = self._relevant(news.changed)
        for start in range(0, len(changed), _AT_ONCE):
            part = changed[start : start + _AT_ONCE]
            # A document and its job are two reads: of one moment, or a job has ended and its document is not ready yet.
            async with self._database.session(self._scope, is_snapshot=True) as session:
                found = await list_news(session, part)
            for one in found:
                self._know(one.document_id)
                yield f"event: document\ndata: {one.model_dump_json()}\n\n"
            seen = {one.document_id for one in found}
            gone += [document_id for document_id in part if document_id not in seen]
        for document_id in gone:
            # To somebody who was never told of it even the id is none of their business.
            if self._scope.is_unrestricted or document_id in self._known:
                self._known.pop(document_id, None)
                yield _event("document_gone", {"document_id": str(document_id)})

    def _relevant(self, document_ids: tuple[uuid.UUID, ...]) -> list[uuid.UUID]:
        return [one for one in document_ids if self._only is None or one == self._only]

    def _know(self, document_id: uuid.UUID) -> None:
        self._known[document_id] = None
        self._known.move_to_end(document_id)
        if len(self._known) > _MOST_KNOWN:
            self._known.popitem(last=False)


def _event(name: str, data: dict[str, str]) -> str:
    return f"event: {name}\ndata: {json.dumps(data)}\n\n"
