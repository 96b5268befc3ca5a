"""Reciprocal rank fusion of two rankings in memory (pure), as the hybrid statement does it in SQL.

Source: Cormack, Clarke and Buettcher, "Reciprocal Rank Fusion outperforms Condorcet", 2009.
"""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from lectern.search.ranking.fusion_sql import KEYWORD_FIRST_PLACE

DEFAULT_K: Final = 60
DEFAULT_CANDIDATES: Final = 50


@dataclass(frozen=True, slots=True)
class RankedChunk:
    """The fused score of a chunk, and its rank in each arm, from 1."""

    chunk_id: uuid.UUID
    score: float
    semantic_rank: int | None
    keyword_rank: int | None


def fuse(semantic: Sequence[uuid.UUID], keyword: Sequence[uuid.UUID], *, k: int = DEFAULT_K) -> list[RankedChunk]:
    """Fuse two rankings, best first, ties by id.

    Chunks missing from the semantic ranking get rank 2 * DEFAULT_CANDIDATES in it. The first chunk by keyword has at
    least the score of the fifth place.
    """
    semantic_ranks = {chunk_id: rank for rank, chunk_id in enumerate(semantic, start=1)}
    keyword_ranks = {chunk_id: rank for rank, chunk_id in enumerate(keyword, start=1)}
    unlisted = 1 / (k + 2 * DEFAULT_CANDIDATES) if semantic else 0.0
    fused: list[RankedChunk] = []
    for chunk_id in semantic_ranks.keys() | keyword_ranks.keys():
        semantic_rank, keyword_rank = semantic_ranks.get(chunk_id), keyword_ranks.get(chunk_id)
        semantic_share = 1 / (k + semantic_rank) if semantic_rank else unlisted
        keyword_share = 1 / (k + keyword_rank) if keyword_rank else 0.0
        fused.append(RankedChunk(chunk_id, semantic_share + keyword_share, semantic_rank, keyword_rank))
    fused.sort(key=lambda hit: (-hit.score, hit.chunk_id))
    place, limit = next((n for n, hit in enumerate(fused) if hit.keyword_rank == 1), 0), KEYWORD_FIRST_PLACE - 1
    if place > limit and fused[place].score < fused[limit].score:
        raised = replace(fused.pop(place), score=fused[limit].score)
        fused.insert(next(n for n, hit in enumerate(fused) if hit.score == raised.score), raised)
    return fused


def best_score(k: int = DEFAULT_K) -> float:
    """Return the score of a chunk that is first in both rankings."""
    return 2 / (k + 1)
