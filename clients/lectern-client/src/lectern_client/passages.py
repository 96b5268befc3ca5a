"""Arguments and passages of a search."""

from dataclasses import dataclass
from typing import Literal, TypedDict
from urllib.parse import urlencode

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from lectern_client.errors import InvalidSearch
from lectern_client.models import Hit, SearchRequest, SearchResponse, TagFilter

SearchMode = Literal["hybrid", "semantic"]


class SearchOptions(BaseModel):
    """The filters and the size of a search. Unknown names are refused: a misspelt filter would search everything."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    limit: int = Field(default=5, ge=1, le=20, description="Number of passages.")
    tags: list[str] | TagFilter = Field(default=[], description="Tag names. A list means any of them.")
    documents: list[str] = Field(default=[], description="Ids or filenames.")
    collections: list[str] = Field(default=[], description="Ids or names.")
    mode: SearchMode = Field(default="hybrid", description="Keyword and semantic search, or semantic search only.")


class Rectangle(TypedDict):
    """A rectangle in fractions of the displayed page, origin at the top left."""

    page: int
    x: float
    y: float
    w: float
    h: float


class Citation(TypedDict):
    """The place of a passage. It can be written as JSON."""

    document: str
    document_id: str
    chunk_id: str
    title: str | None
    collection: str
    tags: list[str]
    section: list[str]
    page: int
    last_page: int
    url: str
    """Opens the web UI at the highlight."""
    rectangles: list[Rectangle]
    """The part of the passage that matches the query."""
    score: float
    confidence: float | None
    """The probability that this search answers the query. None: unknown for the installation's model."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage of a document, with its place."""

    text: str
    citation: Citation


def build_request(query: str, options: SearchOptions) -> SearchRequest:
    """Return the body of the request. Raises InvalidSearch."""
    tags = {"any": options.tags} if isinstance(options.tags, list) else options.tags
    filters = {"documents": options.documents, "collections": options.collections, "tags": tags}
    wanted = {"query": query, "top_k": options.limit, "hybrid": options.mode == "hybrid", **filters}
    try:
        return SearchRequest.model_validate(wanted)
    except ValidationError as error:
        raise invalid_arguments(error) from None


def invalid_arguments(error: ValidationError) -> InvalidSearch:
    """Convert the first fault of some arguments."""
    fault = error.errors(include_url=False)[0]
    place = ".".join(map(str, fault["loc"]))
    return InvalidSearch(f"{place}: {fault['msg']}.", code="validation_error", hint="Correct the argument.")


def build_passages(response: SearchResponse, *, web_url: str) -> list[Passage]:
    """Return the passages of a response, best first."""
    confidence = response.metadata.confidence
    return [Passage(hit.text, _citation(hit, confidence=confidence, web_url=web_url)) for hit in response.data]


def _citation(hit: Hit, *, confidence: float | None, web_url: str) -> Citation:
    start, end = hit.snippet.char_start, hit.snippet.char_end
    place = {"page": hit.page_number} | ({"start": start, "end": end} if end > start else {})
    return Citation(
        document=hit.document,
        document_id=str(hit.document_id),
        chunk_id=str(hit.chunk_id),
        title=hit.title,
        collection=hit.collection,
        tags=hit.tags,
        section=hit.section_path,
        page=hit.page_number,
        last_page=hit.last_page_number,
        url=f"{web_url}/documents/{hit.document_id}?{urlencode(place)}",
        rectangles=[
            Rectangle(page=part.page_number, x=rect.x, y=rect.y, w=rect.w, h=rect.h)
            for part in hit.highlights
            for rect in part.rects
        ],
        score=hit.score,
        confidence=confidence,
    )
