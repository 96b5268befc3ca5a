"""Features, the trained model and the order that it gives."""

import json
import uuid
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lectern.search.ranking.candidate import SearchCandidate
from lectern.search.ranking.features import FEATURES, PLACES, QueryFacts, build_features
from lectern.search.ranking.model import SHIPPED, TreeModel, load_model
from lectern.search.ranking.ranker import rank

MAX_BYTES = 200_000
DOCUMENT, OTHER = uuid.UUID(int=1), uuid.UUID(int=2)
QUERY = QueryFacts(
    text="What was the revenue of Boeing in 2022?",
    language="en",
    weights=[2.0, 1.0],
    title_weights=[2.0, 1.0, 2.0],
    numbers=frozenset({3}),
    identifiers=frozenset({2}),
    unmatched_languages=("it",),
    titled=frozenset({OTHER}),
)


def candidate(number: int, **changes: Any) -> SearchCandidate:
    values: dict[str, Any] = {
        "chunk_id": uuid.UUID(int=number),
        "document_id": DOCUMENT,
        "semantic_rank": None,
        "keyword_rank": None,
        "is_referenced": False,
        "distance": 0.2,
        "keyword_score": 0.0,
        "language": "en",
        "heading": "",
        "matched_terms": [],
        "matched_title_terms": [],
    }
    return SearchCandidate(**values | changes)


def column(name: str, *candidates: SearchCandidate) -> list[float]:
    return build_features(candidates, QUERY)[:, PLACES[name]].round(4).tolist()


def test_every_feature_has_a_column() -> None:
    assert build_features([candidate(1)], QUERY).shape == (1, len(FEATURES))


@pytest.mark.parametrize(
    ("name", "first", "second", "values"),
    [
        ("semantic_vote", {"distance": 0.3}, {"distance": 0.1}, [0.9677, 0.9836]),
        ("keyword_share", {"keyword_score": 2.0}, {"keyword_score": 4.0}, [0.5, 1.0]),
        ("coverage", {"matched_terms": [1]}, {"matched_terms": [1, 2]}, [0.6667, 1.0]),
        ("coverage", {"matched_terms": []}, {"matched_terms": []}, [0.0, 0.0]),
        ("title_share", {"matched_title_terms": [2]}, {"matched_title_terms": [1]}, [0.5, 1.0]),
        ("is_titled", {"document_id": OTHER}, {}, [1.0, 0.0]),
        ("heading_share", {"heading": "Revenue of Boeing"}, {}, [0.3333, 0.0]),
        ("is_unmatched_language", {}, {"language": "it"}, [0.0, 1.0]),
        ("language_vote", {"distance": 0.3}, {"language": "it"}, [0.9836, 0.9836]),
        ("language_loss", {"distance": 0.3}, {"distance": 0.1}, [-0.2, 0.0]),
        ("number_share", {"matched_title_terms": [3]}, {"matched_terms": [1]}, [1.0, 0.0]),
        ("identifier_share", {"matched_terms": [2]}, {"matched_terms": [1]}, [1.0, 0.0]),
        ("is_referenced", {"is_referenced": True}, {}, [1.0, 0.0]),
        ("is_other_language", {"language": "it"}, {}, [1.0, 0.0]),
        ("is_other_language", {"language": ""}, {}, [0.0, 0.0]),
    ],
)
def test_feature_compares_candidates(
    name: str, first: dict[str, Any], second: dict[str, Any], values: list[float]
) -> None:
    assert column(name, candidate(1, **first), candidate(2, **second)) == values


def test_candidates_without_embeddings_have_features() -> None:
    rows = build_features([candidate(1, distance=None, keyword_score=1.0), candidate(2, distance=None)], QUERY)
    assert np.isfinite(rows).all()


def test_shipped_model_is_small_and_scores_as_trained() -> None:
    content = json.loads(SHIPPED.read_text(encoding="utf-8"))
    assert SHIPPED.stat().st_size <= MAX_BYTES
    check = content["check"]
    assert load_model().score(np.array(check["features"])) == pytest.approx(check["scores"], abs=1e-3)


VALUES = st.lists(st.floats(0, 1), min_size=len(FEATURES), max_size=len(FEATURES))


@given(values=VALUES)
def test_contributions_add_up_to_the_score(values: list[float]) -> None:
    model, row = load_model(), np.array(values)
    assert sum(model.contributions(row).values()) == pytest.approx(
        model.score(row[None])[0] - model.values[:, 0].sum(), abs=1e-6
    )


@given(values=VALUES, raised=st.sampled_from([f.name for f in FEATURES if f.direction > 0]), by=st.floats(0, 1))
def test_more_of_a_good_sign_never_lowers_the_score(values: list[float], raised: str, by: float) -> None:
    row = np.array([values, values])
    row[1, PLACES[raised]] += by
    low, high = load_model().score(row)
    assert high >= low - 1e-3  # thresholds and values are rounded in the file


def test_unknown_feature_in_a_model_is_refused() -> None:
    with pytest.raises(KeyError):
        TreeModel.read({"features": ["colour"], "depth": 1, "trees": [{"values": [0.0]}]})


def test_better_candidate_ranks_first_and_shares_fall() -> None:
    good = candidate(1, distance=0.1, keyword_score=5.0, matched_terms=[1, 2], semantic_rank=1, keyword_rank=1)
    others = [candidate(n, distance=0.15 + n / 100, semantic_rank=n) for n in range(2, 20)]
    for model in (load_model(), None):
        ranked = rank([*others, good], QUERY, model)
        assert ranked[0].candidate is good
        shares = [each.share for each in ranked]
        assert shares == sorted(shares, reverse=True)
        assert shares[0] == 1.0


def test_of_equal_passages_the_one_in_the_language_of_the_query_ranks_first() -> None:
    italian, english = candidate(1, language="it"), candidate(2)
    query = QueryFacts(text="How is Debian pronounced?", language="en")
    assert [one.candidate for one in rank([italian, english], query, load_model())] == [english, italian]
    first, second = rank([italian, english], QueryFacts(text="Debian 12"), load_model())
    assert first.score == second.score
    nearer = candidate(3, language="it", distance=0.05, keyword_score=3.0)
    assert rank([english, nearer], query, load_model())[0].candidate == nearer


def test_nothing_ranks_as_nothing() -> None:
    assert rank([], QUERY, load_model()) == []
