"""The tools of `library` for finding one's way in a document."""

from base64 import b64encode
from typing import Annotated

from mcp.server.mcpserver.tools import Tool
from mcp.types import CallToolResult, ImageContent
from pydantic import BaseModel, Field

from lectern_mcp import api_models as api
from lectern_mcp.api_client import ApiClient
from lectern_mcp.errors import Failure
from lectern_mcp.links import handle, web_link
from lectern_mcp.text import counted, cut, one_line
from lectern_mcp.tools.declaration import (
    BUDGET,
    Cursor,
    Document,
    MaxTokens,
    foreign_cursor,
    list_page,
    place_of,
    reading_tool,
)
from lectern_mcp.tools.filling import cut_to_tokens, json_tokens
from lectern_mcp.tools.relay import (
    FRAME_TOKENS,
    ToolAnswer,
    explain_missing_text,
    get_readable_document,
    numbered,
    relay,
)

UNCUT = 1_000_000
PREVIEW_CHARACTERS = 800
HEADINGS = 40
MATCHES = 20
NO_MATCH = " Use fewer words, or search_by_document to find by meaning."
MAX_IMAGE_BYTES = 3_000_000
Pages = Annotated[str, Field(pattern=r"^[1-9]\d{0,6}(-[1-9]\d{0,6})?$", examples=["7", "7-9"])]
PageNumber = Annotated[int, Field(ge=1, le=9_999_999)]
Term = Annotated[str, Field(min_length=1, max_length=200, description="Words as they are written.")]


class OutlineRow(BaseModel):
    title: str
    level: int
    page_number: int | None


class DocumentSummary(BaseModel):
    document: str
    document_id: str
    url: str
    title: str | None
    status: str
    content_type: str
    page_count: int | None
    language: str | None
    collection: str
    tags: list[str]
    added: str
    headings: list[OutlineRow]
    preview: str


class Outline(BaseModel):
    document: str
    document_id: str
    url: str
    headings: list[OutlineRow]


class ReadPage(BaseModel):
    page_number: int
    url: str
    text: str
    is_truncated: bool = False


class PageRange(BaseModel):
    document: str
    document_id: str
    page_count: int
    pages: list[ReadPage]


class FoundText(BaseModel):
    page_number: int
    url: str
    text: str


class FoundTexts(BaseModel):
    document: str
    document_id: str
    matches: list[FoundText]


class ShownPage(BaseModel):
    document: str
    document_id: str
    page_number: int
    url: str


def build(client: ApiClient) -> tuple[Tool, ...]:
    """Return these tools."""
    return _summary(client), _outline(client), _read_pages(client), _find(client), _show_page(client)


def _summary(client: ApiClient) -> Tool:
    async def get_document_summary(*, document: Document) -> Annotated[CallToolResult, ToolAnswer[DocumentSummary]]:
        """Look at a document before you read it.

        Returns its facts, main headings and first lines.
        """
        found = await client.get_named_document(document)
        missing = explain_missing_text(found)
        outline, preview = list[api.OutlineHeading](), ""
        if missing:
            message = f"{missing.message} {missing.hint}"
        else:
            outline = (await client.get_outline(found.id)).items
            first = {"max_characters": PREVIEW_CHARACTERS}
            part = await client.ask(api.ContentResponse, "GET", f"documents/{found.id}/content", params=first)
            preview = cut(part.text, PREVIEW_CHARACTERS)
            message = f"{counted(found.page_count, 'page')}, {counted(len(outline), 'heading')}, "
            message += f"{counted(part.char_count, 'character')}."
        main = [item for item in outline if item.level <= 2] or outline  # noqa: PLR2004 - chapters and sections
        summary = DocumentSummary(
            document=found.filename,
            document_id=handle(found.id),
            url=web_link(found.id),
            title=found.title,
            status=found.status,
            content_type=found.content_type,
            page_count=found.page_count,
            language=found.language,
            collection=found.collection.name,
            tags=found.tags,
            added=found.created_at.date().isoformat(),
            headings=_headings(main[:HEADINGS]),
            preview=preview,
        )
        return relay(summary, message=message, max_tokens=BUDGET)

    return reading_tool(get_document_summary, "Summary of a document")


def _outline(client: ApiClient) -> Tool:
    async def get_outline(
        *, document: Document, cursor: Cursor = None
    ) -> Annotated[CallToolResult, ToolAnswer[Outline]]:
        """List all headings of a document with level and page."""
        start = place_of(cursor)
        found = await get_readable_document(client, document)
        items = (await client.get_outline(found.id)).items
        if start and start >= len(items):
            raise foreign_cursor()
        outline = Outline(
            document=found.filename,
            document_id=handle(found.id),
            url=web_link(found.id),
            headings=_headings(items[start:]),
        )
        message = f"{counted(len(items), 'heading')}." if items else "This document has no outline."
        return relay(outline, message=message, max_tokens=BUDGET, rows="headings", start=start, total=len(items))

    return reading_tool(get_outline, "Outline of a document")


def _read_pages(client: ApiClient) -> Tool:
    async def read_pages(
        *, document: Document, pages: Pages, max_tokens: MaxTokens = BUDGET
    ) -> Annotated[CallToolResult, ToolAnswer[PageRange]]:
        """Read pages of a document.

        Returns whole pages, as many as fit, and says which pages to ask for next.
        """
        found = await get_readable_document(client, document)
        first, _, given_last = pages.partition("-")
        count, given_last = found.page_count or 0, given_last or first
        if int(given_last) < int(first):
            hint = f'Call again with pages="{given_last}-{first}".'
            raise Failure("VALIDATION_ERROR", f"The range of pages {pages} is reversed.", hint=hint)
        last = min(int(given_last), count)
        if int(first) > last:
            hint = f"The document has {counted(count, 'page')}."
            raise Failure("VALIDATION_ERROR", f"There are no pages {pages}.", hint=hint)
        room, read = max_tokens - FRAME_TOKENS, list[ReadPage]()
        for number in range(int(first), last + 1):
            page = await client.get_page(found.id, number)
            shown = ReadPage(page_number=number, url=web_link(found.id, number), text=page.text)
            size = json_tokens(shown.model_dump())
            if size > room and read:
                break
            shown.text = cut_to_tokens(shown.text, room - (size - json_tokens(page.text)))
            shown.is_truncated = len(shown.text) < len(page.text)
            read.append(shown)
            room -= size
        end = read[-1].page_number
        message = f"{numbered('Page', int(first), end)} of {count}."
        message += f' For more, call again with pages="{end + 1}-{last}".' if end < last else ""
        if read[-1].is_truncated:
            message += " The page was cut: raise max_tokens, or read on with get_document_content."
        whole = PageRange(document=found.filename, document_id=handle(found.id), page_count=count, pages=read)
        return relay(whole, message=message, max_tokens=max_tokens + FRAME_TOKENS)

    return reading_tool(read_pages, "Read pages")


def _find(client: ApiClient) -> Tool:
    async def find_in_document(
        *, document: Document, text: Term, cursor: Cursor = None
    ) -> Annotated[CallToolResult, ToolAnswer[FoundTexts]]:
        """Find every place of a document with exactly these words, in reading order.

        Case, accents and line breaks are ignored. To find by meaning, use search_by_document.
        Returns page, url and the words with their surroundings.
        """
        found = await get_readable_document(client, document)

        async def ask(limit: int) -> tuple[CallToolResult, int]:
            wanted = {"q": text, "cursor": cursor, "limit": limit}
            page = await client.ask(api.PageTextMatch, "GET", f"documents/{found.id}/find", params=wanted)
            rows = [_match(found, match) for match in page.items]
            whole = FoundTexts(document=found.filename, document_id=handle(found.id), matches=rows)
            message = f"{len(rows)} of {page.total} matches." + ("" if page.total else NO_MATCH)
            return relay(whole, message=message, max_tokens=UNCUT, next_cursor=page.next_cursor), len(rows)

        return await list_page(MATCHES, ask)

    return reading_tool(find_in_document, "Find in a document")


def _show_page(client: ApiClient) -> Tool:
    async def show_page(
        *, document: Document, page_number: PageNumber
    ) -> Annotated[CallToolResult, ToolAnswer[ShownPage]]:
        """Look at a page of a PDF as a picture, for drawings, charts and stamps.

        Returns a WebP image.
        """
        found = await client.get_named_document(document)
        if page_number > (found.page_count or page_number):
            hint = f"The document has {counted(found.page_count, 'page')}."
            raise Failure("VALIDATION_ERROR", f"There is no page {page_number}.", hint=hint)
        path = f"documents/{found.id}/pages/{page_number}/image"
        image = b64encode(await client.download(path, MAX_IMAGE_BYTES)).decode()
        page = ShownPage(
            document=found.filename,
            document_id=handle(found.id),
            page_number=page_number,
            url=web_link(found.id, page_number),
        )
        message = f"Page {page_number}" + (f" of {found.page_count}." if found.page_count else ".")
        return relay(page, ImageContent(data=image, mime_type="image/webp"), message=message, max_tokens=BUDGET)

    return reading_tool(show_page, "Show a page")


def _headings(items: list[api.OutlineHeading]) -> list[OutlineRow]:
    return [OutlineRow(title=one_line(item.title), level=item.level, page_number=item.page_number) for item in items]


def _match(found: api.DocumentResponse, match: api.TextMatch) -> FoundText:
    url = web_link(found.id, match.page_number, start=match.char_start, end=match.char_end)
    text = one_line(f"{match.before}{match.text}{match.after}")
    return FoundText(page_number=match.page_number, url=url, text=text)
