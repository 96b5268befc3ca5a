"""Request and response of `POST /search`."""

import uuid
from typing import Annotated, Literal, cast

from pydantic import AwareDatetime, BeforeValidator, Field, StringConstraints

from lectern.documents.chunks import ChunkView, DocumentLinks
from lectern.extraction.types import PageImageStatus
from lectern.http.schemas import RequestModel, ResponseModel

MAX_QUERY_CHARACTERS = 4_000
MAX_TOP_K = 20
MAX_CONTEXT = 5

FilterName = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500)]
Names = Annotated[list[FilterName], Field(max_length=100)]


class TagFilter(RequestModel):
    """Which tags a document must carry. All that are given must hold."""

    any: Names = Field(default=[], description="At least one of these.")
    all: Names = Field(default=[], description="Every one of these.")
    none: Names = Field(default=[], description="None of these.")


def plain_list_means_any(value: object) -> object:
    """`["a", "b"]` for `{"any": ["a", "b"]}`."""
    return {"any": cast("list[object]", value)} if isinstance(value, list) else value


class SearchRequest(RequestModel):
    """A question and where to look for its answer."""

    query: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_QUERY_CHARACTERS)] = (
        Field(description="A question or key words, in any language.")
    )
    top_k: int = Field(default=5, ge=1, le=MAX_TOP_K, description="Hits wanted.")
    hybrid: bool = Field(default=True, description="Keywords and meaning together; false: meaning only.")
    tags: Annotated[TagFilter, BeforeValidator(plain_list_means_any)] = Field(
        default_factory=TagFilter, description="Names of tags; a plain list means any of them."
    )
    documents: Names = Field(default=[], description="Ids or filenames of documents to stay within.")
    collections: Names = Field(default=[], description="Ids or names of collections to stay within.")
    created_after: AwareDatetime | None = Field(default=None, description="Documents uploaded at or after this.")
    created_before: AwareDatetime | None = Field(default=None, description="Documents uploaded before this.")
    language: Annotated[str, StringConstraints(to_lower=True, pattern="^[A-Za-z]{2,3}$")] | None = Field(
        default=None, description="Documents in this language only (ISO 639)."
    )
    rerank: bool | None = Field(
        default=None,
        description="Whether the installation's reranker orders the best passages anew; null: as it is set up.",
    )
    explain: bool = Field(default=False, description="Add the arithmetic to each hit.")
    rectangles: bool = Field(default=True, description="Add where the snippet stands on its pages.")
    nearest_sentence: bool = Field(
        default=False,
        description="Where a hit hardly has the query's words (it is in another language), cut its snippet around the"
        " sentence nearest in meaning. Up to 60 are compared, for which a local model needs about a second.",
    )
    context: int = Field(
        default=0, ge=0, le=MAX_CONTEXT, description="Add this many passages before and after each hit."
    )
    fold: bool = Field(
        default=False,
        description="Put hits that stand next to a better one into its `before` and `after`; fewer hits may come back.",
    )


class Match(ResponseModel):
    """A matched word: character offsets in the snippet's text."""

    start: int
    end: int


class SnippetView(ResponseModel):
    """The part of the passage that shows why it was found."""

    text: str
    matches: list[Match]
    char_start: int = Field(description="Where it begins in the document's text stream.")
    char_end: int


class HighlightRect(ResponseModel):
    """0..1 of the page as displayed, origin top-left."""

    x: float
    y: float
    w: float
    h: float


class Highlight(ResponseModel):
    """The snippet's place on one page."""

    page: int
    rects: list[HighlightRect]


class SentenceView(ResponseModel):
    """The sentence of a snippet (the row of a table) that matters most."""

    start: int = Field(description="Character offset in the snippet's text.")
    end: int
    basis: Literal["words", "meaning"] = Field(
        description="It holds most of the query's words, by their weight; or it is the nearest in meaning."
    )
    highlights: list[Highlight]


class ExplainedTerm(ResponseModel):
    """A term of the query; figures about the library are shown only to those who may see all of it."""

    term: str
    is_matched: bool
    is_expansion: bool = Field(default=False, description="Not the query's own: from `metadata.expansions`.")
    idf: float | None = None
    chunk_count: int | None = None


class Explanation(ResponseModel):
    """How a hit came to its score."""

    formula: str
    semantic_share: float = Field(
        description="More than 0 where the rank is null, too: what that ranking does not list counts as far behind."
    )
    keyword_share: float
    title_share: float = Field(description="More than 0 where the document's name has words and figures of the query.")
    identifier_share: float = Field(
        description="More than 0 where the passage has a rare mark of the query (`SKU-0042`), or is of its section."
    )
    page_reference_share: float = Field(description="More than 0 where the query names the page, within few documents.")
    page_share: float = Field(description="1; 0.9 where a better passage of the same page was found.")
    fused_score: float
    is_keyword_first: bool = Field(description="First by keyword and raised to fifth place.")
    is_unmatched_language: bool = Field(
        description="The keyword arm does not know the query's language here; meaning spoke for it."
    )
    similarity: float | None = Field(description="Cosine of query and nearest window.")
    keyword_score: float | None = Field(default=None, description="BM25; for unrestricted principals.")
    rerank_rank: int | None = Field(default=None, description="Its place with the reranker, of those that it read.")
    rerank_score: float | None = Field(default=None, description="The reranker's own number; only its order counts.")
    terms: list[ExplainedTerm]


class Neighbour(ResponseModel):
    """A passage that stands before or after a hit in its document."""

    chunk_id: uuid.UUID
    chunk_index: int
    page_number: int
    last_page_number: int
    section_heading: str | None
    token_count: int
    text: str


class Hit(ChunkView):
    """A chunk that matches the query."""

    chunk_id: uuid.UUID
    document_id: uuid.UUID
    document: str = Field(description="The document's filename.")
    title: str | None
    collection: str
    tags: list[str]
    snippet: SnippetView
    sentence: SentenceView | None = Field(description="Null: no word of the query is in the snippet.")
    score: float = Field(
        description="0..1: the first has the confidence (1 where that is unknown), the others in proportion."
    )
    semantic_rank: int | None = Field(description="Place by meaning; null: not among those taken from that ranking.")
    keyword_rank: int | None = Field(description="Place by keyword; null as above.")
    highlights: list[Highlight]
    page_images: PageImageStatus = Field(
        description="Whether pages of its document can be drawn, as `/documents/{id}` tells."
    )
    before: list[Neighbour] = Field(default=[], description="With `context` or `fold`: passages before it, in order.")
    after: list[Neighbour] = Field(default=[], description="With `context` or `fold`: passages after it, in order.")
    links: DocumentLinks
    explain: Explanation | None = None


class Coverage(ResponseModel):
    """What was searched, and what was not."""

    documents_in_scope: int
    documents_searched: int
    documents_processing: int
    documents_failed: int
    pages_unreadable: int
    share_embedded: float = Field(description="Share of the passages that can be found by meaning, 0..1.")


class Took(ResponseModel):
    """Milliseconds for each step. `embedding` is what was waited for it after `filters` and `terms`, made meanwhile."""

    embedding: float
    filters: float
    terms: float
    search: float
    rerank: float = 0.0
    sentences: float = 0.0
    snippets: float
    total: float


class Strategy(ResponseModel):
    """How each arm was run: `exact`, `index` or `off`."""

    semantic: Literal["exact", "index", "off"]
    keyword: Literal["exact", "index", "off"]
    is_degraded: bool = Field(description="An arm that was asked for did not answer; `message` says which.")
    unmatched_languages: list[str] = Field(
        description="Languages in which the keyword arm does not know the query's words."
    )
    is_replica: bool = Field(
        default=False, description="Searched on a replica of the database, which had the library of that moment."
    )


class Reranking(ResponseModel):
    """What the second model did: `skipped` where it does not read the language, `failed` where the fusion stands."""

    state: Literal["applied", "skipped", "failed"]
    model: str
    chunks: int = Field(description="How many it was given.")
    reason: str | None


class QueryExpansion(ResponseModel):
    """A term of the query and the synonyms that were searched as well.

    `@e-mail`, `@web` and `@tel` stand for any address or number of that kind.
    """

    term: str
    synonyms: list[str]


class SearchMetadata(ResponseModel):
    """About the search as a whole."""

    top_k: int
    hybrid: bool
    returned: int
    confidence: float | None = Field(
        description="How well the best passage fits, 0..1; below 0.3 is low. Null: cannot be told for this model."
    )
    coverage: Coverage
    strategy: Strategy
    expansions: list[QueryExpansion] = Field(default=[], description="Empty if the query has no term with synonyms.")
    reranking: Reranking | None = Field(default=None, description="Null: the search did not go through a reranker.")
    is_cached: bool = Field(
        default=False,
        description="The same was asked shortly before, and nothing that a search reads has changed since: this is what"
        " was found then.",
    )
    took_ms: Took


class SearchResponse(ResponseModel):
    """Hits, best first, and what to do next."""

    data: list[Hit]
    metadata: SearchMetadata
    message: str
