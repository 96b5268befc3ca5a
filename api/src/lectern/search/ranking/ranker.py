"""Rank the candidates of a search: by the trained model, or by reciprocal rank fusion (pure)."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from lectern.search.ranking.candidate import SearchCandidate
from lectern.search.ranking.features import QueryFacts, Values, build_features
from lectern.search.ranking.fusion import fuse_ranks
from lectern.search.ranking.model import TreeModel


class RankedCandidate(NamedTuple):
    """A candidate with its score, its share of the best one, 0 to 1, and its features if a model ranked it."""

    candidate: SearchCandidate
    score: float
    share: float
    features: Values | None = None


def rank(candidates: Sequence[SearchCandidate], query: QueryFacts, model: TreeModel | None) -> list[RankedCandidate]:
    """Rank candidates, best first, ties by id. Without a model, by reciprocal rank fusion."""
    if not candidates:
        return []
    candidates = sorted(candidates, key=lambda candidate: candidate.chunk_id.int)  # UUIDs compare slowly
    if model is None:
        features: Sequence[Values | None] = [None] * len(candidates)
        scores = np.array([fuse_ranks(each.semantic_rank, each.keyword_rank) for each in candidates])
        shares = scores / (scores.max() or 1.0)
    else:
        values = build_features(candidates, query)
        features = list(values)
        scores = model.score(values)
        shares = np.exp(scores - scores.max())
    ranked = list(map(RankedCandidate, candidates, scores.tolist(), shares.tolist(), features))
    return [ranked[at] for at in np.argsort(-scores, kind="stable").tolist()]
