"""The tool `add_document`: write to the library."""

import asyncio
import binascii
from base64 import b64decode
from typing import Annotated

from mcp.server.mcpserver.tools import Tool
from mcp.types import CallToolResult, ToolAnnotations
from pydantic import BaseModel, Field

from lectern_mcp import api_models as api
from lectern_mcp.api_client import ApiClient
from lectern_mcp.errors import Failure
from lectern_mcp.links import handle, web_link
from lectern_mcp.tools.declaration import BUDGET, Name, reading_tool
from lectern_mcp.tools.relay import ToolAnswer, relay

WAIT_SECONDS = 60
SECONDS = 150.0
"""Fetching takes up to 60 seconds, and then the document is waited for."""
ADDING = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=True)
Content = Annotated[str | None, Field(description="File in base64, up to 180 KB.")]
Url = Annotated[str | None, Field(max_length=2_048, description="http(s) address of a file on the public Internet.")]
Filename = Annotated[
    str | None, Field(min_length=1, max_length=200, description="With its ending. Required for text and content.")
]
Tags = Annotated[list[Name] | None, Field(max_length=100)]
Collection = Annotated[str | None, Field(max_length=200, description="Name or id.")]


class AddedDocument(BaseModel):
    document: str
    document_id: str
    url: str
    status: str
    page_count: int | None
    is_duplicate: bool


def build(client: ApiClient) -> Tool:
    """Return the tool."""

    async def add_document(
        *,
        text: str | None = None,
        content: Content = None,
        url: Url = None,
        filename: Filename = None,
        tags: Tags = None,
        collection: Collection = None,
    ) -> Annotated[CallToolResult, ToolAnswer[AddedDocument]]:
        """Add a document to the library from exactly one of text, content and url. It needs a write key.

        Use it when you are asked to save something. Returns the document once it can be searched, or its status.
        """
        if sum(source is not None for source in (text, content, url)) != 1:
            raise Failure("VALIDATION_ERROR", "Give exactly one of text, content and url.")
        if url is None and not filename:
            raise Failure("VALIDATION_ERROR", "A filename is missing.", hint='For example filename="note.md".')
        options = {"filename": filename, "tags": tags or [], "collection": collection}
        if url is not None:
            added = await client.ask(api.UploadResponse, "POST", "documents/from-url", json={"url": url, **options})
        else:
            body, headers = _bytes_of(text, content), {"Content-Type": "application/octet-stream"}
            added = await client.ask(
                api.UploadResponse, "POST", "documents", content=body, params=options, headers=headers
            )
        item = added.items[0]
        if item.document is None:  # a refused file of several; one file is refused with an error
            raise Failure("PROCESSING_ERROR")
        return _answer(await _wait(client, item.document), is_duplicate=bool(item.is_duplicate))

    return reading_tool(add_document, "Add a document", ADDING)


def _bytes_of(text: str | None, content: str | None) -> bytes:
    if text is not None:
        return text.encode()
    try:
        return b64decode(content or "", validate=True)
    except binascii.Error:
        raise Failure("VALIDATION_ERROR", "content is not base64.") from None


async def _wait(client: ApiClient, document: api.DocumentResponse) -> api.DocumentResponse:
    """Wait until a document is ready or has failed, for `WAIT_SECONDS` at most."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + WAIT_SECONDS
    while document.status in {"queued", "processing"} and loop.time() < deadline:
        await asyncio.sleep(0.5)
        document = await client.get_document(document.id)
    return document


def _answer(document: api.DocumentResponse, *, is_duplicate: bool) -> CallToolResult:
    if document.status == "failed":
        reason = document.error.message if document.error else None
        raise Failure("PROCESSING_ERROR", reason, hint="The file was stored, but its text cannot be searched.")
    added = AddedDocument(
        document=document.filename,
        document_id=handle(document.id),
        url=web_link(document.id),
        status=document.status,
        page_count=document.page_count,
        is_duplicate=is_duplicate,
    )
    message = "It can be searched." if document.status == "ready" else "Still processing: see list_documents."
    known = "The library already had this file. " if is_duplicate else ""
    return relay(added, message=known + message, max_tokens=BUDGET)
