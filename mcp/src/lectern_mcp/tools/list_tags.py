from typing import Annotated

from mcp.server.mcpserver.tools import Tool
from mcp.types import CallToolResult

from lectern_mcp import api_models as api
from lectern_mcp.api_client import ApiClient
from lectern_mcp.results import Envelope, Line, ListMetadata, Shown, paging
from lectern_mcp.text import counted
from lectern_mcp.tools.declaration import Cursor, list_page, reading_tool

TAGS_A_PAGE = 100


class TagRow(Shown):
    name: Line
    description: Line = ""
    document_count: int


class TagList(Envelope[TagRow, ListMetadata]):
    """A page of tags."""


def build(client: ApiClient) -> Tool:
    async def list_tags(*, cursor: Cursor = None) -> Annotated[CallToolResult, TagList]:
        """List the tags of the library with their document counts.

        Use it before search_by_tag, which refuses unknown tags. To see documents, use list_documents.
        Returns rows, and metadata.next_cursor if there are more.
        """

        async def ask(rows: int) -> tuple[CallToolResult, int]:
            page = await client.list_tags(limit=rows, cursor=cursor)
            return _answer(page), len(page.items)

        return await list_page(TAGS_A_PAGE, ask)

    return reading_tool(list_tags, "List tags")


def _answer(page: api.PageTagResponse) -> CallToolResult:
    rows = [TagRow.model_validate(tag) for tag in page.items]
    columns = [(row.name, counted(row.document_count, "document"), row.description) for row in rows]
    lines = [" | ".join(filter(None, cells)) for cells in columns]
    return TagList(data=rows, **paging(page, "tags")).answer(*lines)
