"""Measures of a ranking (pure).

A ranking is a list of gains: 1 for a hit with something relevant that no earlier hit has, else 0. `missing` counts what
no hit has. A second chunk of the same page therefore has no effect, and a chunk over two pages counts once.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

_ROUNDS: Final = 1000
_SEED: Final = 20261122


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean with its 95 % bootstrap interval."""

    value: float
    low: float
    high: float


def first_rank(gains: Sequence[int]) -> int | None:
    """Return the rank (from 1) of the first relevant hit, or None."""
    return next((rank for rank, gain in enumerate(gains, start=1) if gain), None)


def recall_at(gains: Sequence[int], *, depth: int) -> float:
    """Return 1 if one of the first `depth` hits is relevant, else 0."""
    return float(any(gains[:depth]))


def reciprocal_rank(gains: Sequence[int]) -> float:
    """Return 1 / rank of the first relevant hit, or 0."""
    rank = first_rank(gains)
    return 1.0 / rank if rank else 0.0


def ndcg(gains: Sequence[int], *, missing: int, depth: int) -> float:
    """Return the discounted gain of the first `depth` hits divided by that of the ideal ranking.

    Source: Jarvelin and Kekalainen, "Cumulated gain-based evaluation of IR techniques", 2002.
    The result is 0 if nothing is relevant.
    """
    best = _discounted([1] * min(sum(gains) + missing, depth))
    return _discounted(gains[:depth]) / best if best else 0.0


def _discounted(gains: Sequence[int]) -> float:
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, start=1))


def estimate(values: Sequence[float]) -> Estimate:
    """Return the mean and its 95 % interval (percentile bootstrap with a fixed seed).

    Raises:
        ValueError: There are no values.
    """
    if not values:
        raise ValueError("There are no values to average.")
    array = np.asarray(values, dtype=np.float64)
    chosen = np.random.default_rng(_SEED).integers(0, len(array), size=(_ROUNDS, len(array)))
    means = array[chosen].mean(axis=1)
    low, high = np.quantile(means, [0.025, 0.975])
    return Estimate(float(array.mean()), float(low), float(high))


def precision_and_recall(predicted: Sequence[bool], actual: Sequence[bool]) -> tuple[float | None, float | None]:
    """Return precision and recall of predictions, None where undefined."""
    both = sum(1 for one, other in zip(predicted, actual, strict=True) if one and other)
    return (both / sum(predicted) if any(predicted) else None), (both / sum(actual) if any(actual) else None)
