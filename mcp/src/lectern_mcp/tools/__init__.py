"""The tools by toolset: one file a tool in `search`, one file a toolset beyond it."""

from collections.abc import Callable, Mapping

from mcp.server.mcpserver.tools import Tool

from lectern_mcp.api_client import ApiClient
from lectern_mcp.tools import (
    add_document,
    answers,
    connector,
    extract,
    library,
    list_documents,
    list_tags,
    search,
    search_by_document,
    search_by_tag,
)

SEARCH = (search, search_by_tag, search_by_document, list_documents, list_tags)


def _search(client: ApiClient) -> tuple[Tool, ...]:
    return tuple(tool.build(client) for tool in SEARCH)


TOOLSETS: dict[str, Callable[[ApiClient], tuple[Tool, ...]]] = {
    "search": _search,
    "answers": answers.build,
    "library": library.build,
    "extract": extract.build,
    "connector": connector.build,
}
SECONDS_OF: dict[str, dict[str, float]] = {
    "answers": {"query_documents": answers.ANSWERING_SECONDS},
    "library": {"add_document": add_document.SECONDS},
    "extract": extract.SECONDS,
}
"""After how long a call is ended, where that is not `MCP_TOOL_TIMEOUT_SECONDS`."""
NAMES_OF: dict[str, Mapping[str, str]] = {"connector": connector.NAMES}
