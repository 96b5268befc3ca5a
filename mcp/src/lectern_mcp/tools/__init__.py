"""The tools, one file each, and the toolsets they are switched on in."""

from collections.abc import Callable

from mcp.server.mcpserver.tools import Tool

from lectern_mcp.api_client import ApiClient
from lectern_mcp.tools import list_documents, list_tags, search, search_by_document, search_by_tag

SEARCH: tuple[Callable[[ApiClient], Tool], ...] = (
    search.build,
    search_by_tag.build,
    search_by_document.build,
    list_documents.build,
    list_tags.build,
)
TOOLSETS = {"search": SEARCH}
