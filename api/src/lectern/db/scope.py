"""Scopes: what a transaction may read and change, enforced by row-level security in Postgres.

Every transaction runs as one of two roles that own nothing and cannot bypass row-level security. `lectern_system` sees
every row, for workers, administrators and the command line. `lectern_app` sees the rows of its scope. The scope is a
set of settings that end with the transaction. A transaction without them sees nothing.
"""

import uuid
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

SCOPED_ROLE: Final = "lectern_app"
SYSTEM_ROLE: Final = "lectern_system"
EVERYTHING: Final = "*"
_ID_LENGTH: Final = 36


@dataclass(frozen=True, slots=True)
class IdList(Collection[uuid.UUID]):
    """Ids as a Postgres array literal, `{first,second}`.

    A filter may match thousands. Converting each to an object and back took longer than the search (docs/adr/0025).
    """

    literal: str

    @classmethod
    def of(cls, ids: Iterable[uuid.UUID]) -> "IdList":
        return cls("{" + ",".join(sorted(map(str, ids))) + "}")

    def __len__(self) -> int:
        return (len(self.literal) - 1) // (_ID_LENGTH + 1)

    def __iter__(self) -> Iterator[uuid.UUID]:
        return (
            uuid.UUID(self.literal[start : start + _ID_LENGTH])
            for start in range(1, len(self.literal) - 1, _ID_LENGTH + 1)
        )

    def __contains__(self, item: object) -> bool:
        return isinstance(item, uuid.UUID) and str(item) in self.literal


NO_IDS: Final = IdList("{}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """The actor and the documents it may access.

    `collections`, `tags` and `documents` each restrict what is visible. None is no restriction, an empty set hides
    everything. A document must meet all restrictions. A granted one need not be in `collections`.
    """

    actor: str = field(metadata={"description": "user:<uuid>, key:<uuid> or system, for the audit log"})
    is_unrestricted: bool = False
    can_write: bool = False
    collections: frozenset[uuid.UUID] | None = None
    tags: frozenset[uuid.UUID] | None = None
    documents: frozenset[uuid.UUID] | None = None
    granted: IdList = field(
        default=NO_IDS, metadata={"description": "documents of other collections that were shared with the actor"}
    )
    named_collections: frozenset[uuid.UUID] = field(
        default=frozenset(), metadata={"description": "visible even without a document in scope"}
    )

    @property
    def role(self) -> str:
        return SYSTEM_ROLE if self.is_unrestricted else SCOPED_ROLE

    @property
    def is_limited(self) -> bool:
        """True if it lists what is visible, even if that is everything."""
        return any(ids is not None for ids in (self.collections, self.tags, self.documents))

    @property
    def has_version(self) -> bool:
        """True if what it sees has a library version: the whole library, or collections."""
        return self.tags is None and self.documents is None and not self.granted

    def parameters(self) -> dict[str, str]:
        """Return the settings of the transaction. `*` is no restriction."""
        return {
            "lectern.actor": self.actor,
            "lectern.writable": "on" if self.can_write else "off",
            "lectern.collections": _array(self.collections),
            "lectern.tags": _array(self.tags),
            "lectern.documents": _array(self.documents),
            "lectern.granted": self.granted.literal,
            "lectern.named_collections": _array(self.named_collections),
        }


def _array(ids: Iterable[uuid.UUID] | None) -> str:
    return EVERYTHING if ids is None else IdList.of(ids).literal


SYSTEM_SCOPE: Final = Scope(actor="system", is_unrestricted=True, can_write=True)
