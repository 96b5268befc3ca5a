"""Retrieval of the chunks that a question is answered from."""

import math
import time
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from lectern.answers.entities import drop_contradicting
from lectern.answers.questions import Question
from lectern.answers.schemas import AnswerRequest, Outcome, Source
from lectern.db.scope import Scope
from lectern.db.session import Session
from lectern.search.ranking.confidence import LOW_CONFIDENCE
from lectern.search.schemas import MAX_TOP_K, Coverage, Hit, SearchRequest, SearchResponse
from lectern.search.service import SearchEngine, document_matches_filters

_MIN_PER_DOCUMENT: Final = 2
_MAX_COMPARED: Final = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievalResult:
    """Chunks for a question. `hits` leaves out those of `all_hits` about another year or company.

    `groups` has the hits of each document for a comparison, else one group. `filter_ids` are the documents of
    `document_filter`.
    """

    hits: tuple[Hit, ...]
    all_hits: tuple[Hit, ...]
    groups: tuple[tuple[Hit, ...], ...]
    confidence: float | None
    coverage: Coverage
    document_filter: tuple[str, ...]
    filter_ids: frozenset[uuid.UUID]
    took_ms: float

    def outcome_without_answer(self, confidence: float | None) -> Outcome:
        """Return `nothing_found` if no chunk is in scope or confidence is low, else `closest_passages`."""
        is_low = confidence is not None and confidence < LOW_CONFIDENCE
        return "nothing_found" if is_low or not self.all_hits else "closest_passages"


async def retrieve(
    request: AnswerRequest, question: Question, *, engine: SearchEngine, scope: Scope
) -> RetrievalResult:
    """Search as `POST /search` does. A comparison of named documents searches each of them.

    Raises:
        UnknownReference: A filter names something that does not exist in scope.
    """
    started = time.perf_counter()
    named = request.all_documents
    first = await engine.search_in_scope(_search_request(request, named), scope)
    groups = [_select(first, request.top_k)]
    if question.is_comparison and 1 < len(named) <= _MAX_COMPARED:
        count = max(_MIN_PER_DOCUMENT, math.ceil(request.top_k / len(named)))
        groups = [_select(await engine.search_in_scope(_search_request(request, [one]), scope), count) for one in named]
    relevant = tuple(drop_contradicting(question, group) for group in groups)
    return RetrievalResult(
        hits=tuple(hit for group in relevant for hit in group),
        all_hits=tuple(hit for group in groups for hit in group),
        groups=relevant,
        confidence=first.metadata.confidence,
        coverage=first.metadata.coverage,
        document_filter=tuple(sorted({hit.document for hit in first.data})) if named else (),
        filter_ids=frozenset(hit.document_id for hit in first.data) if named else frozenset(),
        took_ms=(time.perf_counter() - started) * 1000,
    )


async def search_for_step(
    request: AnswerRequest, question: Question, *, engine: SearchEngine, scope: Scope
) -> tuple[Sequence[Hit], float | None]:
    """Return the hits and the confidence for a part of the question, with the filters of the request.

    Raises what `retrieve` raises.
    """
    part = request.model_copy(update={"question": question.text})
    response = await engine.search_in_scope(_search_request(part, request.all_documents), scope)
    return drop_contradicting(question, _select(response, request.top_k)), response.metadata.confidence


async def matches_filters(session: Session, request: AnswerRequest, document_id: uuid.UUID) -> bool:
    """Return True if the request's filters include a document."""
    return await document_matches_filters(session, _search_request(request, request.all_documents), document_id)


def to_source(hit: Hit) -> Source:
    """Return a hit as it appears in a response."""
    return Source.from_row(hit, snippet=hit.snippet.text)


def _search_request(request: AnswerRequest, documents: Sequence[str]) -> SearchRequest:
    """Ask for the most hits possible, to have the best keyword match among them."""
    return SearchRequest(
        query=request.question,
        top_k=MAX_TOP_K,
        documents=list(documents),
        tags=request.tags,
        collections=request.collections,
        created_after=request.created_after,
        created_before=request.created_before,
        language=request.language,
        rectangles=False,
    )


def _select(response: SearchResponse, top_k: int) -> tuple[Hit, ...]:
    """Return the first hits and the best keyword match."""
    champion = next((hit for hit in response.data[top_k:] if hit.keyword_rank == 1), None)
    return (*response.data[:top_k], *([champion] if champion else []))
