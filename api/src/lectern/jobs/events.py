"""Notify subscribers about changed documents and permissions, over one LISTEN connection per process.

    hub = EventHub(url)
    hub.start()
    with hub.subscribe() as subscription:
        changes = await subscription.next(timeout_seconds=15)   # DocumentChanges, or None after the timeout
    await hub.stop()

Changes contain only document ids. Each subscriber looks them up in its own scope. Notifications arrive in the order of
their transactions: whoever checks the permissions after `is_access_changed` sees no later change without them.
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
MIN_RECONNECT_SECONDS: Final = 0.25
MAX_RECONNECT_SECONDS: Final = 5.0
CHECK_SECONDS: Final = 10.0


@dataclass(frozen=True, slots=True)
class DocumentChanges:
    """Ids of changed and removed documents. After a gap, subscribers must reload everything."""

    changed: tuple[uuid.UUID, ...] = ()
    removed: tuple[uuid.UUID, ...] = ()
    has_gap: bool = False
    is_access_changed: bool = False


@dataclass(eq=False)
class Subscription:
    """Pending changes of one subscriber, each document once."""

    _changed: dict[uuid.UUID, None] = field(default_factory=dict[uuid.UUID, None])
    _removed: dict[uuid.UUID, None] = field(default_factory=dict[uuid.UUID, None])
    _has_gap: bool = False
    _is_access_changed: bool = False
    _wake: asyncio.Event = field(default_factory=asyncio.Event)

    def add(self, document_id: uuid.UUID, *, is_removed: bool) -> None:
        """Add a change. Too many changes become a gap."""
        (self._removed if is_removed else self._changed)[document_id] = None
        if len(self._changed) + len(self._removed) > MAX_PENDING:
            self.add_gap()
        self._wake.set()

    def add_gap(self) -> None:
        """Replace all pending changes with a gap."""
        self._changed.clear()
        self._removed.clear()
        self._has_gap = True
        self._wake.set()

    def add_access_change(self) -> None:
        """Add that somebody's permissions have changed."""
        self._is_access_changed = True
        self._wake.set()

    async def next(self, *, timeout_seconds: float) -> DocumentChanges | None:
        """Wait for changes and return all that are pending, or None after the timeout."""
        try:
            await asyncio.wait_for(self._wake.wait(), timeout_seconds)
        except TimeoutError:
            return None
        changed = tuple(one for one in self._changed if one not in self._removed)
        changes = DocumentChanges(changed, tuple(self._removed), self._has_gap, self._is_access_changed)
        self._changed.clear()
        self._removed.clear()
        self._has_gap = self._is_access_changed = False
        self._wake.clear()
        return changes


class EventHub:
    """Listens once and forwards changes to all subscriptions."""

    def __init__(self, url: str) -> None:
        self._url = libpq_url(url)
        self._subscriptions: set[Subscription] = set()
        self._task: asyncio.Task[None] | None = None
        self._reconnect_seconds = MIN_RECONNECT_SECONDS

    @property
    def subscriber_count(self) -> int:
        return len(self._subscriptions)

    def start(self) -> None:
        """Start listening in the background, and reconnect after a failure."""
        self._task = self._task or asyncio.create_task(self._run(), name="events")

    async def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
            self._task = None

    @contextmanager
    def subscribe(self) -> Generator[Subscription]:
        """Subscribe until the end of the block."""
        subscription = Subscription()
        self._subscriptions.add(subscription)
        try:
            yield subscription
        finally:
            self._subscriptions.discard(subscription)

    async def _run(self) -> None:
        while True:
            try:
                await self._listen()
            except psycopg.Error as error:
                logger.warning("Lost the connection for events", extra={"reason": str(error).strip()})
            await asyncio.sleep(self._reconnect_seconds)
            self._reconnect_seconds = min(self._reconnect_seconds * 2, MAX_RECONNECT_SECONDS)

    async def _connect(self) -> psycopg.AsyncConnection:
        """Connect, to the end even if this is cancelled.

        Postgres waits a minute for the password of a connection that is left half-open. Meanwhile no database can be
        created or dropped.
        """
        connecting = asyncio.ensure_future(
            psycopg.AsyncConnection.connect(
                self._url, autocommit=True, application_name="lectern-events", connect_timeout=10
            )
        )
        try:
            return await asyncio.shield(connecting)
        except asyncio.CancelledError:
            with contextlib.suppress(psycopg.Error):
                await (await connecting).close()
            raise

    async def _listen(self) -> None:
        async with await self._connect() as connection:
            await connection.execute(f"LISTEN {CHANNEL}")
            self._reconnect_seconds = MIN_RECONNECT_SECONDS
            for subscription in self._subscriptions:  # changes before the connection are unknown
                subscription.add_gap()
                subscription.add_access_change()
            while True:
                async for notice in connection.notifies(timeout=CHECK_SECONDS):
                    self._forward(notice.payload)
                await connection.execute("SELECT 1")

    def _forward(self, payload: str) -> None:
        kind, _, value = payload.partition(" ")
        for subscription in self._subscriptions:
            if kind == "access":
                subscription.add_access_change()
            else:
                subscription.add(uuid.UUID(value), is_removed=kind == "gone")
