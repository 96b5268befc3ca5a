"""How well the best passage fits the query, 0..1 (pure). Ranks cannot tell: something always comes first.

Two witnesses, the stronger counts. By keyword: the share of the query's weight (idf) that a passage holds, words that
the library does not know included. By meaning: how far its similarity stands above what unrelated texts have under
the same model.
"""

from collections.abc import Sequence
from typing import Final

# Cosine similarity of unrelated texts and of a question with its answer, by model
# (measured: docs/explanation/search.md).
_RANGES: Final = {
    "multilingual-e5-small": (0.78, 0.90),
    "text-embedding-3-small": (0.15, 0.60),
}
_ANY_MODEL: Final = (0.2, 0.8)
LOW: Final = 0.3


def semantic_fit(similarity: float | None, *, model: str) -> float:
    """Where a similarity lies between that of unrelated texts (0) and of a good answer (1)."""
    if similarity is None:
        return 0.0
    low, high = _RANGES.get(model, _ANY_MODEL)
    return min(max((similarity - low) / (high - low), 0.0), 1.0)


def keyword_fit(matched: Sequence[float], *, known: Sequence[float], unknown_words: int) -> float:
    """The share of the query's weight that a passage holds; an unknown word weighs as much as the rarest known one."""
    total = sum(known) + unknown_words * max(known, default=1.0)
    return sum(matched) / total if total else 0.0
