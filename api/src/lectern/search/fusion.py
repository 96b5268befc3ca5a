"""Reciprocal rank fusion (pure): the oracle of the hybrid statement.

Source: Cormack, Clarke and Buettcher, "Reciprocal Rank Fusion outperforms Condorcet", 2009.
"""

import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

DEFAULT_K: Final = 60
BLIND_RANK_SHARE: Final = 0.95  # measured: docs/explanation/search.md


@dataclass(frozen=True, slots=True)
class Fused:
    """A chunk found by one arm or both; ranks count from 1."""

    chunk_id: uuid.UUID
    score: float
    semantic_rank: int | None
    keyword_rank: int | None


def fuse(
    semantic: Sequence[uuid.UUID],
    keyword: Sequence[uuid.UUID],
    *,
    k: int = DEFAULT_K,
    blind: Collection[uuid.UUID] = frozenset(),
) -> list[Fused]:
    """Both rankings in one, best first, ties by chunk id: each arm gives a chunk 1 / (k + rank).

    `blind` are chunks in languages of which the keyword arm does not know the query's words. That it missed them means
    nothing, so their semantic share speaks for both arms unless their keyword share is greater. And models put passages
    in the query's own language first, so the rank among the blind ones counts for 95 %, where that is more.
    """
    foreign = [chunk_id for chunk_id in semantic if chunk_id in blind]
    foreign_ranks = {chunk_id: rank for rank, chunk_id in enumerate(foreign, start=1)}
    semantic_ranks = {chunk_id: rank for rank, chunk_id in enumerate(semantic, start=1)}
    keyword_ranks = {chunk_id: rank for rank, chunk_id in enumerate(keyword, start=1)}
    fused: list[Fused] = []
    for chunk_id in semantic_ranks.keys() | keyword_ranks.keys():
        semantic_rank, keyword_rank = semantic_ranks.get(chunk_id), keyword_ranks.get(chunk_id)
        by_meaning, by_keyword = _share(semantic_rank, k), _share(keyword_rank, k)
        if chunk_id in foreign_ranks:
            by_meaning = max(by_meaning, BLIND_RANK_SHARE / (k + foreign_ranks[chunk_id]))
            by_keyword = max(by_keyword, by_meaning)
        fused.append(Fused(chunk_id, by_meaning + by_keyword, semantic_rank, keyword_rank))
    return sorted(fused, key=lambda hit: (-hit.score, hit.chunk_id))


def best_score(k: int = DEFAULT_K) -> float:
    """What a chunk gets that both arms put first."""
    return _share(1, k) + _share(1, k)


def _share(rank: int | None, k: int) -> float:
    return 0.0 if rank is None else 1.0 / (k + rank)
