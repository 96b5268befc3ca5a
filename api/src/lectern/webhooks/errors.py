"""Errors of webhooks."""

from lectern.errors import Conflict, Misconfigured, NotFound


class WebhookNotFound(NotFound):
    """No webhook has this id."""


class TooManyWebhooks(Conflict):
    """There are as many webhooks as are allowed."""

    default_hint = "Delete one, or let one receiver pass events on to the others."


class WebhookSecretUnreadable(Misconfigured):
    """The secret of this webhook cannot be read."""

    default_hint = "Give the worker the JWT_SECRET_KEY of the API, or rotate the secret."
