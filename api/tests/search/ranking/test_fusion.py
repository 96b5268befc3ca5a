"""Reciprocal rank fusion."""

import uuid

from lectern.search.ranking.fusion import best_score, fuse

IDS = [uuid.UUID(int=number) for number in range(1, 40)]


def test_chunk_first_in_both_arms_gets_the_best_score() -> None:
    first, second = IDS[:2]
    assert fuse([first, second], [first])[0].score == best_score()


def test_chunk_of_both_arms_ranks_above_the_first_of_one() -> None:
    first, both, other = IDS[:3]
    assert [hit.chunk_id for hit in fuse([first, both], [other, both])] == [both, first, other]


def test_chunk_keeps_its_rank_in_each_arm() -> None:
    hit = fuse([IDS[1], IDS[0]], [IDS[2], IDS[3], IDS[0]])[0]
    assert (hit.chunk_id, hit.semantic_rank, hit.keyword_rank) == (IDS[0], 2, 3)
    assert hit.score == 1 / 62 + 1 / 63


def test_ties_are_broken_by_chunk_id() -> None:
    low, high = IDS[:2]
    assert [hit.chunk_id for hit in fuse([high], [low])] == [low, high]
