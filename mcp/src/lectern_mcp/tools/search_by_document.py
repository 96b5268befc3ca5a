from typing import Annotated

from mcp.server.mcpserver.tools import Tool
from mcp.types import CallToolResult
from pydantic import Field

from lectern_mcp.api_client import ApiClient
from lectern_mcp.errors import Failure
from lectern_mcp.tools.declaration import BUDGET, Hybrid, MaxTokens, Name, Query, TopK, reading_tool
from lectern_mcp.tools.passages import SearchResult, search_answer

Files = Annotated[list[Name], Field(min_length=1, max_length=100, description="Ids, filenames or titles.")]


def build(api: ApiClient) -> Tool:
    async def search_by_document(
        *, query: Query, documents: Files, top_k: TopK = 5, hybrid: Hybrid = True, max_tokens: MaxTokens = BUDGET
    ) -> Annotated[CallToolResult, SearchResult]:
        """Find passages only inside the given documents, best first.

        Use it to read more of a known document. To find the document, use search.
        A page named in the query ("the chart on page 9") is preferred. Returns the same as search.
        """
        try:
            response = await api.search(query=query, top_k=top_k, hybrid=hybrid, documents=documents)
        except Failure as failure:
            if not failure.unknown:
                raise
            named = {name: str((await api.get_named_document(name)).id) for name in failure.unknown}
            ids = [named.get(name, name) for name in documents]
            response = await api.search(query=query, top_k=top_k, hybrid=hybrid, documents=ids)
        return search_answer(response, max_tokens=max_tokens)

    return reading_tool(search_by_document, "Search inside documents")
