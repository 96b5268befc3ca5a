# Generated from api/openapi.json by mcp/generate_api_models.py; do not edit.

from __future__ import annotations

from typing import Annotated, Literal
from uuid import UUID

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, RootModel


class CopyPlace(BaseModel):
    chunk_id: UUID
    collection: str
    document: str
    document_id: UUID
    page_number: int
    title: str | None


class Coverage(BaseModel):
    documents_failed: int
    documents_in_scope: int
    documents_processing: int
    documents_searched: int
    pages_unreadable: int
    share_embedded: float


class DocumentLinks(BaseModel):
    document: str
    original: str
    page: str
    rectangles: str


class ExplainedFeature(BaseModel):
    contribution: float
    meaning: str
    name: str
    value: float


class ExplainedTerm(BaseModel):
    chunk_count: int | None = None
    idf: float | None = None
    is_expansion: bool = False
    is_matched: bool
    term: str


class Explanation(BaseModel):
    features: list[ExplainedFeature]
    is_fitted: bool = False
    is_unmatched_language: bool
    keyword_score: float | None = None
    rerank_rank: int | None = None
    rerank_score: float | None = None
    share: float
    similarity: float | None
    terms: list[ExplainedTerm]


class HighlightRect(BaseModel):
    h: float
    w: float
    x: float
    y: float


class MatchRange(BaseModel):
    end: int
    start: int


class Neighbour(BaseModel):
    chunk_id: UUID
    chunk_index: int
    last_page_number: int
    page_number: int
    section_heading: str | None
    text: str
    token_count: int


class PrincipalResponse(BaseModel):
    can_write: bool
    collection_ids: list[UUID] | None
    document_ids: list[UUID] | None
    has_password: bool | None = None
    id: UUID
    kind: Literal['user', 'key']
    name: str
    role: Literal['admin', 'editor', 'reader'] | None
    tag_ids: list[UUID] | None
    toolsets: list[str]
    web_url: str | None = None


class QueryExpansion(BaseModel):
    synonyms: list[str]
    term: str


class Reranking(BaseModel):
    chunks: int
    model: str
    reason: str | None
    state: Literal['applied', 'skipped', 'failed']


class Collection(RootModel[str]):
    root: Annotated[str, Field(max_length=500, min_length=1)]


class Document(RootModel[str]):
    root: Annotated[str, Field(max_length=500, min_length=1)]


class Language(RootModel[str]):
    root: Annotated[
        str,
        Field(
            description='Documents in this language only (ISO 639).',
            pattern='^[A-Za-z]{2,3}$',
            title='Language',
        ),
    ]


class SnippetView(BaseModel):
    char_end: int
    char_start: int
    matches: list[MatchRange]
    text: str


class Strategy(BaseModel):
    is_degraded: bool
    is_replica: bool = False
    keyword: Literal['exact', 'index', 'off']
    semantic: Literal['exact', 'index', 'off']
    unmatched_languages: list[str]


class AllItem(RootModel[str]):
    root: Annotated[str, Field(max_length=500, min_length=1)]


class AnyItem(RootModel[str]):
    root: Annotated[str, Field(max_length=500, min_length=1)]


class None1Item(RootModel[str]):
    root: Annotated[str, Field(max_length=500, min_length=1)]


class TagFilter(BaseModel):
    """Conditions on the tags of a document. All of them must hold."""

    model_config = ConfigDict(
        extra='forbid',
    )
    all: Annotated[
        list[AllItem],
        Field(
            description='Every one of these.',
            max_length=100,
            title='All',
            validate_default=True,
        ),
    ] = []
    any: Annotated[
        list[AnyItem],
        Field(
            description='At least one of these.',
            max_length=100,
            title='Any',
            validate_default=True,
        ),
    ] = []
    none: Annotated[
        list[None1Item],
        Field(
            description='None of these.',
            max_length=100,
            title='None',
            validate_default=True,
        ),
    ] = []


class Took(BaseModel):
    embedding: float
    filters: float
    rerank: float = 0.0
    search: float
    sentences: float = 0.0
    snippets: float
    terms: float
    total: float


class Highlight(BaseModel):
    page: int
    rects: list[HighlightRect]


class SearchMetadata(BaseModel):
    confidence: float | None
    coverage: Coverage
    expansions: Annotated[list[QueryExpansion], Field(validate_default=True)] = []
    hybrid: bool
    is_cached: bool = False
    reranking: Reranking | None = None
    returned: int
    strategy: Strategy
    took_ms: Took
    top_k: int


class SearchRequest(BaseModel):
    """A query, its filters and the shape of the response."""

    model_config = ConfigDict(
        extra='forbid',
    )
    collections: Annotated[
        list[Collection],
        Field(
            description='Search only these collections (ids or names).',
            max_length=100,
            title='Collections',
            validate_default=True,
        ),
    ] = []
    context: Annotated[
        int,
        Field(
            description='Add this many passages before and after each hit.',
            ge=0,
            le=5,
            title='Context',
        ),
    ] = 0
    created_after: Annotated[
        AwareDatetime | None,
        Field(
            description='Documents uploaded at or after this.', title='Created After'
        ),
    ] = None
    created_before: Annotated[
        AwareDatetime | None,
        Field(description='Documents uploaded before this.', title='Created Before'),
    ] = None
    documents: Annotated[
        list[Document],
        Field(
            description='Search only these documents (ids or filenames).',
            max_length=100,
            title='Documents',
            validate_default=True,
        ),
    ] = []
    explain: Annotated[
        bool,
        Field(description='Add the score calculation to each hit.', title='Explain'),
    ] = False
    fold: Annotated[
        bool,
        Field(
            description="Merge adjacent hits into the better one's `before` and `after`. Returns fewer hits.",
            title='Fold',
        ),
    ] = False
    hybrid: Annotated[
        bool,
        Field(
            description='True: keyword and semantic search. False: semantic search only.',
            title='Hybrid',
        ),
    ] = True
    language: Annotated[
        Language | None,
        Field(
            description='Documents in this language only (ISO 639).', title='Language'
        ),
    ] = None
    nearest_sentence: Annotated[
        bool,
        Field(
            description='For hits with few words of the query, center the snippet on the sentence nearest in meaning. Compares up to 60 sentences, about a second with a local model.',
            title='Nearest Sentence',
        ),
    ] = False
    query: Annotated[
        str,
        Field(
            description='A question or keywords, in any language.',
            max_length=4000,
            min_length=1,
            title='Query',
        ),
    ]
    rectangles: Annotated[
        bool,
        Field(
            description='Add the position of the snippet on its pages.',
            title='Rectangles',
        ),
    ] = True
    rerank: Annotated[
        bool | None,
        Field(
            description="Rerank the best passages. Null: the installation's default.",
            title='Rerank',
        ),
    ] = None
    tags: Annotated[
        TagFilter | None,
        Field(description='Tag names. A plain list means any of them.'),
    ] = None
    top_k: Annotated[
        int, Field(description='Number of hits.', ge=1, le=20, title='Top K')
    ] = 5


class SentenceView(BaseModel):
    basis: Literal['words', 'meaning']
    char_end: int
    char_start: int
    end: int
    highlights: list[Highlight]
    start: int


class Hit(BaseModel):
    after: Annotated[list[Neighbour], Field(validate_default=True)] = []
    also_in: Annotated[list[CopyPlace], Field(validate_default=True)] = []
    before: Annotated[list[Neighbour], Field(validate_default=True)] = []
    char_end: int
    char_start: int
    chunk_id: UUID
    chunk_index: int
    collection: str
    content_type: Literal['text', 'table', 'list', 'heading']
    document: str
    document_id: UUID
    explain: Explanation | None = None
    highlights: list[Highlight]
    importance: float
    keyword_rank: int | None
    language: str
    last_page_number: int
    links: DocumentLinks
    page_images: Literal['available', 'locked', 'none']
    page_number: int
    score: float
    section_heading: str | None
    section_path: list[str]
    semantic_rank: int | None
    sentence: SentenceView | None
    snippet: SnippetView
    tags: list[str]
    text: str
    title: str | None
    token_count: int


class SearchResponse(BaseModel):
    data: list[Hit]
    message: str
    metadata: SearchMetadata
