"""Verification of quotations against documents."""

import asyncio
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final, Literal

from lectern.accounts.principals import Principal
from lectern.answers import repository
from lectern.answers.messages import describe_coverage
from lectern.answers.quotes.matching import MAX_LOCATIONS, TextDifference, find_exact, find_near
from lectern.answers.quotes.schemas import (
    QuoteDifference,
    QuoteLocation,
    QuoteMetadata,
    QuoteRequest,
    QuoteResponse,
    QuoteVerdict,
)
from lectern.answers.repository import PageOfText
from lectern.db.session import Session
from lectern.documents.chunks import build_links
from lectern.documents.parts.service import get_content, get_highlights
from lectern.documents.service import resolve_documents
from lectern.search.presentation.snippets import PageText, locate
from lectern.search.schemas import MAX_TOP_K, Coverage, Hit, SearchRequest
from lectern.search.service import SearchEngine

_MAX_WHOLE_DOCUMENTS: Final = 5
_PAGES_AROUND: Final = 1


@dataclass(frozen=True, slots=True)
class DocumentSpan:
    """Characters start..end of a document's text."""

    document_id: uuid.UUID
    start: int
    end: int

    def overlaps(self, other: "DocumentSpan") -> bool:
        """Return True if both have a character in common."""
        return self.document_id == other.document_id and self.start < other.end and other.start < self.end


@dataclass(frozen=True, slots=True)
class QuoteMatch:
    """A verdict before its presentation."""

    verdict: Literal["EXACT", "NEAR", "NOT_FOUND"]
    spans: tuple[DocumentSpan, ...] = ()
    similarity: float | None = None
    differences: tuple[TextDifference, ...] = ()


@dataclass(frozen=True, slots=True)
class _PageRun:
    """Consecutive pages of one document as one text."""

    document_id: uuid.UUID
    char_start: int
    text: str


async def verify_quote(request: QuoteRequest, principal: Principal, *, engine: SearchEngine) -> QuoteResponse:
    """Compare a quotation with the documents in the principal's scope.

    Up to five named documents are read whole. Otherwise a search selects pages, which are read with their neighbours.

    Raises:
        UnknownReference: A filter names something that does not exist in scope.
    """
    found = await engine.search(
        SearchRequest(
            query=request.quote,
            top_k=MAX_TOP_K,
            documents=request.documents,
            tags=request.tags,
            collections=request.collections,
            rectangles=False,
        ),
        principal,
    )
    async with engine.database.session(principal.scope, is_snapshot=True) as session:
        named = await resolve_documents(session, request.documents) if request.documents else []
        is_filtered = bool(request.tags.model_fields_set or request.collections)
        is_whole = 0 < len(named) <= _MAX_WHOLE_DOCUMENTS and not is_filtered
        pages = await _pages(session, named if is_whole else [], hits=found.data)
        match = await asyncio.to_thread(_match, request.quote, pages, found.data)
        locations = [await _location(session, span) for span in match.spans]
    verdict = QuoteVerdict(
        verdict=match.verdict,
        similarity=match.similarity,
        locations=locations,
        differences=[QuoteDifference.model_validate(part) for part in match.differences],
    )
    coverage = found.metadata.coverage
    metadata = QuoteMetadata(
        documents_read=len({page.document_id for page in pages}), is_whole_text=is_whole, coverage=coverage
    )
    message = _message(verdict, is_whole_text=is_whole, coverage=coverage)
    return QuoteResponse(data=verdict, metadata=metadata, message=message)


async def _pages(session: Session, whole: Sequence[uuid.UUID], *, hits: Sequence[Hit]) -> list[PageOfText]:
    if whole:
        return await repository.list_whole_texts(session, whole)
    spans = [
        (hit.document_id, max(1, hit.page_number - _PAGES_AROUND), hit.last_page_number + _PAGES_AROUND) for hit in hits
    ]
    return await repository.list_texts_within(session, spans) if spans else []


def _match(quote: str, pages: Sequence[PageOfText], hits: Sequence[Hit]) -> QuoteMatch:
    """Match on the pages and in the chunks, which continue past headers and footers. Then look for similar text."""
    runs = _page_runs(pages)
    spans = [
        DocumentSpan(run.document_id, run.char_start + start, run.char_start + end)
        for run in runs
        for start, end in find_exact(run.text, quote)
    ]
    spans += [span for span in _spans_in_chunks(quote, pages, hits) if not any(map(span.overlaps, spans))]
    if spans:
        return QuoteMatch("EXACT", tuple(_best_first(spans, hits)[:MAX_LOCATIONS]), similarity=1.0)
    near = [(found, run) for run in runs if (found := find_near(run.text, quote))]
    if not near:
        return QuoteMatch("NOT_FOUND")
    best, run = max(near, key=lambda pair: pair[0].similarity)
    span = DocumentSpan(run.document_id, run.char_start + best.start, run.char_start + best.end)
    return QuoteMatch("NEAR", (span,), similarity=best.similarity, differences=best.differences)


def _page_runs(pages: Sequence[PageOfText]) -> list[_PageRun]:
    """Join consecutive pages as the document's text joins them."""
    runs: list[_PageRun] = []
    numbered = enumerate(pages)
    for (document_id, _), group in groupby(
        numbered, key=lambda item: (item[1].document_id, item[1].page_number - item[0])
    ):
        run = [page for _, page in group]
        runs.append(_PageRun(document_id, run[0].char_start, "\n".join(page.text for page in run)))
    return runs


def _spans_in_chunks(quote: str, pages: Sequence[PageOfText], hits: Sequence[Hit]) -> list[DocumentSpan]:
    spans: list[DocumentSpan] = []
    for hit in hits:
        own = [
            PageText(page.page_number, page.char_start, page.text)
            for page in pages
            if page.document_id == hit.document_id and hit.page_number <= page.page_number <= hit.last_page_number
        ]
        starts = {page.page_number: page.char_start for page in own}
        for start, end in find_exact(hit.text, quote, limit=1):
            ranges = locate(hit.text, start, end, char_start=hit.char_start, pages=own)
            if ranges:
                first, last = ranges[0], ranges[-1]
                spans.append(
                    DocumentSpan(
                        hit.document_id,
                        starts[first.page_number] + first.start,
                        starts[last.page_number] + last.end,
                    )
                )
    return list(dict.fromkeys(spans))


def _best_first(spans: Sequence[DocumentSpan], hits: Sequence[Hit]) -> list[DocumentSpan]:
    """Sort by the rank of the document in the search, then by position."""
    order = {hit.document_id: number for number, hit in reversed(list(enumerate(hits)))}
    return sorted(spans, key=lambda span: (order.get(span.document_id, len(order)), span.start))


async def _location(session: Session, span: DocumentSpan) -> QuoteLocation:
    names = (await repository.list_names(session, [span.document_id]))[span.document_id]
    highlights = await get_highlights(session, span.document_id, char_start=span.start, char_end=span.end)
    pages = [highlight.page_number for highlight in highlights.highlights]
    content = await get_content(session, span.document_id, char_start=span.start, max_characters=span.end - span.start)
    return QuoteLocation(
        document_id=span.document_id,
        document=names.filename,
        title=names.title,
        page_number=min(pages),
        last_page_number=max(pages),
        char_start=span.start,
        char_end=span.end,
        text=content.text,
        highlights=highlights.highlights,
        links=build_links(span.document_id, page=min(pages), char_start=span.start, char_end=span.end),
    )


def _message(verdict: QuoteVerdict, *, is_whole_text: bool, coverage: Coverage) -> str:
    """Return a few sentences, with everything that was not searched."""
    if verdict.verdict == "EXACT":
        location = verdict.locations[0]
        others = len(verdict.locations) - 1
        more = f", and {others} more location{'s' if others > 1 else ''}" if others else ""
        return f"The quotation is exact: {location.document}, page {location.page_number}{more}."
    if verdict.verdict == "NEAR":
        location = verdict.locations[0]
        return (
            f"The quotation is not exact. The most similar text is in {location.document}, page"
            f" {location.page_number}: see `differences`, and quote `locations[0].text` instead."
        )
    where = "in the text of these documents" if is_whole_text else "on the pages found by a search for it"
    parts = [f"Neither the quotation nor a similar text is {where}."]
    if not is_whole_text:
        parts.append("Name the document to compare its whole text.")
    return " ".join([*parts, *describe_coverage(coverage, is_answered=False)])
