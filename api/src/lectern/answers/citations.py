"""Citations of chunks and page images, and the answer they belong to."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from lectern.answers import repository
from lectern.answers.schemas import AnswerSentence, Citation, CitedTable, Mode, Reason, TokenEvent, Usage, Vision
from lectern.answers.text_analysis import split_cells
from lectern.db.session import Session
from lectern.documents.chunks import build_links
from lectern.documents.parts.schemas import PageHighlight, RectangleResponse
from lectern.documents.parts.service import get_highlights, read_table_rows
from lectern.search.presentation.sentences import Span
from lectern.search.presentation.snippets import PageSpan, PageText, locate
from lectern.search.schemas import Hit

_MIN_COLUMNS: Final = 2
_WHOLE_PAGE: Final = RectangleResponse(x=0.0, y=0.0, w=1.0, h=1.0)


@dataclass(frozen=True, slots=True)
class CitedSpan:
    """Characters of a chunk that support a sentence, and the header of a table row."""

    hit: Hit
    span: Span
    header: Span | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PromptImage:
    """A page image for the chat endpoint, with the retrieved chunks of the page and the offsets of its text."""

    document_id: uuid.UUID
    document: str
    title: str | None
    page_number: int
    char_start: int
    char_end: int
    hits: tuple[Hit, ...]
    jpeg: bytes


CitationSource: TypeAlias = CitedSpan | PromptImage


@dataclass(slots=True, kw_only=True)
class AnswerDraft:
    """An answer in progress. `sources` are those of `citations`, in the same order."""

    mode: Mode
    sentences: list[AnswerSentence] = field(default_factory=list[AnswerSentence])
    citations: list[Citation] = field(default_factory=list[Citation])
    sources: list[CitationSource] = field(default_factory=list[CitationSource])
    reason: Reason | None = None
    evidence: float | None = None
    confidence: float | None = None
    """Probability that the documents answer, by the search and the best sentence. None: only the search knows."""
    missing: list[str] = field(default_factory=list[str])
    rivals: list[str] = field(default_factory=list[str])
    unread: list[str] = field(default_factory=list[str])
    """Documents without text, in which nothing could be counted."""
    model: str | None = None
    structured: Literal["json_schema", "json_object"] | None = None
    dropped_sentences: int = 0
    dropped_labels: int = 0
    usage: Usage | None = None
    vision: Vision | None = None
    closest: dict[uuid.UUID, Span] = field(default_factory=dict[uuid.UUID, Span])
    """The best sentence of each chunk that was scored."""

    def events(self) -> list[Citation | TokenEvent]:
        """Return each sentence after the citations that it names for the first time."""
        by_number = {citation.number: citation for citation in self.citations}
        events: list[Citation | TokenEvent] = []
        for sentence in self.sentences:
            events += [by_number.pop(number) for number in sentence.citations if number in by_number]
            events.append(TokenEvent(text=sentence.text, citations=sentence.citations))
        return events


async def cite(session: Session, sources: Sequence[CitationSource], *, first_number: int = 1) -> list[Citation]:
    """Return a numbered citation for each source. A page image is cited as a whole page."""
    return [
        _image_citation(source, number)
        if isinstance(source, PromptImage)
        else await _text_citation(session, source, number)
        for number, source in enumerate(sources, start=first_number)
    ]


def _image_citation(image: PromptImage, number: int) -> Citation:
    hit = image.hits[0] if image.hits else None
    return Citation.from_row(
        image,
        number=number,
        chunk_id=hit and hit.chunk_id,
        last_page_number=image.page_number,
        section_heading=hit and hit.section_heading,
        content_type=hit.content_type if hit else "text",
        snippet="",
        table=None,
        highlights=[PageHighlight(page_number=image.page_number, rects=[_WHOLE_PAGE])],
        score=hit.score if hit else 0.0,
        links=build_links(
            image.document_id, page=image.page_number, char_start=image.char_start, char_end=image.char_end
        ),
        basis="image",
    )


async def _text_citation(session: Session, source: CitedSpan, number: int) -> Citation:
    hit, span = source.hit, source.span
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
    return Citation.from_row(
        hit,
        number=number,
        page_number=page,
        last_page_number=last_page,
        snippet=hit.text[span.start : span.end],
        char_start=first,
        char_end=last,
        highlights=await _highlights(session, hit, ranges, starts),
        table=await _cited_table(session, source, ranges, texts),
        links=build_links(hit.document_id, page=page, char_start=first, char_end=last),
        basis="text",
    )


async def _highlights(
    session: Session, hit: Hit, ranges: Sequence[PageSpan], starts: dict[int, int]
) -> list[PageHighlight]:
    """Return the rectangles of each range separately, to leave out a page header between two of them."""
    by_page: dict[int, PageHighlight] = {}
    for part in ranges:
        start = starts[part.page_number]
        found = await get_highlights(session, hit.document_id, char_start=start + part.start, char_end=start + part.end)
        for highlight in found.highlights:
            known = by_page.get(highlight.page_number)
            rects = [*(known.rects if known else []), *highlight.rects]
            by_page[highlight.page_number] = PageHighlight(page_number=highlight.page_number, rects=rects)
    return [by_page[page] for page in sorted(by_page)]


async def _cited_table(
    session: Session, source: CitedSpan, ranges: Sequence[PageSpan], pages: Sequence[PageText]
) -> CitedTable | None:
    """Return the rows of a span below their header. None if it is not made of whole rows."""
    hit, span, header = source.hit, source.span, source.header
    if any(line.startswith("|") for line in hit.text[span.start : span.end].split("\n")):
        return _read_markdown(hit.text, [header, span] if header else [span])
    if not ranges or any(part.page_number != ranges[0].page_number for part in ranges):
        return None
    page = next(page for page in pages if page.page_number == ranges[0].page_number)
    start, end = ranges[0].start, ranges[-1].end
    table = await read_table_rows(
        session, hit.document_id, page_number=page.page_number, text=page.text, start=start, end=end
    )
    is_whole = table is not None and start <= table.start and table.end <= end
    return CitedTable(header=table.header, rows=table.rows) if table and is_whole else None


def _read_markdown(text: str, parts: Sequence[Span]) -> CitedTable | None:
    """Split rows at their bars. None unless all have the same number of cells."""
    lines = [line.strip() for part in parts for line in text[part.start : part.end].split("\n")]
    every = [split_cells(line) for line in lines if line.startswith("|")]
    rows = [cells for cells in every if not all(set(cell) <= set("-: ") for cell in cells)]
    widths = {len(row) for row in rows}
    if len(rows) <= 1 or len(widths) > 1 or min(widths) < _MIN_COLUMNS:
        return None
    return CitedTable(header=rows[0], rows=rows[1:])
