"""Lists in pages: `{items, next_cursor, total}` with opaque cursors that stay right while rows come and go."""

import base64
import json
import uuid
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated, Any, Final, Generic, TypeAlias, TypeVar, cast

from fastapi import Query
from pydantic import BaseModel, Field

from lectern.http.errors import BrokenCursor
from lectern.http.schemas import is_storable

Item = TypeVar("Item")
MAX_LIMIT: Final = 200
MAX_CURSOR_CHARACTERS: Final = 2_000
_LARGEST: Final = 2**63 - 1  # what Postgres calls bigint

Key: TypeAlias = int | str | datetime | uuid.UUID

Limit = Annotated[int, Query(ge=1, le=MAX_LIMIT, description="Items on a page.")]
CursorParameter = Annotated[
    str | None, Query(alias="cursor", max_length=MAX_CURSOR_CHARACTERS, description="`next_cursor` of the page before.")
]


class Page(BaseModel, Generic[Item]):
    """A page of a list."""

    items: list[Item]
    next_cursor: str | None = Field(default=None, description="Send it as `cursor` for the next page; null at the end.")
    total: int = Field(description="Items on all pages together.")


def encode_cursor(order: str, keys: Sequence[Key]) -> str:
    """The place after a row: the order of the list and the row's sort keys in it."""
    values = [order, *(key if isinstance(key, int | str) else _written(key) for key in keys)]
    text = json.dumps(values, ensure_ascii=True, separators=(",", ":"))
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def decode_cursor(cursor: str, *, order: str, types: Sequence[type[Key]]) -> list[Any]:
    """The sort keys in a cursor, each of its type.

    A forged cursor shows nothing: keys only say where to go on in what the caller may see.

    Raises:
        BrokenCursor: It is damaged, or belongs to a list in another order.
    """
    try:
        values = json.loads(base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True))
    except (ValueError, RecursionError) as error:
        raise BrokenCursor from error
    if not isinstance(values, list) or not values:
        raise BrokenCursor
    made_for, *keys = cast("list[Any]", values)
    if made_for != order or len(keys) != len(types):
        raise BrokenCursor
    return [_read(key, kind) for key, kind in zip(keys, types, strict=True)]


def _written(key: datetime | uuid.UUID) -> str:
    return key.isoformat() if isinstance(key, datetime) else str(key)


def _read(value: object, kind: type[Key]) -> Key:
    try:
        if kind is int and type(value) is int and abs(value) < _LARGEST:
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
