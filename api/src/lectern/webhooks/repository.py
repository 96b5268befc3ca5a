"""Read and write webhooks, events and deliveries. System sessions only."""

import json
import uuid
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from sqlalchemy import delete, func, select, text, update

from lectern.db.driver import fetch
from lectern.db.pages import fetch_page
from lectern.db.session import Session
from lectern.webhooks.models import Webhook, WebhookDelivery, WebhookEvent

_LOCK_ALERTS: Final = text("SELECT pg_advisory_xact_lock(7263510448)")
_NEWEST_ALERTS: Final = """
SELECT DISTINCT ON (details ->> 'alert') details ->> 'alert' AS name, details ->> 'state' AS state
FROM webhook_events WHERE type = 'system.alert' ORDER BY details ->> 'alert', sequence DESC
"""
_ADD_ALERT: Final = text("""
INSERT INTO webhook_events (id, type, details)
SELECT gen_random_uuid(), 'system.alert', CAST(:details AS jsonb) WHERE EXISTS (SELECT FROM webhooks)
""")
_TRY_LOCK: Final = text("SELECT pg_try_advisory_xact_lock(7263510447)")
# Identities are given before the commit, so a smaller one can appear later. Positions are given after it.
_PUBLISH: Final = text("""
UPDATE webhook_events AS e SET position = pending.position, transaction_id = NULL FROM (
    SELECT id, (SELECT coalesce(max(position), 0) FROM webhook_events) + row_number() OVER (ORDER BY sequence)
        AS position
    FROM webhook_events WHERE position IS NULL
) AS pending WHERE pending.id = e.id
""")
_CLAIM: Final = text("""
UPDATE webhooks SET lease_id = :lease_id, leased_until = now() + make_interval(secs => :seconds)
WHERE id IN (
    SELECT w.id FROM webhooks AS w
    WHERE w.is_active AND w.stopped_at IS NULL AND coalesce(w.next_attempt_at, now()) <= now()
      AND coalesce(w.leased_until, now()) <= now()
      AND EXISTS (SELECT FROM webhook_events AS e
                  WHERE e.position > w.position AND (w.event_types IS NULL OR e.type = ANY (w.event_types)))
    FOR UPDATE OF w SKIP LOCKED
) RETURNING id
""")
_RENEW: Final = text("""
UPDATE webhooks SET leased_until = now() + make_interval(secs => :seconds)
WHERE id = :id AND lease_id = :lease_id AND is_active RETURNING id
""")
_SUCCEED: Final = text("""
UPDATE webhooks SET position = :position, attempts = 0, next_attempt_at = NULL, last_error = NULL,
    last_delivered_at = now()
WHERE id = :id AND lease_id = :lease_id RETURNING id
""")
_FAIL: Final = text("""
UPDATE webhooks SET attempts = attempts + 1, last_error = :error, lease_id = NULL, leased_until = NULL,
    next_attempt_at = now() + make_interval(secs => :wait_seconds),
    stopped_at = CASE WHEN :is_last THEN now() END
WHERE id = :id AND lease_id = :lease_id
""")
_RELEASE: Final = text(
    "UPDATE webhooks SET lease_id = NULL, leased_until = NULL WHERE id = :id AND lease_id = :lease_id"
)
_DOCUMENTS: Final = """
SELECT d.id, jsonb_build_object(
    'id', d.id, 'filename', d.filename, 'title', d.title, 'status', d.status, 'version', d.version,
    'collection', jsonb_build_object('id', c.id, 'name', c.name),
    'tags', (SELECT coalesce(jsonb_agg(t.name ORDER BY t.normalized_name), '[]') FROM document_tags AS dt
             JOIN tags AS t ON t.id = dt.tag_id WHERE dt.document_id = d.id)) AS described
FROM documents AS d JOIN collections AS c ON c.id = d.collection_id WHERE d.id = ANY (:ids)
"""
# The newest event stays, because the next position follows from it. Alerts stay, because the next follows from them.
_DELETE_EVENTS: Final = text("""
DELETE FROM webhook_events WHERE created_at < now() - make_interval(days => :days)
  AND type <> 'system.alert' AND position < (SELECT max(position) FROM webhook_events)
""")
_DELETE_DELIVERIES: Final = text("DELETE FROM webhook_deliveries WHERE at < now() - make_interval(days => :days)")


async def publish_events(session: Session) -> None:
    """Give positions to committed events. Another worker that is doing so is left alone."""
    if (await session.execute(_TRY_LOCK)).scalar_one():
        await session.execute(_PUBLISH)


async def list_open_alerts(session: Session) -> set[str]:
    """Return the names of alerts that started and have not ended. Others wait until this transaction is over."""
    await session.execute(_LOCK_ALERTS)
    return {row["name"] for row in await fetch(session, _NEWEST_ALERTS, {}) if row["state"] == "started"}


async def add_alert(session: Session, details: Mapping[str, Any]) -> None:
    """Add an event to the outbox, if there is a webhook."""
    await session.execute(_ADD_ALERT, {"details": json.dumps(details)})


async def claim(session: Session, lease_id: uuid.UUID, *, seconds: float) -> list[uuid.UUID]:
    """Lease every webhook that has something to send now. Return their ids."""
    return list((await session.execute(_CLAIM, {"lease_id": lease_id, "seconds": seconds})).scalars())


async def renew(session: Session, webhook_id: uuid.UUID, lease_id: uuid.UUID, *, seconds: float) -> Webhook | None:
    """Renew a lease and return its webhook, or None if the lease is lost or the webhook is paused."""
    values = {"id": webhook_id, "lease_id": lease_id, "seconds": seconds}
    if (await session.execute(_RENEW, values)).scalar_one_or_none() is None:
        return None
    return await find(session, webhook_id)


async def record_success(session: Session, webhook_id: uuid.UUID, lease_id: uuid.UUID, *, position: int) -> bool:
    """Advance the position. Return False if the lease is lost."""
    values = {"id": webhook_id, "lease_id": lease_id, "position": position}
    return (await session.execute(_SUCCEED, values)).scalar_one_or_none() is not None


async def record_failure(
    session: Session, webhook_id: uuid.UUID, lease_id: uuid.UUID, *, error: str, wait_seconds: float, is_last: bool
) -> None:
    """Count a failure, end the lease, and stop the webhook after the last attempt."""
    values = {"id": webhook_id, "lease_id": lease_id, "error": error, "wait_seconds": wait_seconds, "is_last": is_last}
    await session.execute(_FAIL, values)


async def release(session: Session, webhook_id: uuid.UUID, lease_id: uuid.UUID) -> None:
    await session.execute(_RELEASE, {"id": webhook_id, "lease_id": lease_id})


async def find_next_event(session: Session, webhook: Webhook) -> WebhookEvent | None:
    """Return the first event after the position of a webhook that it wants."""
    found = await list_events(session, after=webhook.position, types=webhook.event_types, limit=1)
    return found[0] if found else None


async def list_events(
    session: Session, *, after: int, types: Collection[str] | None = None, limit: int
) -> list[WebhookEvent]:
    """Return published events after a position, in their order."""
    query = select(WebhookEvent).where(WebhookEvent.position > after)
    if types is not None:
        query = query.where(WebhookEvent.type.in_(types))
    return list((await session.scalars(query.order_by(WebhookEvent.position).limit(limit))).all())


async def describe_documents(session: Session, ids: Sequence[uuid.UUID]) -> dict[uuid.UUID, dict[str, Any]]:
    """Return what messages say of documents that exist."""
    rows = await fetch(session, _DOCUMENTS, {"ids": list(ids)}) if ids else []
    return {row["id"]: row["described"] for row in rows}


async def find_newest_position(session: Session) -> int:
    return await session.scalar(select(func.max(WebhookEvent.position))) or 0


async def find(session: Session, webhook_id: uuid.UUID) -> Webhook | None:
    query = select(Webhook).where(Webhook.id == webhook_id).execution_options(populate_existing=True)
    return (await session.scalars(query)).one_or_none()


async def list_webhooks(session: Session) -> list[Webhook]:
    """Return all webhooks, oldest first."""
    return list((await session.scalars(select(Webhook).order_by(Webhook.created_at, Webhook.id))).all())


async def change(session: Session, webhook_id: uuid.UUID, values: Mapping[str, Any]) -> None:
    await session.execute(update(Webhook).where(Webhook.id == webhook_id).values(dict(values)))


async def remove(session: Session, webhook_id: uuid.UUID) -> None:
    """Delete a webhook with its log."""
    await session.execute(delete(Webhook).where(Webhook.id == webhook_id))


async def list_deliveries(
    session: Session, webhook_id: uuid.UUID, *, after: Sequence[Any] | None, limit: int
) -> tuple[Sequence[WebhookDelivery], int]:
    """Return a page of attempts, newest first, and the total."""
    query = select(WebhookDelivery).where(WebhookDelivery.webhook_id == webhook_id)
    return await fetch_page(session, query, WebhookDelivery.id, after=after, limit=limit, is_descending=True)


async def delete_old(session: Session, *, days: int) -> None:
    """Delete events and deliveries that are older."""
    await session.execute(_DELETE_EVENTS, {"days": days})
    await session.execute(_DELETE_DELIVERIES, {"days": days})


async def count_pending(session: Session, webhook: Webhook) -> int:
    """Return the number of published events that a webhook has not got yet."""
    query = select(func.count()).select_from(WebhookEvent).where(WebhookEvent.position > webhook.position)
    if webhook.event_types is not None:
        query = query.where(WebhookEvent.type.in_(webhook.event_types))
    return await session.scalar(query) or 0
