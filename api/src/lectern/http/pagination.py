"""Keyset pagination: `{items, next_cursor, total}` with opaque cursors that are stable while rows change."""

import base64
import json
import uuid
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final, Generic, TypeAlias, TypeVar, cast

from pydantic import BaseModel, Field

from lectern.http.errors import BrokenCursor
from lectern.http.schemas import is_storable

Item = TypeVar("Item")
Row = TypeVar("Row")
MAX_LIMIT: Final = 200
MAX_CURSOR_CHARACTERS: Final = 2_000
_MAX_BIGINT: Final = 2**63 - 1  # The largest value of a Postgres bigint.

Key: TypeAlias = int | str | datetime | uuid.UUID


class Page(BaseModel, Generic[Item]):
    """One page of a list."""

    items: list[Item]
    next_cursor: str | None = Field(
        default=None, description="Send it as `cursor` for the next page. Null on the last page."
    )
    total: int = Field(description="Number of items on all pages.")


async def list_page(
    read: Callable[..., Awaitable[tuple[Sequence[Row], int]]],
    present: Callable[[Row], Item],
    *,
    order: str,
    keys: Mapping[str, type[Key]],
    cursor: str | None,
    limit: int,
) -> Page[Item]:
    """Return the page behind a cursor. Raises BrokenCursor. See `list_page_of`."""

    async def present_all(rows: Sequence[Row]) -> list[Item]:
        return [present(row) for row in rows]

    return await list_page_of(read, present_all, order=order, keys=keys, cursor=cursor, limit=limit)


async def list_page_of(
    read: Callable[..., Awaitable[tuple[Sequence[Row], int]]],
    present: Callable[[Sequence[Row]], Awaitable[list[Item]]],
    *,
    order: str,
    keys: Mapping[str, type[Key]],
    cursor: str | None,
    limit: int,
) -> Page[Item]:
    """Return the page behind a cursor, with its rows presented together. Raises BrokenCursor.

    `keys` are the attributes that rows are sorted by. `read` takes those of the row before the page as `after`, and
    `limit`. It returns the rows and the total. One row more than wanted means that another page follows.
    """
    after = decode_cursor(cursor, order=order, types=[*keys.values()]) if cursor else None
    rows, total = await read(after=after, limit=limit + 1)
    shown = rows[:limit]
    next_cursor = encode_cursor(order, [getattr(shown[-1], name) for name in keys]) if len(rows) > limit else None
    return Page(items=await present(shown), next_cursor=next_cursor, total=total)


def encode_cursor(order: str, keys: Sequence[Key]) -> str:
    """Encode the order of a list and the sort keys of its last row."""
    values = [order, *(key if isinstance(key, int | str) else str(key) for key in keys)]
    text = json.dumps(values, ensure_ascii=True, separators=(",", ":"))
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def decode_cursor(cursor: str, *, order: str, types: Sequence[type[Key]]) -> list[Any]:
    """Return the sort keys in a cursor, each of its type.

    A forged cursor reveals nothing: keys only position within the rows that the caller may see.

    Raises:
        BrokenCursor: The cursor is damaged or belongs to a list in another order.
    """
    try:
        values = json.loads(base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True))
    except (ValueError, RecursionError) as error:
        raise BrokenCursor from error
    if not isinstance(values, list) or not values:
        raise BrokenCursor
    cursor_order, *keys = cast("list[Any]", values)
    if cursor_order != order or len(keys) != len(types):
        raise BrokenCursor
    return [_parse(key, kind) for key, kind in zip(keys, types, strict=True)]


def _parse(value: object, kind: type[Key]) -> Key:
    try:
        if kind is int and type(value) is int and abs(value) < _MAX_BIGINT:
            return value
        if isinstance(value, str) and is_storable(value):
            if kind is datetime:
                moment = datetime.fromisoformat(value)
                return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
            if kind is uuid.UUID:
                return uuid.UUID(value)
            if kind is str:
                return value
    except ValueError as error:
        raise BrokenCursor from error
    raise BrokenCursor
