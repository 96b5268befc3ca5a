"""The ranked chunks of a search with everything that presents them (pure)."""

import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from lectern.db.scope import Scope
from lectern.search.candidates.plan import Plan
from lectern.search.candidates.scope import Overview
from lectern.search.presentation.sentences import Span
from lectern.search.query.synonyms import SynonymMatch
from lectern.search.query.terms import KeywordQuery, QueryTerm
from lectern.search.ranking.confidence import Confidence
from lectern.search.ranking.match import ChunkMatch
from lectern.search.ranking.model import TreeModel
from lectern.search.reranking.rerank import Reranked
from lectern.search.schemas import SearchRequest

MIN_TERM_COVERAGE: Final = 0.3  # share of the query's weight


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedResult:
    """The chunks of a search in rank order, before presentation."""

    request: SearchRequest
    scope: Scope
    overview: Overview
    keywords: KeywordQuery | None
    expansions: Sequence[SynonymMatch] = ()
    plan: Plan
    rows: Sequence[ChunkMatch]
    confidence: Confidence | None = None
    model: TreeModel | None = None
    problem: str | None = None
    reranked: Reranked | None = None
    nearest: Mapping[uuid.UUID, Span] = field(default_factory=dict[uuid.UUID, Span])
    weights: Mapping[str, float] = field(init=False)

    def __post_init__(self) -> None:
        terms = self.keywords.terms if self.keywords else ()
        object.__setattr__(self, "weights", {term.term: term.weight for term in terms})

    def has_lexical_match(self, row: ChunkMatch) -> bool:
        """Return true if the matched terms cover enough of the query to choose a snippet by them."""
        own = row.matched_terms
        known = sum(term.weight for term in _known_terms(self.keywords, own)) if self.keywords else 0.0
        return not row.is_unmatched_language and sum(self.weights[term] for term in own) > MIN_TERM_COVERAGE * known


def _known_terms(keywords: KeywordQuery, matched: Collection[str]) -> list[QueryTerm]:
    """Return the terms that were counted, or are in the chunk."""
    return [term for term in keywords.terms if term.chunk_count or term.term in matched]
