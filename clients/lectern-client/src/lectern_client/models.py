# Generated from api/openapi.json by mcp/generate_api_models.py; do not edit.

from __future__ import annotations

from typing import Annotated, Literal
from uuid import UUID

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, RootModel


class CopyPlace(BaseModel):
    """
    Passage of a copy: the same file in another collection or under another name.
    """

    chunk_id: Annotated[UUID, Field(title='Chunk Id')]
    collection: Annotated[str, Field(title='Collection')]
    document: Annotated[
        str, Field(description="The copy's filename.", title='Document')
    ]
    document_id: Annotated[UUID, Field(title='Document Id')]
    page_number: Annotated[int, Field(title='Page Number')]
    title: Annotated[str | None, Field(title='Title')]


class Coverage(BaseModel):
    """
    The searched part of the documents in scope.
    """

    documents_failed: Annotated[int, Field(title='Documents Failed')]
    documents_in_scope: Annotated[int, Field(title='Documents In Scope')]
    documents_processing: Annotated[int, Field(title='Documents Processing')]
    documents_searched: Annotated[int, Field(title='Documents Searched')]
    pages_unreadable: Annotated[int, Field(title='Pages Unreadable')]
    share_embedded: Annotated[
        float,
        Field(
            description='Share of passages with an embedding, 0..1.',
            title='Share Embedded',
        ),
    ]


class DocumentLinks(BaseModel):
    """
    API paths of a document and of a place in it.
    """

    document: Annotated[str, Field(title='Document')]
    original: Annotated[str, Field(title='Original')]
    page: Annotated[str, Field(title='Page')]
    rectangles: Annotated[str, Field(title='Rectangles')]


class ExplainedFeature(BaseModel):
    """
    A feature that the ranker reads, and what it adds to the score of the hit.
    """

    contribution: Annotated[float, Field(title='Contribution')]
    meaning: Annotated[str, Field(title='Meaning')]
    name: Annotated[str, Field(title='Name')]
    value: Annotated[float, Field(title='Value')]


class ExplainedTerm(BaseModel):
    """
    A term of the query. Only unrestricted principals see `idf` and `chunk_count`.
    """

    chunk_count: Annotated[int | None, Field(title='Chunk Count')] = None
    idf: Annotated[float | None, Field(title='Idf')] = None
    is_expansion: Annotated[
        bool,
        Field(
            description='Comes from a synonym in `metadata.expansions`.',
            title='Is Expansion',
        ),
    ] = False
    is_matched: Annotated[bool, Field(title='Is Matched')]
    term: Annotated[str, Field(title='Term')]


class Explanation(BaseModel):
    """
    The calculation of a hit's score.
    """

    features: Annotated[
        list[ExplainedFeature],
        Field(
            description='What the ranker reads, the largest contribution first. Empty if reciprocal rank fusion ranked.',
            title='Features',
        ),
    ]
    is_fitted: Annotated[
        bool,
        Field(
            description='The ranker is fitted to this library (`lectern eval fit`).',
            title='Is Fitted',
        ),
    ] = False
    is_unmatched_language: Annotated[
        bool,
        Field(
            description="The query has no words in the chunk's language.",
            title='Is Unmatched Language',
        ),
    ]
    keyword_score: Annotated[
        float | None,
        Field(description='BM25; for unrestricted principals.', title='Keyword Score'),
    ] = None
    rerank_rank: Annotated[
        int | None, Field(description='Rank by the reranker.', title='Rerank Rank')
    ] = None
    rerank_score: Annotated[
        float | None,
        Field(
            description='Score of the reranker; only the order counts.',
            title='Rerank Score',
        ),
    ] = None
    share: Annotated[
        float,
        Field(description="Share of the best hit's score, 0 to 1.", title='Share'),
    ]
    similarity: Annotated[
        float | None,
        Field(
            description='Cosine similarity of the query and the nearest window.',
            title='Similarity',
        ),
    ]
    terms: Annotated[list[ExplainedTerm], Field(title='Terms')]


class HighlightRect(BaseModel):
    """
    A rectangle in fractions of the displayed page, origin top left.
    """

    h: Annotated[float, Field(title='H')]
    w: Annotated[float, Field(title='W')]
    x: Annotated[float, Field(title='X')]
    y: Annotated[float, Field(title='Y')]


class MatchRange(BaseModel):
    """
    A matched word, as character offsets in the snippet's text.
    """

    end: Annotated[int, Field(title='End')]
    start: Annotated[int, Field(title='Start')]


class Neighbour(BaseModel):
    """
    A passage before or after a hit in its document.
    """

    chunk_id: Annotated[UUID, Field(title='Chunk Id')]
    chunk_index: Annotated[int, Field(title='Chunk Index')]
    last_page_number: Annotated[int, Field(title='Last Page Number')]
    page_number: Annotated[int, Field(title='Page Number')]
    section_heading: Annotated[str | None, Field(title='Section Heading')]
    text: Annotated[str, Field(title='Text')]
    token_count: Annotated[int, Field(title='Token Count')]


class PageImageStatus(RootModel[Literal['available', 'locked', 'none']]):
    root: Annotated[
        Literal['available', 'locked', 'none'],
        Field(
            description='Availability of page images. `LOCKED` files need a password, which is never stored.',
            title='PageImageStatus',
        ),
    ]


class PrincipalResponse(BaseModel):
    """
    The caller and its permissions. A list of ids that is null means no limit.
    """

    can_write: Annotated[bool, Field(title='Can Write')]
    collection_ids: Annotated[list[UUID] | None, Field(title='Collection Ids')]
    document_ids: Annotated[list[UUID] | None, Field(title='Document Ids')]
    has_password: Annotated[
        bool | None,
        Field(
            description='False: the user signs in by single sign-on only. Null for a key.',
            title='Has Password',
        ),
    ] = None
    id: Annotated[UUID, Field(title='Id')]
    kind: Annotated[Literal['user', 'key'], Field(title='Kind')]
    name: Annotated[
        str,
        Field(
            description='The e-mail address of a user, or the name of a key.',
            title='Name',
        ),
    ]
    role: Annotated[Literal['admin', 'editor', 'reader'] | None, Field(title='Role')]
    tag_ids: Annotated[list[UUID] | None, Field(title='Tag Ids')]
    toolsets: Annotated[list[str], Field(title='Toolsets')]
    web_url: Annotated[
        str | None,
        Field(
            description='Address of the web UI, for links to documents.',
            title='Web Url',
        ),
    ] = None


class QueryExpansion(BaseModel):
    """
    A term of the query and the synonyms that were searched as well.
    """

    synonyms: Annotated[list[str], Field(title='Synonyms')]
    term: Annotated[str, Field(title='Term')]


class Reranking(BaseModel):
    """
    Result of reranking: `skipped` for a language it does not read, `failed` if the order is unchanged.
    """

    chunks: Annotated[
        int,
        Field(description='Number of passages that the model read.', title='Chunks'),
    ]
    model: Annotated[str, Field(title='Model')]
    reason: Annotated[str | None, Field(title='Reason')]
    state: Annotated[Literal['applied', 'skipped', 'failed'], Field(title='State')]


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
    """
    The part of the passage that matches the query.
    """

    char_end: Annotated[int, Field(title='Char End')]
    char_start: Annotated[
        int, Field(description="Start in the document's text.", title='Char Start')
    ]
    matches: Annotated[list[MatchRange], Field(title='Matches')]
    text: Annotated[str, Field(title='Text')]


class Strategy(BaseModel):
    """
    How each arm ran: `exact`, `index` or `off`.
    """

    is_degraded: Annotated[
        bool,
        Field(
            description='A requested arm failed. `message` names it.',
            title='Is Degraded',
        ),
    ]
    is_replica: Annotated[
        bool,
        Field(
            description='Searched on a replica with the current library version.',
            title='Is Replica',
        ),
    ] = False
    keyword: Annotated[Literal['exact', 'index', 'off'], Field(title='Keyword')]
    semantic: Annotated[Literal['exact', 'index', 'off'], Field(title='Semantic')]
    unmatched_languages: Annotated[
        list[str],
        Field(
            description='Languages in scope without words of the query.',
            title='Unmatched Languages',
        ),
    ]


class AllItem(RootModel[str]):
    root: Annotated[str, Field(max_length=500, min_length=1)]


class AnyItem(RootModel[str]):
    root: Annotated[str, Field(max_length=500, min_length=1)]


class None1Item(RootModel[str]):
    root: Annotated[str, Field(max_length=500, min_length=1)]


class TagFilter(BaseModel):
    """
    Conditions on the tags of a document. All of them must hold.
    """

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
    """
    Milliseconds per step. Embedding runs during `filters` and `terms`; `embedding` is the wait after them.
    """

    embedding: Annotated[float, Field(title='Embedding')]
    filters: Annotated[float, Field(title='Filters')]
    rerank: Annotated[float, Field(title='Rerank')] = 0.0
    search: Annotated[float, Field(title='Search')]
    sentences: Annotated[float, Field(title='Sentences')] = 0.0
    snippets: Annotated[float, Field(title='Snippets')]
    terms: Annotated[float, Field(title='Terms')]
    total: Annotated[float, Field(title='Total')]


class Highlight(BaseModel):
    """
    The snippet's rectangles on one page.
    """

    page: Annotated[int, Field(title='Page')]
    rects: Annotated[list[HighlightRect], Field(title='Rects')]


class SearchMetadata(BaseModel):
    """
    Facts about the whole search.
    """

    confidence: Annotated[
        float | None,
        Field(
            description='Probability that a passage in the first 20 answers, 0..1; below 0.3 is low. Null: unknown.',
            title='Confidence',
        ),
    ]
    coverage: Coverage
    expansions: Annotated[
        list[QueryExpansion],
        Field(
            description='Empty if the query has no term with synonyms.',
            title='Expansions',
            validate_default=True,
        ),
    ] = []
    hybrid: Annotated[bool, Field(title='Hybrid')]
    is_cached: Annotated[
        bool,
        Field(
            description='Served from the result cache. False for callers limited to tags or documents, or with shares.',
            title='Is Cached',
        ),
    ] = False
    reranking: Annotated[Reranking | None, Field(description='Null: not reranked.')] = (
        None
    )
    returned: Annotated[int, Field(title='Returned')]
    strategy: Strategy
    took_ms: Took
    top_k: Annotated[int, Field(title='Top K')]


class SearchRequest(BaseModel):
    """
    A query, its filters and the shape of the response.
    """

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
    """
    The most relevant sentence (or table row) of a snippet.
    """

    basis: Annotated[
        Literal['words', 'meaning'],
        Field(
            description='Chosen by its words of the query, or by meaning.',
            title='Basis',
        ),
    ]
    char_end: Annotated[int, Field(title='Char End')]
    char_start: Annotated[
        int, Field(description="Start in the document's text.", title='Char Start')
    ]
    end: Annotated[int, Field(title='End')]
    highlights: Annotated[list[Highlight], Field(title='Highlights')]
    start: Annotated[
        int, Field(description="Character offset in the snippet's text.", title='Start')
    ]


class Hit(BaseModel):
    """
    A passage that matches the query.
    """

    after: Annotated[
        list[Neighbour],
        Field(
            description='With `context` or `fold`: the passages after it.',
            title='After',
            validate_default=True,
        ),
    ] = []
    also_in: Annotated[
        list[CopyPlace],
        Field(
            description='The same passage in copies of the document.',
            title='Also In',
            validate_default=True,
        ),
    ] = []
    before: Annotated[
        list[Neighbour],
        Field(
            description='With `context` or `fold`: the passages before it.',
            title='Before',
            validate_default=True,
        ),
    ] = []
    char_end: Annotated[int, Field(title='Char End')]
    char_start: Annotated[int, Field(title='Char Start')]
    chunk_id: Annotated[UUID, Field(title='Chunk Id')]
    chunk_index: Annotated[int, Field(title='Chunk Index')]
    collection: Annotated[str, Field(title='Collection')]
    content_type: Annotated[
        Literal['text', 'table', 'list', 'heading'], Field(title='Content Type')
    ]
    document: Annotated[
        str, Field(description="The document's filename.", title='Document')
    ]
    document_id: Annotated[UUID, Field(title='Document Id')]
    explain: Explanation | None = None
    highlights: Annotated[list[Highlight], Field(title='Highlights')]
    importance: Annotated[float, Field(title='Importance')]
    keyword_rank: Annotated[
        int | None,
        Field(
            description='Rank by keyword. Null: not among its candidates.',
            title='Keyword Rank',
        ),
    ]
    language: Annotated[str, Field(title='Language')]
    last_page_number: Annotated[int, Field(title='Last Page Number')]
    links: DocumentLinks
    page_images: Annotated[
        PageImageStatus,
        Field(description='Availability of page images, as in `/documents/{id}`.'),
    ]
    page_number: Annotated[int, Field(title='Page Number')]
    score: Annotated[
        float,
        Field(
            description='Probability that this passage answers, 0..1. Without confidence: share of the best score.',
            title='Score',
        ),
    ]
    section_heading: Annotated[str | None, Field(title='Section Heading')]
    section_path: Annotated[
        list[str],
        Field(
            description='The headings above it, the outermost first.',
            title='Section Path',
        ),
    ]
    semantic_rank: Annotated[
        int | None,
        Field(
            description='Rank by meaning. Null: not among its candidates.',
            title='Semantic Rank',
        ),
    ]
    sentence: Annotated[
        SentenceView | None,
        Field(description='Null if the snippet has no word of the query.'),
    ]
    snippet: SnippetView
    tags: Annotated[list[str], Field(title='Tags')]
    text: Annotated[str, Field(title='Text')]
    title: Annotated[str | None, Field(title='Title')]
    token_count: Annotated[int, Field(title='Token Count')]


class SearchResponse(BaseModel):
    """
    Hits, best first, and what to do next.
    """

    data: Annotated[list[Hit], Field(title='Data')]
    message: Annotated[str, Field(title='Message')]
    metadata: SearchMetadata
