"""Requests and responses of quotations and counts."""

import uuid
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, StringConstraints

from lectern.documents.chunks import DocumentLinks
from lectern.documents.parts.schemas import PageHighlight
from lectern.http.schemas import RequestModel, ResponseModel
from lectern.search.schemas import Coverage, Names, TagFilter, plain_list_means_any

MAX_QUOTE_CHARACTERS = 4_000


class QuoteRequest(RequestModel):
    """A quotation and where to look for it."""

    quote: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_QUOTE_CHARACTERS)] = (
        Field(description="The words as they were quoted.")
    )
    documents: Names = Field(default=[], description="Ids or filenames of documents to stay within.")
    tags: Annotated[TagFilter, BeforeValidator(plain_list_means_any)] = Field(
        default_factory=TagFilter, description="Names of tags; a plain list means any of them."
    )
    collections: Names = Field(default=[], description="Ids or names of collections to stay within.")


class QuoteLocation(ResponseModel):
    """Where the quotation stands, or what is most like it."""

    document_id: uuid.UUID
    document: str = Field(description="The document's filename.")
    title: str | None
    page_number: int
    last_page_number: int
    char_start: int = Field(description="In the document's text stream.")
    char_end: int
    text: str = Field(description="The document's own words.")
    highlights: list[PageHighlight]
    links: DocumentLinks


class QuoteDifference(ResponseModel):
    """Words of the quotation and those of the document in their place.

    `missing`: the quotation leaves them out; `added`: the document does not have them.
    """

    kind: Literal["replaced", "missing", "added"]
    quoted: str
    found: str


class QuoteVerdict(ResponseModel):
    """What the documents say to the quotation."""

    verdict: Literal["EXACT", "NEAR", "NOT_FOUND"]
    similarity: float | None = Field(description="Share of words that are the same, 0..1; null for NOT_FOUND.")
    locations: list[QuoteLocation] = Field(description="At most 20; one for NEAR.")
    differences: list[QuoteDifference]


class QuoteMetadata(ResponseModel):
    """What was looked through."""

    documents_read: int = Field(description="Documents whose text was compared.")
    is_whole_text: bool = Field(
        description="The whole text of the documents named was compared; else the pages that a search for it found."
    )
    coverage: Coverage


class QuoteResponse(ResponseModel):
    """The verdict, and what to do next."""

    data: QuoteVerdict
    metadata: QuoteMetadata
    message: str


class PageCount(ResponseModel):
    """How often the term stands on a page."""

    page_number: int
    count: int


class DocumentStats(ResponseModel):
    """Counts over the full text of a document."""

    document_id: uuid.UUID
    document: str = Field(description="The document's filename.")
    page_count: int
    word_count: int
    character_count: int
    term: str | None
    term_count: int | None = Field(description="Whole words; case, accents and line breaks do not matter.")
    term_pages: list[PageCount] | None
