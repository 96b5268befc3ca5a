"""The ids of many documents as Postgres writes an array of them.

A filter may leave thousands: to make an object of each and write it out again took more than the search
(docs/adr/0096). They go back to Postgres as they came.
"""

import uuid
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Final

_ID: Final = 36  # characters


@dataclass(frozen=True, slots=True)
class IdList(Collection[uuid.UUID]):
    """Ids by their array literal: `{}`, `{first,second}`."""

    literal: str

    def __len__(self) -> int:
        return (len(self.literal) - 1) // (_ID + 1)

    def __iter__(self) -> Iterator[uuid.UUID]:
        return (uuid.UUID(self.literal[start : start + _ID]) for start in range(1, len(self.literal) - 1, _ID + 1))

    def __contains__(self, one: object) -> bool:
        return isinstance(one, uuid.UUID) and str(one) in self.literal
