"""Citations: places in documents, found again from the passages that were retrieved."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from lectern.answers import repository
from lectern.answers.asking.schemas import Citation
from lectern.answers.asking.sentences import Span
from lectern.db.session import Session
from lectern.documents.parts.schemas import PageHighlight
from lectern.documents.parts.service import get_highlights
from lectern.search.schemas import Hit, HitLinks
from lectern.search.snippets import PageRange, PageText, locate

_API: Final = "/api/v1"


@dataclass(frozen=True, slots=True)
class Cited:
    """Characters of a passage that support a sentence."""

    hit: Hit
    span: Span


async def cite(session: Session, cited: Sequence[Cited], *, first_number: int = 1) -> list[Citation]:
    """A citation for each place, numbered in this order."""
    return [await _citation(session, place, number) for number, place in enumerate(cited, start=first_number)]


async def _citation(session: Session, place: Cited, number: int) -> Citation:
    hit, span = place.hit, place.span
    pages = await repository.list_texts_within(session, [(hit.document_id, hit.page_number, hit.last_page_number)])
    texts = [PageText(page.page_number, page.char_start, page.text) for page in pages]
    ranges = locate(hit.text, span.start, span.end, char_start=hit.char_start, pages=texts)
    starts = {page.page_number: page.char_start for page in pages}
    first, last, page = hit.char_start + span.start, min(hit.char_start + span.end, hit.char_end), hit.page_number
    last_page = hit.last_page_number
    if ranges:
        first = starts[ranges[0].page_number] + ranges[0].start
        last = starts[ranges[-1].page_number] + ranges[-1].end
        page, last_page = ranges[0].page_number, ranges[-1].page_number
    document = f"{_API}/documents/{hit.document_id}"
    return Citation(
        number=number,
        chunk_id=hit.chunk_id,
        document_id=hit.document_id,
        document=hit.document,
        title=hit.title,
        page_number=page,
        last_page_number=last_page,
        section_heading=hit.section_heading,
        content_type=hit.content_type,
        snippet=hit.text[span.start : span.end],
        char_start=first,
        char_end=last,
        highlights=await _highlights(session, hit, ranges, starts),
        score=hit.score,
        links=HitLinks(
            document=document,
            page=f"{document}/pages/{page}",
            rectangles=f"{document}/rectangles?char_start={first}&char_end={last}",
            original=f"{document}/original#page={page}",
        ),
    )


async def _highlights(
    session: Session, hit: Hit, ranges: Sequence[PageRange], starts: dict[int, int]
) -> list[PageHighlight]:
    """Of each stretch by itself, so that a header between two lines of a passage is left out."""
    by_page: dict[int, PageHighlight] = {}
    for part in ranges:
        start = starts[part.page_number]
        found = await get_highlights(session, hit.document_id, char_start=start + part.start, char_end=start + part.end)
        for highlight in found.highlights:
            known = by_page.get(highlight.page)
            rects = [*(known.rects if known else []), *highlight.rects]
            by_page[highlight.page] = PageHighlight(page=highlight.page, rects=rects)
    return [by_page[page] for page in sorted(by_page)]
