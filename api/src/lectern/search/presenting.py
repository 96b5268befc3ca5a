"""Winners turned into hits: snippets, highlights, scores, explanations, and what the response says."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from lectern.db.scope import Scope
from lectern.db.session import Session
from lectern.extraction.boxes import PageBoxes
from lectern.search import confidence, messages, repository
from lectern.search.confidence import AS_MEASURED, Calibration
from lectern.search.explaining import explain
from lectern.search.lexical import KeywordQuery
from lectern.search.planning import Plan
from lectern.search.repository import FoundChunk, Overview, StoredPage
from lectern.search.reranking import Reranked
from lectern.search.schemas import (
    Coverage,
    Highlight,
    HighlightRect,
    Hit,
    HitLinks,
    Match,
    SearchMetadata,
    SearchRequest,
    SearchResponse,
    SentenceView,
    SnippetView,
    Strategy,
    Took,
)
from lectern.search.sentences import Span
from lectern.search.snippets import PageRange, PageText, Snippet, locate, make_snippet, words_to_check

API: str = "/api/v1"
FEWEST_TOLD: Final = 0.3  # of the query's weight; below, a passage that was found is about the same in other words


@dataclass(slots=True, kw_only=True)
class Found:
    """All that is known once the statement has run."""

    request: SearchRequest
    scope: Scope
    overview: Overview
    query: KeywordQuery | None
    plan: Plan
    rows: Sequence[FoundChunk]
    model: str
    calibration: Calibration = AS_MEASURED
    trouble: str | None = None
    reranked: Reranked | None = None
    nearest: Mapping[uuid.UUID, Span] = field(default_factory=dict[uuid.UUID, Span])
    weights: dict[str, float] = field(init=False)

    def __post_init__(self) -> None:
        self.weights = {term.term: term.weight for term in self.query.terms} if self.query else {}

    def is_told_by_words(self, row: FoundChunk) -> bool:
        """Whether the query's words say where in a passage to look."""
        matched = sum(self.weights[term] for term in row.matched_terms or ())
        return not row.is_blind and matched > FEWEST_TOLD * sum(self.weights.values())


@dataclass(frozen=True)
class ShownPage:
    """A page as its hits need it; its boxes are opened once for all of them."""

    stored: StoredPage

    @cached_property
    def boxes(self) -> PageBoxes:
        return PageBoxes(self.stored.boxes)

    @cached_property
    def text(self) -> PageText:
        return PageText(self.stored.page_number, self.stored.char_start, self.stored.text)


async def present(session: Session, found: Found) -> list[Hit]:
    """The hits, with snippets and (where asked for) rectangles. At most one round trip."""
    matching, pages = await _evidence(session, found)
    # each place has its share of the best score, whoever a reranker has put there
    shares = sorted((row.fused_score for row in found.rows), reverse=True)
    sure = _confidence(found)
    hits: list[Hit] = []
    for row, share in zip(found.rows, shares, strict=True):
        snippet = make_snippet(
            row.text,
            {word: terms for (language, word), terms in matching.items() if language == row.language},
            weights=found.weights,
            is_tabular=row.content_type in {"table", "list"},
            around=found.nearest.get(row.chunk_id),
        )
        own = {number: page for number in _span(row) if (page := pages.get((row.document_id, number)))}
        score = round((1.0 if sure is None else sure) * share / shares[0], 4)
        hits.append(_hit(row, snippet=snippet, pages=own, score=score, found=found))
    return hits


def respond(found: Found, hits: list[Hit], *, took: Mapping[str, float]) -> SearchResponse:
    """The envelope."""
    coverage = _coverage(found.overview)
    sure = _confidence(found)
    strategy = Strategy(
        semantic=found.plan.dense.value,
        keyword=found.plan.lexical.value,
        is_degraded=found.trouble is not None,
        blind_languages=list(found.query.blind_languages) if found.query else [],
    )
    metadata = SearchMetadata(
        top_k=found.request.top_k,
        hybrid=found.request.hybrid,
        returned=len(hits),
        confidence=None if sure is None else round(sure, 4),
        coverage=coverage,
        strategy=strategy,
        reranking=found.reranked.report if found.reranked else None,
        took_ms=Took(**took),
    )
    message = messages.compose(
        returned=len(hits),
        confidence=sure,
        coverage=coverage,
        request=found.request,
        trouble=found.trouble,
        reranking=metadata.reranking,
    )
    return SearchResponse(data=hits, metadata=metadata, message=message)


def _confidence(found: Found) -> float | None:
    """That of the hit that fits best; None where nothing was found or nothing can be said under this model."""
    measured = max((fit for row in found.rows for fit in _fits(row, found)), default=None)
    return None if measured is None else found.calibration.apply(measured)


def _fits(row: FoundChunk, found: Found) -> list[float]:
    fits: list[float] = []
    similarity = None if row.distance is None else 1 - row.distance
    by_meaning = confidence.semantic_fit(similarity, model=found.model)
    if by_meaning is not None:
        fits.append(by_meaning)
    if found.query is not None:
        weights = found.weights
        matched = [weights[term] for term in row.matched_terms or ()]
        unknown = len(found.query.unknown_words)
        fits.append(confidence.keyword_fit(matched, known=list(weights.values()), unknown_words=unknown))
    return fits


async def _evidence(
    session: Session, found: Found
) -> tuple[dict[tuple[str, str], set[str]], dict[tuple[uuid.UUID, int], ShownPage]]:
    words: dict[str, set[str]] = {}
    for row in found.rows:
        words.setdefault(row.language, set()).update(words_to_check(row.text, row.matched_terms or ()))
    spans = sorted({(row.document_id, row.page_number, row.last_page_number) for row in found.rows})
    matching, pages = await repository.list_evidence(
        session, words, terms=list(found.weights), spans=spans if found.request.rectangles else []
    )
    return matching, {(page.document_id, page.page_number): ShownPage(page) for page in pages}


def _span(row: FoundChunk) -> range:
    return range(row.page_number, row.last_page_number + 1)


def _hit(row: FoundChunk, *, snippet: Snippet, pages: Mapping[int, ShownPage], score: float, found: Found) -> Hit:
    texts = [page.text for page in pages.values()]
    ranges = locate(row.text, snippet.start, snippet.end, char_start=row.char_start, pages=texts)
    view = _snippet_view(row, snippet, ranges, pages)
    copied = (
        *("chunk_id", "document_id", "title", "collection", "tags", "page_number", "last_page_number"),
        *("section_heading", "section_path", "content_type", "language", "chunk_index", "char_start", "char_end"),
        *("token_count", "importance", "text", "semantic_rank", "keyword_rank", "page_images"),
    )
    return Hit(
        **{name: getattr(row, name) for name in copied},
        document=row.filename,
        snippet=view,
        sentence=_sentence_view(row, snippet, texts, pages, found=found),
        score=score,
        highlights=_highlights(ranges, pages),
        links=_links(row, view, ranges),
        explain=explain(row, found.query, scope=found.scope, reranked=found.reranked)
        if found.request.explain
        else None,
    )


def _snippet_view(
    row: FoundChunk, snippet: Snippet, ranges: Sequence[PageRange], pages: Mapping[int, ShownPage]
) -> SnippetView:
    """Its place in the stream is that of its lines on the pages; without pages, that of an unbroken passage."""
    start, end = row.char_start + snippet.start, min(row.char_start + snippet.end, row.char_end)
    if ranges:
        start = pages[ranges[0].page_number].text.char_start + ranges[0].start
        end = pages[ranges[-1].page_number].text.char_start + ranges[-1].end
    return SnippetView(
        text=row.text[snippet.start : snippet.end],
        matches=[Match(start=left, end=right) for left, right in snippet.matches],
        char_start=start,
        char_end=end,
    )


def _sentence_view(
    row: FoundChunk, snippet: Snippet, texts: Sequence[PageText], pages: Mapping[int, ShownPage], *, found: Found
) -> SentenceView | None:
    span = snippet.sentence
    if span is None:
        return None
    ranges = locate(row.text, span.start, span.end, char_start=row.char_start, pages=texts)
    return SentenceView(
        start=span.start - snippet.start,
        end=span.end - snippet.start,
        basis="meaning" if row.chunk_id in found.nearest else "words",
        highlights=_highlights(ranges, pages),
    )


def _highlights(ranges: Sequence[PageRange], pages: Mapping[int, ShownPage]) -> list[Highlight]:
    by_page: dict[int, list[HighlightRect]] = {}
    for part in ranges:
        rects = pages[part.page_number].boxes.rectangles(part.start, part.end)
        by_page.setdefault(part.page_number, []).extend(
            HighlightRect(x=rect.x, y=rect.y, w=rect.width, h=rect.height) for rect in rects
        )
    return [Highlight(page=number, rects=rects) for number, rects in by_page.items() if rects]


def _links(row: FoundChunk, snippet: SnippetView, ranges: Sequence[PageRange]) -> HitLinks:
    document = f"{API}/documents/{row.document_id}"
    page = ranges[0].page_number if ranges else row.page_number
    return HitLinks(
        document=document,
        page=f"{document}/pages/{page}",
        rectangles=f"{document}/rectangles?char_start={snippet.char_start}&char_end={snippet.char_end}",
        original=f"{document}/original#page={page}",
    )


def _coverage(overview: Overview) -> Coverage:
    return Coverage(
        documents_in_scope=overview.documents,
        documents_searched=overview.searchable,
        documents_processing=overview.processing,
        documents_failed=overview.failed,
        pages_unreadable=overview.pages_unreadable,
        share_embedded=round(overview.embedded_chunks / overview.chunks, 4) if overview.chunks else 1.0,
    )
