from typing import Annotated

from mcp.server.mcpserver.tools import Tool
from mcp.types import CallToolResult

from lectern_mcp.api_client import ApiClient
from lectern_mcp.results import TagList, tag_answer
from lectern_mcp.tools.declaration import Cursor, list_page, reading_tool

TAGS_A_PAGE = 100


def build(api: ApiClient) -> Tool:
    async def list_tags(*, cursor: Cursor = None) -> Annotated[CallToolResult, TagList]:
        """List the tags of the library with their document counts.

        Use it before search_by_tag, which refuses unknown tags. To see documents, use list_documents.
        Returns rows, and metadata.next_cursor if there are more.
        """

        async def ask(rows: int) -> tuple[CallToolResult, int]:
            page = await api.list_tags(limit=rows, cursor=cursor)
            return tag_answer(page), len(page.items)

        return await list_page(TAGS_A_PAGE, ask)

    return reading_tool(list_tags, "List tags")
