"""Parts of a document as clients see them."""

import uuid
from typing import Literal

from pydantic import Field

from lectern.documents.chunks import ChunkView
from lectern.http.schemas import ResponseModel

PageKindName = Literal["text", "table", "toc", "ocr", "empty", "unreadable"]


class ChunkResponse(ChunkView):
    """A chunk of the document."""

    id: uuid.UUID


class PageEntry(ResponseModel):
    """A line of the page ledger: what a page is and what became of it."""

    page_number: int
    kind: PageKindName
    char_start: int = Field(description="Where its text begins in the document's text.")
    char_count: int
    chunk_count: int
    language: str | None
    width_points: float
    height_points: float
    note: str | None


class PageResponse(PageEntry):
    """A page with its text."""

    text: str


class OutlineEntry(ResponseModel):
    """A heading and where it stands."""

    title: str
    level: int
    page_number: int | None = None


class OutlineResponse(ResponseModel):
    """The outline of a document: its own, else the headings that were found."""

    items: list[OutlineEntry]


class ContentResponse(ResponseModel):
    """A stretch of the document's text."""

    document_id: uuid.UUID
    char_start: int
    char_end: int
    char_count: int = Field(description="Characters of the whole text.")
    next_char_start: int | None = Field(description="Where to go on; null at the end.")
    text: str


class RectangleResponse(ResponseModel):
    """0..1 of the page as displayed, origin top-left."""

    x: float
    y: float
    w: float
    h: float


class PageHighlight(ResponseModel):
    """The rectangles of a passage on one page; empty where the format has no geometry."""

    page: int
    rects: list[RectangleResponse]


class HighlightsResponse(ResponseModel):
    """Where a passage is to be seen."""

    highlights: list[PageHighlight]


class FoundWords(ResponseModel):
    """A place where the words stand. Offsets are in the document's text."""

    page_number: int = Field(description="Where it begins.")
    char_start: int
    char_end: int
    before: str = Field(description="The text up to it, at most 60 characters of whole words.")
    text: str = Field(description="The words as they are written there.")
    after: str = Field(description="The text after it, at most 60 characters of whole words.")
    highlights: list[PageHighlight]
