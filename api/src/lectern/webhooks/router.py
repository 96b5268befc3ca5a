"""`/webhooks`, for administrators."""

import uuid
from typing import Annotated

from fastapi import APIRouter, Query

from lectern.accounts.dependencies import Admin, CurrentDatabase, SystemSession, from_app
from lectern.http.page_parameters import CursorParameter, Limit
from lectern.http.pagination import MAX_LIMIT, Page
from lectern.webhooks import service
from lectern.webhooks.schemas import (
    DeliveryResponse,
    WebhookCreate,
    WebhookCreated,
    WebhookEvents,
    WebhookResponse,
    WebhookRotate,
    WebhookUpdate,
)
from lectern.webhooks.sending import Sender

router = APIRouter(prefix="/api/v1/webhooks", tags=["webhooks"])

After = Annotated[int, Query(ge=0, le=2**63 - 1, description="Cursor of an event. 0 is before the oldest.")]
EventLimit = Annotated[int, Query(ge=1, le=MAX_LIMIT, description="Maximum number of events.")]


CurrentSender = Annotated[Sender, from_app("webhook_sender")]


@router.get("")
async def list_webhooks(_: Admin, session: SystemSession) -> list[WebhookResponse]:
    """List the webhooks with their state, oldest first (administrators)."""
    return await service.list_webhooks(session)


@router.post("", status_code=201)
async def create_webhook(
    body: WebhookCreate, principal: Admin, session: SystemSession, sender: CurrentSender
) -> WebhookCreated:
    """Create a webhook and return its secret, once. It gets the events from now on (administrators)."""
    return await service.create_webhook(session, principal, body, sender=sender)


@router.get("/events")
async def list_webhook_events(
    _: Admin, session: SystemSession, sender: CurrentSender, after: After = 0, limit: EventLimit = 50
) -> WebhookEvents:
    """List events of the last 30 days in their order, as they are sent (administrators).

    Events are recorded while there is a webhook.
    """
    return await service.list_events(session, after=after, limit=limit, base_url=sender.base_url)


@router.get("/{webhook_id}")
async def get_webhook(webhook_id: uuid.UUID, _: Admin, session: SystemSession) -> WebhookResponse:
    """Get a webhook without its secret (administrators)."""
    return await service.get_webhook(session, webhook_id)


@router.patch("/{webhook_id}")
async def update_webhook(
    webhook_id: uuid.UUID, body: WebhookUpdate, principal: Admin, session: SystemSession, sender: CurrentSender
) -> WebhookResponse:
    """Change, pause or resume a webhook (administrators)."""
    return await service.update_webhook(session, principal, webhook_id, body, sender=sender)


@router.delete("/{webhook_id}", status_code=204)
async def delete_webhook(webhook_id: uuid.UUID, principal: Admin, session: SystemSession) -> None:
    """Delete a webhook with its delivery log (administrators)."""
    await service.delete_webhook(session, principal, webhook_id)


@router.post("/{webhook_id}/rotate")
async def rotate_webhook_secret(
    webhook_id: uuid.UUID,
    principal: Admin,
    session: SystemSession,
    sender: CurrentSender,
    body: WebhookRotate | None = None,
) -> WebhookCreated:
    """Give a webhook a new secret. Messages are signed with both for `overlap_hours` (administrators)."""
    return await service.rotate_secret(session, principal, webhook_id, body or WebhookRotate(), sender=sender)


@router.post("/{webhook_id}/replay")
async def replay_webhook(
    webhook_id: uuid.UUID, principal: Admin, session: SystemSession, after: After
) -> WebhookResponse:
    """Send the events after a cursor again, with their ids. Starts a failing webhook (administrators)."""
    return await service.replay(session, principal, webhook_id, after=after)


@router.post("/{webhook_id}/test")
async def send_webhook_test(
    webhook_id: uuid.UUID, _: Admin, database: CurrentDatabase, sender: CurrentSender
) -> DeliveryResponse:
    """Send a `webhook.test` message now and return how the endpoint answered (administrators)."""
    return await service.send_test(database, webhook_id, sender=sender)


@router.get("/{webhook_id}/deliveries")
async def list_webhook_deliveries(
    webhook_id: uuid.UUID, _: Admin, session: SystemSession, cursor: CursorParameter = None, limit: Limit = 50
) -> Page[DeliveryResponse]:
    """List the attempts of the last 30 days, newest first (administrators)."""
    return await service.list_deliveries(session, webhook_id, cursor=cursor, limit=limit)
