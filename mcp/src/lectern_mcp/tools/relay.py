"""Results of the further toolsets: responses of the API, cleaned, within a token budget, as text and data."""

import json
from typing import Any, Generic, TypeVar, cast

from mcp.types import CallToolResult, ContentBlock, TextContent
from pydantic import BaseModel, JsonValue

from lectern_mcp.results import NOTICE, fenced
from lectern_mcp.text import clean, count_tokens, cut, one_line

DataT = TypeVar("DataT")
FRAME_TOKENS = 200
_SHORTEST = 80
_TIGHTER = 0.9


class ToolAnswer(BaseModel, Generic[DataT]):
    """The envelope `{data, metadata, message}`. `metadata.next_cursor` continues where there is more."""

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
    """Return data as a tool's result, with long texts cut to the budget.

    `rows` is the list from `start` of `total`: as many rows as fit are returned, and a cursor for the rest.
    """
    shown: dict[str, Any] = _cleaned(data.model_dump(mode="json"))
    room = max_tokens - FRAME_TOKENS
    if rows is not None:
        found: list[Any] = shown[rows]
        shown[rows] = []
        shown[rows] = _prefix(found, room - json_tokens(shown))
        end = start + len(shown[rows])
        metadata |= {"next_cursor": str(end) if end < total else None}
    fitting, is_cut = _fit(shown, room)
    metadata |= {"truncated": is_cut or bool(metadata.get("next_cursor"))}
    go_on = f' For more, call again with cursor="{cursor}".' if (cursor := metadata.get("next_cursor")) else ""
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


def json_tokens(value: object) -> int:
    """Return the tokens of a value as JSON."""
    return count_tokens(json.dumps(value, ensure_ascii=False))


def _prefix(rows: list[Any], room: int) -> list[Any]:
    """Return the first rows that fit, at least one."""
    count = 0
    for row in rows:
        room -= json_tokens(row)
        if room < 0 and count:
            break
        count += 1
    return rows[:count]


def _fit(data: dict[str, Any], room: int) -> tuple[dict[str, Any], bool]:
    """Return the data with texts, then lists, cut to fit."""
    size, longest, is_cut = json_tokens(data), _longest(data), False
    while size > room and longest > _SHORTEST:
        longest = max(_SHORTEST, int(longest * max(room / size, 0.1) * _TIGHTER))
        data, is_cut = _shortened(data, longest, None), True
        size = json_tokens(data)
    items = 64
    while size > room and items:
        data, is_cut, items = _shortened(data, longest, items), True, items // 2
        size = json_tokens(data)
    return data, is_cut


def _longest(value: Any) -> int:  # noqa: ANN401 - JSON
    if isinstance(value, str):
        return len(value)
    parts = list(cast("dict[str, Any]", value).values()) if isinstance(value, dict) else value
    return max(map(_longest, cast("list[Any]", parts)), default=0) if isinstance(parts, list) else 0


def _shortened(value: Any, characters: int, items: int | None) -> Any:  # noqa: ANN401 - JSON
    if isinstance(value, str):
        return value if len(value) <= characters else f"{cut(value, characters - 1)}…"
    if isinstance(value, list):
        return [_shortened(item, characters, items) for item in cast("list[Any]", value)[:items]]
    if isinstance(value, dict):
        return {name: _shortened(item, characters, items) for name, item in cast("dict[str, Any]", value).items()}
    return value
