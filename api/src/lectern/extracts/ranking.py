"""Rank the chunks of one file by keyword, meaning, importance and kind."""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from lectern.embeddings.provider import Vectors
from lectern.search.query.terms import inverse_document_frequency, term_weight
from lectern.search.ranking.fusion import fuse_ranks
from lectern.search.ranking.match import ChunkMatch

IMPORTANCE_SHARE: Final = 0.1
SAME_KIND_SHARE: Final = 0.95  # of the score for each earlier hit of the same kind
_WORD: Final = re.compile(r"[^\W_]+(?:[.,][^\W_]+)*")


def rank_chunks(
    chunks: Sequence[ChunkMatch],
    query: str,
    *,
    vectors: Vectors,
    owners: Sequence[int],
    query_vector: Vectors,
    top_k: int,
) -> list[ChunkMatch]:
    """Return the best chunks: both arms fused as in search, then weighted, then spread over content types.

    `vectors` are windows of chunks, (n, dimensions), of length 1. `owners` is the chunk of each window.
    Shares are 0..1. Importance (0..1) changes a share by a tenth. Each hit costs later hits of its content type 5 %.
    """
    by_meaning = _by_meaning(vectors, owners, query_vector)
    by_words = _by_words(chunks, query)
    ranked: list[ChunkMatch] = []
    for index in sorted(by_meaning | by_words):
        chunk, ranks = chunks[index], (by_meaning.get(index), by_words.get(index))
        importance = 1 - IMPORTANCE_SHARE + IMPORTANCE_SHARE * chunk.importance
        share = fuse_ranks(*ranks) / fuse_ranks(1, 1) * importance
        ranked.append(replace(chunk, semantic_rank=ranks[0], keyword_rank=ranks[1], share=share))
    return _spread(ranked, top_k)


def _by_meaning(vectors: Vectors, owners: Sequence[int], query_vector: Vectors) -> dict[int, int]:
    """Return the ranks of chunks by their nearest window."""
    best: dict[int, float] = {}
    for owner, similarity in zip(owners, (vectors @ query_vector).tolist() if len(owners) else [], strict=True):
        best[owner] = max(best.get(owner, -math.inf), similarity)
    return _ranks(best)


def _by_words(chunks: Sequence[ChunkMatch], query: str) -> dict[int, int]:
    """Return the ranks of chunks by BM25, for those with a word of the query."""
    words = [Counter(_words(chunk.text)) for chunk in chunks]
    scores: dict[int, float] = {}
    for term in set(_words(query)):
        holders = [index for index, counts in enumerate(words) if counts[term]]
        idf = inverse_document_frequency(len(holders), total=len(chunks))
        for index in holders:
            weight = term_weight(words[index][term], length=words[index].total())
            scores[index] = scores.get(index, 0.0) + idf * weight
    return _ranks(scores)


def _ranks(scores: Mapping[int, float]) -> dict[int, int]:
    best_first = sorted(scores, key=lambda index: (-scores[index], index))
    return {index: rank for rank, index in enumerate(best_first, start=1)}


def _spread(ranked: Sequence[ChunkMatch], top_k: int) -> list[ChunkMatch]:
    waiting, chosen = sorted(ranked, key=lambda row: -row.share), list[ChunkMatch]()
    seen: Counter[str] = Counter()
    while waiting and len(chosen) < top_k:
        best = max(waiting, key=lambda row: row.share * SAME_KIND_SHARE ** seen[row.content_type])
        waiting.remove(best)
        chosen.append(best)
        seen[best.content_type] += 1
    return chosen


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())
