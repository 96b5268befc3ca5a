"""The toolset `connector`: `search` and `fetch` in the shape that ChatGPT's connectors require."""

import re
from collections.abc import Mapping
from typing import Annotated, Final

from mcp.server.mcpserver.tools import Tool
from mcp.types import CallToolResult, TextContent
from pydantic import BaseModel, Field

from lectern_mcp import api_models as api
from lectern_mcp.api_client import ApiClient
from lectern_mcp.links import handle, web_link
from lectern_mcp.results import NOTICE
from lectern_mcp.text import clean, one_line
from lectern_mcp.tools.declaration import BUDGET, Query, foreign_cursor, reading_tool
from lectern_mcp.tools.filling import cut_to_tokens
from lectern_mcp.tools.library import CHARACTERS_A_TOKEN
from lectern_mcp.tools.passages import hit_link
from lectern_mcp.tools.relay import get_readable_document

NAMES: Final[Mapping[str, str]] = {"connector_search": "search"}
"""The name under which a tool is offered. A key with `connector` gets this `search`, whatever else it has."""
RESULTS: Final = 10
TEXT_TOKENS: Final = BUDGET - 300
_ID: Final = re.compile(
    r"(?P<document>[0-9a-f]{8}(?:(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})?)"
    r"(?::(?P<page>[1-9]\d{0,6}):(?P<start>\d{1,12})-(?P<end>\d{1,12})|@(?P<offset>\d{1,12}))?"
)
ResultId = Annotated[
    str, Field(min_length=1, max_length=500, description="id of a result, metadata.next_id, or name of a document.")
]


class ConnectorResult(BaseModel):
    id: str
    title: str
    url: str


class ConnectorResults(BaseModel):
    results: list[ConnectorResult]


class FetchMetadata(BaseModel):
    """Facts of the document. `next_id` fetches the text that follows."""

    document: str
    page_number: int | None
    page_count: int | None
    next_id: str | None
    notice: str = NOTICE


class FetchedDocument(BaseModel):
    id: str
    title: str
    text: str
    url: str
    metadata: FetchMetadata


def build(client: ApiClient) -> tuple[Tool, ...]:
    """Return the tools of this toolset."""
    return _search(client), _fetch(client)


def _search(client: ApiClient) -> Tool:
    async def connector_search(*, query: Query) -> Annotated[CallToolResult, ConnectorResults]:
        """Search the library's documents and list the places that match best.

        Use it first, then fetch the results that matter. Returns results with id, title and url, best first.
        """
        response = await client.search(query=query, top_k=RESULTS)
        return _answer(ConnectorResults(results=[_result(hit) for hit in response.data]))

    return reading_tool(connector_search, "Search the library")


def _fetch(client: ApiClient) -> Tool:
    async def fetch(*, id: ResultId) -> Annotated[CallToolResult, FetchedDocument]:  # noqa: A002 - the connectors' name
        """Read the text of a search result, from the beginning of its page.

        Use it to read and cite a result. Returns id, title, text, url and metadata. To read on, fetch metadata.next_id.
        """
        place = _ID.fullmatch(id)
        parts = place.groupdict("0") if place else {"document": id}
        page, first, last, start = (int(parts.get(name, 0)) for name in ("page", "start", "end", "offset"))
        found = await get_readable_document(client, parts["document"])
        if page:
            start = (await client.get_page(found.id, page)).char_start
        wanted = {"char_start": start, "max_characters": TEXT_TOKENS * CHARACTERS_A_TOKEN}
        part = await client.ask(api.ContentResponse, "GET", f"documents/{found.id}/content", params=wanted)
        if start and start >= part.char_count:
            raise foreign_cursor()
        text = cut_to_tokens(part.text, TEXT_TOKENS)
        end = start + len(text)
        metadata = FetchMetadata(
            document=one_line(found.filename),
            page_number=page or None,
            page_count=found.page_count,
            next_id=f"{handle(found.id)}@{end}" if end < part.char_count else None,
        )
        url = web_link(found.id, page, start=first, end=last)
        title = one_line(found.title or found.filename)
        return _answer(FetchedDocument(id=id, title=title, text=clean(text), url=url, metadata=metadata))

    return reading_tool(fetch, "Read a result")


def _result(hit: api.Hit) -> ConnectorResult:
    identity = f"{handle(hit.document_id)}:{hit.page_number}:{hit.snippet.char_start}-{hit.snippet.char_end}"
    section = f": {hit.section_heading}" if hit.section_heading else ""
    title = one_line(f"{hit.title or hit.document}, p. {hit.page_number}{section}")
    return ConnectorResult(id=identity, title=title, url=hit_link(hit))


def _answer(result: BaseModel) -> CallToolResult:
    """Return the result as JSON text and as structured content. The connectors' shape has no envelope."""
    text = TextContent(text=result.model_dump_json())
    return CallToolResult(content=[text], structured_content=result.model_dump(mode="json"))
