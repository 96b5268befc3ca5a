"""Defects of a library and the checks that find them."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from lectern.db.engine import Engine
from lectern.db.session import Database
from lectern.storage.store import OriginalStore

State = Literal["found", "repaired", "queued"]
_EXAMPLES: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Installed:
    """The installation under examination. `owner` is connected as the role that owns the tables."""

    owner: Engine
    database: Database
    originals: OriginalStore
    heartbeat_seconds: float = 30
    grace_seconds: float = 86_400


Find = Callable[[Installed], Awaitable[list[str]]]
Repair = Callable[[Installed, Sequence[str]], Awaitable[None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """A consistency check with its repair. `is_queued`: a worker completes the repair."""

    name: str
    why: str
    remedy: str
    find: Find
    repair: Repair | None
    is_queued: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Defect:
    """A violated rule: number of places, some examples, and the result of the repair."""

    check: str
    count: int
    examples: tuple[str, ...]
    why: str
    remedy: str
    state: State = "found"


def defect_of(check: Check, places: Sequence[str], *, state: State = "found") -> Defect:
    """Return the defect that a check has found."""
    return Defect(
        check=check.name,
        count=len(places),
        examples=tuple(places[:_EXAMPLES]),
        why=check.why,
        remedy=check.remedy,
        state=state,
    )
