"""Errors of webhooks."""

from lectern.errors import Conflict, NotFound


class WebhookNotFound(NotFound):
    """No webhook has this id."""

    code = "webhook_not_found"


class TooManyWebhooks(Conflict):
    """There are as many webhooks as are allowed."""

    code = "too_many_webhooks"
    default_hint = "Delete one, or let one receiver pass events on to the others."
