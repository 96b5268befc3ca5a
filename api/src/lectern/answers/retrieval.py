"""The passages that a question is answered from."""

import math
import time
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from lectern.answers.entities import contradicts_company
from lectern.answers.extractive.features import contradicts_year
from lectern.answers.questions import Question
from lectern.answers.schemas import AnswerRequest, Source
from lectern.db.scope import Scope
from lectern.db.session import Session
from lectern.search.schemas import MAX_TOP_K, Coverage, Hit, SearchRequest, SearchResponse
from lectern.search.service import SearchEngine, document_matches_filters

FEWEST_FOR_EACH: Final = 2
MOST_COMPARED: Final = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Retrieved:
    """`hits` are what may be answered from; `all_hits` also those that speak of another year or company.

    `groups`: for a comparison the hits of each document, else all hits as one. `filter_ids`: of `document_filter`.
    """

    hits: tuple[Hit, ...]
    all_hits: tuple[Hit, ...]
    groups: tuple[tuple[Hit, ...], ...]
    confidence: float | None
    coverage: Coverage
    document_filter: tuple[str, ...]
    filter_ids: frozenset[uuid.UUID]
    took_ms: float

    @property
    def is_contradicted(self) -> bool:
        """Whether passages were found, and all of them speak of other years or companies."""
        return bool(self.all_hits) and not self.hits


async def retrieve(request: AnswerRequest, question: Question, *, engine: SearchEngine, scope: Scope) -> Retrieved:
    """Search as `POST /search` does; for a comparison of documents that are named, in each of them.

    Raises:
        UnknownReference: A filter names what does not exist in scope.
    """
    begun = time.perf_counter()
    named = request.all_documents
    first = await engine.search_in_scope(_search(request, named), scope)
    groups = [_chosen(first, request.top_k)]
    if question.is_comparison and 1 < len(named) <= MOST_COMPARED:
        each = max(FEWEST_FOR_EACH, math.ceil(request.top_k / len(named)))
        groups = [_chosen(await engine.search_in_scope(_search(request, [one]), scope), each) for one in named]
    every = tuple(hit for group in groups for hit in group)
    kept = [tuple(_about_what_is_asked(question, group)) for group in groups]
    return Retrieved(
        hits=tuple(hit for group in kept for hit in group),
        all_hits=every,
        groups=tuple(kept),
        confidence=first.metadata.confidence,
        coverage=first.metadata.coverage,
        document_filter=tuple(sorted({hit.document for hit in first.data})) if named else (),
        filter_ids=frozenset(hit.document_id for hit in first.data) if named else frozenset(),
        took_ms=(time.perf_counter() - begun) * 1000,
    )


def _about_what_is_asked(question: Question, hits: Sequence[Hit]) -> Iterator[Hit]:
    """Without passages about other years or companies only."""
    documents: dict[uuid.UUID, str] = {}
    for hit in hits:
        documents[hit.document_id] = f"{documents.get(hit.document_id, '')}\n{told(hit)}"
    for hit in hits:
        is_other = contradicts_company(question.text, told(hit), document=documents[hit.document_id])
        if not is_other and not contradicts_year(question, told(hit)):
            yield hit


async def is_left(session: Session, request: AnswerRequest, document_id: uuid.UUID) -> bool:
    """Whether the request's filters leave a document."""
    return await document_matches_filters(session, _search(request, request.all_documents), document_id)


def told(hit: Hit) -> str:
    """Everything that a passage says and is filed under."""
    return "\n".join([hit.document, hit.title or "", *hit.section_path, hit.section_heading or "", hit.text])


def sources(hits: Sequence[Hit]) -> list[Source]:
    """The hits as they are shown."""
    return [
        Source(
            chunk_id=hit.chunk_id,
            document_id=hit.document_id,
            document=hit.document,
            title=hit.title,
            page_number=hit.page_number,
            last_page_number=hit.last_page_number,
            section_heading=hit.section_heading,
            content_type=hit.content_type,
            snippet=hit.snippet.text,
            score=hit.score,
        )
        for hit in hits
    ]


def _search(request: AnswerRequest, documents: Sequence[str]) -> SearchRequest:
    """More than are wanted, so that the one that fits best by keyword is among them."""
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


def _chosen(response: SearchResponse, top_k: int) -> tuple[Hit, ...]:
    """The first hits, and the one that is first by keyword."""
    champion = next((hit for hit in response.data[top_k:] if hit.keyword_rank == 1), None)
    return (*response.data[:top_k], *([champion] if champion else []))
