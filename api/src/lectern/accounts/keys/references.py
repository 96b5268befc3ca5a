"""How the names in a new key's scope become ids: rooms above this one know how, and the application hands it over."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from lectern.db.session import Session


@dataclass(frozen=True, slots=True)
class References:
    """Ids or names; None for a list that is not given."""

    tags: Sequence[str] | None
    documents: Sequence[str] | None
    collections: Sequence[str] | None


@dataclass(frozen=True, slots=True)
class ReferencedIds:
    """What they refer to."""

    tags: list[uuid.UUID] | None
    documents: list[uuid.UUID] | None
    collections: list[uuid.UUID] | None


class ResolvesReferences(Protocol):
    """Finds what references mean in the session's scope; unknown ones are refused by name."""

    async def __call__(self, session: Session, references: References) -> ReferencedIds: ...
