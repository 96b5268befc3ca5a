from typing import Annotated

from mcp.server.mcpserver.tools import Tool
from mcp.types import CallToolResult
from pydantic import Field

from lectern_mcp.api_client import ApiClient
from lectern_mcp.tools.declaration import BUDGET, Hybrid, MaxTokens, Query, TopK, reading_tool
from lectern_mcp.tools.passages import SearchResult, search_answer

Collection = Annotated[str | None, Field(max_length=200, description="Only in this collection: name or id.")]
Rerank = Annotated[bool | None, Field(description="true: compare the best passages again; slower.")]


def build(api: ApiClient) -> Tool:
    async def search(
        *,
        query: Query,
        top_k: TopK = 5,
        hybrid: Hybrid = True,
        max_tokens: MaxTokens = BUDGET,
        collection: Collection = None,
        rerank: Rerank = None,
    ) -> Annotated[CallToolResult, SearchResult]:
        """Find the passages in the library that answer a question, best first.

        Use it first, and again in other words if confidence is low. For known documents, use search_by_document.
        Returns passages with document, page, score and a url to cite, which every tool takes as document. An empty
        result is not an error.
        """
        filters = {"collections": [collection]} if collection else {}
        filters |= {} if rerank is None else {"rerank": rerank}
        response = await api.search(query=query, top_k=top_k, hybrid=hybrid, **filters)
        return search_answer(response, max_tokens=max_tokens)

    return reading_tool(search, "Search the library")
