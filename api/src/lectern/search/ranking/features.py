"""The features of a candidate that the ranker reads (pure).

Most compare a candidate with the others of its search, so that they mean the same in every library. A new feature is
one entry of FEATURES and one line of `build_features`; then train the ranker again (docs/how-to/train-the-ranker.md).
"""

import re
import uuid
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from statistics import median
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lectern.search.ranking.candidate import SearchCandidate
from lectern.search.ranking.fusion import K

Values: TypeAlias = NDArray[np.float64]

_FAR: Final = 1_000  # the rank of a candidate that an arm does not know
_BEST_CHUNKS: Final = 3  # of a document, that stand for it
_MIN_WORD: Final = 3
_WORD: Final = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Feature:
    """A feature: its name, what it means, and whether more of it may only raise (1) or lower (-1) the score."""

    name: str
    meaning: str
    direction: int = 0


FEATURES: Final = (
    Feature("semantic_vote", "60 / (60 + rank by meaning)", 1),
    Feature("keyword_vote", "60 / (60 + rank by keyword)", 1),
    Feature("similarity_gap", "similarity below the best candidate's, in units of the spread of all candidates", 1),
    Feature("keyword_share", "keyword score / the best candidate's", 1),
    Feature("coverage", "share of the query's weight (idf) in the passage", 1),
    Feature("title_share", "weight of the query in the document's title / the best candidate's", 1),
    Feature("is_titled", "the query names the document by its title", 1),
    Feature("document_keyword", "the document's best three keyword scores / the best document's", 1),
    Feature("document_similarity", "the document's best three similarities below the best document's", 1),
    Feature("heading_share", "share of the query's words in the headings above the passage", 1),
    Feature("is_unmatched_language", "none of the query's words are of the passage's language"),
    Feature("language_vote", "60 / (60 + rank by meaning among the passages in its language)", 1),
    Feature("language_loss", "similarity below the best candidate's in the same language", 1),
    Feature("number_share", "share of the query's numbers in the passage or the document's title", 1),
    Feature("identifier_share", "share of the query's identifiers in the passage", 1),
    Feature("is_referenced", "the query names the page or the section of the passage", 1),
    Feature("fused_score", "score by reciprocal rank fusion / the best candidate's", 1),
    Feature("is_other_language", "the passage is in another language than the query"),
)

PLACES: Final = {feature.name: place for place, feature in enumerate(FEATURES)}
MEANINGS: Final = {feature.name: feature.meaning for feature in FEATURES}


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryFacts:
    """The parts of a query that features and confidence need.

    `language` is None or empty if it is unclear. `title_weights` add those of further terms for titles.
    `expanded_weights` has weights for synonyms, too. `unknown_weight` is that of the words that no chunk has.
    """

    text: str
    language: str | None = None
    weights: Sequence[float] = ()
    title_weights: Sequence[float] = ()
    expanded_weights: Sequence[float] | None = None
    unknown_weight: float = 0.0
    numbers: frozenset[int] = frozenset()
    identifiers: frozenset[int] = frozenset()
    unmatched_languages: Collection[str] = ()
    titled: Collection[uuid.UUID] = ()


def build_features(candidates: Sequence[SearchCandidate], query: QueryFacts) -> Values:
    """Build the features, (n, len(FEATURES))."""
    distance = np.array([c.distance for c in candidates], np.float64)  # None is NaN
    keyword = np.array([c.keyword_score or 0.0 for c in candidates], np.float64).clip(0.0)
    has_distance = not np.isnan(distance).all()
    similarity = -np.where(np.isnan(distance), np.nanmax(distance) if has_distance else 0.0, distance)
    semantic_rank = _ranks(similarity) if has_distance else np.full(len(candidates), _FAR)
    keyword_rank = np.where(keyword > 0, _ranks(keyword), _FAR)
    fused = 1 / (K + semantic_rank) + np.where(keyword > 0, 1 / (K + keyword_rank), 0.0)
    loss = similarity - similarity.max()
    spread = median((-loss).tolist()) or 1.0
    owners = [c.document_id.int for c in candidates]  # UUIDs hash slowly
    titled = {document.int for document in query.titled}
    documents = _numbers(owners)
    languages = _numbers([c.language for c in candidates])
    weights, title_weights = [0.0, *query.weights], [0.0, *query.title_weights]
    title = _sums(title_weights, [c.matched_title_terms for c in candidates])
    coverage = _sums(weights, [c.matched_terms for c in candidates])
    by_document = _best_means(keyword, documents)
    near_document = _best_means(similarity - similarity.min(), documents)
    asked = {word for word in _WORD.findall(query.text.lower()) if len(word) >= _MIN_WORD}
    nothing = np.zeros(len(candidates))
    headings = {heading: _heading_share(asked, heading) for heading in {c.heading for c in candidates}}
    rows = [
        K / (K + semantic_rank),
        K / (K + keyword_rank),
        loss / spread,
        keyword / (keyword.max() or 1.0),
        coverage / (sum(query.weights) or 1.0),
        title / (title.max() or 1.0),
        [owner in titled for owner in owners] if titled else nothing,
        by_document / (by_document.max() or 1.0),
        near_document - near_document.max(),
        [headings[c.heading] for c in candidates],
        [c.language in query.unmatched_languages for c in candidates],
        K / (K + (_group_ranks(similarity, languages) if has_distance else semantic_rank)),
        similarity - _group_best(similarity, languages),
        _shares(query.numbers, [[*c.matched_terms, *c.matched_title_terms] for c in candidates])
        if query.numbers
        else nothing,
        _shares(query.identifiers, [c.matched_terms for c in candidates]) if query.identifiers else nothing,
        [c.is_referenced for c in candidates],
        fused / fused.max(),
        [c.language not in (query.language, "") for c in candidates] if query.language else nothing,
    ]
    return np.array(rows, np.float64).T


def _ranks(values: Values) -> Values:
    """Rank by falling value, from 1. Equal values have one rank, so that only a title can distinguish copies."""
    return 1 + np.searchsorted(np.sort(-values), -values).astype(np.float64)


def _numbers(keys: Sequence[object]) -> NDArray[np.int64]:
    """Number equal keys alike, from 0."""
    known = {key: number for number, key in enumerate(dict.fromkeys(keys))}
    return np.array([known[key] for key in keys], np.int64)


def _sums(weights: Sequence[float], places: Sequence[Sequence[int]]) -> Values:
    """Sum the weights at the places of each candidate."""
    owners = np.repeat(np.arange(len(places)), [*map(len, places)])
    added = np.take(weights, np.fromiter(chain.from_iterable(places), np.int64, len(owners)))
    return np.bincount(owners, added, minlength=len(places)).astype(np.float64)


def _group_ranks(values: Values, groups: NDArray[np.int64]) -> Values:
    """Rank within each group."""
    ranks = np.empty(len(values))
    for group in range(groups.max() + 1):
        ranks[groups == group] = _ranks(values[groups == group])
    return ranks


def _group_best(values: Values, groups: NDArray[np.int64]) -> Values:
    """Return for each value the largest of its group."""
    best = np.full(groups.max() + 1, -np.inf)
    np.maximum.at(best, groups, values)
    return best[groups]


def _best_means(values: Values, groups: NDArray[np.int64]) -> Values:
    """Return for each value the mean of the best three values of its group."""
    order = np.lexsort((-values, groups))
    place = np.arange(len(values)) - np.searchsorted(groups[order], groups[order])
    best = order[place < _BEST_CHUNKS]
    return (np.bincount(groups[best], values[best]) / _BEST_CHUNKS)[groups]


def _heading_share(asked: set[str], heading: str) -> float:
    return len(asked.intersection(_WORD.findall(heading.lower()))) / len(asked) if asked and heading else 0.0


def _shares(wanted: frozenset[int], own: Iterable[Iterable[int]]) -> Sequence[float]:
    """Return the share of the wanted numbers that each candidate has."""
    return [len(wanted.intersection(numbers)) / len(wanted) for numbers in own]
