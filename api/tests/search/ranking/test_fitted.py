"""The shipped ranker with weights that were fitted to a library."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lectern.search.ranking.features import FEATURES, PLACES
from lectern.search.ranking.fitted import RankerFit, load_fitted_model, measure_steps, shipped_version
from lectern.search.ranking.model import TreeModel, load_model

VALUES = st.lists(st.floats(-1, 1), min_size=len(FEATURES), max_size=len(FEATURES))
WEIGHTS = st.lists(st.floats(0, 5), min_size=len(FEATURES), max_size=len(FEATURES))


def model_of(weights: list[float], **changes: float) -> TreeModel:
    named = {feature.name: weight for feature, weight in zip(FEATURES, weights, strict=True)}
    return load_fitted_model(RankerFit(ranker=shipped_version(), weights=named, **changes).to_json())


@given(values=VALUES, weights=WEIGHTS, scale=st.floats(0.2, 2), bias=st.floats(-5, 5))
def test_fitted_model_adds_the_weighted_steps(
    values: list[float], weights: list[float], scale: float, bias: float
) -> None:
    rows = np.array([values])
    expected = (load_model().score(rows) + measure_steps(rows) @ weights) * scale + bias
    model = model_of(weights, scale=scale, bias=bias)

    assert model.score(rows) == pytest.approx(expected)
    added = sum(model.contributions(rows[0]).values())
    assert added == pytest.approx(model.score(rows)[0] - model.values[:, 0].sum(), abs=1e-6)


@given(
    values=VALUES,
    weights=WEIGHTS,
    raised=st.sampled_from([feature.name for feature in FEATURES if feature.direction > 0]),
    by=st.floats(0, 1),
)
def test_more_of_a_good_sign_never_lowers_the_fitted_score(
    values: list[float], weights: list[float], raised: str, by: float
) -> None:
    row = np.array([values, values])
    row[1, PLACES[raised]] += by
    low, high = model_of(weights).score(row)
    assert high >= low - 1e-3  # the shipped file is rounded


def test_without_a_fit_or_with_one_for_another_ranker_the_shipped_model_ranks() -> None:
    other = RankerFit(ranker="of another version", weights={"coverage": 3.0})

    assert load_fitted_model(None) is load_model()
    assert load_fitted_model(other.to_json()) is load_model()
    assert not other.is_current
    assert model_of([1.0] * len(FEATURES)).is_fitted
