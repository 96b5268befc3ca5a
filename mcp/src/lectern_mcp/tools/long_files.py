"""Results about long files: filled from the front, with a cursor to where the next call continues."""

import re
from collections.abc import Sized
from dataclasses import dataclass
from typing import Annotated

from mcp.types import CallToolResult
from pydantic import Field

from lectern_mcp import api_models as api
from lectern_mcp.errors import Failure
from lectern_mcp.text import counted
from lectern_mcp.tools.declaration import foreign_cursor
from lectern_mcp.tools.filling import cut_to_tokens, fill, json_tokens
from lectern_mcp.tools.relay import FRAME_TOKENS, numbered, relay

Pages = Annotated[str | None, Field(max_length=20, description='Pages, such as "1-20". Default: all.')]
_PAGES = re.compile(r"\s*(\d{1,6})\s*(-\s*(\d{1,6})?)?\s*")
_CURSOR = re.compile(r"(\d{1,6})\.(\d{1,9})")
_LEAST_TOKENS = 60
"""A page is begun only with room for so much of it."""


@dataclass(frozen=True, slots=True)
class PagePosition:
    """The pages to read, and the first character of the first one."""

    first: int
    last: int | None
    char_start: int


def parse_range(pages: str | None, cursor: str | None) -> PagePosition:
    """Return the range of `pages`, continued at `cursor`. Raises a Failure for other texts."""
    first, last, char_start = 1, None, 0
    if pages:
        match = _PAGES.fullmatch(pages)
        if match is None or not int(match[1]) or int(match[3] or match[1]) < int(match[1]):
            raise Failure(
                "VALIDATION_ERROR", f"Invalid pages: {pages!r}.", hint='For example pages="3" or pages="1-20".'
            )
        first, last = int(match[1]), int(match[3]) if match[3] else (None if match[2] else int(match[1]))
    if cursor:
        place = _CURSOR.fullmatch(cursor)
        if place is None or int(place[1]) < first or (last and int(place[1]) > last):
            raise foreign_cursor()
        first, char_start = int(place[1]), int(place[2])
    return PagePosition(first, last, char_start)


def relay_pages(found: api.TextOfFile, wanted: PagePosition, *, max_tokens: int) -> CallToolResult:
    """Return the first pages that fit. The page after them is shown in part, if there is room."""
    count, pages = found.file.page_count, found.pages
    if not pages:
        hint = f'For example pages="1-{count}".'
        raise Failure("VALIDATION_ERROR", f"The file has {counted(count, 'page')}.", hint=hint)
    room = max_tokens - FRAME_TOKENS - json_tokens(found.model_copy(update={"pages": []}).model_dump(mode="json"))
    shown: list[api.PageOfFile] = []
    place = (wanted.first, wanted.char_start)
    for page in pages:
        cost = json_tokens(page.model_dump(mode="json"))
        part = page if cost <= room else _beginning(page, max(room, _LEAST_TOKENS))
        if part is not page and shown and room < 2 * _LEAST_TOKENS:
            break
        shown.append(part)
        room -= cost
        place = (page.page_number, page.char_start + len(part.text)) if part.is_truncated else (page.page_number + 1, 0)
        if part is not page:
            break
    cursor = f"{place[0]}.{place[1]}" if place[0] <= min(wanted.last or count, count) else None
    whole = found.model_copy(update={"pages": shown, "is_truncated": cursor is not None})
    message = f"{numbered('Page', shown[0].page_number, shown[-1].page_number)} of {count}."
    return relay(whole, message=message, max_tokens=max_tokens + FRAME_TOKENS, next_cursor=cursor)


def relay_processed(found: api.ProcessedDocument, *, max_tokens: int) -> CallToolResult:
    """Return outline, tables and URLs in at most half the budget, and the beginning of the text in the rest."""
    if found.char_start and found.char_start >= found.char_count:
        raise foreign_cursor()
    room, fields = max_tokens - FRAME_TOKENS, found.model_dump(mode="json")
    text: str = fields.pop("text")
    lists, is_cut = fill(fields, max(room // 2, room - json_tokens(text)))
    shown = cut_to_tokens(text, room - json_tokens(lists))
    end = found.char_start + len(shown)
    cursor = str(end) if end < found.char_count else None
    whole = api.ProcessedDocument.model_validate({**lists, "text": shown, "is_truncated": cursor is not None or is_cut})
    message = f"{counted(found.file.page_count, 'page')}. Characters {found.char_start} to {end} of {found.char_count}."
    if not found.char_start:
        message += f" {_shown('tables', whole.tables, found.tables)}, {_shown('URLs', whole.urls, found.urls)}."
    return relay(whole, message=message, max_tokens=max_tokens + FRAME_TOKENS, next_cursor=cursor)


def _beginning(page: api.PageOfFile, room: int) -> api.PageOfFile:
    frame = json_tokens(page.model_copy(update={"text": ""}).model_dump(mode="json"))
    text = cut_to_tokens(page.text, max(room - frame, _LEAST_TOKENS))
    return page.model_copy(update={"text": text, "is_truncated": True})


def _shown(what: str, shown: Sized, found: Sized) -> str:
    return f"{len(found)} {what}" if len(shown) == len(found) else f"{len(shown)} of {len(found)} {what}"
