from typing import Annotated, Literal

from mcp.server.mcpserver.tools import Tool
from mcp.types import CallToolResult
from pydantic import BeforeValidator, Field, field_validator

from lectern_mcp import api_models as api
from lectern_mcp.api_client import ApiClient
from lectern_mcp.links import handle, web_link
from lectern_mcp.results import Envelope, Line, ListMetadata, Shown, paging
from lectern_mcp.tools.declaration import Cursor, Name, list_page, reading_tool

Tags = Annotated[list[Name] | None, Field(max_length=100, description="Only with one of these tags.")]
States = Literal["queued", "processing", "ready", "failed"]
Status = Annotated[States | None, Field(description="ready means searchable.")]
Limit = Annotated[int, Field(ge=1, le=200, description="Rows wanted.")]


class DocumentListing(Shown):
    id: Annotated[str, BeforeValidator(handle)]
    url: str = ""
    filename: Line
    title: Line | None = None
    status: str
    page_count: int | None = None
    language: str | None = None
    tags: list[Line] = Field(default_factory=list[Line])
    error: Line | None = None
    """Why a document failed."""

    @field_validator("error", mode="before")
    @classmethod
    def _message(cls, error: api.DocumentError | str | None) -> str | None:
        return error.message if isinstance(error, api.DocumentError) else error


class DocumentList(Envelope[DocumentListing, ListMetadata]):
    """A page of documents."""


def build(client: ApiClient) -> Tool:
    async def list_documents(
        *, tags: Tags = None, status: Status = None, limit: Limit = 50, cursor: Cursor = None
    ) -> Annotated[CallToolResult, DocumentList]:
        """List the documents of the library, newest first.

        Use it to see what exists or whether a document is ready. To find text, use search.
        Returns rows with id, filename, title, status, pages and tags, and metadata.next_cursor if there are more.
        """

        async def ask(rows: int) -> tuple[CallToolResult, int]:
            page = await client.list_documents(tags=tags, status=status, limit=rows, cursor=cursor)
            return _answer(page), len(page.items)

        return await list_page(limit, ask)

    return reading_tool(list_documents, "List documents")


def _line(row: DocumentListing) -> str:
    pages = f" | {row.page_count} p." if row.page_count else ""
    tags = f" | {', '.join(row.tags)}" if row.tags else ""
    status = f"{row.status}: {row.error}" if row.error else row.status
    return f"{row.filename} | {status}{pages}{tags} | {row.id}"


def _answer(page: api.PageDocumentResponse) -> CallToolResult:
    rows = [DocumentListing.model_validate(document) for document in page.items]
    for row in rows:
        row.url = web_link(row.id)
    lines = [_line(row) for row in rows]
    return DocumentList(data=rows, **paging(page, "documents")).answer(*lines)
