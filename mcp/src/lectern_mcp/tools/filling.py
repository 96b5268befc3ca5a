"""Fit data into a token budget: rows and texts from the front, never a piece of each."""

import json
from typing import Any, cast

from lectern_mcp.text import count_tokens, cut

_LONG = 80
"""Characters from which a text may be cut."""
_SMALLEST_PART = 60
"""Tokens that a row needs to be shown in part."""
Data = dict[str, Any]


def json_tokens(value: object) -> int:
    """Return the tokens of a value as JSON."""
    return count_tokens(json.dumps(value, ensure_ascii=False))


def cut_to_tokens(text: str, tokens: int) -> str:
    """Return the beginning of the text within a token budget, unstripped, so that the next part continues exactly."""
    beginning = text
    while beginning and (size := json_tokens(beginning)) > tokens:
        beginning = beginning[: len(cut(beginning, int(len(beginning) * max(tokens, 0) / size * 0.97)))]
    return beginning


def fill(data: Data, room: int) -> tuple[Data, bool]:
    """Return the data with the first rows and texts that fit, and whether anything is left out."""
    shown: Data = {name: _emptied(value) for name, value in data.items()}
    left, is_cut = room - json_tokens(shown), False
    for name, value in data.items():
        if value == shown[name]:
            continue
        if isinstance(value, str):
            shown[name] = cut_to_tokens(value, left)
            is_cut |= len(shown[name]) < len(value)
        else:
            shown[name], is_partial = _rows(cast("list[Any]", value), left)
            is_cut |= is_partial
        left -= json_tokens(shown[name])
    if is_cut and "is_truncated" in shown:
        shown["is_truncated"] = True
    return shown, is_cut


def has_cut_text(value: Any) -> bool:  # noqa: ANN401 - JSON
    """Return True if any object in the data says `is_truncated`."""
    if isinstance(value, dict):
        fields = cast("Data", value)
        return fields.get("is_truncated") is True or any(map(has_cut_text, fields.values()))
    return isinstance(value, list) and any(map(has_cut_text, cast("list[Any]", value)))


def _rows(rows: list[Any], room: int) -> tuple[list[Any], bool]:
    """Return the first rows that fit. The row after them is shown in part, if there is room."""
    rows_that_fit: list[Any] = []
    for row in rows:
        cost = json_tokens(row)
        if cost <= room:
            rows_that_fit.append(row)
            room -= cost
            continue
        if isinstance(row, dict) and (room >= _SMALLEST_PART or not rows_that_fit):
            part, _ = fill(cast("Data", row), room)
            if not rows_that_fit or json_tokens(part) <= room:
                rows_that_fit.append(part)
        return rows_that_fit, True
    return rows_that_fit, False


def _emptied(value: Any) -> Any:  # noqa: ANN401 - JSON
    if isinstance(value, str):
        return "" if len(value) > _LONG else value
    return [] if isinstance(value, list) else value
