"""The best chunks of a file ordered anew by the installation's reranker, as those of a search are."""

import asyncio
import uuid
from collections.abc import Sequence
from dataclasses import replace

from lectern.chunking.languages import detect_language
from lectern.extracts.ranking import RankedChunk
from lectern.search.reranking.rerank import Passage, Second, reorder, told
from lectern.search.schemas import Reranking


async def reranked(
    found: Sequence[RankedChunk], query: str, second: Second, *, languages: Sequence[str], top_k: int
) -> tuple[list[RankedChunk], Reranking]:
    """The first `top_k` in their new order, and what the reranker did.

    Scores are those of the fusion and stay with their places, so that they fall.
    """
    spoken = await asyncio.to_thread(detect_language, query, languages=tuple(languages), otherwise="") or None
    hits = {uuid.UUID(int=place): hit for place, hit in enumerate(found)}
    passages = [
        Passage(key, told(hit.chunk.text, hit.chunk.section_heading), hit.chunk.language) for key, hit in hits.items()
    ]
    foreign = {passage.language for passage in passages} - {spoken} if spoken else set[str]()
    champion = next((key for key, hit in hits.items() if hit.keyword_rank == 1), None)
    new = await reorder(passages, query, second, spoken=spoken, blind=foreign, champion=champion, top_k=top_k)
    best = [replace(hits[key], score=hit.score) for key, hit in zip(new.order, found, strict=False)]
    return best, new.report
