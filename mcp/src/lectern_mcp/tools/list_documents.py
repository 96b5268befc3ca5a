from typing import Annotated, Literal

from mcp.server.mcpserver.tools import Tool
from mcp.types import CallToolResult
from pydantic import Field

from lectern_mcp.api_client import ApiClient
from lectern_mcp.results import DocumentList, document_answer
from lectern_mcp.tools.declaration import Cursor, Name, list_page, reading_tool

Tags = Annotated[list[Name] | None, Field(max_length=100, description="Only with one of these tags.")]
States = Literal["queued", "processing", "ready", "failed"]
Status = Annotated[States | None, Field(description="ready means searchable.")]
Limit = Annotated[int, Field(ge=1, le=200, description="Rows wanted.")]


def build(api: ApiClient) -> Tool:
    async def list_documents(
        *, tags: Tags = None, status: Status = None, limit: Limit = 50, cursor: Cursor = None
    ) -> Annotated[CallToolResult, DocumentList]:
        """List the documents of the library, newest first.

        Use it to see what exists or whether a document is ready. To find text, use search.
        Returns rows with id, filename, title, status, pages and tags, and metadata.next_cursor if there are more.
        """

        async def ask(rows: int) -> tuple[CallToolResult, int]:
            page = await api.list_documents(tags=tags, status=status, limit=rows, cursor=cursor)
            return document_answer(page), len(page.items)

        return await list_page(limit, ask)

    return reading_tool(list_documents, "List documents")
