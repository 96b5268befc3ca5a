"""Winners turned into hits: snippets, highlights, scores, explanations, and what the response says."""

import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from lectern.db.scope import Scope
from lectern.db.session import Session
from lectern.documents.chunks import DocumentLinks, build_links
from lectern.extraction.layout.boxes import PagePart, rectangles_of
from lectern.extraction.types import Rect
from lectern.search.candidates import repository
from lectern.search.candidates.plan import Plan
from lectern.search.candidates.repository import ChunkMatch, StoredPage
from lectern.search.candidates.scope import Overview
from lectern.search.presentation import messages
from lectern.search.presentation.sentences import Span
from lectern.search.presentation.snippets import PageRange, PageText, Snippet, locate, make_snippet, words_to_check
from lectern.search.query.synonyms import SynonymMatch
from lectern.search.query.terms import KeywordQuery
from lectern.search.ranking import confidence
from lectern.search.ranking.confidence import UNCALIBRATED, Calibration
from lectern.search.ranking.explain import explain
from lectern.search.reranking.rerank import Reranked
from lectern.search.schemas import (
    Coverage,
    Highlight,
    Hit,
    Match,
    QueryExpansion,
    SearchMetadata,
    SearchRequest,
    SearchResponse,
    SentenceView,
    SnippetView,
    Strategy,
    Took,
)

Rects: TypeAlias = Mapping[tuple[uuid.UUID, PageRange], list[Rect]]
"""What covers each range of each document's pages."""
MIN_TERM_COVERAGE: Final = (
    0.3  # of the query's weight; below, a passage that was found is about the same in other words
)


@dataclass(slots=True, kw_only=True)
class RankedResult:
    """All that is known once the statement has run."""

    request: SearchRequest
    scope: Scope
    overview: Overview
    query: KeywordQuery | None
    synonym_matches: Sequence[SynonymMatch] = ()
    plan: Plan
    rows: Sequence[ChunkMatch]
    similarity_range: tuple[float, float] | None
    calibration: Calibration = UNCALIBRATED
    trouble: str | None = None
    reranked: Reranked | None = None
    nearest: Mapping[uuid.UUID, Span] = field(default_factory=dict[uuid.UUID, Span])
    weights: dict[str, float] = field(init=False)

    def __post_init__(self) -> None:
        self.weights = {term.term: term.weight for term in self.query.terms} if self.query else {}

    def has_lexical_match(self, row: ChunkMatch) -> bool:
        """Whether the query's words say where in a passage to look."""
        matched = sum(self.weights[term] for term in row.matched_terms or ())
        return not row.is_unmatched_language and matched > MIN_TERM_COVERAGE * sum(self.weights.values())


@dataclass(frozen=True, slots=True)
class HitView:
    """What of a winner is shown, and where it stands: its pages by number, and the ranges on them."""

    row: ChunkMatch
    snippet: Snippet
    pages: Mapping[int, StoredPage]
    ranges: Sequence[PageRange]
    sentence_ranges: Sequence[PageRange]


async def present(session: Session, found: RankedResult) -> list[Hit]:
    """The hits, with snippets and (where asked for) rectangles. At most one round trip."""
    matching, pages = await _evidence(session, found)
    # each place has its share of the best score, whoever a reranker has put there
    shares = sorted((row.fused_score for row in found.rows), reverse=True)
    sure = _confidence(found)
    all_shown = [_shown(row, matching.get(row.language, {}), pages, found) for row in found.rows]
    highlights = _highlights(all_shown)
    return [
        _hit(shown, found, score=round((1.0 if sure is None else sure) * share / shares[0], 4), highlights=highlights)
        for shown, share in zip(all_shown, shares, strict=True)
    ]


def respond(found: RankedResult, hits: list[Hit], *, took: Mapping[str, float]) -> SearchResponse:
    """The envelope."""
    coverage = _coverage(found.overview)
    sure = _confidence(found)
    strategy = Strategy(
        semantic=found.plan.dense.value,
        keyword=found.plan.lexical.value,
        is_degraded=found.trouble is not None,
        unmatched_languages=list(found.query.unmatched_languages) if found.query else [],
    )
    metadata = SearchMetadata(
        top_k=found.request.top_k,
        hybrid=found.request.hybrid,
        returned=len(hits),
        confidence=None if sure is None else round(sure, 4),
        coverage=coverage,
        strategy=strategy,
        expansions=[
            QueryExpansion(term=one.name, synonyms=[*one.phrases, *one.addresses]) for one in found.synonym_matches
        ],
        reranking=found.reranked.report if found.reranked else None,
        took_ms=Took(**took),
    )
    message = messages.compose(
        returned=len(hits),
        confidence=sure,
        coverage=coverage,
        request=found.request,
        trouble=found.trouble,
        expansions=metadata.expansions,
        reranking=metadata.reranking,
        unmatched_languages=strategy.unmatched_languages,
    )
    return SearchResponse(data=hits, metadata=metadata, message=message)


def _confidence(found: RankedResult) -> float | None:
    """That of the hit that fits best; None where nothing was found or nothing can be said under this model."""
    measured = max((fit for row in found.rows for fit in _fits(row, found)), default=None)
    return None if measured is None else found.calibration.apply(measured)


def _fits(row: ChunkMatch, found: RankedResult) -> list[float]:
    fits: list[float] = []
    similarity = None if row.distance is None else 1 - row.distance
    by_meaning = confidence.semantic_fit(similarity, similarity_range=found.similarity_range)
    if by_meaning is not None:
        fits.append(by_meaning)
    if found.query is not None:
        fits.append(_keyword_fit(row, found.query, synonym_matches=()))
        if found.synonym_matches:
            fits.append(_keyword_fit(row, found.query, synonym_matches=found.synonym_matches))
    return fits


def _keyword_fit(row: ChunkMatch, query: KeywordQuery, *, synonym_matches: Sequence[SynonymMatch]) -> float:
    """By the query's own words; with widenings by what they added as well, which stands for an unknown name."""
    weights = {term.term: term.weight for term in query.terms if synonym_matches or not term.is_expansion}
    matched = [weights[term] for term in row.matched_terms or () if term in weights]
    names = " ".join(match.name for match in synonym_matches).lower()
    unknown = sum(word.lower() not in names for word in query.unknown_words)
    return confidence.keyword_fit(matched, known=list(weights.values()), unknown_words=unknown)


async def _evidence(
    session: Session, found: RankedResult
) -> tuple[Mapping[str, Mapping[str, Collection[str]]], Mapping[tuple[uuid.UUID, int], StoredPage]]:
    """The terms of each word of the winners by language, and their pages by document and number."""
    words: dict[str, set[str]] = {}
    for row in found.rows:
        words.setdefault(row.language, set()).update(words_to_check(row.text, row.matched_terms or ()))
    spans = sorted({(row.document_id, row.page_number, row.last_page_number) for row in found.rows})
    matching, pages = await repository.list_evidence(
        session, words, terms=list(found.weights), spans=spans if found.request.rectangles else []
    )
    return matching, {(page.document_id, page.page_number): page for page in pages}


def _shown(
    row: ChunkMatch,
    matching: Mapping[str, Collection[str]],
    pages: Mapping[tuple[uuid.UUID, int], StoredPage],
    found: RankedResult,
) -> HitView:
    snippet = make_snippet(
        row.text,
        matching,
        weights=found.weights,
        content_type=row.content_type,
        around=found.nearest.get(row.chunk_id),
    )
    span = range(row.page_number, row.last_page_number + 1)
    own = {number: page for number in span if (page := pages.get((row.document_id, number)))}
    texts = [PageText(number, page.char_start, page.text) for number, page in own.items()]
    ranges, sentence_ranges = (
        locate(row.text, part.start, part.end, char_start=row.char_start, pages=texts) if part else []
        for part in (Span(snippet.start, snippet.end), snippet.sentence)
    )
    return HitView(row, snippet, own, ranges, sentence_ranges)


def _highlights(all_shown: Sequence[HitView]) -> Rects:
    """The rectangles of all ranges, by document."""
    wanted = {(one.row.document_id, part): one for one in all_shown for part in (*one.ranges, *one.sentence_ranges)}
    pages = {(of, part.page_number): one.pages[part.page_number] for (of, part), one in wanted.items()}
    places = {key: place for place, key in enumerate(pages)}
    parts = [PagePart(places[of, part.page_number], part.start, part.end) for of, part in wanted]
    found = rectangles_of([page.boxes for page in pages.values()], parts)
    return dict(zip(wanted, found, strict=True))


def _hit(
    shown: HitView,
    found: RankedResult,
    *,
    score: float,
    highlights: Rects,
) -> Hit:
    row, view = shown.row, _snippet_view(shown)
    copied = (
        *("chunk_id", "document_id", "title", "collection", "tags", "page_number", "last_page_number"),
        *("section_heading", "section_path", "content_type", "language", "chunk_index", "char_start", "char_end"),
        *("token_count", "importance", "text", "semantic_rank", "keyword_rank", "page_images"),
    )
    return Hit(
        **{name: getattr(row, name) for name in copied},
        document=row.filename,
        snippet=view,
        sentence=_sentence_view(shown, found, highlights),
        score=score,
        highlights=_by_page(row, shown.ranges, highlights),
        links=_links(row, view, shown.ranges),
        before=[],  # given: a default of a list is copied deeply, hit by hit
        after=[],
        explain=explain(row, found.query, scope=found.scope, reranked=found.reranked)
        if found.request.explain
        else None,
    )


def _snippet_view(shown: HitView) -> SnippetView:
    """Its place in the stream is that of its lines on the pages; without pages, that of an unbroken passage."""
    row, snippet, ranges = shown.row, shown.snippet, shown.ranges
    start, end = row.char_start + snippet.start, min(row.char_start + snippet.end, row.char_end)
    if ranges:
        start = shown.pages[ranges[0].page_number].char_start + ranges[0].start
        end = shown.pages[ranges[-1].page_number].char_start + ranges[-1].end
    return SnippetView(
        text=row.text[snippet.start : snippet.end],
        matches=[Match(start=left, end=right) for left, right in snippet.matches],
        char_start=start,
        char_end=end,
    )


def _sentence_view(shown: HitView, found: RankedResult, highlights: Rects) -> SentenceView | None:
    snippet, span = shown.snippet, shown.snippet.sentence
    if span is None:
        return None
    return SentenceView(
        start=span.start - snippet.start,
        end=span.end - snippet.start,
        basis="meaning" if shown.row.chunk_id in found.nearest else "words",
        highlights=_by_page(shown.row, shown.sentence_ranges, highlights),
    )


def _by_page(
    row: ChunkMatch,
    ranges: Sequence[PageRange],
    highlights: Rects,
) -> list[Highlight]:
    by_page: dict[int, list[dict[str, float]]] = {}
    for part in ranges:
        rects = highlights[row.document_id, part]
        by_page.setdefault(part.page_number, []).extend({"x": x, "y": y, "w": w, "h": h} for x, y, w, h in rects)
    # validated as one: it takes half the time of making each by itself
    return [Highlight.model_validate({"page": number, "rects": rects}) for number, rects in by_page.items() if rects]


def _links(row: ChunkMatch, snippet: SnippetView, ranges: Sequence[PageRange]) -> DocumentLinks:
    page = ranges[0].page_number if ranges else row.page_number
    return build_links(row.document_id, page=page, char_start=snippet.char_start, char_end=snippet.char_end)


def _coverage(overview: Overview) -> Coverage:
    return Coverage(
        documents_in_scope=overview.documents,
        documents_searched=overview.searchable,
        documents_processing=overview.processing,
        documents_failed=overview.failed,
        pages_unreadable=overview.pages_unreadable,
        share_embedded=round(overview.embedded_chunks / overview.chunks, 4) if overview.chunks else 1.0,
    )
