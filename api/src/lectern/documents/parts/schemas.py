"""Response bodies of chunks, pages, outlines, text, matches and copies."""

import uuid
from datetime import datetime
from typing import Literal

from pydantic import AliasChoices, Field

from lectern.documents.chunks import ChunkView
from lectern.documents.schemas import CollectionRef
from lectern.http.schemas import ResponseModel

PageKindName = Literal["text", "table", "toc", "ocr", "empty", "unreadable"]


class ChunkResponse(ChunkView):
    """A chunk of the document."""

    id: uuid.UUID


class PageEntry(ResponseModel):
    """A page without its text."""

    page_number: int
    kind: PageKindName
    char_start: int = Field(description="Offset of the page's text in the document's text.")
    char_count: int
    chunk_count: int
    language: str | None
    width_points: float
    height_points: float
    note: str | None


class OutlineHeading(ResponseModel):
    """A heading and its page."""

    title: str
    level: int
    page_number: int | None = None


class OutlineResponse(ResponseModel):
    """The outline in the file, or else the detected headings."""

    items: list[OutlineHeading]


class ContentResponse(ResponseModel):
    """A range of the document's text."""

    document_id: uuid.UUID
    char_start: int
    char_end: int
    char_count: int = Field(description="Characters of the whole text.")
    next_char_start: int | None = Field(description="`char_start` of the next request. Null at the end.")
    text: str


class RectangleResponse(ResponseModel):
    """A rectangle in fractions (0 to 1) of the displayed page, with the origin at the top left."""

    x: float
    y: float
    w: float
    h: float


class PageWord(RectangleResponse):
    """A word of a page: its characters in the page's text, and its rectangle."""

    start: int
    end: int
    line: int = Field(description="Number of its line, or of its cell in a table.")


class PageResponse(PageEntry):
    """A page with its text."""

    text: str
    words: list[PageWord] | None = Field(default=None, description="Null unless requested.")


class PageHighlight(ResponseModel):
    """The rectangles of a text range on one page. Empty if the format has no geometry."""

    # The second name is that of answers saved before it changed.
    page_number: int = Field(validation_alias=AliasChoices("page_number", "page"))
    rects: list[RectangleResponse]


class HighlightsResponse(ResponseModel):
    """The rectangles of a text range by page."""

    highlights: list[PageHighlight]


class TextMatch(ResponseModel):
    """A match of the words. Offsets are in the document's text."""

    page_number: int = Field(description="The page on which the match begins.")
    char_start: int
    char_end: int
    before: str = Field(description="Text before the match: at most 60 characters in whole words.")
    text: str = Field(description="The matching text as it is in the document.")
    after: str = Field(description="Text after the match: at most 60 characters in whole words.")
    highlights: list[PageHighlight]


class CopyResponse(ResponseModel):
    """A document with the same file or mostly the same chunks."""

    id: uuid.UUID
    filename: str
    title: str | None
    collection: CollectionRef
    created_at: datetime
    is_exact: bool = Field(description="True if the files are identical.")
    shared_chunk_count: int = Field(description="Distinct chunks that both documents have.")
    chunk_count: int = Field(description="Distinct chunks of the requested document.")


class CopiesResponse(ResponseModel):
    """Copies in the caller's scope: identical files first, then by the number of shared chunks."""

    items: list[CopyResponse]
