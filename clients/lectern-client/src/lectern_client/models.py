# Generated from api/openapi.json by mcp/generate_api_models.py; do not edit.

from __future__ import annotations

from typing import Annotated, Literal
from uuid import UUID

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, RootModel


class CopyPlace(BaseModel):
    """Passage of a copy: the same file in another collection or under another name."""

    chunk_id: UUID
    collection: str
    document: Annotated[str, Field(description="The copy's filename.")]
    document_id: UUID
    page_number: int
    title: str | None


class Coverage(BaseModel):
    """The searched part of the documents in scope."""

    documents_failed: int
    documents_in_scope: int
    documents_processing: int
    documents_searched: int
    pages_unreadable: int
    share_embedded: Annotated[
        float, Field(description='Share of passages with an embedding, 0..1.')
    ]


class DocumentLinks(BaseModel):
    """API paths of a document and of a place in it."""

    document: str
    original: str
    page: str
    rectangles: str


class ExplainedFeature(BaseModel):
    """A feature that the ranker reads, and what it adds to the score of the hit."""

    contribution: float
    meaning: str
    name: str
    value: float


class ExplainedTerm(BaseModel):
    """A term of the query. Only unrestricted principals see `idf` and `chunk_count`."""

    chunk_count: int | None = None
    idf: float | None = None
    is_expansion: Annotated[
        bool,
        Field(description='From a synonym in `metadata.expansions`, or a translation.'),
    ] = False
    is_matched: bool
    term: str


class Explanation(BaseModel):
    """The calculation of a hit's score."""

    features: Annotated[
        list[ExplainedFeature],
        Field(
            description='What the ranker reads, the largest contribution first. Empty if reciprocal rank fusion ranked.'
        ),
    ]
    is_fitted: Annotated[
        bool,
        Field(description='The ranker is fitted to this library (`lectern eval fit`).'),
    ] = False
    is_unmatched_language: Annotated[
        bool, Field(description="The query has no words in the chunk's language.")
    ]
    keyword_score: Annotated[
        float | None, Field(description='BM25; for unrestricted principals.')
    ] = None
    rerank_rank: Annotated[int | None, Field(description='Rank by the reranker.')] = (
        None
    )
    rerank_score: Annotated[
        float | None, Field(description='Score of the reranker; only the order counts.')
    ] = None
    share: Annotated[float, Field(description="Share of the best hit's score, 0 to 1.")]
    similarity: Annotated[
        float | None,
        Field(description='Cosine similarity of the query and the nearest window.'),
    ]
    terms: list[ExplainedTerm]


class MatchRange(BaseModel):
    """A matched word, as character offsets in the snippet's text."""

    end: int
    start: int


class Neighbour(BaseModel):
    """A passage before or after a hit in its document."""

    chunk_id: UUID
    chunk_index: int
    last_page_number: int
    page_number: int
    section_heading: str | None
    text: str
    token_count: int


class PrincipalResponse(BaseModel):
    """The caller and its permissions. A list of ids that is null means no limit."""

    can_write: bool
    collection_ids: list[UUID] | None
    document_ids: list[UUID] | None
    has_password: Annotated[
        bool | None,
        Field(
            description='False: the user signs in by single sign-on only. Null for a key.'
        ),
    ] = None
    id: UUID
    kind: Literal['user', 'key']
    name: Annotated[
        str, Field(description='The e-mail address of a user, or the name of a key.')
    ]
    role: Literal['admin', 'editor', 'reader'] | None
    tag_ids: list[UUID] | None
    toolsets: list[str]
    web_url: Annotated[
        str | None, Field(description='Address of the web UI, for links to documents.')
    ] = None


class QueryExpansion(BaseModel):
    """A term of the query and the synonyms that were searched as well."""

    synonyms: list[str]
    term: str


class RectangleResponse(BaseModel):
    """A rectangle in fractions (0 to 1) of the displayed page, with the origin at the top left."""

    h: float
    w: float
    x: float
    y: float


class Reranking(BaseModel):
    """Result of reranking: `skipped` for a language it does not read, `failed` if the order is unchanged."""

    chunks: Annotated[int, Field(description='Number of passages that the model read.')]
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
    """The part of the passage that matches the query."""

    char_end: int
    char_start: Annotated[int, Field(description="Start in the document's text.")]
    matches: list[MatchRange]
    text: str


class Strategy(BaseModel):
    """The method of each arm: `exact`, `index` or `off`."""

    is_degraded: Annotated[
        bool, Field(description='A requested arm failed. `message` names it.')
    ]
    is_replica: Annotated[
        bool,
        Field(description='Searched on a replica with the current library version.'),
    ] = False
    keyword: Literal['exact', 'index', 'off']
    semantic: Literal['exact', 'index', 'off']
    unmatched_languages: Annotated[
        list[str], Field(description='Languages in scope without words of the query.')
    ]


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
    """Milliseconds per step. Embedding runs during `filters` and `terms`; `embedding` is the wait after them."""

    embedding: float
    filters: float
    rerank: float = 0.0
    search: float
    sentences: float = 0.0
    snippets: float
    terms: float
    total: float


class PageHighlight(BaseModel):
    """The rectangles of a text range on one page. Empty if the format has no geometry."""

    page_number: int
    rects: list[RectangleResponse]


class SearchMetadata(BaseModel):
    """Facts about the whole search."""

    confidence: Annotated[
        float | None,
        Field(
            description='Probability that a passage in the first 20 answers, 0..1; below 0.3 is low. Null: unknown.'
        ),
    ]
    coverage: Coverage
    expansions: Annotated[
        list[QueryExpansion],
        Field(
            description='Empty if the query has no term with synonyms.',
            validate_default=True,
        ),
    ] = []
    hybrid: bool
    is_cached: Annotated[
        bool,
        Field(
            description='Served from the result cache. False for callers limited to tags or documents, or with shares.'
        ),
    ] = False
    reranking: Annotated[Reranking | None, Field(description='Null: not reranked.')] = (
        None
    )
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
    """The most relevant sentence (or table row) of a snippet."""

    basis: Annotated[
        Literal['words', 'meaning'],
        Field(description='Chosen by its words of the query, or by meaning.'),
    ]
    char_end: int
    char_start: Annotated[int, Field(description="Start in the document's text.")]
    end: int
    highlights: list[PageHighlight]
    start: Annotated[int, Field(description="Character offset in the snippet's text.")]


class Hit(BaseModel):
    """A passage that matches the query."""

    after: Annotated[
        list[Neighbour],
        Field(
            description='With `context` or `fold`: the passages after it.',
            validate_default=True,
        ),
    ] = []
    also_in: Annotated[
        list[CopyPlace],
        Field(
            description='The same passage in copies of the document.',
            validate_default=True,
        ),
    ] = []
    before: Annotated[
        list[Neighbour],
        Field(
            description='With `context` or `fold`: the passages before it.',
            validate_default=True,
        ),
    ] = []
    char_end: int
    char_start: int
    chunk_id: UUID
    chunk_index: int
    collection: str
    content_type: Literal['text', 'table', 'list', 'heading']
    document: Annotated[str, Field(description="The document's filename.")]
    document_id: UUID
    explain: Explanation | None = None
    highlights: list[PageHighlight]
    importance: float
    keyword_rank: Annotated[
        int | None,
        Field(description='Rank by keyword. Null: not among its candidates.'),
    ]
    language: Annotated[
        str, Field(description='Empty if it is none of the configured ones.')
    ]
    last_page_number: int
    links: DocumentLinks
    page_images: Annotated[
        Literal['available', 'locked', 'none'],
        Field(description='Availability of page images, as in `/documents/{id}`.'),
    ]
    page_number: int
    score: Annotated[
        float,
        Field(
            description='Probability that this passage answers, 0..1. Without confidence: share of the best score.'
        ),
    ]
    section_heading: str | None
    section_path: Annotated[
        list[str], Field(description='The headings above it, the outermost first.')
    ]
    semantic_rank: Annotated[
        int | None,
        Field(description='Rank by meaning. Null: not among its candidates.'),
    ]
    sentence: Annotated[
        SentenceView | None,
        Field(description='Null if the snippet has no word of the query.'),
    ]
    snippet: SnippetView
    tags: list[str]
    text: str
    title: str | None
    token_count: int


class SearchResponse(BaseModel):
    """Hits, best first, and what to do next."""

    data: list[Hit]
    message: str
    metadata: SearchMetadata
