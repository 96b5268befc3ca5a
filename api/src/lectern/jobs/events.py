"""News of documents, from whichever process changed them: one LISTEN connection for all subscribers of this process.

    hub = EventHub(url)
    hub.start()
    with hub.subscribe() as subscription:
        news = await subscription.next(timeout_seconds=15)      # News, or None when nothing happened
    await hub.stop()

News name documents and nothing else; what a subscriber may know of them is looked up under its own scope.
"""

import asyncio
import contextlib
import logging
import uuid
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

import psycopg

from lectern.db.engine import libpq_url

logger = logging.getLogger(__name__)

CHANNEL: Final = "lectern_events"
MAX_PENDING: Final = 5_000
LONGEST_WAIT_SECONDS: Final = 5.0
CHECK_SECONDS: Final = 10.0


@dataclass(frozen=True, slots=True)
class News:
    """Documents that changed or are gone; `is_gap`: more was missed than can be told, look at everything again."""

    changed: tuple[uuid.UUID, ...] = ()
    gone: tuple[uuid.UUID, ...] = ()
    is_gap: bool = False


@dataclass(eq=False)
class Subscription:
    """What one subscriber has not been told yet: each document once, however often it changed."""

    _changed: dict[uuid.UUID, None] = field(default_factory=dict[uuid.UUID, None])
    _gone: dict[uuid.UUID, None] = field(default_factory=dict[uuid.UUID, None])
    _is_gap: bool = False
    _wake: asyncio.Event = field(default_factory=asyncio.Event)

    def note(self, document_id: uuid.UUID, *, is_gone: bool) -> None:
        """Remember a document; forget them all when there are too many."""
        (self._gone if is_gone else self._changed)[document_id] = None
        if len(self._changed) + len(self._gone) > MAX_PENDING:
            self.note_gap()
        self._wake.set()

    def note_gap(self) -> None:
        """Remember only that something was missed."""
        self._changed.clear()
        self._gone.clear()
        self._is_gap = True
        self._wake.set()

    async def next(self, *, timeout_seconds: float) -> News | None:
        """All that has come up since the last time, as soon as there is something; None when nothing came."""
        try:
            await asyncio.wait_for(self._wake.wait(), timeout_seconds)
        except TimeoutError:
            return None
        gone = tuple(self._gone)
        news = News(tuple(one for one in self._changed if one not in self._gone), gone, self._is_gap)
        self._changed.clear()
        self._gone.clear()
        self._is_gap = False
        self._wake.clear()
        return news


class EventHub:
    """Listens once and passes on to all."""

    def __init__(self, url: str) -> None:
        self._url = libpq_url(url)
        self._subscriptions: set[Subscription] = set()
        self._task: asyncio.Task[None] | None = None

    @property
    def subscriber_count(self) -> int:
        return len(self._subscriptions)

    def start(self) -> None:
        """Begin to listen, in the background; a lost connection is made again."""
        self._task = self._task or asyncio.create_task(self._run(), name="events")

    async def stop(self) -> None:
        """Stop listening."""
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
            self._task = None

    @contextmanager
    def subscribe(self) -> Generator[Subscription]:
        """A subscription that ends with the block."""
        subscription = Subscription()
        self._subscriptions.add(subscription)
        try:
            yield subscription
        finally:
            self._subscriptions.discard(subscription)

    async def _run(self) -> None:
        wait = 0.25
        while True:
            try:
                await self._listen()
            except psycopg.Error as error:
                logger.warning("The connection for events broke", extra={"reason": str(error).strip()})
            await asyncio.sleep(wait)
            wait = min(wait * 2, LONGEST_WAIT_SECONDS)

    async def _listen(self) -> None:
        connection = await psycopg.AsyncConnection.connect(
            self._url, autocommit=True, application_name="lectern-events", connect_timeout=10
        )
        async with connection:
            await connection.execute(f"LISTEN {CHANNEL}")
            for subscription in self._subscriptions:  # what happened while nobody listened is unknown
                subscription.note_gap()
            while True:
                async for notice in connection.notifies(timeout=CHECK_SECONDS):
                    self._pass_on(notice.payload)
                await connection.execute("SELECT 1")

    def _pass_on(self, payload: str) -> None:
        what, _, value = payload.partition(" ")
        document_id = uuid.UUID(value)
        for subscription in self._subscriptions:
            subscription.note(document_id, is_gone=what == "gone")
