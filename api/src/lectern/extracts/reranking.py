"""Rerank the best chunks of a file with the installation's reranker."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from lectern.chunking.languages import detect_language
from lectern.chunking.types import TextChunk
from lectern.search.ranking.fusion import RankedChunk
from lectern.search.reranking.rerank import RerankerConfig, RerankInput, as_text, reorder
from lectern.search.schemas import Reranking


async def reranked(
    chunks: Sequence[TextChunk],
    found: Sequence[RankedChunk],
    query: str,
    reranker: RerankerConfig,
    *,
    languages: Sequence[str],
    top_k: int,
) -> tuple[list[RankedChunk], Reranking]:
    """Return the first `top_k` chunks in their new order, and the report of the reranker.

    Scores stay with their positions, so that they fall.
    """
    query_language = await asyncio.to_thread(detect_language, query, languages=tuple(languages), otherwise="") or None
    hits = {hit.chunk_id: hit for hit in found}
    texts = {key: chunks[key.int] for key in hits}
    inputs = [
        RerankInput(key, as_text(chunk.text, chunk.section_heading), chunk.language) for key, chunk in texts.items()
    ]
    foreign = {chunk.language for chunk in texts.values()} - {query_language} if query_language else set[str]()
    keyword_first = next((key for key, hit in hits.items() if hit.keyword_rank == 1), None)
    new = await reorder(
        inputs,
        query,
        reranker,
        query_language=query_language,
        unmatched=foreign,
        keyword_first=keyword_first,
        top_k=top_k,
    )
    best = [replace(hits[key], score=hit.score) for key, hit in zip(new.order, found, strict=False)]
    return best, new.report
