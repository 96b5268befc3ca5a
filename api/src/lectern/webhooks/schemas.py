"""Request and response bodies of webhooks."""

import uuid
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field

from lectern.http.schemas import Description, PartialUpdate, RequestModel, ResponseModel, Url
from lectern.webhooks.events import EventType

WebhookState = Literal["active", "retrying", "failing", "paused"]
WebhookUrl = Annotated[Url, Field(description="Public http(s) URL, or one of LECTERN_FETCH_ALLOWED.")]
EventTypes = Annotated[
    list[EventType] | None,
    Field(min_length=1, max_length=50, description="Types to send. Null sends all, future ones too."),
]


class WebhookCreate(RequestModel):
    """A new webhook."""

    url: WebhookUrl
    description: Description = ""
    event_types: EventTypes = None


class WebhookUpdate(PartialUpdate):
    """Fields to change. Absent fields stay as they are."""

    url: WebhookUrl | None = None
    description: Description | None = None
    event_types: EventTypes = None
    is_active: bool | None = Field(default=None, description="False pauses it. True starts a failing one again.")


class WebhookResponse(ResponseModel):
    """A webhook without its secret."""

    id: uuid.UUID
    url: str
    description: str
    event_types: list[EventType] | None
    state: WebhookState = Field(
        description="`retrying`: the next event failed and is tried again. `failing`: it failed too often; events wait."
    )
    cursor: int = Field(description="Cursor of the last event that is done.")
    pending_count: int = Field(description="Events that wait for this endpoint.")
    attempts: int = Field(description="Failures of the next event.")
    next_attempt_at: datetime | None
    last_error: str | None = Field(description="As `error` of a delivery.")
    last_delivered_at: datetime | None
    created_by: str
    created_at: datetime


class WebhookCreated(ResponseModel):
    """A webhook with its secret, which is shown only now."""

    webhook: WebhookResponse
    secret: str = Field(description="`whsec_...`, to verify signatures with.")


class WebhookRotate(RequestModel):
    """Options of a rotation."""

    overlap_hours: int = Field(default=24, ge=0, le=168, description="Messages are signed with both secrets so long.")


class DeliveryResponse(ResponseModel):
    """One attempt to send an event."""

    id: int
    event_id: uuid.UUID
    event_type: str
    cursor: int | None
    attempt: int
    status_code: int | None
    error: str | None = Field(
        description=(
            "Null if the endpoint accepted it. `http_STATUS`, `no_answer`, `no_connection`, `connection_broken`, "
            "`certificate_invalid`, or a code of the errors, such as `host_refused`."
        )
    )
    milliseconds: int
    at: datetime


class WebhookMessage(ResponseModel):
    """An event as it is sent."""

    id: uuid.UUID
    type: str
    timestamp: datetime
    cursor: int
    data: dict[str, Any]


class WebhookEvents(ResponseModel):
    """Events in the order of delivery."""

    items: list[WebhookMessage]
    next_cursor: int = Field(description="Send it as `after` to continue.")
