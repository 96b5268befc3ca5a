"""Properties of the ranking measures."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lectern.evaluation import metrics

GAINS = st.lists(st.integers(0, 1), max_size=30)
MISSING = st.integers(0, 10)
DEPTH = st.integers(1, 30)


@given(GAINS, MISSING, DEPTH)
def test_measures_are_between_zero_and_one(gains: list[int], missing: int, depth: int) -> None:
    for value in (
        metrics.recall_at(gains, depth=depth),
        metrics.reciprocal_rank(gains),
        metrics.ndcg(gains, missing=missing, depth=depth),
    ):
        assert 0.0 <= value <= 1.0


@given(GAINS, DEPTH)
def test_recall_never_falls_with_depth(gains: list[int], depth: int) -> None:
    assert metrics.recall_at(gains, depth=depth) <= metrics.recall_at(gains, depth=depth + 1)


@given(GAINS.filter(any), MISSING, DEPTH)
def test_moving_a_relevant_hit_up_never_lowers_a_measure(gains: list[int], missing: int, depth: int) -> None:
    last = len(gains) - 1 - gains[::-1].index(1)
    better = [1, *gains[:last], *gains[last + 1 :]]

    assert metrics.reciprocal_rank(better) >= metrics.reciprocal_rank(gains)
    assert (
        metrics.ndcg(better, missing=missing, depth=depth) >= metrics.ndcg(gains, missing=missing, depth=depth) - 1e-12
    )


@given(st.integers(1, 20), st.lists(st.just(0), max_size=10), DEPTH)
def test_ideal_ranking_has_ndcg_one(relevant: int, rest: list[int], depth: int) -> None:
    assert metrics.ndcg([1] * relevant + rest, missing=0, depth=depth) == pytest.approx(1.0)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=40))
def test_interval_contains_the_mean_and_is_deterministic(values: list[float]) -> None:
    found = metrics.estimate(values)

    assert found.low - 1e-9 <= found.value <= found.high + 1e-9 or len(set(values)) > 1
    assert min(values) - 1e-9 <= found.low <= found.high <= max(values) + 1e-9
    assert found == metrics.estimate(values)


def test_interval_narrows_with_more_questions() -> None:
    few, many = metrics.estimate([0.0, 1.0] * 5), metrics.estimate([0.0, 1.0] * 200)

    assert few.value == many.value == 0.5
    assert many.high - many.low < few.high - few.low


def test_known_ranking_has_known_measures() -> None:
    gains = [0, 1, 0, 1]

    assert metrics.first_rank(gains) == 2
    assert metrics.reciprocal_rank(gains) == 0.5
    best = 1 + 1 / math.log2(3) + 1 / math.log2(4)
    assert metrics.ndcg(gains, missing=1, depth=10) == pytest.approx((1 / math.log2(3) + 1 / math.log2(5)) / best)


def test_empty_ranking_measures_zero() -> None:
    assert metrics.first_rank([0, 0]) is None
    assert metrics.reciprocal_rank([]) == 0.0
    assert metrics.ndcg([], missing=0, depth=10) == 0.0
    with pytest.raises(ValueError, match="no values to average"):
        metrics.estimate([])


def test_precision_and_recall_of_predictions() -> None:
    assert metrics.precision_and_recall([True, True, False], [True, False, True]) == (0.5, 0.5)
    assert metrics.precision_and_recall([False], [False]) == (None, None)
