"""Request and response of `POST /search`."""

import re
import uuid
from typing import Annotated, Literal, cast

from pydantic import AwareDatetime, BeforeValidator, Field, StringConstraints
from pydantic_core import PydanticCustomError

from lectern.documents.chunks import ChunkView, DocumentLinks
from lectern.documents.parts.schemas import PageHighlight
from lectern.extraction.types import PageImageStatus
from lectern.http.schemas import RequestModel, ResponseModel, not_before

MAX_QUERY_CHARACTERS = 4_000
MAX_TOP_K = 20
MAX_CONTEXT = 5

QueryText = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_QUERY_CHARACTERS)]
_LANGUAGE = "^[A-Za-z]{2,3}$"


def _check_language(value: object) -> object:
    """Refuse a text that is no language code, with an example."""
    if isinstance(value, str) and not re.fullmatch(_LANGUAGE, value):
        raise PydanticCustomError("language_code", "Must be a language code such as en or it")
    return value


LanguageFilter = Annotated[str, StringConstraints(to_lower=True, pattern=_LANGUAGE), BeforeValidator(_check_language)]
FilterName = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500)]
Names = Annotated[list[FilterName], Field(max_length=100)]


class TagFilter(RequestModel):
    """Conditions on the tags of a document. All of them must hold."""

    any: Names = Field(default=[], description="At least one of these.")
    all: Names = Field(default=[], description="Every one of these.")
    none: Names = Field(default=[], description="None of these.")


def _plain_list_means_any(value: object) -> object:
    """Read `["a", "b"]` as `{"any": ["a", "b"]}`. Refuse other forms with the two that are right."""
    if isinstance(value, TagFilter):
        return value
    if isinstance(value, list):
        return {"any": cast("list[object]", value)}
    fields = cast("dict[str, object]", value) if isinstance(value, dict) else None
    if fields is None or not fields.keys() <= TagFilter.model_fields.keys():
        raise PydanticCustomError("tag_filter", "Must be a list of names, or an object with `any`, `all` or `none`")
    return fields


Tags = Annotated[TagFilter, BeforeValidator(_plain_list_means_any)]


class SearchRequest(RequestModel):
    """A query, its filters and the shape of the response."""

    query: QueryText = Field(description="A question or keywords, in any language.")
    top_k: int = Field(default=5, ge=1, le=MAX_TOP_K, description="Number of hits.")
    hybrid: bool = Field(default=True, description="True: keyword and semantic search. False: semantic search only.")
    tags: Tags = Field(default_factory=TagFilter, description="Tag names. A plain list means any of them.")
    documents: Names = Field(default=[], description="Search only these documents (ids or filenames).")
    collections: Names = Field(default=[], description="Search only these collections (ids or names).")
    created_after: AwareDatetime | None = Field(default=None, description="Documents uploaded at or after this.")
    created_before: Annotated[AwareDatetime, not_before("created_after")] | None = Field(
        default=None, description="Documents uploaded before this."
    )
    language: LanguageFilter | None = Field(default=None, description="Documents in this language only (ISO 639).")
    rerank: bool | None = Field(
        default=None,
        description="Rerank the best passages. Null: the installation's default.",
    )
    explain: bool = Field(default=False, description="Add the score calculation to each hit.")
    rectangles: bool = Field(default=True, description="Add the position of the snippet on its pages.")
    nearest_sentence: bool = Field(
        default=False,
        description="For hits with few words of the query, center the snippet on the sentence nearest in meaning."
        " Compares up to 60 sentences, about a second with a local model.",
    )
    context: int = Field(
        default=0, ge=0, le=MAX_CONTEXT, description="Add this many passages before and after each hit."
    )
    fold: bool = Field(
        default=False,
        description="Merge adjacent hits into the better one's `before` and `after`. Returns fewer hits.",
    )


class MatchRange(ResponseModel):
    """A matched word, as character offsets in the snippet's text."""

    start: int
    end: int


class SnippetView(ResponseModel):
    """The part of the passage that matches the query."""

    text: str
    matches: list[MatchRange]
    char_start: int = Field(description="Start in the document's text.")
    char_end: int


class SentenceView(ResponseModel):
    """The most relevant sentence (or table row) of a snippet."""

    start: int = Field(description="Character offset in the snippet's text.")
    end: int
    char_start: int = Field(description="Start in the document's text.")
    char_end: int
    basis: Literal["words", "meaning"] = Field(description="Chosen by its words of the query, or by meaning.")
    highlights: list[PageHighlight]


class ExplainedTerm(ResponseModel):
    """A term of the query. Only unrestricted principals see `idf` and `chunk_count`."""

    term: str
    is_matched: bool
    is_expansion: bool = Field(default=False, description="From a synonym in `metadata.expansions`, or a translation.")
    idf: float | None = None
    chunk_count: int | None = None


class ExplainedFeature(ResponseModel):
    """A feature that the ranker reads, and what it adds to the score of the hit."""

    name: str
    meaning: str
    value: float
    contribution: float


class Explanation(ResponseModel):
    """The calculation of a hit's score."""

    features: list[ExplainedFeature] = Field(
        description="What the ranker reads, the largest contribution first. Empty if reciprocal rank fusion ranked."
    )
    is_fitted: bool = Field(default=False, description="The ranker is fitted to this library (`lectern eval fit`).")
    share: float = Field(description="Share of the best hit's score, 0 to 1.")
    is_unmatched_language: bool = Field(description="The query has no words in the chunk's language.")
    similarity: float | None = Field(description="Cosine similarity of the query and the nearest window.")
    keyword_score: float | None = Field(default=None, description="BM25; for unrestricted principals.")
    rerank_rank: int | None = Field(default=None, description="Rank by the reranker.")
    rerank_score: float | None = Field(default=None, description="Score of the reranker; only the order counts.")
    terms: list[ExplainedTerm]


class Neighbour(ResponseModel):
    """A passage before or after a hit in its document."""

    chunk_id: uuid.UUID
    chunk_index: int
    page_number: int
    last_page_number: int
    section_heading: str | None
    token_count: int
    text: str


class CopyPlace(ResponseModel):
    """Passage of a copy: the same file in another collection or under another name."""

    chunk_id: uuid.UUID
    document_id: uuid.UUID
    document: str = Field(description="The copy's filename.")
    title: str | None
    collection: str
    page_number: int


class Hit(ChunkView):
    """A passage that matches the query."""

    chunk_id: uuid.UUID
    document_id: uuid.UUID
    document: str = Field(description="The document's filename.")
    title: str | None
    collection: str
    tags: list[str]
    snippet: SnippetView
    sentence: SentenceView | None = Field(description="Null if the snippet has no word of the query.")
    score: float = Field(
        description="Probability that this passage answers, 0..1. Without confidence: share of the best score."
    )
    semantic_rank: int | None = Field(description="Rank by meaning. Null: not among its candidates.")
    keyword_rank: int | None = Field(description="Rank by keyword. Null: not among its candidates.")
    highlights: list[PageHighlight]
    page_images: PageImageStatus = Field(description="Availability of page images, as in `/documents/{id}`.")
    before: list[Neighbour] = Field(default=[], description="With `context` or `fold`: the passages before it.")
    after: list[Neighbour] = Field(default=[], description="With `context` or `fold`: the passages after it.")
    also_in: list[CopyPlace] = Field(default=[], description="The same passage in copies of the document.")
    links: DocumentLinks
    explain: Explanation | None = None


class Coverage(ResponseModel):
    """The searched part of the documents in scope."""

    documents_in_scope: int
    documents_searched: int
    documents_processing: int
    documents_failed: int
    pages_unreadable: int
    share_embedded: float = Field(description="Share of passages with an embedding, 0..1.")


class Took(ResponseModel):
    """Milliseconds per step. Embedding runs during `filters` and `terms`; `embedding` is the wait after them."""

    embedding: float
    filters: float
    terms: float
    search: float
    rerank: float = 0.0
    sentences: float = 0.0
    snippets: float
    total: float


class Strategy(ResponseModel):
    """The method of each arm: `exact`, `index` or `off`."""

    semantic: Literal["exact", "index", "off"]
    keyword: Literal["exact", "index", "off"]
    is_degraded: bool = Field(description="A requested arm failed. `message` names it.")
    unmatched_languages: list[str] = Field(description="Languages in scope without words of the query.")
    is_replica: bool = Field(default=False, description="Searched on a replica with the current library version.")


class Reranking(ResponseModel):
    """Result of reranking: `skipped` for a language it does not read, `failed` if the order is unchanged."""

    state: Literal["applied", "skipped", "failed"]
    model: str
    chunks: int = Field(description="Number of passages that the model read.")
    reason: str | None


class QueryExpansion(ResponseModel):
    """A term of the query and the synonyms that were searched as well."""

    term: str
    synonyms: list[str]


class SearchMetadata(ResponseModel):
    """Facts about the whole search."""

    top_k: int
    hybrid: bool
    returned: int
    confidence: float | None = Field(
        description="Probability that a passage in the first 20 answers, 0..1; below 0.3 is low. Null: unknown."
    )
    coverage: Coverage
    strategy: Strategy
    expansions: list[QueryExpansion] = Field(default=[], description="Empty if the query has no term with synonyms.")
    reranking: Reranking | None = Field(default=None, description="Null: not reranked.")
    is_cached: bool = Field(
        default=False,
        description="Served from the result cache. False for callers limited to tags or documents, or with shares.",
    )
    took_ms: Took


class SearchResponse(ResponseModel):
    """Hits, best first, and what to do next."""

    data: list[Hit]
    metadata: SearchMetadata
    message: str

    def as_cached(self, *, milliseconds: float) -> "SearchResponse":
        """Return a copy that is marked as cached, with the time this request took."""
        took = Took(embedding=0, filters=0, terms=0, search=0, snippets=0, total=milliseconds)
        metadata = self.metadata.model_copy(update={"is_cached": True, "took_ms": took})
        return self.model_copy(update={"metadata": metadata})
