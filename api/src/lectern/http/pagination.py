"""Lists in pages: `{items, next_cursor, total}` with opaque cursors that stay right while rows come and go."""

import base64
import binascii
import json
from collections.abc import Sequence
from typing import Annotated, Any, Final, Generic, TypeVar, cast

from fastapi import Query
from pydantic import BaseModel, Field

from lectern.http.errors import BrokenCursor

Item = TypeVar("Item")
MAX_LIMIT: Final = 200
MAX_CURSOR_CHARACTERS: Final = 2_000

Limit = Annotated[int, Query(ge=1, le=MAX_LIMIT, description="Items on a page.")]
CursorParameter = Annotated[
    str | None, Query(alias="cursor", max_length=MAX_CURSOR_CHARACTERS, description="`next_cursor` of the page before.")
]


class Page(BaseModel, Generic[Item]):
    """A page of a list."""

    items: list[Item]
    next_cursor: str | None = Field(default=None, description="Send it as `cursor` for the next page; null at the end.")
    total: int = Field(description="Items on all pages together.")


def encode_cursor(order: str, keys: Sequence[Any]) -> str:
    """The place after a row: the order of the list and the row's sort keys in it (JSON values)."""
    text = json.dumps([order, *keys], ensure_ascii=True, separators=(",", ":"))
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def decode_cursor(cursor: str, *, order: str, types: Sequence[type | tuple[type, ...]]) -> list[Any]:
    """The sort keys in a cursor. A forged one shows nothing: keys only say where to go on in what the caller may see.

    Raises:
        BrokenCursor: It is damaged, or belongs to a list in another order.
    """
    try:
        values = json.loads(base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True))
    except (binascii.Error, ValueError, RecursionError) as error:
        raise BrokenCursor from error
    if not isinstance(values, list) or not values:
        raise BrokenCursor
    made_for, *keys = cast("list[Any]", values)
    if made_for != order or len(keys) != len(types) or not all(map(isinstance, keys, types)):
        raise BrokenCursor
    return keys
