"""A search in progress: its session, query and timing."""

import asyncio
import time
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lectern.db.scope import Scope
from lectern.db.session import Session
from lectern.search.candidates.scope import CandidateScope, Overview
from lectern.search.query.analysis import QueryAnalysis
from lectern.search.query.embedding import QueryVector
from lectern.search.query.terms import KeywordQuery, inverse_document_frequency
from lectern.search.ranking.candidate import ArmRanks, SearchCandidate
from lectern.search.ranking.features import QueryFacts
from lectern.search.ranking.match import ChunkMatch
from lectern.search.ranking.model import TreeModel
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

    @property
    def title_terms(self) -> tuple[str, ...]:
        """The terms to look for in titles: those of the query, its periods, and its words that no chunk has."""
        unknown = (term for terms in self.keywords.unknown_words.values() for term in sorted(terms))
        terms = (term.term for term in self.keywords.terms)
        return tuple(dict.fromkeys([*terms, *self.analysis.periods, *unknown]))

    def facts(self) -> QueryFacts:
        """Return what the ranker needs of the query."""
        terms = self.keywords.terms
        weights = [0.0 if term.is_expansion else term.weight for term in terms]
        others = len(self.title_terms) - len(terms)
        known = {term.term for term in terms}
        unknown = sum(known.isdisjoint(spellings) for spellings in self.keywords.unknown_words.values())
        identifiers = set(self.keywords.identifiers)
        return QueryFacts(
            text=self.analysis.text,
            language=self.keywords.language,
            weights=weights,
            expanded_weights=[term.weight for term in terms] if self.analysis.expansions else None,
            unknown_weight=unknown * inverse_document_frequency(0, total=self.keywords.total),
            title_weights=[*weights, *([max(weights, default=1.0)] * others)],
            numbers=frozenset(n for n, term in enumerate(self.title_terms, start=1) if any(map(str.isdigit, term))),
            identifiers=frozenset(number for number, term in enumerate(terms, start=1) if term.term in identifiers),
            unmatched_languages=self.keywords.unmatched_languages,
            titled=frozenset(self.titled),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateSet:
    """The candidates of a search, their chunks, what the ranker needs of the query, and the model; None for fusion."""

    candidates: Sequence[SearchCandidate]
    chunks: Mapping[uuid.UUID, ChunkMatch]
    query: QueryFacts
    model: TreeModel | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """The ranked candidates, each arm's ranks further down, and the keyword query."""

    ranked: Sequence[SearchCandidate]
    deep: Sequence[ArmRanks]
    keywords: KeywordQuery
