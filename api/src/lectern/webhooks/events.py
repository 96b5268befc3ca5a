"""The types of events, and what is sent of them: ids, names, tags, times and addresses, never text of documents."""

import uuid
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final, Literal

from lectern.webhooks.models import WebhookEvent

EventType = Literal[
    "document.created",
    "document.ready",
    "document.failed",
    "document.updated",
    "document.trashed",
    "document.restored",
    "document.purged",
    "job.failed",
    "collection.created",
    "collection.updated",
    "collection.deleted",
    "system.alert",
]
TEST_TYPE: Final = "webhook.test"


def build_data(
    event: WebhookEvent, documents: Mapping[uuid.UUID, Mapping[str, Any]], *, base_url: str
) -> dict[str, Any]:
    """Return the data of an event. A document that is purged by now has its id only."""
    details = dict(event.details)
    if event.type.startswith("collection."):
        return {"collection": {"id": str(event.subject_id), "name": details.get("name")}}
    if event.document_id is None:
        return details
    found = documents.get(event.document_id)
    if found is None:
        return {"document": {"id": str(event.document_id)}, **details}
    return {"document": {**found, "url": f"{base_url}/documents/{event.document_id}"}, **details}


def build_message(event_type: str, at: datetime, cursor: int | None, data: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": event_type, "timestamp": at.isoformat(), "cursor": cursor, "data": dict(data)}


def document_ids(events: Sequence[WebhookEvent]) -> list[uuid.UUID]:
    return list({event.document_id: None for event in events if event.document_id is not None})
