"""Citations: places in documents, found again from the passages that were retrieved."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from lectern.answers import repository
from lectern.answers.generation.prompt import PagePicture
from lectern.answers.schemas import Citation
from lectern.db.session import Session
from lectern.documents.chunks import build_links
from lectern.documents.parts.schemas import PageHighlight, RectangleResponse
from lectern.documents.parts.service import get_highlights
from lectern.search.presentation.sentences import Span
from lectern.search.presentation.snippets import PageRange, PageText, locate
from lectern.search.schemas import Hit

_WHOLE_PAGE: Final = RectangleResponse(x=0.0, y=0.0, w=1.0, h=1.0)


@dataclass(frozen=True, slots=True)
class Cited:
    """Characters of a passage that support a sentence."""

    hit: Hit
    span: Span


Place: TypeAlias = Cited | PagePicture


async def cite(session: Session, places: Sequence[Place], *, first_number: int = 1) -> list[Citation]:
    """A citation for each place, numbered in this order; of a page seen as a picture, the whole of it."""
    return [
        _page_citation(place, number) if isinstance(place, PagePicture) else await _citation(session, place, number)
        for number, place in enumerate(places, start=first_number)
    ]


def _page_citation(page: PagePicture, number: int) -> Citation:
    hit = page.hits[0] if page.hits else None
    return Citation(
        number=number,
        chunk_id=hit and hit.chunk_id,
        document_id=page.document_id,
        document=page.document,
        title=page.title,
        page_number=page.page_number,
        last_page_number=page.page_number,
        section_heading=hit and hit.section_heading,
        content_type=hit.content_type if hit else "text",
        snippet="",
        char_start=page.char_start,
        char_end=page.char_end,
        highlights=[PageHighlight(page=page.page_number, rects=[_WHOLE_PAGE])],
        score=hit.score if hit else 0.0,
        links=build_links(page.document_id, page=page.page_number, char_start=page.char_start, char_end=page.char_end),
        basis="picture",
    )


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
        links=build_links(hit.document_id, page=page, char_start=first, char_end=last),
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
