"""The toolset `extract`: files outside the library, by URL or content. Nothing is added to the library."""

from types import FunctionType
from typing import Annotated, Any, Literal, TypeVar

from mcp.server.mcpserver.tools import Tool
from mcp.types import CallToolResult, ToolAnnotations
from pydantic import BaseModel, Field

from lectern_mcp import api_models as api
from lectern_mcp.api_client import ApiClient
from lectern_mcp.text import counted
from lectern_mcp.tools.declaration import (
    BUDGET,
    Cursor,
    MaxTokens,
    Query,
    TopK,
    foreign_cursor,
    place_of,
    reading_tool,
)
from lectern_mcp.tools.long_files import Pages, parse_range, relay_pages, relay_processed
from lectern_mcp.tools.relay import ToolAnswer, relay

ModelT = TypeVar("ModelT", bound=BaseModel)
LONG, MIDDLE, SHORT = 300.0, 120.0, 30.0
MARGIN = 10.0
"""The API ends its work first, and says why."""
SECONDS = {
    **dict.fromkeys(("process_document", "chunk_document", "retrieve_chunks"), LONG + MARGIN),
    **dict.fromkeys(("query_spreadsheet", "extract_pdf_text", "extract_docx_text"), MIDDLE + MARGIN),
    **dict.fromkeys(("extract_pptx_text", "extract_xlsx_tables", "extract_csv_tables"), MIDDLE + MARGIN),
    **dict.fromkeys(("extract_image_text",), MIDDLE + MARGIN),
    **dict.fromkeys(("detect_language", "get_system_health", "manage_cache"), SHORT + MARGIN),
}
OUTWARD = ToolAnnotations(read_only_hint=True, destructive_hint=False, open_world_hint=True)
FORGETTING = ToolAnnotations(read_only_hint=False, destructive_hint=True, idempotent_hint=True, open_world_hint=False)
CHUNKS_A_PAGE = 50

Url = Annotated[str | None, Field(max_length=2_048, description="Public http(s) address.")]
Content = Annotated[str | None, Field(description="Or the file in base64, up to 180 KB.")]
Filename = Annotated[str | None, Field(max_length=200, description="Tells CSV and Markdown from text.")]
Password = Annotated[str | None, Field(max_length=200)]
Rows = Annotated[int, Field(ge=1, le=20)]
Sheet = Annotated[str | None, Field(max_length=200, description="Name or number. Default: all.")]
Words = Annotated[str, Field(max_length=1_000, description="Value or words to find. Empty: the first rows.")]
Text = Annotated[str, Field(min_length=1, max_length=100_000, description="The text.")]
Action = Annotated[Literal["stats", "clear"], Field(description="stats: show the caches; clear: empty them.")]

_FORMATS = (
    ("extract_pdf_text", "pdf", "text", "PDF", "the text of each page, scanned ones recognised"),
    ("extract_docx_text", "docx", "text", "DOCX", "its text with headings, and tables as Markdown"),
    ("extract_pptx_text", "pptx", "text", "PPTX", "the text, tables and notes of each slide"),
    ("extract_image_text", "image", "text", "picture (PNG, JPEG, TIFF, WebP)", "the text that is recognised on it"),
    ("extract_xlsx_tables", "xlsx", "tables", "XLSX", "the tables of each sheet: columns, types, the first 20 rows"),
    ("extract_csv_tables", "csv", "tables", "CSV", "its table: columns, types, the first 20 rows"),
)
_DESCRIPTION = """Read a {name} file that is not in the library.

For other formats, use process_document. Returns {what}, and metadata.next_cursor for the rest."""


class Caches(BaseModel):
    caches: list[api.CacheFacts]
    cleared: int


def build(client: ApiClient) -> tuple[Tool, ...]:
    """Return the tools of this toolset."""
    return (
        _process_document(client),
        _chunk_document(client),
        _retrieve_chunks(client),
        _query_spreadsheet(client),
        *(_extract(client, *of_format) for of_format in _FORMATS),
        _detect_language(client),
        _get_system_health(client),
        _manage_cache(client),
    )


async def _post(client: ApiClient, model: type[ModelT], operation: str, **body: Any) -> ModelT:  # noqa: ANN401 - JSON
    given = {name: value for name, value in body.items() if value is not None}
    return await client.ask(model, "POST", f"extracts/{operation}", json=given)


def _process_document(client: ApiClient) -> Tool:
    async def process_document(
        *,
        url: Url = None,
        content: Content = None,
        filename: Filename = None,
        password: Password = None,
        cursor: Cursor = None,
        max_tokens: MaxTokens = BUDGET,
    ) -> Annotated[CallToolResult, ToolAnswer[api.ProcessedDocument]]:
        """Read a file of any format that is not in the library.

        Use it first for an unknown file. To find a passage in a long file, use retrieve_chunks.
        Returns file, outline, tables, urls, images with text, text, and metadata.next_cursor for the rest of the text.
        """
        source = {"url": url, "content": content, "filename": filename, "password": password}
        found = await _post(client, api.ProcessedDocument, "documents", **source, char_start=place_of(cursor))
        return relay_processed(found, max_tokens=max_tokens)

    return reading_tool(process_document, "Read a file", OUTWARD)


def _chunk_document(client: ApiClient) -> Tool:
    async def chunk_document(
        *,
        url: Url = None,
        content: Content = None,
        filename: Filename = None,
        password: Password = None,
        cursor: Cursor = None,
        max_tokens: MaxTokens = BUDGET,
    ) -> Annotated[CallToolResult, ToolAnswer[api.ChunksOfFile]]:
        """Split a file that is not in the library into chunks, in reading order.

        Use it to process a whole file in parts. To find a passage, use retrieve_chunks.
        Returns chunks with page, section and importance, and metadata.next_cursor for the next ones.
        """
        source = {"url": url, "content": content, "filename": filename, "password": password}
        start = place_of(cursor)
        found = await _post(client, api.ChunksOfFile, "chunks", **source, offset=start, limit=CHUNKS_A_PAGE)
        if start and start >= found.chunk_count:
            raise foreign_cursor()
        message = f"{found.chunk_count} chunks of about {found.chunk_characters} characters."
        return relay(found, message=message, max_tokens=max_tokens, rows="chunks", start=start, total=found.chunk_count)

    return reading_tool(chunk_document, "Cut a file", OUTWARD)


def _retrieve_chunks(client: ApiClient) -> Tool:
    async def retrieve_chunks(
        *,
        query: Query,
        url: Url = None,
        content: Content = None,
        filename: Filename = None,
        password: Password = None,
        top_k: TopK = 5,
        max_tokens: MaxTokens = BUDGET,
    ) -> Annotated[CallToolResult, ToolAnswer[api.RetrievedChunks]]:
        """Find the chunks of a file that is not in the library that match a question best.

        Use it to answer from a file at a URL. For documents of the library, use search.
        Returns chunks with page, section and score, best first.
        """
        source = {"url": url, "content": content, "filename": filename, "password": password}
        found = await _post(client, api.RetrievedChunks, "retrieval", **source, query=query, top_k=top_k)
        message = f"The best {len(found.chunks)} of {found.chunk_count} chunks."
        return relay(found, message=message, max_tokens=max_tokens)

    return reading_tool(retrieve_chunks, "Find in a file", OUTWARD)


def _query_spreadsheet(client: ApiClient) -> Tool:
    async def query_spreadsheet(
        *,
        query: Words = "",
        url: Url = None,
        content: Content = None,
        filename: Filename = None,
        sheet: Sheet = None,
        limit: Rows = 20,
    ) -> Annotated[CallToolResult, ToolAnswer[api.SpreadsheetRows]]:
        """Find rows of an XLSX or CSV file outside the library by a value, a part of it, or words.

        Use it to look rows up. It does not calculate.
        Returns match_count, the columns of each sheet, and rows as values by column, best match first.
        """
        source = {"url": url, "content": content, "filename": filename}
        found = await _post(client, api.SpreadsheetRows, "rows", **source, query=query, sheet=sheet, limit=limit)
        message = f"{len(found.rows)} of {found.match_count} matching rows." if found.rows else "No row matches."
        return relay(found, message=message, max_tokens=BUDGET)

    return reading_tool(query_spreadsheet, "Look up rows", OUTWARD)


def _extract(client: ApiClient, tool: str, wanted: str, operation: str, name: str, what: str) -> Tool:
    """Declare a tool that reads one format."""
    function = (_read_text if operation == "text" else _read_tables)(client, wanted)
    function.__name__, function.__doc__ = tool, _DESCRIPTION.format(name=name, what=what)
    return reading_tool(function, f"Read a {name} file", OUTWARD)


def _read_text(client: ApiClient, wanted: str) -> FunctionType:
    async def text(
        *,
        url: Url = None,
        content: Content = None,
        filename: Filename = None,
        password: Password = None,
        pages: Pages = None,
        cursor: Cursor = None,
        max_tokens: MaxTokens = BUDGET,
    ) -> Annotated[CallToolResult, ToolAnswer[api.TextOfFile]]:
        source = {"url": url, "content": content, "filename": filename, "password": password}
        part = parse_range(pages, cursor)
        place = {"first_page": part.first, "last_page": part.last, "char_start": part.char_start}
        found = await _post(client, api.TextOfFile, "text", **source, format=wanted, **place)
        return relay_pages(found, part, max_tokens=max_tokens)

    return text


def _read_tables(client: ApiClient, wanted: str) -> FunctionType:
    async def tables(
        *,
        url: Url = None,
        content: Content = None,
        filename: Filename = None,
        password: Password = None,
        cursor: Cursor = None,
        max_tokens: MaxTokens = BUDGET,
    ) -> Annotated[CallToolResult, ToolAnswer[api.TablesOfFile]]:
        source = {"url": url, "content": content, "filename": filename, "password": password}
        start = place_of(cursor)
        found = await _post(client, api.TablesOfFile, "tables", **source, format=wanted)
        total, message = len(found.tables), f"{counted(len(found.tables), 'table')}."
        if start and start >= total:
            raise foreign_cursor()
        if any(table.is_truncated for table in found.tables):
            message += " At most 20 rows of each: query_spreadsheet finds the others."
        found.tables = found.tables[start:]
        return relay(found, message=message, max_tokens=max_tokens, rows="tables", start=start, total=total)

    return tables


def _detect_language(client: ApiClient) -> Tool:
    async def detect_language(*, text: Text) -> Annotated[CallToolResult, ToolAnswer[api.DetectedLanguage]]:
        """Detect the language of a text, one of 41, by a vote of its parts.

        Use it before you answer in an uncertain language. A few words may not be enough.
        Returns language (ISO 639-1), name, confidence and votes; language is null if unknown.
        """
        found = await _post(client, api.DetectedLanguage, "language", text=text)
        message = f"{found.name}." if found.name else "The language is unknown."
        return relay(found, message=message, max_tokens=BUDGET)

    return reading_tool(detect_language, "Tell a language")


def _get_system_health(client: ApiClient) -> Tool:
    async def get_system_health() -> Annotated[CallToolResult, ToolAnswer[api.ExtractsHealth]]:
        """Report the state of file processing: models, features, formats, limits and caches.

        Use it when the file tools fail. It does not cover the library.
        Returns status, version, started_at, device, features, formats, security, active (files in process), caches.
        """
        found = await client.ask(api.ExtractsHealth, "GET", "extracts/health")
        return relay(found, message=found.status, max_tokens=BUDGET)

    return reading_tool(get_system_health, "Health of reading files")


def _manage_cache(client: ApiClient) -> Tool:
    async def manage_cache(*, action: Action = "stats") -> Annotated[CallToolResult, ToolAnswer[Caches]]:
        """Show or clear the caches of processed files (entries last half an hour).

        Use clear when a file at a URL has changed. Documents of the library are not affected.
        Returns caches with entries, bytes, hits and misses, and how many entries were cleared.
        """
        cleared = 0
        if action == "clear":
            cleared = (await client.ask(api.CachesCleared, "DELETE", "extracts/caches")).cleared
        found = await client.ask(api.CachesResponse, "GET", "extracts/caches")
        message = f"{cleared} entries cleared." if action == "clear" else f"Entries last {found.ttl_seconds:g} seconds."
        return relay(Caches(caches=found.caches, cleared=cleared), message=message, max_tokens=BUDGET)

    return reading_tool(manage_cache, "Kept results", FORGETTING)
