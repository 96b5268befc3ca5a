"""Reciprocal rank fusion."""

import pytest

from lectern.search.ranking.fusion import fuse_ranks


def test_each_ranking_that_has_the_chunk_adds_its_reciprocal_rank() -> None:
    assert fuse_ranks(2, 3) == 1 / 62 + 1 / 63
    assert fuse_ranks(None, 3) == 1 / 63
    assert fuse_ranks(None, None) == 0


@pytest.mark.parametrize("rank", [1, 5, 40])
def test_chunk_of_both_arms_ranks_above_the_first_of_one(rank: int) -> None:
    assert fuse_ranks(rank, rank) > fuse_ranks(1, None)
