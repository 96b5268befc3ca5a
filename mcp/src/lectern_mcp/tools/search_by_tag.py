from typing import Annotated

from mcp.server.mcpserver.tools import Tool
from mcp.types import CallToolResult
from pydantic import Field

from lectern_mcp.api_client import ApiClient
from lectern_mcp.tools.declaration import BUDGET, Hybrid, MaxTokens, Name, Query, TopK, reading_tool
from lectern_mcp.tools.passages import SearchResult, search_answer

Tags = Annotated[list[Name], Field(min_length=1, max_length=100, description="Names of tags.")]


def build(api: ApiClient) -> Tool:
    async def search_by_tag(
        *, query: Query, tags: Tags, top_k: TopK = 5, hybrid: Hybrid = True, max_tokens: MaxTokens = BUDGET
    ) -> Annotated[CallToolResult, SearchResult]:
        """Find passages only in documents with at least one of the tags, best first.

        Use it when the subject is known. For single documents, use search_by_document. list_tags has the names.
        Returns the same as search.
        """
        response = await api.search(query=query, top_k=top_k, hybrid=hybrid, tags={"any": tags})
        return search_answer(response, max_tokens=max_tokens)

    return reading_tool(search_by_tag, "Search by tag")
