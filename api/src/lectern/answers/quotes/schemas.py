"""Requests and responses of quote verification."""

import uuid
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from lectern.documents.chunks import DocumentLinks
from lectern.documents.parts.schemas import PageHighlight
from lectern.http.schemas import RequestModel, ResponseModel
from lectern.search.schemas import Coverage, Names, TagFilter, Tags

MAX_QUOTE_CHARACTERS = 4_000


class QuoteRequest(RequestModel):
    """A quotation and where to look for it."""

    quote: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_QUOTE_CHARACTERS)] = (
        Field(description="The quoted words.")
    )
    documents: Names = Field(default=[], description="Ids or filenames of documents to search.")
    tags: Tags = Field(default_factory=TagFilter, description="Names of tags. A plain list matches any of them.")
    collections: Names = Field(default=[], description="Ids or names of collections to search.")


class QuoteLocation(ResponseModel):
    """The quoted text in a document, or the text most similar to it."""

    document_id: uuid.UUID
    document: str = Field(description="The document's filename.")
    title: str | None
    page_number: int
    last_page_number: int
    char_start: int = Field(description="Offset in the document's text.")
    char_end: int
    text: str = Field(description="The document's exact text.")
    highlights: list[PageHighlight]
    links: DocumentLinks


class QuoteDifference(ResponseModel):
    """A difference between the quotation and the document.

    `missing`: the quotation omits these words. `added`: the document does not have them.
    """

    kind: Literal["replaced", "missing", "added"]
    quoted: str
    found: str


class QuoteVerdict(ResponseModel):
    """The result of a quote check."""

    verdict: Literal["EXACT", "NEAR", "NOT_FOUND"]
    similarity: float | None = Field(description="Share of equal words, 0..1; null for NOT_FOUND.")
    locations: list[QuoteLocation] = Field(description="At most 20; one for NEAR.")
    differences: list[QuoteDifference]


class QuoteMetadata(ResponseModel):
    """The text that the quotation was compared with."""

    documents_read: int = Field(description="Number of documents whose text was compared.")
    is_whole_text: bool = Field(
        description="True if the whole text of the named documents was compared, else only pages found by a search."
    )
    coverage: Coverage


class QuoteResponse(ResponseModel):
    """The verdict and what to do next."""

    data: QuoteVerdict
    metadata: QuoteMetadata
    message: str
