"""A chunk as responses show it, and the links that lead on from it."""

import uuid
from typing import Final, Literal, TypeAlias

from pydantic import Field

from lectern.http.schemas import ResponseModel

API_PREFIX: Final = "/api/v1"

ContentType: TypeAlias = Literal["text", "table", "list", "heading"]


class ChunkView(ResponseModel):
    """A chunk of a document. Offsets are in the document's text."""

    chunk_index: int
    section_heading: str | None
    section_path: list[str] = Field(description="The headings above it, the outermost first.")
    page_number: int
    last_page_number: int
    char_start: int
    char_end: int
    token_count: int
    content_type: ContentType
    importance: float
    language: str = Field(description="Empty if it is none of the configured ones.")
    text: str


class DocumentLinks(ResponseModel):
    """API paths of a document and of a place in it."""

    document: str
    page: str
    rectangles: str
    original: str


def build_links(document_id: uuid.UUID, *, page: int, char_start: int, char_end: int) -> DocumentLinks:
    """Build the links to a range of a document's text. An empty range links to its page."""
    document = f"{API_PREFIX}/documents/{document_id}"
    page_link = f"{document}/pages/{page}"
    rectangles = f"{document}/rectangles?char_start={char_start}&char_end={char_end}"
    return DocumentLinks(
        document=document,
        page=page_link,
        rectangles=rectangles if char_end > char_start else page_link,
        original=f"{document}/original#page={page}",
    )
