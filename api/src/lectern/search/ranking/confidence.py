"""How well the best passage fits the query, 0..1 (pure). Ranks cannot tell: something always comes first.

Two witnesses, the stronger counts. By keyword: the share of the query's weight (idf) that a passage holds, words that
the library does not know included. By meaning: how far its similarity stands above what unrelated texts have under
the same model. Each is stretched so that unrelated passages are near 0 and good answers near 1.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

LOW_CONFIDENCE: Final = 0.3
_KEYWORD_SHARES: Final = (0.3, 0.9)


_CERTAIN: Final = 0.99  # log-odds have no place for 0 and 1


@dataclass(frozen=True, slots=True)
class Calibration:
    """From a confidence as measured to a probability, fitted to labelled questions (`evaluation/calibrating.py`)."""

    bias: float
    slope: float

    def apply(self, confidence: float) -> float:
        """0..1; the confidence itself where nothing was fitted."""
        if self == UNCALIBRATED:
            return confidence
        return 1 / (1 + math.exp(-(self.bias + self.slope * log_odds(confidence))))


UNCALIBRATED: Final = Calibration(bias=0.0, slope=1.0)


def log_odds(confidence: float) -> float:
    """Of a confidence that is kept away from 0 and 1."""
    kept = min(max(confidence, 1 - _CERTAIN), _CERTAIN)
    return math.log(kept / (1 - kept))


def semantic_fit(similarity: float | None, *, similarity_range: tuple[float, float] | None) -> float | None:
    """Scale a similarity from unrelated texts (0) to good answers (1). None if the model's range is not measured."""
    if similarity is None or similarity_range is None:
        return None
    return _stretched(similarity, *similarity_range)


def scale_similarity(similarity: float, *, similarity_range: tuple[float, float] | None) -> float:
    """Scale a similarity like `semantic_fit`, without bounds. Raises ValueError without a range."""
    if similarity_range is None:
        raise ValueError("The model has no measured similarity range.")
    low, high = similarity_range
    return (similarity - low) / (high - low)


def keyword_fit(matched: Sequence[float], *, known: Sequence[float], unknown_words: int) -> float:
    """The share of the query's weight that a passage holds; an unknown word weighs as much as the rarest known one."""
    total = sum(known) + unknown_words * max(known, default=1.0)
    return _stretched(sum(matched) / total, *_KEYWORD_SHARES) if total else 0.0


def _stretched(value: float, low: float, high: float) -> float:
    return min(max((value - low) / (high - low), 0.0), 1.0)
