"""Measures of a ranking (pure).

A ranking is judged to gains: 1 for a hit that brings something relevant for the first time, else 0; `missing` counts
what no hit brought. So a second passage of the same page neither helps nor harms, and a passage over two pages is one.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

ROUNDS: Final = 1000
SEED: Final = 20261122


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean with its 95 % bootstrap interval."""

    value: float
    low: float
    high: float


def first_rank(gains: Sequence[int]) -> int | None:
    """The rank (from 1) of the first hit that brings something; None when none does."""
    return next((rank for rank, gain in enumerate(gains, start=1) if gain), None)


def found_at(gains: Sequence[int], *, depth: int) -> float:
    """1 when one of the first `depth` hits brings something relevant, else 0."""
    return float(any(gains[:depth]))


def reciprocal_rank(gains: Sequence[int]) -> float:
    """1 / rank of the first hit that brings something; 0 when none does."""
    rank = first_rank(gains)
    return 1.0 / rank if rank else 0.0


def ndcg(gains: Sequence[int], *, missing: int, depth: int) -> float:
    """Discounted gain of the first `depth` hits over that of the best order, which has all that is missing too.

    Source: Jarvelin and Kekalainen, "Cumulated gain-based evaluation of IR techniques", 2002. 0 when nothing is
    relevant.
    """
    best = _discounted([1] * min(sum(gains) + missing, depth))
    return _discounted(gains[:depth]) / best if best else 0.0


def _discounted(gains: Sequence[int]) -> float:
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, start=1))


def estimate(values: Sequence[float]) -> Estimate:
    """The mean and where 95 % of the means of resampled values lie (percentile bootstrap, the same every time).

    Raises:
        ValueError: There are no values.
    """
    if not values:
        raise ValueError("There is nothing to take a mean of.")
    array = np.asarray(values, dtype=np.float64)
    chosen = np.random.default_rng(SEED).integers(0, len(array), size=(ROUNDS, len(array)))
    means = array[chosen].mean(axis=1)
    low, high = np.quantile(means, [0.025, 0.975])
    return Estimate(float(array.mean()), float(low), float(high))


def precision_and_recall(said: Sequence[bool], true: Sequence[bool]) -> tuple[float | None, float | None]:
    """Of what was said how much is true, and of what is true how much was said; None where there is none of it."""
    both = sum(1 for claim, fact in zip(said, true, strict=True) if claim and fact)
    return (both / sum(said) if any(said) else None), (both / sum(true) if any(true) else None)
