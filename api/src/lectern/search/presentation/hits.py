"""Build hits from ranked chunks: snippets, highlights, scores and links."""

import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from lectern.db.session import Session
from lectern.documents.chunks import build_links
from lectern.documents.parts.schemas import PageHighlight
from lectern.extraction.layout.boxes import PagePart, rectangles_of
from lectern.extraction.types import Rect
from lectern.search import repository
from lectern.search.presentation.result import RankedResult
from lectern.search.presentation.sentences import Span
from lectern.search.presentation.snippets import PageSpan, PageText, Snippet, list_words, locate, make_snippet
from lectern.search.ranking.features import MEANINGS, PLACES, Values
from lectern.search.ranking.match import ChunkMatch
from lectern.search.ranking.model import TreeModel
from lectern.search.repository import StoredPage
from lectern.search.schemas import (
    CopyPlace,
    ExplainedFeature,
    ExplainedTerm,
    Explanation,
    Hit,
    MatchRange,
    SentenceView,
    SnippetView,
)

Rects: TypeAlias = Mapping[tuple[uuid.UUID, PageSpan], list[Rect]]
"""Rectangles by document and range of a page."""

_COPIED_FIELDS: Final = tuple(name for name in Hit.model_fields if name in ChunkMatch.__slots__)


@dataclass(frozen=True, slots=True)
class LocatedSnippet:
    """A chunk with its snippet, the pages of the chunk, and the ranges of snippet and sentence on them."""

    row: ChunkMatch
    snippet: Snippet
    pages: Mapping[int, StoredPage]
    ranges: Sequence[PageSpan]
    sentence_ranges: Sequence[PageSpan]


async def build_hits(session: Session, result: RankedResult) -> list[Hit]:
    """Build the hits in rank order, with rectangles if requested. At most one round trip."""
    matching, pages = await _list_evidence(session, result)
    # A rank has its share of the best score, also after reranking.
    shares = sorted((row.share for row in result.rows), reverse=True)
    confidence = result.confidence
    views = [_build_view(row, matching.get(row.language, {}), pages, result) for row in result.rows]
    rects = _list_rects(views)
    return [
        _build_hit(view, result, score=round(confidence.of_hit(share) if confidence else share, 4), rects=rects)
        for view, share in zip(views, shares, strict=True)
    ]


async def _list_evidence(
    session: Session, result: RankedResult
) -> tuple[Mapping[str, Mapping[str, Collection[str]]], Mapping[tuple[uuid.UUID, int], StoredPage]]:
    """Return the terms of each word by language, and the pages by document and number."""
    words: dict[str, set[str]] = {}
    for row in result.rows:
        words.setdefault(row.language, set()).update(list_words(row.text, row.matched_terms))
    spans = sorted({(row.document_id, row.page_number, row.last_page_number) for row in result.rows})
    matching, pages = await repository.list_evidence(
        session, words, terms=list(result.weights), spans=spans if result.request.rectangles else []
    )
    return matching, {(page.document_id, page.page_number): page for page in pages}


def _build_view(
    row: ChunkMatch,
    matching: Mapping[str, Collection[str]],
    pages: Mapping[tuple[uuid.UUID, int], StoredPage],
    result: RankedResult,
) -> LocatedSnippet:
    snippet = make_snippet(
        row.text,
        matching,
        weights=result.weights,
        content_type=row.content_type,
        around=result.nearest.get(row.chunk_id),
    )
    numbers = range(row.page_number, row.last_page_number + 1)
    own = {number: page for number in numbers if (page := pages.get((row.document_id, number)))}
    texts = [PageText(number, page.char_start, page.text) for number, page in own.items()]
    ranges, sentence_ranges = (
        locate(row.text, part.start, part.end, char_start=row.char_start, pages=texts) if part else []
        for part in (Span(snippet.start, snippet.end), snippet.sentence)
    )
    return LocatedSnippet(row, snippet, own, ranges, sentence_ranges)


def _list_rects(views: Sequence[LocatedSnippet]) -> Rects:
    """Compute the rectangles of all ranges at once."""
    wanted = {(view.row.document_id, part): view for view in views for part in (*view.ranges, *view.sentence_ranges)}
    pages = {(of, part.page_number): view.pages[part.page_number] for (of, part), view in wanted.items()}
    indexes = {key: index for index, key in enumerate(pages)}
    parts = [PagePart(indexes[of, part.page_number], part.start, part.end) for of, part in wanted]
    rects = rectangles_of([page.boxes for page in pages.values()], parts)
    return dict(zip(wanted, rects, strict=True))


def _build_hit(view: LocatedSnippet, result: RankedResult, *, score: float, rects: Rects) -> Hit:
    row, snippet = view.row, _snippet_view(view)
    page = view.ranges[0].page_number if view.ranges else row.page_number
    return Hit(
        **{name: getattr(row, name) for name in _COPIED_FIELDS},
        snippet=snippet,
        sentence=_sentence_view(view, rects, is_nearest=row.chunk_id in result.nearest),
        score=score,
        highlights=_highlights(row, view.ranges, rects),
        links=build_links(row.document_id, page=page, char_start=snippet.char_start, char_end=snippet.char_end),
        before=[],  # explicit: pydantic deep-copies a default list for every hit
        after=[],
        also_in=[CopyPlace.model_validate(copy) for copy in row.copies],
        explain=explain_score(row, result, model=result.model) if result.request.explain else None,
    )


def _snippet_view(view: LocatedSnippet) -> SnippetView:
    snippet = view.snippet
    start, end = _locate(view, snippet, view.ranges)
    return SnippetView(
        text=view.row.text[snippet.start : snippet.end],
        matches=[MatchRange(start=left, end=right) for left, right in snippet.matches],
        char_start=start,
        char_end=end,
    )


def _locate(view: LocatedSnippet, part: Snippet | Span, ranges: Sequence[PageSpan]) -> tuple[int, int]:
    """Return a part of a chunk in the document's text: by its lines on the pages, or in the chunk if there are none."""
    if not ranges:
        return view.row.char_start + part.start, min(view.row.char_start + part.end, view.row.char_end)
    first, last = ranges[0], ranges[-1]
    return view.pages[first.page_number].char_start + first.start, view.pages[last.page_number].char_start + last.end


def _sentence_view(view: LocatedSnippet, rects: Rects, *, is_nearest: bool) -> SentenceView | None:
    snippet, span = view.snippet, view.snippet.sentence
    if span is None:
        return None
    start, end = _locate(view, span, view.sentence_ranges)
    return SentenceView(
        start=span.start - snippet.start,
        end=span.end - snippet.start,
        char_start=start,
        char_end=end,
        basis="meaning" if is_nearest else "words",
        highlights=_highlights(view.row, view.sentence_ranges, rects),
    )


def _highlights(row: ChunkMatch, ranges: Sequence[PageSpan], rects: Rects) -> list[PageHighlight]:
    by_page: dict[int, list[dict[str, float]]] = {}
    for part in ranges:
        found = ({"x": x, "y": y, "w": w, "h": h} for x, y, w, h in rects[row.document_id, part])
        by_page.setdefault(part.page_number, []).extend(found)
    # Validating a page at once takes half the time of validating each rectangle.
    highlights = [{"page_number": number, "rects": part} for number, part in by_page.items() if part]
    return [PageHighlight.model_validate(highlight) for highlight in highlights]


def explain_score(row: ChunkMatch, result: RankedResult, *, model: TreeModel | None) -> Explanation:
    """Show what each feature adds to the score, if a model ranked the hit.

    Counts of chunks with a term, and scores made of them, are shown to unrestricted principals only. They would reveal
    documents that others may not see.
    """
    is_open, reranked = result.scope.is_unrestricted, result.reranked
    matched = set(row.matched_terms)
    terms = [
        ExplainedTerm(
            term=term.term,
            is_matched=term.term in matched,
            is_expansion=term.is_expansion,
            idf=round(term.idf, 4) if is_open else None,
            chunk_count=term.chunk_count if is_open else None,
        )
        for term in (result.keywords.terms if result.keywords else ())
        if is_open or term.term in matched
    ]
    return Explanation(
        features=_explain_features(row.features, model) if model and row.features is not None else [],
        is_fitted=model is not None and model.is_fitted,
        share=row.share,
        is_unmatched_language=row.is_unmatched_language,
        similarity=None if row.distance is None else round(1 - row.distance, 6),
        keyword_score=round(row.keyword_score, 4) if is_open and row.keyword_score else None,
        rerank_rank=reranked.ranks.get(row.chunk_id) if reranked else None,
        rerank_score=reranked.scores.get(row.chunk_id) if reranked else None,
        terms=terms,
    )


def _explain_features(values: Values, model: TreeModel) -> list[ExplainedFeature]:
    return [
        ExplainedFeature(
            name=name,
            meaning=MEANINGS[name],
            value=round(float(values[PLACES[name]]), 4),
            contribution=round(added, 4),
        )
        for name, added in model.contributions(values).items()
    ]
