"""Names that a call spelled nearly right: they are read as the only close name, and the result says so."""

from collections.abc import Mapping
from contextvars import ContextVar
from typing import Any, cast

from mcp.types import CallToolResult, TextContent

CORRECTIONS: ContextVar[dict[str, str] | None] = ContextVar("CORRECTIONS", default=None)
"""The corrected names of the current call."""
_FIELDS = frozenset({"tags", "documents", "document", "collections", "collection", "name"})
"""Fields of requests that hold names. A query is never changed."""


def corrected(request: Mapping[str, Any], corrections: Mapping[str, str]) -> dict[str, Any]:
    """Return a request's fields with corrected names."""
    return {name: _replaced(value, corrections) if name in _FIELDS else value for name, value in request.items()}


def with_corrections(result: CallToolResult) -> CallToolResult:
    """Begin the message of a result with the corrected names. A result without message stays as it is."""
    corrections, data = CORRECTIONS.get(), cast("dict[str, Any] | None", result.structured_content)
    if not corrections or not data or "message" not in data:
        return result
    note = " ".join(f"Read {given!r} as {meant!r}." for given, meant in corrections.items())
    first, *others = result.content
    if isinstance(first, TextContent):
        first = first.model_copy(update={"text": f"{note} {first.text}"})
    changed = {**data, "message": f"{note} {data['message']}"}
    return result.model_copy(update={"content": [first, *others], "structured_content": changed})


def _replaced(value: Any, corrections: Mapping[str, str]) -> Any:  # noqa: ANN401 - JSON
    if isinstance(value, str):
        return corrections.get(value, value)
    if isinstance(value, list):
        return [_replaced(item, corrections) for item in cast("list[Any]", value)]
    if isinstance(value, dict):
        return {name: _replaced(item, corrections) for name, item in cast("dict[str, Any]", value).items()}
    return value
