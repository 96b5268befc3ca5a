"""Links to a place in a document: for `resources/read`, and for a person's browser."""

from urllib.parse import urlencode
from uuid import UUID

from lectern_mcp.principal import CALLER


def page_uri(document_id: UUID | str, page: int) -> str:
    """Return the URI of a page's text."""
    return f"lectern://documents/{document_id}/pages/{page}"


def web_link(document_id: UUID | str, page: int = 0, *, start: int = 0, end: int = 0) -> str:
    """Return the web UI's address of a document, of its page, or of characters to highlight."""
    place = {"page": page} if page else {}
    place |= {"start": start, "end": end} if end > start else {}
    query = f"?{urlencode(place)}" if place else ""
    return f"{CALLER.get().web_url}/documents/{document_id}{query}"
