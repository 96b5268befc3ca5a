"""Results of the further toolsets: responses of the API, cleaned, within a token budget, as text and data."""

import json
from typing import Any, Generic, TypeVar, cast

from mcp.types import CallToolResult, ContentBlock, TextContent
from pydantic import BaseModel, JsonValue

from lectern_mcp import api_models as api
from lectern_mcp.api_client import ApiClient
from lectern_mcp.errors import Failure
from lectern_mcp.results import DATA_NOTICE, NOTICE, fenced
from lectern_mcp.text import clean, one_line
from lectern_mcp.tools.filling import fill, has_cut_text, json_tokens

DataT = TypeVar("DataT")
FRAME_TOKENS = 200


class ToolAnswer(BaseModel, Generic[DataT]):
    """The envelope `{notice, data, metadata, message}`. `metadata.next_cursor` continues where there is more."""

    notice: str = DATA_NOTICE
    data: DataT
    metadata: dict[str, JsonValue]
    message: str


def relay(
    data: BaseModel,
    *more: ContentBlock,
    message: str,
    max_tokens: int,
    rows: str | None = None,
    start: int = 0,
    total: int = 0,
    **metadata: JsonValue,
) -> CallToolResult:
    """Return data as a tool's result, filled from the front up to the budget.

    `rows` is the list from `start` of `total`: as many rows as fit are returned, and a cursor for the rest.
    """
    shown: dict[str, Any] = _cleaned(data.model_dump(mode="json", exclude_unset=True))
    room = max_tokens - FRAME_TOKENS
    if rows is not None:
        found: list[Any] = shown[rows]
        shown[rows] = []
        shown[rows] = _prefix(found, room - json_tokens(shown))
        end = start + len(shown[rows])
        metadata |= {"next_cursor": str(end) if end < total else None}
    fitting, is_cut = fill(shown, room)
    cursor = metadata.get("next_cursor")
    metadata |= {"truncated": is_cut or bool(cursor) or has_cut_text(fitting)}
    go_on = f' For more, call again with cursor="{cursor}".' if cursor else ""
    go_on += f" Cut to {max_tokens} tokens." if is_cut else ""
    answer = ToolAnswer[dict[str, Any]](data=fitting, metadata=metadata, message=one_line(message, 600) + go_on)
    text = TextContent(text="\n".join([answer.message, NOTICE, fenced(_text(fitting))]))
    return CallToolResult(content=[text, *more], structured_content=answer.model_dump(mode="json"))


def _text(data: dict[str, Any]) -> str:
    """Render fields one a line, rows and texts unchanged."""
    lines: list[str] = []
    for name, value in data.items():
        if isinstance(value, list):
            lines += [f"{name}:", *(json.dumps(item, ensure_ascii=False) for item in cast("list[Any]", value))]
        else:
            lines.append(f"{name}: {value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)}")
    return "\n".join(lines)


def _cleaned(value: Any) -> Any:  # noqa: ANN401 - JSON
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, list):
        return [_cleaned(item) for item in cast("list[Any]", value)]
    if isinstance(value, dict):
        return {clean(str(name)): _cleaned(item) for name, item in cast("dict[Any, Any]", value).items()}
    return value


def _prefix(rows: list[Any], room: int) -> list[Any]:
    """Return the first rows that fit, at least one."""
    count = 0
    for row in rows:
        room -= json_tokens(row)
        if room < 0 and count:
            break
        count += 1
    return rows[:count]


def numbered(noun: str, first: int, last: int) -> str:
    """Return a noun with its numbers, as `Page 7` or `Pages 7-9`."""
    return f"{noun} {first}" if first == last else f"{noun}s {first}-{last}"


async def get_readable_document(client: ApiClient, name: str) -> api.DocumentResponse:
    """Return a document by name. Raise a Failure if its file was not read: that is no empty text."""
    found = await client.get_named_document(name)
    if failure := explain_missing_text(found):
        raise failure
    return found


def explain_missing_text(found: api.DocumentResponse) -> Failure | None:
    """Return why the file of a document was not read, or None if it was."""
    if found.status == "failed" and found.error is not None:
        return Failure("PROCESSING_ERROR", one_line(found.error.message), hint=found.error.hint)
    if found.page_count is None:
        hint = "Call again when list_documents shows it as ready."
        return Failure("PROCESSING_ERROR", f"The document has no text yet: it is {found.status}.", hint=hint)
    return None
