"""Blend the order of the fusion with that of the reranker (pure).

Both orders vote by reciprocal rank. Chunks that the reranker does not read keep their places. The first chunk by
keyword stays among the hits: a query for `art. 12-bis` asks for exactly that.
"""

from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

from lectern.search.ranking.fusion import fuse_ranks

Key = TypeVar("Key", bound=Hashable)


def blend(
    fused: Sequence[Key], scores: Mapping[Key, float], *, keyword_first: Key | None = None, top_k: int
) -> list[Key]:
    """Return the first `top_k` keys in their new order.

    Args:
        fused: Keys in the order of the fusion.
        scores: The reranker's scores of the keys that it read.
        keyword_first: A key that stays among the first `top_k` if it is there.
        top_k: Keys to return.
    """
    read = [key for key in fused if key in scores]
    places = {key: place for place, key in enumerate(read, start=1)}
    by_score = sorted(read, key=lambda key: (-scores[key], places[key]))
    ranks = {key: rank for rank, key in enumerate(by_score, start=1)}
    ordered = iter(sorted(read, key=lambda key: (-fuse_ranks(places[key], ranks[key]), places[key])))
    blended = [next(ordered) if key in scores else key for key in fused]
    first = blended[:top_k]
    if keyword_first is not None and keyword_first in fused[:top_k] and keyword_first not in first:
        first[-1] = keyword_first
    return first
