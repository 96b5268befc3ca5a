"""Rank the chunks of one file by keyword, meaning, importance and kind."""

import math
import re
import uuid
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from lectern.chunking.types import TextChunk
from lectern.embeddings.provider import Vectors
from lectern.search.query.terms import inverse_document_frequency, term_weight
from lectern.search.ranking.fusion import RankedChunk, best_score, fuse

IMPORTANCE_SHARE: Final = 0.1
SAME_KIND_SHARE: Final = 0.95  # of the score for each earlier hit of the same kind
_WORD: Final = re.compile(r"[^\W_]+(?:[.,][^\W_]+)*")


def rank(
    chunks: Sequence[TextChunk],
    query: str,
    *,
    vectors: Vectors,
    owners: Sequence[int],
    query_vector: Vectors,
    top_k: int,
) -> list[RankedChunk]:
    """Return the best chunks: both arms fused as in search, then weighted, then spread over content types.

    `vectors` are windows of chunks, (n, dimensions), of length 1. `owners` is the chunk of each window.
    The id of chunk n is `UUID(int=n)`. Scores are 0..1. Importance (0..1) changes a score by a tenth.
    Each hit costs later hits of its content type 5 %.
    """
    by_meaning = _by_meaning(vectors, owners, query_vector)
    by_words = _by_words(chunks, query)
    fused = fuse([uuid.UUID(int=index) for index in by_meaning], [uuid.UUID(int=index) for index in by_words])
    weighed = [
        replace(hit, score=hit.score / best_score() * _importance_factor(chunks[hit.chunk_id.int])) for hit in fused
    ]
    return _spread(chunks, weighed, top_k)


def _importance_factor(chunk: TextChunk) -> float:
    return 1 - IMPORTANCE_SHARE + IMPORTANCE_SHARE * chunk.importance


def _by_meaning(vectors: Vectors, owners: Sequence[int], query_vector: Vectors) -> list[int]:
    """Return chunk indexes by their nearest window."""
    best: dict[int, float] = {}
    for owner, similarity in zip(owners, (vectors @ query_vector).tolist() if len(owners) else [], strict=True):
        best[owner] = max(best.get(owner, -math.inf), similarity)
    return sorted(best, key=lambda index: (-best[index], index))


def _by_words(chunks: Sequence[TextChunk], query: str) -> list[int]:
    """Return chunk indexes by BM25, for chunks with a word of the query."""
    words = [Counter(_words(chunk.text)) for chunk in chunks]
    scores: dict[int, float] = {}
    for term in set(_words(query)):
        holders = [index for index, counts in enumerate(words) if counts[term]]
        idf = inverse_document_frequency(len(holders), total=len(chunks))
        for index in holders:
            weight = term_weight(words[index][term], length=words[index].total())
            scores[index] = scores.get(index, 0.0) + idf * weight
    return sorted(scores, key=lambda index: (-scores[index], index))


def _spread(chunks: Sequence[TextChunk], ranked: Sequence[RankedChunk], top_k: int) -> list[RankedChunk]:
    waiting, chosen = sorted(ranked, key=lambda hit: -hit.score), list[RankedChunk]()
    kinds = {hit.chunk_id: chunks[hit.chunk_id.int].content_type for hit in ranked}
    seen: Counter[str] = Counter()
    while waiting and len(chosen) < top_k:
        best = max(waiting, key=lambda hit: hit.score * SAME_KIND_SHARE ** seen[kinds[hit.chunk_id]])
        waiting.remove(best)
        chosen.append(best)
        seen[kinds[best.chunk_id]] += 1
    return chosen


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())
