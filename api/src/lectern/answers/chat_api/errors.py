"""Errors of the OpenAI-compatible API."""

from lectern.errors import NotFound


class ChatModelNotFound(NotFound):
    """There is no model with this name."""

    code = "model_not_found"
    default_hint = "List the models with GET /v1/models."
