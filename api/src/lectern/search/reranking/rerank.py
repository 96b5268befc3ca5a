"""Rerank the best chunks with the installation's reranker, if it reads their language."""

import logging
import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from lectern.search.errors import RerankingNotConfigured, RerankingRejected, RerankingUnavailable
from lectern.search.ranking.match import ChunkMatch
from lectern.search.reranking.blending import blend
from lectern.search.reranking.provider import Reranker, RerankerInfo
from lectern.search.schemas import Reranking, SearchRequest
from lectern.settings import RerankingSettings

logger = logging.getLogger(__name__)

MIN_CHUNKS: Final = 2  # fewer have no order


@dataclass(frozen=True, slots=True)
class RerankerConfig:
    """The installation's reranker and its settings."""

    model: Reranker
    settings: RerankingSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class Reranked:
    """Chunks in their new order, with the reranker's ranks and scores of those that it read."""

    rows: Sequence[ChunkMatch]
    report: Reranking
    ranks: Mapping[uuid.UUID, int] = field(default_factory=dict[uuid.UUID, int])
    scores: Mapping[uuid.UUID, float] = field(default_factory=dict[uuid.UUID, float])


def select_reranker(request: SearchRequest, reranker: RerankerConfig | None) -> RerankerConfig | None:
    """Return the reranker if this search uses it.

    Raises:
        RerankingNotConfigured: The request asks for reranking and there is no reranker.
    """
    if reranker is None:
        if request.rerank:
            raise RerankingNotConfigured
        return None
    is_requested = reranker.settings.is_default if request.rerank is None else request.rerank
    return reranker if is_requested else None


async def rerank(
    rows: Sequence[ChunkMatch],
    query: str,
    reranker: RerankerConfig,
    *,
    query_language: str | None,
    unmatched: Collection[str],
    top_k: int,
) -> Reranked:
    """Return the first `top_k` chunks in their new order.

    The reranker reads texts in languages that it knows, if it knows the query's language, too. Texts in `unmatched`
    languages and all others keep their place. If the reranker fails, the order is unchanged and the report says so.
    """
    model = reranker.model.info
    readable = [
        row for row in rows if _is_readable(row.language, model, query_language=query_language, unmatched=unmatched)
    ]
    if len(readable) < MIN_CHUNKS:
        reason = f"{model.id} reads {', '.join(sorted(model.languages))} only" if len(rows) >= MIN_CHUNKS else None
        report = Reranking(state="skipped", model=model.id, chunks=0, reason=reason)
        return Reranked(rows=rows[:top_k], report=report)
    try:
        results = await reranker.model.score(query, [_as_text(row) for row in readable])
    except (RerankingUnavailable, RerankingRejected) as error:
        logger.warning("Reranking failed: %s", error.message, extra={"code": error.code})
        report = Reranking(state="failed", model=model.id, chunks=len(readable), reason=error.message)
        return Reranked(rows=rows[:top_k], report=report)
    by_id = {row.chunk_id: row for row in rows}
    scores = {row.chunk_id: score for row, score in zip(readable, results, strict=True)}
    keyword_first = next((row.chunk_id for row in rows if row.keyword_rank == 1), None)
    best_first = sorted(scores, key=lambda chunk_id: -scores[chunk_id])
    return Reranked(
        rows=[by_id[chunk_id] for chunk_id in blend([*by_id], scores, keyword_first=keyword_first, top_k=top_k)],
        report=Reranking(state="applied", model=model.id, chunks=len(scores), reason=None),
        ranks={chunk_id: rank for rank, chunk_id in enumerate(best_first, start=1)},
        scores=scores,
    )


def _is_readable(language: str, model: RerankerInfo, *, query_language: str | None, unmatched: Collection[str]) -> bool:
    if not model.languages:
        return True
    is_query_readable = query_language is None or model.reads(query_language)
    return model.reads(language) and language not in unmatched and is_query_readable


def _as_text(row: ChunkMatch) -> str:
    """Return a chunk under its title and heading, as the reranker reads it."""
    path = " > ".join(dict.fromkeys(part for part in (row.title, row.section_heading) if part))
    return f"{path}\n{row.text}" if path else row.text
