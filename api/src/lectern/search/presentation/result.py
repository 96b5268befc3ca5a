"""The ranked chunks of a search with everything that presents them (pure)."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from lectern.db.scope import Scope
from lectern.search.candidates.plan import Plan
from lectern.search.candidates.scope import Overview
from lectern.search.presentation.sentences import Span
from lectern.search.query.synonyms import SynonymMatch
from lectern.search.query.terms import KeywordQuery
from lectern.search.ranking import confidence
from lectern.search.ranking.confidence import UNCALIBRATED, Calibration
from lectern.search.repository import ChunkMatch
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
    similarity_range: tuple[float, float] | None
    calibration: Calibration = UNCALIBRATED
    problem: str | None = None
    reranked: Reranked | None = None
    nearest: Mapping[uuid.UUID, Span] = field(default_factory=dict[uuid.UUID, Span])
    weights: Mapping[str, float] = field(init=False)

    def __post_init__(self) -> None:
        terms = self.keywords.terms if self.keywords else ()
        object.__setattr__(self, "weights", {term.term: term.weight for term in terms})

    def has_lexical_match(self, row: ChunkMatch) -> bool:
        """Return true if the matched terms cover enough of the query to choose a snippet by them."""
        matched = sum(self.weights[term] for term in row.matched_terms or ())
        return not row.is_unmatched_language and matched > MIN_TERM_COVERAGE * sum(self.weights.values())

    def confidence(self) -> float | None:
        """Return the calibrated confidence of the best chunk; None without chunks or without a usable signal."""
        best = max((signal for row in self.rows for signal in self._signals(row)), default=None)
        return None if best is None else self.calibration.apply(best)

    def _signals(self, row: ChunkMatch) -> list[float]:
        similarity = None if row.distance is None else 1 - row.distance
        semantic = confidence.semantic_fit(similarity, similarity_range=self.similarity_range)
        signals = [] if semantic is None else [semantic]
        if self.keywords is not None:
            signals.append(_keyword_signal(row, self.keywords, expansions=()))
            if self.expansions:
                signals.append(_keyword_signal(row, self.keywords, expansions=self.expansions))
        return signals


def _keyword_signal(row: ChunkMatch, keywords: KeywordQuery, *, expansions: Sequence[SynonymMatch]) -> float:
    """Return the keyword fit of a chunk. With expansions, a term with synonyms does not count as unknown."""
    weights = {term.term: term.weight for term in keywords.terms if expansions or not term.is_expansion}
    matched = [weights[term] for term in row.matched_terms or () if term in weights]
    expanded = " ".join(match.term for match in expansions).lower()
    unknown = sum(word.lower() not in expanded for word in keywords.unknown_words)
    return confidence.keyword_fit(matched, known=list(weights.values()), unknown_words=unknown)
