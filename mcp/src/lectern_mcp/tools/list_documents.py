from typing import Annotated, Literal

from mcp.server.mcpserver.tools import Tool
from mcp.types import CallToolResult
from pydantic import Field

from lectern_mcp.api_client import ApiClient
from lectern_mcp.results import DocumentList, document_answer, tokens_of
from lectern_mcp.tools.declaring import BUDGET, Cursor, Name, reading_tool

Tags = Annotated[list[Name] | None, Field(max_length=100, description="Only documents with one of these tags.")]
States = Literal["queued", "processing", "ready", "failed"]
Status = Annotated[States | None, Field(description="Only documents in this state; ready means searchable.")]
Limit = Annotated[int, Field(ge=1, le=200, description="Documents wanted; fewer come when more would be too long.")]


def build(api: ApiClient) -> Tool:
    async def list_documents(
        *, tags: Tags = None, status: Status = None, limit: Limit = 50, cursor: Cursor = None
    ) -> Annotated[CallToolResult, DocumentList]:
        """List the documents of the library with id, status, pages and tags, newest first.

        Use it to learn what exists, to get an id, or to see whether a document is ready. To find text, use search.
        Returns rows and, when there are more, metadata.next_cursor for the next call. The resource
        lectern://documents/ID/outline has the headings of a document.
        """
        while True:
            page = await api.list_documents(tags=tags, status=status, limit=limit, cursor=cursor)
            answer = document_answer(page)
            size = tokens_of(answer)
            if size <= BUDGET or limit == 1:
                return answer
            limit = max(1, len(page.items) * BUDGET * 9 // (size * 10))  # the API's cursor must fit the page

    return reading_tool(list_documents, "List documents")
