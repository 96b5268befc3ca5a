"""Short links to a document, a page or characters of it. They open in a browser, with `resources/read` and in tools."""

import re
from collections.abc import Mapping
from typing import Any, cast
from uuid import UUID

from lectern_mcp.principal import CALLER

HANDLE_DIGITS = 8
_DOCUMENTS = frozenset({"document", "documents", "id"})
"""Arguments that name documents."""
_PLACE = re.compile(r"(?P<document>[0-9a-f-]{8,36})(?:/(?P<page>[1-9]\d{0,6})(?:-\d{1,7})?(?:/\d+-\d+)?)?")


def handle(document_id: UUID | str) -> str:
    """Return the first digits of an id, which every tool accepts for it."""
    return str(document_id)[:HANDLE_DIGITS]


def web_link(document_id: UUID | str, page: int = 0, *, last_page: int = 0, start: int = 0, end: int = 0) -> str:
    """Return the web UI's address of a document, of its page, or of characters to highlight on its pages."""
    pages = f"/{page}-{last_page}" if last_page > page else f"/{page}" if page else ""
    characters = f"/{start}-{end}" if pages and end > start else ""
    return f"{CALLER.get().web_url}/d/{handle(document_id)}{pages}{characters}"


def with_handles(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of a tool with a handle for each link to a document."""
    return {name: _document_of(value) if name in _DOCUMENTS else value for name, value in arguments.items()}


def resource_of(uri: str) -> str:
    """Return the resource that a link opens: the page, or else the document. Any other URI is returned unchanged."""
    place = _place(uri)
    if place is None:
        return uri
    page = f"/pages/{place['page']}" if place["page"] else ""
    return f"lectern://documents/{place['document']}{page}"


def _document_of(value: Any) -> Any:  # noqa: ANN401 - JSON
    if isinstance(value, list):
        return [_document_of(item) for item in cast("list[Any]", value)]
    place = _place(value) if isinstance(value, str) else None
    return place["document"] if place else value


def _place(text: str) -> re.Match[str] | None:
    beginning = f"{CALLER.get().web_url}/d/"
    return _PLACE.fullmatch(text.removeprefix(beginning)) if text.startswith(beginning) else None
