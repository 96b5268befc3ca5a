"""Query parameters of paginated lists. Only routers import them, because FastAPI takes long to load."""

from typing import Annotated

from fastapi import Query

from lectern.http.pagination import MAX_CURSOR_CHARACTERS, MAX_LIMIT

Limit = Annotated[int, Query(ge=1, le=MAX_LIMIT, description="Maximum number of items.")]
CursorParameter = Annotated[
    str | None,
    Query(alias="cursor", max_length=MAX_CURSOR_CHARACTERS, description="`next_cursor` of the previous page."),
]
