"""Create, change and replay webhooks. Administrators only: messages name documents of every collection."""

import logging
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any, Final, TypeAlias
from urllib.parse import urlsplit

from lectern.accounts.audit.service import record
from lectern.accounts.errors import SecondFactorUnreadable
from lectern.accounts.principals import Principal
from lectern.db.scope import SYSTEM_SCOPE
from lectern.db.session import Database, Session
from lectern.errors import Misconfigured
from lectern.http.pagination import Page, list_page
from lectern.webhooks import repository
from lectern.webhooks.errors import TooManyWebhooks, WebhookNotFound
from lectern.webhooks.events import TEST_TYPE, build_data, build_message, document_ids
from lectern.webhooks.models import Webhook, WebhookDelivery
from lectern.webhooks.schemas import (
    DeliveryResponse,
    WebhookCreate,
    WebhookCreated,
    WebhookEvents,
    WebhookMessage,
    WebhookResponse,
    WebhookRotate,
    WebhookState,
    WebhookUpdate,
)
from lectern.webhooks.sending import Sender, new_secret

logger: Final = logging.getLogger(__name__)

AlertCondition: TypeAlias = tuple[str, bool, bool, Mapping[str, float | int | str]]
"""A name, whether the condition starts and whether it ends now, and facts."""

MAX_WEBHOOKS: Final = 50
RETENTION_DAYS: Final = 30
_STARTED: Final[dict[str, Any]] = {
    "attempts": 0,
    "next_attempt_at": None,
    "stopped_at": None,
    "last_error": None,
    "lease_id": None,
    "leased_until": None,
}
"""The values that make a webhook try again at once. A worker without its lease records nothing more."""


async def list_webhooks(session: Session) -> list[WebhookResponse]:
    """Return all webhooks, oldest first."""
    return [await _present(session, webhook) for webhook in await repository.list_webhooks(session)]


async def get_webhook(session: Session, webhook_id: uuid.UUID) -> WebhookResponse:
    """Return a webhook. Raises WebhookNotFound."""
    return await _present(session, await _find(session, webhook_id))


async def create_webhook(
    session: Session, principal: Principal, wanted: WebhookCreate, *, sender: Sender
) -> WebhookCreated:
    """Create a webhook. It gets the events from now on. Raises AddressRefused, TooManyWebhooks."""
    await sender.check_url(wanted.url)
    if len(await repository.list_webhooks(session)) >= MAX_WEBHOOKS:
        raise TooManyWebhooks(f"There are {MAX_WEBHOOKS} webhooks already.")
    secret = new_secret()
    webhook = Webhook(
        id=uuid.uuid4(),
        url=wanted.url,
        description=wanted.description,
        event_types=wanted.event_types,
        secret=_encrypt(sender, secret),
        position=await repository.find_newest_position(session),
        created_by=principal.actor,
    )
    session.add(webhook)
    await session.flush()
    details = {"host": urlsplit(wanted.url).hostname, "event_types": wanted.event_types}
    await _record(session, principal, webhook.id, action="webhook.create", details=details)
    return WebhookCreated(webhook=await _present(session, webhook), secret=secret)


async def update_webhook(
    session: Session, principal: Principal, webhook_id: uuid.UUID, wanted: WebhookUpdate, *, sender: Sender
) -> WebhookResponse:
    """Change a webhook. Raises WebhookNotFound, AddressRefused."""
    await _find(session, webhook_id)
    values = {name: value for name, value in wanted.given().items() if value is not None or name == "event_types"}
    if wanted.url is not None:
        await sender.check_url(wanted.url)
    restarts = _STARTED if values.get("is_active") or "url" in values else {}
    await repository.change(session, webhook_id, {**values, **restarts})
    details = {name: value for name, value in values.items() if name != "url"}
    await _record(session, principal, webhook_id, action="webhook.update", details=details)
    return await get_webhook(session, webhook_id)


async def delete_webhook(session: Session, principal: Principal, webhook_id: uuid.UUID) -> None:
    """Delete a webhook with its log. Raises WebhookNotFound."""
    await _find(session, webhook_id)
    await repository.remove(session, webhook_id)
    await _record(session, principal, webhook_id, action="webhook.delete", details={})


async def rotate_secret(
    session: Session, principal: Principal, webhook_id: uuid.UUID, wanted: WebhookRotate, *, sender: Sender
) -> WebhookCreated:
    """Give a webhook a new secret. The old one signs too until the overlap ends. Raises WebhookNotFound."""
    webhook = await _find(session, webhook_id)
    secret = new_secret()
    values = {
        "secret": _encrypt(sender, secret),
        "previous_secret": webhook.secret if wanted.overlap_hours else None,
        "previous_expires_at": datetime.now(UTC) + timedelta(hours=wanted.overlap_hours),
    }
    await repository.change(session, webhook_id, values)
    details = {"overlap_hours": wanted.overlap_hours}
    await _record(session, principal, webhook_id, action="webhook.rotate", details=details)
    return WebhookCreated(webhook=await get_webhook(session, webhook_id), secret=secret)


async def replay(session: Session, principal: Principal, webhook_id: uuid.UUID, *, after: int) -> WebhookResponse:
    """Send all events after a cursor again. Raises WebhookNotFound."""
    await _find(session, webhook_id)
    position = min(after, await repository.find_newest_position(session))
    await repository.change(session, webhook_id, {"position": position, **_STARTED})
    await _record(session, principal, webhook_id, action="webhook.replay", details={"after": after})
    return await get_webhook(session, webhook_id)


async def send_test(database: Database, webhook_id: uuid.UUID, *, sender: Sender) -> DeliveryResponse:
    """Send a test message now, also to a paused webhook. Raises WebhookNotFound."""
    async with database.session(SYSTEM_SCOPE) as session:
        webhook = await _find(session, webhook_id)
    event_id, now = uuid.uuid4(), datetime.now(UTC)
    attempt = await sender.send(webhook, event_id, build_message(TEST_TYPE, now, None, {}))
    async with database.session(SYSTEM_SCOPE) as session:
        await _find(session, webhook_id)
        delivery = WebhookDelivery(
            webhook_id=webhook_id,
            event_id=event_id,
            event_type=TEST_TYPE,
            attempt=1,
            **asdict(attempt),
        )
        session.add(delivery)
        await session.flush()
        return DeliveryResponse.model_validate(delivery)


async def list_deliveries(
    session: Session, webhook_id: uuid.UUID, *, cursor: str | None, limit: int
) -> Page[DeliveryResponse]:
    """Return a page of the delivery log, newest first. Raises WebhookNotFound, BrokenCursor."""
    await _find(session, webhook_id)
    read, keys = partial(repository.list_deliveries, session, webhook_id), {"id": int}
    present = DeliveryResponse.model_validate
    return await list_page(read, present, order="deliveries", keys=keys, cursor=cursor, limit=limit)


async def list_events(session: Session, *, after: int, limit: int, base_url: str) -> WebhookEvents:
    """Return the events after a cursor as they are sent."""
    events = await repository.list_events(session, after=after, limit=limit)
    documents = await repository.describe_documents(session, document_ids(events))
    items = [
        WebhookMessage.from_row(event, timestamp=event.created_at, data=build_data(event, documents, base_url=base_url))
        for event in events
    ]
    return WebhookEvents(items=items, next_cursor=events[-1].cursor if events else after)


async def reencrypt_secrets(database: Database, sender: Sender) -> None:
    """Encrypt all secrets with the current signing key, so that a previous one can be dropped."""
    if sender.cipher is None:
        return
    async with database.session(SYSTEM_SCOPE) as session:
        for webhook in await repository.list_webhooks(session):
            secrets = {"secret": webhook.secret, "previous_secret": webhook.previous_secret}
            try:
                renewed = {name: sender.cipher.reencrypt(each) for name, each in secrets.items() if each}
            except SecondFactorUnreadable:
                logger.warning("The secret of a webhook cannot be read", extra={"webhook_id": str(webhook.id)})
                continue
            values = {name: each for name, each in renewed.items() if each is not None}
            if values:
                await repository.change(session, webhook.id, values)


async def announce_alerts(session: Session, conditions: Iterable[AlertCondition]) -> None:
    """Add an event for each condition that started or ended since the last one. Any number of workers may call it."""
    is_open = await repository.list_open_alerts(session)
    for name, starts, ends, details in conditions:
        if ends if name in is_open else starts:
            state = "ended" if name in is_open else "started"
            await repository.add_alert(session, {"alert": name, "state": state, **details})


async def delete_expired(database: Database) -> None:
    """Delete events and deliveries after 30 days. Called by a periodic task."""
    async with database.session(SYSTEM_SCOPE) as session:
        await repository.delete_old(session, days=RETENTION_DAYS)


async def _present(session: Session, webhook: Webhook) -> WebhookResponse:
    return WebhookResponse.from_row(
        webhook,
        state=_state(webhook),
        cursor=webhook.position,
        pending_count=await repository.count_pending(session, webhook),
    )


def _state(webhook: Webhook) -> WebhookState:
    if not webhook.is_active:
        return "paused"
    if webhook.stopped_at is not None:
        return "failing"
    return "retrying" if webhook.attempts else "active"


async def _find(session: Session, webhook_id: uuid.UUID) -> Webhook:
    webhook = await repository.find(session, webhook_id)
    if webhook is None:
        raise WebhookNotFound
    return webhook


def _encrypt(sender: Sender, secret: str) -> str:
    if sender.cipher is None:
        raise Misconfigured("JWT_SECRET_KEY is not set.", hint="Set it to 32 or more random characters.")
    return sender.cipher.encrypt(secret)


async def _record(
    session: Session, principal: Principal, webhook_id: uuid.UUID, *, action: str, details: dict[str, Any]
) -> None:
    await record(session, principal.actor, action=action, target=f"webhook:{webhook_id}", details=details)
