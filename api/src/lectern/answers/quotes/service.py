"""Quotations held against documents, and counts over their text."""

import asyncio
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final, Literal

from lectern.accounts.principals import Principal
from lectern.answers import repository
from lectern.answers.quotes import messages
from lectern.answers.quotes.matching import MAX_PLACES, Difference, find_exact, find_near
from lectern.answers.quotes.schemas import (
    DocumentStats,
    PageCount,
    QuoteDifference,
    QuoteLocation,
    QuoteMetadata,
    QuoteRequest,
    QuoteResponse,
    QuoteVerdict,
)
from lectern.answers.repository import DocumentFacts, PageOfText
from lectern.answers.term_counts import count_term, count_words
from lectern.db.session import Session
from lectern.documents.chunks import build_links
from lectern.documents.errors import DocumentNotFound
from lectern.documents.parts.service import get_content, get_highlights
from lectern.documents.service import resolve_documents
from lectern.search.presentation.snippets import PageText, locate
from lectern.search.schemas import MAX_TOP_K, Hit, SearchRequest
from lectern.search.service import SearchEngine

WHOLE_DOCUMENTS: Final = 5
_NEIGHBOURS: Final = 1


@dataclass(frozen=True, slots=True)
class Place:
    """Characters start..end of a document's text stream."""

    document_id: uuid.UUID
    start: int
    end: int

    def overlaps(self, other: "Place") -> bool:
        """Whether both have a character in common."""
        return self.document_id == other.document_id and self.start < other.end and other.start < self.end


@dataclass(frozen=True, slots=True)
class Finding:
    """The verdict before it is presented."""

    verdict: Literal["EXACT", "NEAR", "NOT_FOUND"]
    places: tuple[Place, ...] = ()
    similarity: float | None = None
    differences: tuple[Difference, ...] = ()


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Neighbouring pages of one document as one text."""

    document_id: uuid.UUID
    char_start: int
    text: str


async def verify_quote(request: QuoteRequest, principal: Principal, *, engine: SearchEngine) -> QuoteResponse:
    """Whether the documents in the principal's scope say this: exactly, nearly, or not where it was looked for.

    Up to five documents that are named are read whole; else the pages that a search for the quotation finds, and
    their neighbours.

    Raises:
        UnknownReference: A filter names what does not exist in scope.
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
        is_whole = 0 < len(named) <= WHOLE_DOCUMENTS and not request.tags.model_fields_set and not request.collections
        pages = await _pages(session, named if is_whole else [], hits=found.data)
        finding = await asyncio.to_thread(_judge, request.quote, pages, found.data)
        places = [await _present(session, place) for place in finding.places]
    verdict = QuoteVerdict(
        verdict=finding.verdict,
        similarity=finding.similarity,
        locations=places,
        differences=[
            QuoteDifference(kind=part.kind, quoted=part.quoted, found=part.found) for part in finding.differences
        ],
    )
    coverage = found.metadata.coverage
    metadata = QuoteMetadata(
        documents_read=len({page.document_id for page in pages}), is_whole_text=is_whole, coverage=coverage
    )
    message = messages.of_quote(verdict, is_whole_text=is_whole, coverage=coverage)
    return QuoteResponse(data=verdict, metadata=metadata, message=message)


async def get_stats(session: Session, document_id: uuid.UUID, *, term: str | None) -> DocumentStats:
    """Counts over the whole text. Raises DocumentNotFound."""
    facts = (await repository.list_facts(session, [document_id])).get(document_id)
    if facts is None:
        raise DocumentNotFound
    pages = await repository.list_whole_texts(session, [document_id])
    text = "\n".join(page.text for page in pages)
    counts = None
    if term is not None:
        starts = [page.char_start for page in pages]
        counts = await asyncio.to_thread(count_term, text, term, page_starts=starts)
    return DocumentStats(
        document_id=document_id,
        document=facts.filename,
        page_count=len(pages),
        word_count=await asyncio.to_thread(count_words, text),
        character_count=len(text),
        term=term,
        term_count=None if counts is None else counts.total(),
        term_pages=None
        if counts is None
        else [PageCount(page_number=pages[index].page_number, count=counts[index]) for index in sorted(counts)],
    )


async def _pages(session: Session, whole: Sequence[uuid.UUID], *, hits: Sequence[Hit]) -> list[PageOfText]:
    if whole:
        return await repository.list_whole_texts(session, whole)
    spans = [
        (hit.document_id, max(1, hit.page_number - _NEIGHBOURS), hit.last_page_number + _NEIGHBOURS) for hit in hits
    ]
    return await repository.list_texts_within(session, spans) if spans else []


def _judge(quote: str, pages: Sequence[PageOfText], hits: Sequence[Hit]) -> Finding:
    """On the pages as they are and in the passages, which go on past headers and footers; then what is like it."""
    stretches = _stretches(pages)
    places = [
        Place(stretch.document_id, stretch.char_start + start, stretch.char_start + end)
        for stretch in stretches
        for start, end in find_exact(stretch.text, quote)
    ]
    places += [place for place in _in_passages(quote, pages, hits) if not any(map(place.overlaps, places))]
    if places:
        return Finding("EXACT", tuple(_best_first(places, hits)[:MAX_PLACES]), similarity=1.0)
    near = [(found, stretch) for stretch in stretches if (found := find_near(stretch.text, quote))]
    if not near:
        return Finding("NOT_FOUND")
    best, stretch = max(near, key=lambda pair: pair[0].similarity)
    place = Place(stretch.document_id, stretch.char_start + best.start, stretch.char_start + best.end)
    return Finding("NEAR", (place,), similarity=best.similarity, differences=best.differences)


def _stretches(pages: Sequence[PageOfText]) -> list[_Stretch]:
    """Pages that follow each other, joined as the text stream joins them."""
    stretches: list[_Stretch] = []
    numbered = enumerate(pages)
    for (document_id, _), group in groupby(
        numbered, key=lambda item: (item[1].document_id, item[1].page_number - item[0])
    ):
        run = [page for _, page in group]
        stretches.append(_Stretch(document_id, run[0].char_start, "\n".join(page.text for page in run)))
    return stretches


def _in_passages(quote: str, pages: Sequence[PageOfText], hits: Sequence[Hit]) -> list[Place]:
    places: list[Place] = []
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
                places.append(
                    Place(hit.document_id, starts[first.page_number] + first.start, starts[last.page_number] + last.end)
                )
    return list(dict.fromkeys(places))


def _best_first(places: Sequence[Place], hits: Sequence[Hit]) -> list[Place]:
    """In the order of the search's documents, then as they stand."""
    order = {hit.document_id: number for number, hit in reversed(list(enumerate(hits)))}
    return sorted(places, key=lambda place: (order.get(place.document_id, len(order)), place.start))


async def _present(session: Session, place: Place) -> QuoteLocation:
    facts: dict[uuid.UUID, DocumentFacts] = await repository.list_facts(session, [place.document_id])
    highlights = await get_highlights(session, place.document_id, char_start=place.start, char_end=place.end)
    pages = [highlight.page for highlight in highlights.highlights]
    return QuoteLocation(
        document_id=place.document_id,
        document=facts[place.document_id].filename,
        title=facts[place.document_id].title,
        page_number=min(pages),
        last_page_number=max(pages),
        char_start=place.start,
        char_end=place.end,
        text=await _text(session, place),
        highlights=highlights.highlights,
        links=build_links(place.document_id, page=min(pages), char_start=place.start, char_end=place.end),
    )


async def _text(session: Session, place: Place) -> str:
    content = await get_content(
        session, place.document_id, char_start=place.start, max_characters=place.end - place.start
    )
    return content.text
