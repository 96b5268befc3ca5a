"""Read one page of a list, with the total."""

from collections.abc import Sequence
from typing import Any, TypeVar

from sqlalchemy import Select, func, tuple_

from lectern.db.session import Session

T = TypeVar("T")


async def fetch_page(
    session: Session,
    query: Select[T],
    *keys: Any,  # noqa: ANN401 - columns
    after: Sequence[Any] | None,
    limit: int,
    is_descending: bool = False,
) -> tuple[Sequence[T], int]:
    """Return the rows behind `after`, the sort keys of the row before them, and the number of all rows."""
    total = await session.scalar(query.with_only_columns(func.count(), maintain_column_froms=True))
    query = query.order_by(*(key.desc() for key in keys) if is_descending else keys).limit(limit)
    if after is not None:
        query = query.where(tuple_(*keys) < tuple(after) if is_descending else tuple_(*keys) > tuple(after))
    return (await session.scalars(query)).all(), total or 0
