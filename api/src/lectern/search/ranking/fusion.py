"""Reciprocal rank fusion of two rankings (pure).

Source: Cormack, Clarke and Buettcher, "Reciprocal Rank Fusion outperforms Condorcet", 2009.
"""

from typing import Final

K: Final = 60


def fuse_ranks(*ranks: int | None) -> float:
    """Sum 1 / (60 + rank) over the rankings that have the chunk."""
    return sum(1 / (K + rank) for rank in ranks if rank)
