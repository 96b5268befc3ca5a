"""The toolset `library`: documents word for word."""

from typing import Annotated

from mcp.server.mcpserver.tools import Tool
from mcp.types import CallToolResult, ResourceLink, ToolAnnotations
from pydantic import BaseModel, Field

from lectern_mcp import api_models as api
from lectern_mcp.api_client import ApiClient
from lectern_mcp.links import handle, web_link
from lectern_mcp.text import one_line
from lectern_mcp.tools import add_document, document_stats, navigation
from lectern_mcp.tools.declaration import (
    BUDGET,
    Cursor,
    Document,
    DocumentOrAll,
    MaxTokens,
    foreign_cursor,
    list_page,
    place_of,
    reading_tool,
)
from lectern_mcp.tools.filling import cut_to_tokens
from lectern_mcp.tools.relay import FRAME_TOKENS, ToolAnswer, get_readable_document, relay

COLLECTIONS_A_PAGE = 50
UNCUT = 1_000_000
CHARACTERS_A_TOKEN = 6
Quote = Annotated[str, Field(min_length=1, max_length=4_000, description="The quotation.")]


CollectionName = Annotated[str, Field(min_length=1, max_length=200, description="A collection: name or id.")]
DryRun = Annotated[bool, Field(description="true: say what would be done, and do nothing.")]
WRITING = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False)


class CollectionRow(BaseModel):
    name: str
    description: str
    document_count: int
    can_write: bool


class Collections(BaseModel):
    collections: list[CollectionRow]


class Original(BaseModel):
    """The link to the original file. `uri` is for programs; models read the text."""

    document: str
    document_id: str
    content_type: str
    size_bytes: int
    sha256: str
    uri: str
    url: str


class Content(BaseModel):
    document: str
    document_id: str
    url: str
    char_start: int
    char_end: int
    char_count: int
    text: str


class LocatedQuote(BaseModel):
    document: str
    document_id: str
    page_number: int
    last_page_number: int
    text: str
    url: str


class QuoteResult(BaseModel):
    verdict: str
    similarity: float | None
    differences: list[api.QuoteDifference]
    locations: list[LocatedQuote]


def build(client: ApiClient) -> tuple[Tool, ...]:
    """Return the tools of this toolset."""
    return (
        _list_collections(client),
        _get_document_content(client),
        _get_document_original(client),
        document_stats.build(client),
        _verify_quote(client),
        _ingest_now(client),
        *navigation.build(client),
        add_document.build(client),
    )


def _list_collections(client: ApiClient) -> Tool:
    async def list_collections(*, cursor: Cursor = None) -> Annotated[CallToolResult, ToolAnswer[Collections]]:
        """List the collections of the library with their document counts.

        Use it to see how the library is organized. For documents, use list_documents.
        Returns rows, and metadata.next_cursor if there are more.
        """

        async def ask(limit: int) -> tuple[CallToolResult, int]:
            filters = {"limit": limit, "cursor": cursor}
            page = await client.ask(api.PageCollectionResponse, "GET", "collections", params=filters)
            rows = [CollectionRow.model_validate(item.model_dump(mode="json")) for item in page.items]
            message, whole = f"{len(rows)} of {page.total} collections.", Collections(collections=rows)
            return relay(whole, message=message, max_tokens=UNCUT, next_cursor=page.next_cursor), len(rows)

        return await list_page(COLLECTIONS_A_PAGE, ask)

    return reading_tool(list_collections, "List collections")


def _get_document_content(client: ApiClient) -> Tool:
    async def get_document_content(
        *, document: Document, cursor: Cursor = None, max_tokens: MaxTokens = BUDGET
    ) -> Annotated[CallToolResult, ToolAnswer[Content]]:
        """Read the text of a document, one part at a time.

        Use it when the whole text matters. To find a passage, use search_by_document.
        Returns text with its offsets, and metadata.next_cursor for the next part.
        """
        start = place_of(cursor)
        found = await get_readable_document(client, document)
        room = (max_tokens - FRAME_TOKENS) * CHARACTERS_A_TOKEN
        wanted = {"char_start": start, "max_characters": room}
        part = await client.ask(api.ContentResponse, "GET", f"documents/{found.id}/content", params=wanted)
        if start and start >= part.char_count:
            raise foreign_cursor()
        text = cut_to_tokens(part.text, max_tokens - FRAME_TOKENS)
        end = start + len(text) if len(text) < len(part.text) else part.char_end
        content = Content(
            document=found.filename,
            document_id=handle(found.id),
            url=web_link(found.id),
            char_start=start,
            char_end=end,
            char_count=part.char_count,
            text=text,
        )
        message = f"Characters {start} to {end} of {part.char_count}."
        go_on = str(end) if end < part.char_count else None
        return relay(content, message=message, max_tokens=max_tokens + FRAME_TOKENS, next_cursor=go_on)

    return reading_tool(get_document_content, "Read a document")


def _get_document_original(client: ApiClient) -> Tool:
    async def get_document_original(*, document: Document) -> Annotated[CallToolResult, ToolAnswer[Original]]:
        """Return a link to the original file of a document.

        Use it to give the file to a person or a program. To read it, use get_document_content.
        Returns its name, type, size, sha256 and a link that resources/read opens.
        """
        found = await client.get_named_document(document)
        uri = f"lectern://documents/{handle(found.id)}/original"
        original = Original(
            document=found.filename,
            document_id=handle(found.id),
            content_type=found.content_type,
            size_bytes=found.size_bytes,
            sha256=found.sha256,
            uri=uri,
            url=web_link(found.id),
        )
        link = ResourceLink(name=one_line(found.filename), uri=uri, mime_type=found.content_type, size=found.size_bytes)
        return relay(original, link, message=f"{found.size_bytes} bytes.", max_tokens=BUDGET)

    return reading_tool(get_document_original, "Find an original")


def _verify_quote(client: ApiClient) -> Tool:
    async def verify_quote(
        *, quote: Quote, document: DocumentOrAll = None
    ) -> Annotated[CallToolResult, ToolAnswer[QuoteResult]]:
        """Verify a quotation against the documents.

        Use it before you quote. With a document, its whole text is compared; without one, the pages that search
        finds. Returns EXACT, NEAR (with the differences) or NOT_FOUND, with document and page.
        """
        named = [str((await client.get_named_document(document)).id)] if document else []
        body = {"quote": quote, "documents": named}
        found = await client.ask(api.QuoteResponse, "POST", "quotes/verify", json=body)
        locations = [_location(one) for one in found.data.locations]
        verdict = QuoteResult(
            verdict=found.data.verdict,
            similarity=found.data.similarity,
            differences=found.data.differences,
            locations=locations,
        )
        return relay(verdict, message=found.message, max_tokens=BUDGET)

    return reading_tool(verify_quote, "Check a quotation")


def _ingest_now(client: ApiClient) -> Tool:
    async def ingest_now(
        *, collection: CollectionName, dry_run: DryRun = False
    ) -> Annotated[CallToolResult, ToolAnswer[api.FolderOutcome]]:
        """Scan the watched folder of a collection now and ingest new or changed files.

        Use it after adding files there; otherwise the next scan finds them. It needs a write key.
        Returns the files that were added, updated, renamed, trashed and refused.
        """
        found = await client.ask(api.CollectionResponse, "GET", "collections/named", params={"name": collection})
        outcome = await client.ask(
            api.FolderOutcome, "POST", f"collections/{found.id}/ingest", json={"dry_run": dry_run}
        )
        changes = outcome.added_count + outcome.updated_count + outcome.renamed_count + outcome.pruned_count
        message = outcome.problem or outcome.held_back or f"Changed: {changes}. Unchanged: {outcome.unchanged_count}."
        return relay(outcome, message=message, max_tokens=BUDGET)

    return reading_tool(ingest_now, "Look through a folder now", WRITING)


def _location(location: api.QuoteLocation) -> LocatedQuote:
    first, last = location.page_number, location.last_page_number
    url = web_link(location.document_id, first, last_page=last, start=location.char_start, end=location.char_end)
    return LocatedQuote(
        document=location.document,
        document_id=handle(location.document_id),
        page_number=first,
        last_page_number=last,
        text=location.text,
        url=url,
    )
