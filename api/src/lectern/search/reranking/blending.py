"""The order of the fusion and that of the reranker in one (pure).

A reranker is a second opinion, not the last word: both orders vote by reciprocal rank. Passages that it cannot read
(another language) keep their places, and the passage that the keyword arm puts first stays among the hits where it was:
who asks for `art. 12-bis` means it.
"""

from collections.abc import Hashable, Mapping, Sequence
from typing import Final, TypeVar

Key = TypeVar("Key", bound=Hashable)

K: Final = 60


def blend(
    fused: Sequence[Key], scores: Mapping[Key, float], *, keyword_first: Key | None = None, top_k: int, k: int = K
) -> list[Key]:
    """The first `top_k` of `fused` in their new order; `scores` are the reranker's, of those that it has read.

    `champion` is what the keyword arm puts first: if the fusion has it among the first `top_k`, so has the result.
    """
    read = [key for key in fused if key in scores]
    places = {key: place for place, key in enumerate(read, start=1)}
    by_score = sorted(read, key=lambda key: (-scores[key], places[key]))
    ranks = {key: rank for rank, key in enumerate(by_score, start=1)}
    ordered = iter(sorted(read, key=lambda key: (-(1 / (k + places[key]) + 1 / (k + ranks[key])), places[key])))
    blended = [next(ordered) if key in scores else key for key in fused]
    first = blended[:top_k]
    if keyword_first is not None and keyword_first in fused[:top_k] and keyword_first not in first:
        first[-1] = keyword_first
    return first
