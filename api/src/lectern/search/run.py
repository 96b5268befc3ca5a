"""A search in progress: its session, query and timing."""

import asyncio
import time
import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from lectern.db.scope import Scope
from lectern.db.session import Session
from lectern.search.candidates.scope import CandidateScope, Overview
from lectern.search.query.analysis import QueryAnalysis
from lectern.search.query.embedding import QueryVector
from lectern.search.query.terms import KeywordQuery
from lectern.search.ranking.fusion import RankedChunk
from lectern.search.schemas import SearchRequest


class Stopwatch:
    """Measure the steps of a search in milliseconds."""

    def __init__(self) -> None:
        self._started = self._last = time.perf_counter()
        self.laps: dict[str, float] = {}

    def lap(self, name: str) -> None:
        """Record the time since the last lap, and the total."""
        now = time.perf_counter()
        self.laps[name] = round((now - self._last) * 1000, 3)
        self.laps["total"] = round((now - self._started) * 1000, 3)
        self._last = now

    def total(self) -> float:
        """Return the time since the start."""
        return round((time.perf_counter() - self._started) * 1000, 3)


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchRun:
    """A search in progress: its session sees one library version."""

    request: SearchRequest
    scope: Scope
    session: Session
    library_version: int
    analysis: QueryAnalysis
    vector: "asyncio.Task[QueryVector]"
    clock: Stopwatch


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedQuery:
    """A query with what the library says about it; `titled` are documents matched by title."""

    analysis: QueryAnalysis
    overview: Overview
    scope: CandidateScope
    keywords: KeywordQuery
    titled: Sequence[uuid.UUID]


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """The fused candidates, each arm's ranks further down, and the keyword query."""

    fused: Sequence[RankedChunk]
    deep: Sequence[RankedChunk]
    keywords: KeywordQuery
