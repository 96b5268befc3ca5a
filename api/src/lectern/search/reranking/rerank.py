"""The fusion's best passages ordered anew by the installation's reranker, where there is one and it can read them."""

import logging
import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from lectern.search.candidates.repository import ChunkMatch
from lectern.search.errors import RerankingNotConfigured, RerankingRejected, RerankingUnavailable
from lectern.search.reranking.blending import blend
from lectern.search.reranking.provider import Reranker, RerankerInfo
from lectern.search.schemas import Reranking, SearchRequest
from lectern.settings import RerankingSettings

logger = logging.getLogger(__name__)

FEWEST = 2  # passages between which there is something to choose


@dataclass(frozen=True, slots=True)
class RerankerConfig:
    """The installation's reranker and how it is to be used."""

    model: Reranker
    settings: RerankingSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class Reranked:
    """The hits in their new order. `ranks` and `scores` are the reranker's, of the passages that it has read."""

    rows: Sequence[ChunkMatch]
    report: Reranking
    ranks: Mapping[uuid.UUID, int] = field(default_factory=dict[uuid.UUID, int])
    scores: Mapping[uuid.UUID, float] = field(default_factory=dict[uuid.UUID, float])


def wanted(request: SearchRequest, reranker: RerankerConfig | None) -> RerankerConfig | None:
    """The reranker, if this search goes through it.

    Raises:
        RerankingNotConfigured: It should, and there is none.
    """
    if reranker is None:
        if request.rerank:
            raise RerankingNotConfigured
        return None
    is_asked_for = reranker.settings.is_default if request.rerank is None else request.rerank
    return reranker if is_asked_for else None


@dataclass(frozen=True, slots=True)
class RerankInput:
    """What a reranker may read; `key` tells it from the others."""

    key: uuid.UUID
    text: str
    language: str


@dataclass(frozen=True, slots=True)
class RerankOrder:
    """Keys of the first passages in their new order, and what the reranker did; `scores` of those that it has read."""

    order: Sequence[uuid.UUID]
    report: Reranking
    scores: Mapping[uuid.UUID, float] = field(default_factory=dict[uuid.UUID, float])


async def rerank(
    rows: Sequence[ChunkMatch],
    request: SearchRequest,
    reranker: RerankerConfig,
    *,
    query_language: str | None,
    unmatched: Collection[str],
) -> Reranked:
    """The first `top_k` of the rows in their new order, as `reorder` gives it."""
    by_id = {row.chunk_id: row for row in rows}
    found = await reorder(
        [RerankInput(row.chunk_id, as_text(row.text, row.title, row.section_heading), row.language) for row in rows],
        request.query,
        reranker,
        query_language=query_language,
        unmatched=unmatched,
        keyword_first=next((row.chunk_id for row in rows if row.keyword_rank == 1), None),
        top_k=request.top_k,
    )
    best_first = sorted(found.scores, key=lambda chunk_id: -found.scores[chunk_id])
    return Reranked(
        rows=[by_id[chunk_id] for chunk_id in found.order],
        report=found.report,
        ranks={chunk_id: rank for rank, chunk_id in enumerate(best_first, start=1)},
        scores=found.scores,
    )


async def reorder(
    passages: Sequence[RerankInput],
    query: str,
    reranker: RerankerConfig,
    *,
    query_language: str | None,
    unmatched: Collection[str],
    keyword_first: uuid.UUID | None,
    top_k: int,
) -> RerankOrder:
    """The first `top_k` passages in their new order; `champion` is what the keyword arm puts first.

    A passage is read when the reranker knows its language and that of the query, and the two can be one: a language
    that is blind to the query's words is another. What is not read keeps its place. If the reranker fails, the order
    stands, and the report says so.
    """
    model, keys = reranker.model.info, [passage.key for passage in passages]
    read = [
        passage
        for passage in passages
        if _is_read(passage.language, model, query_language=query_language, unmatched=unmatched)
    ]
    if len(read) < FEWEST:
        reason = f"{model.id} reads {', '.join(sorted(model.languages))} only" if len(passages) >= FEWEST else None
        return RerankOrder(keys[:top_k], Reranking(state="skipped", model=model.id, chunks=0, reason=reason))
    try:
        found = await reranker.model.score(query, [passage.text for passage in read])
    except (RerankingUnavailable, RerankingRejected) as error:
        logger.warning("The order of the fusion stands: %s", error.message, extra={"code": error.code})
        report = Reranking(state="failed", model=model.id, chunks=len(read), reason=error.message)
        return RerankOrder(keys[:top_k], report)
    scores = {passage.key: score for passage, score in zip(read, found, strict=True)}
    order = blend(keys, scores, keyword_first=keyword_first, top_k=top_k)
    return RerankOrder(order, Reranking(state="applied", model=model.id, chunks=len(scores), reason=None), scores)


def _is_read(language: str, model: RerankerInfo, *, query_language: str | None, unmatched: Collection[str]) -> bool:
    if not model.languages:
        return True
    return (
        model.reads(language) and language not in unmatched and (query_language is None or model.reads(query_language))
    )


def as_text(text: str, *context: str | None) -> str:
    """A passage as it is read: what it belongs to, then its words."""
    path = " > ".join(dict.fromkeys(part for part in context if part))
    return f"{path}\n{text}" if path else text
