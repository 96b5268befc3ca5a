"""Deliver events from the outbox, in their order for each webhook, at least once.

    dispatcher = Dispatcher(database, sender)
    await dispatcher.run()        # until it is cancelled

A lease keeps a webhook to one worker. The position advances after the endpoint has accepted an event, so a worker that
is killed in between sends that event again, with the same id.
"""

import asyncio
import contextlib
import uuid
from dataclasses import asdict
from typing import Final

from lectern.db.scope import SYSTEM_SCOPE
from lectern.db.session import Database
from lectern.webhooks import repository
from lectern.webhooks.events import build_data, build_message, document_ids
from lectern.webhooks.models import Webhook, WebhookDelivery, WebhookEvent
from lectern.webhooks.sending import TIMEOUT_SECONDS, Attempt, Sender

POLLING_SECONDS: Final = 1.0
LEASE_SECONDS: Final = 3 * TIMEOUT_SECONDS
EVENTS_OF_A_TURN: Final = 100
WAITS_SECONDS: Final = (5.0, 30.0, 120.0, 600.0, 1_800.0, 3_600.0, 7_200.0, 14_400.0, 28_800.0)
"""The waits between attempts. An endpoint that fails once more after the last is stopped."""


class Dispatcher:
    """Sends what is due. Any number of workers may run one."""

    def __init__(self, database: Database, sender: Sender) -> None:
        self._database = database
        self._sender = sender

    async def run(self) -> None:
        """Publish and deliver until cancelled. A slow endpoint holds up only itself."""
        turns: set[asyncio.Task[None]] = set()
        try:
            while True:
                for webhook_id, lease_id in await self._claim():
                    turns.add(asyncio.create_task(self._deliver(webhook_id, lease_id)))
                await asyncio.sleep(POLLING_SECONDS)
                for turn in [each for each in turns if each.done()]:
                    turns.discard(turn)
                    turn.result()
        finally:
            for turn in turns:
                turn.cancel()
            await asyncio.gather(*turns, return_exceptions=True)

    async def _claim(self) -> list[tuple[uuid.UUID, uuid.UUID]]:
        lease_id = uuid.uuid4()
        async with self._database.session(SYSTEM_SCOPE) as session:
            await repository.publish_events(session)
        async with self._database.session(SYSTEM_SCOPE) as session:
            found = await repository.claim(session, lease_id, seconds=LEASE_SECONDS)
        return [(webhook_id, lease_id) for webhook_id in found]

    async def _deliver(self, webhook_id: uuid.UUID, lease_id: uuid.UUID) -> None:
        """Send the events of one webhook until there are no more, one fails, or others want their turn."""
        try:
            for _ in range(EVENTS_OF_A_TURN):
                if not await self._deliver_next(webhook_id, lease_id):
                    break
        finally:
            with contextlib.suppress(asyncio.CancelledError):
                async with self._database.session(SYSTEM_SCOPE) as session:
                    await repository.release(session, webhook_id, lease_id)

    async def _deliver_next(self, webhook_id: uuid.UUID, lease_id: uuid.UUID) -> bool:
        """Send one event. Return True if the next may follow."""
        async with self._database.session(SYSTEM_SCOPE) as session:
            webhook = await repository.renew(session, webhook_id, lease_id, seconds=LEASE_SECONDS)
            event = await repository.find_next_event(session, webhook) if webhook else None
            if webhook is None or event is None:
                return False
            documents = await repository.describe_documents(session, document_ids([event]))
        data = build_data(event, documents, base_url=self._sender.base_url)
        message = build_message(event.type, event.created_at, event.cursor, data)
        attempt = await self._sender.send(webhook, event.id, message)
        return await self._record(webhook, lease_id, event, attempt)

    async def _record(self, webhook: Webhook, lease_id: uuid.UUID, event: WebhookEvent, attempt: Attempt) -> bool:
        delivery = WebhookDelivery(
            webhook_id=webhook.id,
            event_id=event.id,
            event_type=event.type,
            cursor=event.cursor,
            attempt=webhook.attempts + 1,
            **asdict(attempt),
        )
        async with self._database.session(SYSTEM_SCOPE) as session:
            if await repository.find(session, webhook.id) is None:
                return False
            session.add(delivery)
            if attempt.error is None:
                return await repository.record_success(session, webhook.id, lease_id, position=event.cursor)
            is_last = attempt.is_gone or webhook.attempts >= len(WAITS_SECONDS)
            wait_seconds = 0.0 if is_last else WAITS_SECONDS[webhook.attempts]
            await repository.record_failure(
                session, webhook.id, lease_id, error=attempt.error, wait_seconds=wait_seconds, is_last=is_last
            )
        return False
