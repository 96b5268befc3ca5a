"""Measure how well a chunk fits the query, 0..1 (pure).

The stronger of two signals counts. The keyword signal is the share of the query's weight (idf) that a chunk matches,
with unknown words. The semantic signal is the similarity above that of unrelated texts under the same model. Both are
scaled so that unrelated chunks are near 0 and good answers near 1.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

LOW_CONFIDENCE: Final = 0.3
_KEYWORD_SHARES: Final = (0.3, 0.9)
_CERTAIN: Final = 0.99  # log-odds are undefined for 0 and 1


@dataclass(frozen=True, slots=True)
class Calibration:
    """Platt scaling of the confidence, fitted to labelled questions (`evaluation/calibration.py`)."""

    bias: float
    slope: float

    def apply(self, confidence: float) -> float:
        """Return a probability, or the confidence itself without a fit."""
        if self == UNCALIBRATED:
            return confidence
        return 1 / (1 + math.exp(-(self.bias + self.slope * log_odds(confidence))))


UNCALIBRATED: Final = Calibration(bias=0.0, slope=1.0)


def log_odds(confidence: float) -> float:
    """Return the log-odds of a confidence, clipped to .01 to .99."""
    clipped = min(max(confidence, 1 - _CERTAIN), _CERTAIN)
    return math.log(clipped / (1 - clipped))


def semantic_fit(similarity: float | None, *, similarity_range: tuple[float, float] | None) -> float | None:
    """Scale a similarity from unrelated texts (0) to good answers (1). None if the model's range is not measured."""
    if similarity is None or similarity_range is None:
        return None
    return _rescale(similarity, *similarity_range)


def scale_similarity(similarity: float, *, similarity_range: tuple[float, float] | None) -> float:
    """Scale a similarity like `semantic_fit`, without bounds. Raises ValueError without a range."""
    if similarity_range is None:
        raise ValueError("The model has no measured similarity range.")
    low, high = similarity_range
    return (similarity - low) / (high - low)


def keyword_fit(matched: Sequence[float], *, known: Sequence[float], unknown_words: int) -> float:
    """Scale the share of the query's weight that a chunk matches. An unknown word weighs like the rarest known one."""
    total = sum(known) + unknown_words * max(known, default=1.0)
    return _rescale(sum(matched) / total, *_KEYWORD_SHARES) if total else 0.0


def _rescale(value: float, low: float, high: float) -> float:
    return min(max((value - low) / (high - low), 0.0), 1.0)
