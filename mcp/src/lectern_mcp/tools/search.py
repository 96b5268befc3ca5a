from typing import Annotated

from mcp.server.mcpserver.tools import Tool
from mcp.types import CallToolResult

from lectern_mcp.api_client import ApiClient
from lectern_mcp.results import SearchResult, search_answer
from lectern_mcp.tools.declaration import BUDGET, Hybrid, MaxTokens, Query, TopK, reading_tool


def build(api: ApiClient) -> Tool:
    async def search(
        *, query: Query, top_k: TopK = 5, hybrid: Hybrid = True, max_tokens: MaxTokens = BUDGET
    ) -> Annotated[CallToolResult, SearchResult]:
        """Find the passages of the library's documents that answer a question, best first.

        Use it first, and again in other words if confidence is low. Inside known documents, use search_by_document;
        inside a subject, search_by_tag. To see what exists, use list_documents.
        Returns passages with document, page, section, scores and a uri that opens the page, and lists what was not
        searched. An empty result is not an error.
        """
        response = await api.search(query=query, top_k=top_k, hybrid=hybrid)
        return search_answer(response, max_tokens=max_tokens)

    return reading_tool(search, "Search the library")
