from typing import Annotated

from mcp.server.mcpserver.tools import Tool
from mcp.types import CallToolResult
from pydantic import BaseModel, Field

from lectern_mcp import api_models as api
from lectern_mcp.api_client import ApiClient
from lectern_mcp.text import counted
from lectern_mcp.tools.declaration import BUDGET, Document, reading_tool
from lectern_mcp.tools.relay import ToolAnswer, get_readable_document, relay

Term = Annotated[str | None, Field(pattern=r"\S", max_length=200, description="Term to count as whole words.")]


class DocumentCounts(BaseModel):
    document: str
    page_count: int
    word_count: int
    character_count: int
    term_count: int | None
    term_pages: list[api.PageCount] | None
    other_forms: list[api.FormCount]


def build(client: ApiClient) -> Tool:
    async def document_stats(
        *, document: Document, term: Term = None
    ) -> Annotated[CallToolResult, ToolAnswer[DocumentCounts]]:
        """Count over the full text of a document: pages, words, and a term by page.

        Use it for "how many" and "how often". Search hits are not complete enough to count.
        Returns page_count, word_count, character_count, term_count, term_pages and other_forms of a term of one word.
        """
        found = await get_readable_document(client, document)
        path = f"documents/{found.id}/stats"
        stats = await client.ask(api.DocumentStats, "GET", path, params={"term": term})
        forms = ", ".join(f"{form.word} ({form.count})" for form in stats.other_forms)
        about_term = "" if term is None else f' "{term}" appears {counted(stats.term_count, "time")}.'
        about_term += f" Other forms: {forms}." if forms else ""
        message = f"{counted(stats.page_count, 'page')}, {counted(stats.word_count, 'word')}.{about_term}"
        counts = DocumentCounts.model_validate(stats.model_dump(mode="json"))
        return relay(counts, message=message, max_tokens=BUDGET)

    return reading_tool(document_stats, "Count in a document")
