"""Reciprocal rank fusion of two rankings (pure).

Source: Cormack, Clarke and Buettcher, "Reciprocal Rank Fusion outperforms Condorcet", 2009.
"""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

K: Final = 60


@dataclass(frozen=True, slots=True)
class RankedChunk:
    """The fused score of a chunk, and its rank in each arm, from 1."""

    chunk_id: uuid.UUID
    score: float
    semantic_rank: int | None
    keyword_rank: int | None


def fuse_ranks(*ranks: int | None) -> float:
    """Sum 1 / (60 + rank) over the rankings that have the chunk."""
    return sum(1 / (K + rank) for rank in ranks if rank)


def fuse(semantic: Sequence[uuid.UUID], keyword: Sequence[uuid.UUID]) -> list[RankedChunk]:
    """Fuse two rankings, best first, ties by id."""
    semantic_ranks = {chunk_id: rank for rank, chunk_id in enumerate(semantic, start=1)}
    keyword_ranks = {chunk_id: rank for rank, chunk_id in enumerate(keyword, start=1)}
    ranks = {
        chunk_id: (semantic_ranks.get(chunk_id), keyword_ranks.get(chunk_id))
        for chunk_id in semantic_ranks.keys() | keyword_ranks.keys()
    }
    fused = [RankedChunk(chunk_id, fuse_ranks(*pair), *pair) for chunk_id, pair in ranks.items()]
    return sorted(fused, key=lambda hit: (-hit.score, hit.chunk_id))


def best_score() -> float:
    """Return the score of a chunk that is first in both rankings."""
    return fuse_ranks(1, 1)
