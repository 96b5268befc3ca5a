"""Defects of a library and the checks that find them."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from lectern.db.engine import Engine
from lectern.db.session import Database
from lectern.storage.store import OriginalStore

State = Literal["found", "mended", "queued"]
_EXAMPLES: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Installed:
    """What is examined. `owner` is signed in as the role that owns the tables."""

    owner: Engine
    database: Database
    originals: OriginalStore
    heartbeat_seconds: float = 30
    grace_seconds: float = 86_400


Find = Callable[[Installed], Awaitable[list[str]]]
Mend = Callable[[Installed, Sequence[str]], Awaitable[None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """A question and what is done about its answer. `is_queued`: a worker completes what `mend` begins."""

    name: str
    why: str
    remedy: str
    find: Find
    mend: Mend | None
    is_queued: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Defect:
    """Something that is not as it must be: in how many places, some of them, and what became of it."""

    check: str
    count: int
    examples: tuple[str, ...]
    why: str
    remedy: str
    state: State = "found"


def defect_of(check: Check, places: Sequence[str], *, state: State = "found") -> Defect:
    """The report of what a check has found."""
    return Defect(
        check=check.name,
        count=len(places),
        examples=tuple(places[:_EXAMPLES]),
        why=check.why,
        remedy=check.remedy,
        state=state,
    )
