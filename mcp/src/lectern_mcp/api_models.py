# Generated from api/openapi.json by mcp/generate_api_models.py; do not edit.

from __future__ import annotations

from typing import Annotated, Literal
from uuid import UUID

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, RootModel, SecretStr


class CollectionRef(BaseModel):
    """
    Where a document stands.
    """

    id: Annotated[UUID, Field(title='Id')]
    name: Annotated[str, Field(title='Name')]


class Coverage(BaseModel):
    """
    What was searched, and what was not.
    """

    documents_failed: Annotated[int, Field(title='Documents Failed')]
    documents_in_scope: Annotated[int, Field(title='Documents In Scope')]
    documents_processing: Annotated[int, Field(title='Documents Processing')]
    documents_searched: Annotated[int, Field(title='Documents Searched')]
    pages_unreadable: Annotated[int, Field(title='Pages Unreadable')]
    share_embedded: Annotated[
        float,
        Field(
            description='Share of the passages that can be found by meaning, 0..1.',
            title='Share Embedded',
        ),
    ]


class DocumentError(BaseModel):
    """
    Why a document failed.
    """

    code: Annotated[str, Field(title='Code')]
    hint: Annotated[str | None, Field(title='Hint')]
    message: Annotated[str, Field(title='Message')]


class ExplainedTerm(BaseModel):
    """
    A term of the query; figures about the library are shown only to those who may see all of it.
    """

    chunk_count: Annotated[int | None, Field(title='Chunk Count')] = None
    idf: Annotated[float | None, Field(title='Idf')] = None
    is_matched: Annotated[bool, Field(title='Is Matched')]
    term: Annotated[str, Field(title='Term')]


class Explanation(BaseModel):
    """
    How a hit came to its score.
    """

    formula: Annotated[str, Field(title='Formula')]
    fused_score: Annotated[float, Field(title='Fused Score')]
    is_blind: Annotated[
        bool,
        Field(
            description="The keyword arm does not know the query's language here; meaning spoke for it.",
            title='Is Blind',
        ),
    ]
    keyword_score: Annotated[
        float | None,
        Field(description='BM25; for unrestricted principals.', title='Keyword Score'),
    ] = None
    keyword_share: Annotated[float, Field(title='Keyword Share')]
    page_share: Annotated[
        float,
        Field(
            description='1; 0.9 where a better passage of the same page was found.',
            title='Page Share',
        ),
    ]
    semantic_share: Annotated[float, Field(title='Semantic Share')]
    similarity: Annotated[
        float | None,
        Field(description='Cosine of query and nearest window.', title='Similarity'),
    ]
    terms: Annotated[list[ExplainedTerm], Field(title='Terms')]


class HighlightRect(BaseModel):
    """
    0..1 of the page as displayed, origin top-left.
    """

    h: Annotated[float, Field(title='H')]
    w: Annotated[float, Field(title='W')]
    x: Annotated[float, Field(title='X')]
    y: Annotated[float, Field(title='Y')]


class HitLinks(BaseModel):
    """
    Paths of the API that lead on from a hit.
    """

    document: Annotated[str, Field(title='Document')]
    original: Annotated[str, Field(title='Original')]
    page: Annotated[str, Field(title='Page')]
    rectangles: Annotated[str, Field(title='Rectangles')]


class IntrospectRequest(BaseModel):
    """
    A key that a service was given.
    """

    model_config = ConfigDict(
        extra='forbid',
    )
    key: Annotated[SecretStr, Field(max_length=1000, min_length=1, title='Key')]


class KeyIntrospection(BaseModel):
    """
    Whether a key may be used now; nothing else is told about one that may not.
    """

    can_write: Annotated[bool | None, Field(title='Can Write')] = None
    expires_at: Annotated[AwareDatetime | None, Field(title='Expires At')] = None
    is_active: Annotated[bool, Field(title='Is Active')]
    name: Annotated[str | None, Field(title='Name')] = None
    principal: Annotated[
        str | None,
        Field(examples=['key:6f9619ff-8b86-4d01-b42d-00cf4fc964ff'], title='Principal'),
    ] = None
    toolsets: Annotated[list[str] | None, Field(title='Toolsets')] = None


class Match(BaseModel):
    """
    A matched word: character offsets in the snippet's text.
    """

    end: Annotated[int, Field(title='End')]
    start: Annotated[int, Field(title='Start')]


class Neighbour(BaseModel):
    """
    A passage that stands before or after a hit in its document.
    """

    chunk_id: Annotated[UUID, Field(title='Chunk Id')]
    chunk_index: Annotated[int, Field(title='Chunk Index')]
    last_page_number: Annotated[int, Field(title='Last Page Number')]
    page_number: Annotated[int, Field(title='Page Number')]
    section_heading: Annotated[str | None, Field(title='Section Heading')]
    text: Annotated[str, Field(title='Text')]
    token_count: Annotated[int, Field(title='Token Count')]


class OutlineEntry(BaseModel):
    """
    A heading and where it stands.
    """

    level: Annotated[int, Field(title='Level')]
    page_number: Annotated[int | None, Field(title='Page Number')] = None
    title: Annotated[str, Field(title='Title')]


class OutlineResponse(BaseModel):
    """
    The outline of a document: its own, else the headings that were found.
    """

    items: Annotated[list[OutlineEntry], Field(title='Items')]


class PageResponse(BaseModel):
    """
    A page with its text.
    """

    char_count: Annotated[int, Field(title='Char Count')]
    char_start: Annotated[
        int,
        Field(
            description="Where its text begins in the document's text.",
            title='Char Start',
        ),
    ]
    chunk_count: Annotated[int, Field(title='Chunk Count')]
    height_points: Annotated[float, Field(title='Height Points')]
    kind: Annotated[
        Literal['text', 'table', 'toc', 'ocr', 'empty', 'unreadable'],
        Field(title='Kind'),
    ]
    language: Annotated[str | None, Field(title='Language')]
    note: Annotated[str | None, Field(title='Note')]
    page_number: Annotated[int, Field(title='Page Number')]
    text: Annotated[str, Field(title='Text')]
    width_points: Annotated[float, Field(title='Width Points')]


class Progress(BaseModel):
    """
    The latest job of a document: how far it is, or how it ended.
    """

    attempts: Annotated[int, Field(title='Attempts')]
    chunks_embedded: Annotated[int | None, Field(title='Chunks Embedded')]
    chunks_to_embed: Annotated[int | None, Field(title='Chunks To Embed')]
    finished_at: Annotated[AwareDatetime | None, Field(title='Finished At')]
    job_id: Annotated[UUID, Field(title='Job Id')]
    kind: Annotated[str, Field(title='Kind')]
    max_attempts: Annotated[int, Field(title='Max Attempts')]
    next_try_at: Annotated[AwareDatetime | None, Field(title='Next Try At')]
    page: Annotated[int | None, Field(title='Page')]
    page_count: Annotated[int | None, Field(title='Page Count')]
    share: Annotated[
        float,
        Field(description='0 to 1; 1 only when the document is ready.', title='Share'),
    ]
    stage: Annotated[
        str | None, Field(description='extract, chunk, index or embed.', title='Stage')
    ]
    started_at: Annotated[AwareDatetime | None, Field(title='Started At')]
    state: Annotated[
        Literal['queued', 'running', 'succeeded', 'failed', 'cancelled'],
        Field(title='State'),
    ]


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
    The part of the passage that shows why it was found.
    """

    char_end: Annotated[int, Field(title='Char End')]
    char_start: Annotated[
        int,
        Field(
            description="Where it begins in the document's text stream.",
            title='Char Start',
        ),
    ]
    matches: Annotated[list[Match], Field(title='Matches')]
    text: Annotated[str, Field(title='Text')]


class Strategy(BaseModel):
    """
    How each arm was run: `exact`, `index` or `off`.
    """

    blind_languages: Annotated[
        list[str],
        Field(
            description="Languages in which the keyword arm does not know the query's words.",
            title='Blind Languages',
        ),
    ]
    is_degraded: Annotated[
        bool,
        Field(
            description='An arm that was asked for did not answer; `message` says which.',
            title='Is Degraded',
        ),
    ]
    keyword: Annotated[Literal['exact', 'index', 'off'], Field(title='Keyword')]
    semantic: Annotated[Literal['exact', 'index', 'off'], Field(title='Semantic')]


class AllItem(RootModel[str]):
    root: Annotated[str, Field(max_length=500, min_length=1)]


class AnyItem(RootModel[str]):
    root: Annotated[str, Field(max_length=500, min_length=1)]


class None1Item(RootModel[str]):
    root: Annotated[str, Field(max_length=500, min_length=1)]


class TagFilter(BaseModel):
    """
    Which tags a document must carry. All that are given must hold.
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


class TagResponse(BaseModel):
    """
    A word on documents.
    """

    color: Annotated[str, Field(title='Color')]
    created_at: Annotated[AwareDatetime, Field(title='Created At')]
    description: Annotated[str, Field(title='Description')]
    document_count: Annotated[
        int,
        Field(
            description='Documents that carry it and that the caller sees, without the trash.',
            title='Document Count',
        ),
    ]
    id: Annotated[UUID, Field(title='Id')]
    name: Annotated[str, Field(title='Name')]


class Took(BaseModel):
    """
    Milliseconds for each step.
    """

    embedding: Annotated[float, Field(title='Embedding')]
    filters: Annotated[float, Field(title='Filters')]
    search: Annotated[float, Field(title='Search')]
    snippets: Annotated[float, Field(title='Snippets')]
    terms: Annotated[float, Field(title='Terms')]
    total: Annotated[float, Field(title='Total')]


class DocumentResponse(BaseModel):
    """
    An uploaded file and what became of it.
    """

    chunk_count: Annotated[int, Field(title='Chunk Count')]
    collection: CollectionRef
    content_type: Annotated[str, Field(title='Content Type')]
    created_at: Annotated[AwareDatetime, Field(title='Created At')]
    created_by: Annotated[str, Field(title='Created By')]
    deleted_at: Annotated[
        AwareDatetime | None,
        Field(description='Since when it is in the trash.', title='Deleted At'),
    ]
    embedded_chunk_count: Annotated[int, Field(title='Embedded Chunk Count')]
    error: DocumentError | None
    filename: Annotated[str, Field(title='Filename')]
    id: Annotated[UUID, Field(title='Id')]
    keyword_ready_at: Annotated[
        AwareDatetime | None,
        Field(
            description='Since when it is found by keyword.', title='Keyword Ready At'
        ),
    ]
    language: Annotated[str | None, Field(title='Language')]
    page_count: Annotated[int | None, Field(title='Page Count')]
    progress: Progress | None
    ready_at: Annotated[
        AwareDatetime | None,
        Field(
            description='Since when all of it is found by meaning too.',
            title='Ready At',
        ),
    ]
    sha256: Annotated[str, Field(title='Sha256')]
    size_bytes: Annotated[int, Field(title='Size Bytes')]
    status: Annotated[
        Literal['queued', 'processing', 'ready', 'failed'], Field(title='Status')
    ]
    tags: Annotated[list[str], Field(title='Tags')]
    title: Annotated[str | None, Field(title='Title')]
    unreadable_page_count: Annotated[int, Field(title='Unreadable Page Count')]
    updated_at: Annotated[AwareDatetime, Field(title='Updated At')]


class Highlight(BaseModel):
    """
    The snippet's place on one page.
    """

    page: Annotated[int, Field(title='Page')]
    rects: Annotated[list[HighlightRect], Field(title='Rects')]


class Hit(BaseModel):
    """
    A passage that was found.
    """

    after: Annotated[
        list[Neighbour],
        Field(
            description='With `context`: the passages after it, in their order.',
            title='After',
            validate_default=True,
        ),
    ] = []
    before: Annotated[
        list[Neighbour],
        Field(
            description='With `context`: the passages before it, in their order.',
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
    keyword_rank: Annotated[int | None, Field(title='Keyword Rank')]
    language: Annotated[str, Field(title='Language')]
    last_page_number: Annotated[int, Field(title='Last Page Number')]
    links: HitLinks
    page_number: Annotated[int, Field(title='Page Number')]
    score: Annotated[
        float,
        Field(
            description='0..1: the first has the confidence (1 where that is unknown), the others in proportion.',
            title='Score',
        ),
    ]
    section_heading: Annotated[str | None, Field(title='Section Heading')]
    section_path: Annotated[list[str], Field(title='Section Path')]
    semantic_rank: Annotated[int | None, Field(title='Semantic Rank')]
    snippet: SnippetView
    tags: Annotated[list[str], Field(title='Tags')]
    text: Annotated[str, Field(title='Text')]
    title: Annotated[str | None, Field(title='Title')]
    token_count: Annotated[int, Field(title='Token Count')]


class PageDocumentResponse(BaseModel):
    items: Annotated[list[DocumentResponse], Field(title='Items')]
    next_cursor: Annotated[
        str | None,
        Field(
            description='Send it as `cursor` for the next page; null at the end.',
            title='Next Cursor',
        ),
    ] = None
    total: Annotated[
        int, Field(description='Items on all pages together.', title='Total')
    ]


class PageTagResponse(BaseModel):
    items: Annotated[list[TagResponse], Field(title='Items')]
    next_cursor: Annotated[
        str | None,
        Field(
            description='Send it as `cursor` for the next page; null at the end.',
            title='Next Cursor',
        ),
    ] = None
    total: Annotated[
        int, Field(description='Items on all pages together.', title='Total')
    ]


class SearchMetadata(BaseModel):
    """
    About the search as a whole.
    """

    confidence: Annotated[
        float | None,
        Field(
            description='How well the best passage fits, 0..1; below 0.3 is low. Null: cannot be told for this model.',
            title='Confidence',
        ),
    ]
    coverage: Coverage
    hybrid: Annotated[bool, Field(title='Hybrid')]
    returned: Annotated[int, Field(title='Returned')]
    strategy: Strategy
    took_ms: Took
    top_k: Annotated[int, Field(title='Top K')]


class SearchRequest(BaseModel):
    """
    A question and where to look for its answer.
    """

    model_config = ConfigDict(
        extra='forbid',
    )
    collections: Annotated[
        list[Collection],
        Field(
            description='Ids or names of collections to stay within.',
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
            description='Ids or filenames of documents to stay within.',
            max_length=100,
            title='Documents',
            validate_default=True,
        ),
    ] = []
    explain: Annotated[
        bool, Field(description='Add the arithmetic to each hit.', title='Explain')
    ] = False
    hybrid: Annotated[
        bool,
        Field(
            description='Keywords and meaning together; false: meaning only.',
            title='Hybrid',
        ),
    ] = True
    language: Annotated[
        Language | None,
        Field(
            description='Documents in this language only (ISO 639).', title='Language'
        ),
    ] = None
    query: Annotated[
        str,
        Field(
            description='A question or key words, in any language.',
            max_length=4000,
            min_length=1,
            title='Query',
        ),
    ]
    rectangles: Annotated[
        bool,
        Field(
            description='Add where the snippet stands on its pages.', title='Rectangles'
        ),
    ] = True
    tags: Annotated[
        TagFilter | None,
        Field(description='Names of tags; a plain list means any of them.'),
    ] = None
    top_k: Annotated[
        int, Field(description='Hits wanted.', ge=1, le=20, title='Top K')
    ] = 5


class SearchResponse(BaseModel):
    """
    Hits, best first, and what to do next.
    """

    data: Annotated[list[Hit], Field(title='Data')]
    message: Annotated[str, Field(title='Message')]
    metadata: SearchMetadata
