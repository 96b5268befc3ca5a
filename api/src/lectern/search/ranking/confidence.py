"""Estimate how likely the passages found answer the query, and each passage alone (pure).

`confidence.json` has a logistic model for each kind of search, by the signals it has. `api/benchmarks/confidence.py`
fits them.
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from lectern.search.ranking.candidate import SearchCandidate
from lectern.search.ranking.features import QueryFacts
from lectern.search.ranking.ranker import RankedCandidate

LOW_CONFIDENCE: Final = 0.3
SHIPPED: Final = Path(__file__).with_name("confidence.json")
ANSWER_KIND: Final = "answer"
_SURE, _BEST, _READ = 3, 5, 20  # first candidates that signals look at
_LEAST_SHARE: Final = 1e-6
_CERTAIN: Final = 0.99  # log-odds are undefined for 0 and 1
_LEAST_EVIDENCE: Final = 0.005


@dataclass(frozen=True, slots=True)
class Calibration:
    """Platt scaling of confidence, fitted to the questions of an installation (`evaluation/calibration.py`)."""

    bias: float = 0.0
    slope: float = 1.0

    def apply(self, confidence: float) -> float:
        """Return a probability, or the confidence itself without a fit."""
        if self == UNCALIBRATED:
            return confidence
        return _probability(self.bias + self.slope * log_odds(confidence))


UNCALIBRATED: Final = Calibration()


@dataclass(frozen=True, slots=True)
class Confidence:
    """The probability that one of the passages answers; `hit` has the bias and weights for that of each passage."""

    value: float
    hit: tuple[float, float, float]

    def of_hit(self, share: float) -> float:
        """Return the probability that a passage with this share of the best score answers."""
        bias, by_confidence, by_share = self.hit
        return _probability(bias + by_confidence * log_odds(self.value) + by_share * math.log(max(share, _LEAST_SHARE)))


def estimate_confidence(
    ranked: Sequence[RankedCandidate],
    query: QueryFacts,
    *,
    similarity_range: tuple[float, float] | None,
    calibration: Calibration = UNCALIBRATED,
) -> Confidence | None:
    """Return the confidence of a search; None without candidates or without a signal."""
    signals = measure_signals(ranked, query, similarity_range=similarity_range)
    if not signals:
        return None
    model = _load()[name_kind(signals)]
    logit = model["bias"] + sum(weight * signals[name] for name, weight in model["weights"].items())
    bias, by_confidence, by_share = model["hit"]
    return Confidence(calibration.apply(_probability(logit)), (bias, by_confidence, by_share))


def estimate_answer_confidence(search: float, evidence: float) -> float:
    """Return the probability that the documents answer, by the confidence of the search and the best sentence's."""
    signals, model = measure_answer_signals(search, evidence), _load()[ANSWER_KIND]
    return _probability(model["bias"] + sum(weight * signals[name] for name, weight in model["weights"].items()))


def measure_answer_signals(search: float, evidence: float) -> dict[str, float]:
    """Measure how sure the search is, and the sentence that most probably answers."""
    return {"answer.search": log_odds(search), "answer.evidence": log_odds(evidence, certain=1 - _LEAST_EVIDENCE)}


def measure_signals(
    ranked: Sequence[RankedCandidate], query: QueryFacts, *, similarity_range: tuple[float, float] | None
) -> dict[str, float]:
    """Measure what the ranking, the similarities and the words say. Each of them may be missing."""
    best = [each.candidate for each in ranked[:_READ]]
    return {
        **(_ranking_signals(ranked) if query.weights else {}),  # not fitted to queries without a known word
        **(_similarity_signals(best[:_BEST], similarity_range) if similarity_range else {}),
        **_word_signals(best, query),
    }


def name_kind(signals: Mapping[str, float]) -> str:
    """Return the name of a kind of search: the first letters of the groups of its signals."""
    return "+".join(sorted({name.partition(".")[0] for name in signals}))


def scale_similarity(similarity: float, *, similarity_range: tuple[float, float] | None) -> float:
    """Scale a similarity from unrelated texts (0) to good answers (1), without bounds. Raises ValueError."""
    if similarity_range is None:
        raise ValueError("The model has no measured similarity range.")
    low, high = similarity_range
    return (similarity - low) / (high - low)


def log_odds(probability: float, *, certain: float = _CERTAIN) -> float:
    """Return the log-odds of a probability, clipped to `certain` and its complement."""
    clipped = min(max(probability, 1 - certain), certain)
    return math.log(clipped / (1 - clipped))


def _probability(logit: float) -> float:
    return 1 / (1 + math.exp(-logit))


def _ranking_signals(ranked: Sequence[RankedCandidate]) -> dict[str, float]:
    if not ranked or ranked[0].features is None:
        return {}
    first, later = ranked[0].score, ranked[min(_BEST, len(ranked)) - 1].score
    return {"ranking.score": first, "ranking.lead": first - later}


def _similarity_signals(best: Sequence[SearchCandidate], similarity_range: tuple[float, float]) -> dict[str, float]:
    known = [1 - one.distance for one in best if one.distance is not None]
    if not known:
        return {}
    scaled = [scale_similarity(value, similarity_range=similarity_range) for value in known]
    return {"similarity.first": scaled[0], "similarity.best": max(scaled)}


def _word_signals(best: Sequence[SearchCandidate], query: QueryFacts) -> dict[str, float]:
    """Measure the first passage's share of the query, the lead by keyword, and the numbers that no passage has."""
    if not best or not sum(query.weights) + query.unknown_weight:
        return {}
    scores = sorted((one.keyword_score or 0.0 for one in best), reverse=True)
    second = scores[1] if len(scores) > 1 else 0.0
    return {
        "words.first": _share(best[0].matched_terms, query),
        "words.lead": 1 - second / scores[0] if scores[0] > 0 else 0.0,
        "words.missing_numbers": min(_missing(query.numbers, one) for one in best[:_SURE]),
    }


def _share(matched: Sequence[int], query: QueryFacts) -> float:
    """Return the share of the query's weight; with synonyms, the better one of the query with and without them."""
    shares: list[float] = []
    for weights in (query.weights, query.expanded_weights or query.weights):
        total = sum(weights) + query.unknown_weight
        shares.append(sum(weights[number - 1] for number in matched) / total if total else 0.0)
    return max(shares)


def _missing(wanted: frozenset[int], candidate: SearchCandidate) -> float:
    own = {*candidate.matched_terms, *candidate.matched_title_terms}
    return len(wanted - own) / len(wanted) if wanted else 0.0


@cache
def _load(path: Path = SHIPPED) -> Mapping[str, Any]:
    return json.loads(path.read_text(encoding="utf-8"))["kinds"]
