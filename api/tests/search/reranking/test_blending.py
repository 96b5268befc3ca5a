"""Blending of two orders. Unscored chunks keep their ranks, and the first keyword hit stays."""

from hypothesis import given
from hypothesis import strategies as st

from lectern.search.reranking.blending import blend

FUSED = list("abcdefgh")


def test_chunk_ranked_high_in_both_orders_comes_first() -> None:
    assert blend(FUSED, {"a": 1.0, "b": 3.0, "c": 2.0}, top_k=3) == ["b", "a", "c"]


def test_chunks_without_a_score_keep_their_ranks() -> None:
    scores = {"a": 0.0, "c": 1.0, "d": 2.0, "e": 3.0, "f": 4.0}

    blended = blend(FUSED, scores, top_k=8)

    assert (blended[1], blended[6], blended[7]) == ("b", "g", "h")
    assert sorted(blended) == FUSED


def test_first_keyword_hit_stays_in_the_results() -> None:
    scores = dict(zip(FUSED, [float(place) for place in range(len(FUSED))], strict=True)) | {"b": -9.0}
    without = blend(FUSED, scores, top_k=3)

    assert "b" not in without
    assert blend(FUSED, scores, keyword_first="b", top_k=3) == [*without[:2], "b"]
    assert blend(FUSED, scores, keyword_first="h", top_k=3) == without  # it was not in the top hits before


@given(
    scores=st.dictionaries(st.sampled_from(FUSED), st.floats(-10, 10)),
    top_k=st.integers(1, len(FUSED)),
    keyword_first=st.sampled_from(FUSED) | st.none(),
)
def test_blending_loses_and_repeats_nothing(scores: dict[str, float], top_k: int, keyword_first: str | None) -> None:
    blended = blend(FUSED, scores, keyword_first=keyword_first, top_k=top_k)

    assert len(blended) == len(set(blended)) == top_k
    assert set(blended) <= set(FUSED)
    if keyword_first in FUSED[:top_k]:
        assert keyword_first in blended
    assert blend(FUSED, {}, keyword_first=keyword_first, top_k=top_k) == FUSED[:top_k]
