# Generated from api/openapi.json by mcp/generate_api_models.py; do not edit.

from __future__ import annotations

from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, RootModel


class AnswerSentence(BaseModel):
    citations: list[int]
    text: str


class AnsweringTook(BaseModel):
    answering: float
    retrieval: float
    total: float


class CacheFacts(BaseModel):
    entries: int
    hits: int
    max_bytes: int
    max_entries: int
    misses: int
    name: Literal['download', 'document', 'retriever']
    size_bytes: int


class CachesCleared(BaseModel):
    cleared: int


class CachesResponse(BaseModel):
    caches: list[CacheFacts]
    ttl_seconds: float


class CalculationLine(BaseModel):
    expression: str
    result: str


class ChunkOfFile(BaseModel):
    char_end: int
    char_start: int
    chunk_index: int
    content_type: Literal['text', 'table', 'list', 'heading']
    importance: float
    is_truncated: bool
    keyword_rank: int | None = None
    language: str
    last_page_number: int
    page_number: int
    score: float | None = None
    section_heading: str | None
    section_path: list[str]
    semantic_rank: int | None = None
    text: str
    token_count: int


class CitedTable(BaseModel):
    header: list[str]
    rows: list[list[str]]


class CollectionRef(BaseModel):
    id: UUID
    name: str


class CollectionResponse(BaseModel):
    can_write: bool
    created_at: AwareDatetime
    description: str
    document_count: int
    id: UUID
    is_default: bool
    is_open: bool
    name: str


class ColumnOfTable(BaseModel):
    density: float
    kind: str
    name: str


class ContentResponse(BaseModel):
    char_count: int
    char_end: int
    char_start: int
    document_id: UUID
    next_char_start: int | None
    text: str


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


class DocumentError(BaseModel):
    code: str
    details: dict[str, Any] | None
    hint: str | None
    message: str


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


class ExtractsFeatures(BaseModel):
    reranking: bool
    text_recognition: bool


class ExtractsSecurity(BaseModel):
    fetches_private_addresses: bool
    max_file_bytes: int
    max_seconds: float
    unenforced: list[str] | None


class FileFacts(BaseModel):
    character_count: int
    content_type: str
    filename: str
    language: str | None
    ocr_confidence: float | None
    page_count: int
    sha256: str
    size_bytes: int
    title: str | None


class FormCount(BaseModel):
    count: int
    word: str


class FormatFacts(BaseModel):
    content_type: str
    name: str
    suffixes: list[str]


class FormatsResponse(BaseModel):
    formats: list[FormatFacts]


class FoundTableRow(BaseModel):
    page_number: int
    row_number: int
    score: float
    table: str
    values: dict[str, str]


class ImageOfFile(BaseModel):
    confidence: float
    page_number: int
    text: str


class KeyIntrospection(BaseModel):
    can_write: bool | None = None
    expires_at: AwareDatetime | None = None
    is_active: bool
    name: str | None = None
    principal: str | None = None
    toolsets: list[str] | None = None
    web_url: str | None = None


class LanguageVote(BaseModel):
    language: str
    name: str
    share: float


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


class OutlineHeading(BaseModel):
    level: int
    page_number: int | None = None
    title: str


class OutlineResponse(BaseModel):
    items: list[OutlineHeading]


class PageCount(BaseModel):
    count: int
    page_number: int


class PageOfFile(BaseModel):
    char_start: int
    character_count: int
    is_truncated: bool
    kind: Literal['text', 'table', 'toc', 'ocr', 'empty', 'unreadable']
    note: str | None
    ocr_confidence: float | None
    page_number: int
    text: str


class PageWord(BaseModel):
    end: int
    h: float
    line: int
    start: int
    w: float
    x: float
    y: float


class PageCollectionResponse(BaseModel):
    items: list[CollectionResponse]
    next_cursor: str | None = None
    total: int


class PendingVersion(BaseModel):
    created_at: AwareDatetime
    created_by: str
    error: DocumentError | None
    filename: str
    number: int
    state: Literal['processing', 'failed', 'cancelled']


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


class Progress(BaseModel):
    attempts: int
    chunks_added: int | None
    chunks_embedded: int | None
    chunks_removed: int | None
    chunks_to_embed: int | None
    chunks_unchanged: int | None
    error: DocumentError | None
    finished_at: AwareDatetime | None
    job_id: UUID
    kind: str
    max_attempts: int
    next_try_at: AwareDatetime | None
    page: int | None
    page_count: int | None
    share: float
    stage: str | None
    started_at: AwareDatetime | None
    state: Literal['queued', 'running', 'succeeded', 'failed', 'cancelled']
    version: int | None


class ProtectedResourceMetadata(BaseModel):
    authorization_servers: list[str]
    bearer_methods_supported: list[str] = ['header']
    resource: str
    resource_name: str = 'Lectern'
    scopes_supported: list[str]


class QueryExpansion(BaseModel):
    synonyms: list[str]
    term: str


class QuoteDifference(BaseModel):
    found: str
    kind: Literal['replaced', 'missing', 'added']
    quoted: str


class QuoteMetadata(BaseModel):
    coverage: Coverage
    documents_read: int
    is_whole_text: bool


class RectangleResponse(BaseModel):
    h: float
    w: float
    x: float
    y: float


class Refusal(BaseModel):
    code: Literal[
        'unreadable_expression',
        'number_not_allowed',
        'missing_cell',
        'ambiguous_cell',
        'currency_mismatch',
        'percent_with_absolute',
        'unit_mismatch',
        'period_mismatch',
        'period_order',
        'division_by_zero',
    ]
    detail: str


class RefusedPath(BaseModel):
    code: str
    path: str


class RejectedCell(BaseModel):
    code: Literal[
        'unknown_search',
        'unknown_source',
        'quote_not_found',
        'instruction',
        'no_figure',
        'figure_not_in_quote',
        'other_period',
        'unclear_scale',
    ]
    detail: str
    document: str | None
    document_id: UUID | None
    search: str


class RenamedFile(BaseModel):
    new_path: str
    old_path: str


class Reranking(BaseModel):
    chunks: int
    model: str
    reason: str | None
    state: Literal['applied', 'skipped', 'failed']


class RetrievedChunks(BaseModel):
    chunk_count: int
    chunks: list[ChunkOfFile]
    embedding_model: str
    file: FileFacts
    query: str
    reranking: Reranking | None = None


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


class SearchedTable(BaseModel):
    columns: list[ColumnOfTable]
    match_count: int
    name: str
    page_number: int
    row_count: int


class SentPage(BaseModel):
    document: str
    document_id: UUID
    page_number: int


class SkippedPage(BaseModel):
    code: str
    document: str
    document_id: UUID
    page_number: int


class SnippetView(BaseModel):
    char_end: int
    char_start: int
    matches: list[MatchRange]
    text: str


class SpreadsheetRows(BaseModel):
    file: FileFacts
    match_count: int
    query: str
    rows: list[FoundTableRow]
    sheets: list[str]
    tables: list[SearchedTable]


class Strategy(BaseModel):
    is_degraded: bool
    is_replica: bool = False
    keyword: Literal['exact', 'index', 'off']
    semantic: Literal['exact', 'index', 'off']
    unmatched_languages: list[str]


class TableOfFile(BaseModel):
    columns: list[ColumnOfTable]
    header: list[str]
    is_truncated: bool
    name: str
    page_number: int
    row_count: int
    rows: list[list[str]]


class TablesOfFile(BaseModel):
    common_columns: list[str]
    file: FileFacts
    tables: list[TableOfFile]


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


class TagResponse(BaseModel):
    color: str
    created_at: AwareDatetime
    description: str
    document_count: int
    id: UUID
    is_owner: bool
    name: str


class TextOfFile(BaseModel):
    file: FileFacts
    is_truncated: bool
    pages: list[PageOfFile]


class Took(BaseModel):
    embedding: float
    filters: float
    rerank: float = 0.0
    search: float
    sentences: float = 0.0
    snippets: float
    terms: float
    total: float


class TraceStep(BaseModel):
    hits: int | None = None
    input: str
    kind: Literal['plan', 'search', 'cells', 'calculation', 'draft']
    model_seconds: float = 0.0
    output: str
    problem: str | None = None
    seconds: float
    tokens: int = 0


class UploadProblem(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    code: str
    detail: str
    hint: str | None
    status: int


class UrlOfFile(BaseModel):
    category: Literal['api_endpoint', 'navigation', 'image', 'general']
    char_start: int
    context: str
    url: str


class Usage(BaseModel):
    completion_tokens: int
    image_bytes: int = 0
    images: int
    prompt_tokens: int
    requests: int


class VisionProblem(BaseModel):
    code: str
    detail: str
    hint: str | None


class Calculation(BaseModel):
    cells: list[str]
    display: str | None
    expression: str
    lines: list[CalculationLine]
    refusal: Refusal | None
    unit: str | None
    value: str | None


class ChunksOfFile(BaseModel):
    chunk_characters: int
    chunk_count: int
    chunks: list[ChunkOfFile]
    file: FileFacts
    offset: int
    overlap_characters: int


class ClosestSource(BaseModel):
    char_end: int | None = None
    char_start: int | None = None
    chunk_id: UUID
    content_type: Literal['text', 'table', 'list', 'heading']
    document: str
    document_id: UUID
    last_page_number: int
    page_number: int
    score: float
    section_heading: str | None
    sentence: MatchRange | None = None
    snippet: str
    title: str | None


class DetectedLanguage(BaseModel):
    confidence: float
    language: str | None
    name: str | None
    votes: list[LanguageVote]


class DocumentResponse(BaseModel):
    aliases: list[str]
    chunk_count: int
    collection: CollectionRef
    content_type: str
    created_at: AwareDatetime
    created_by: str
    deleted_at: AwareDatetime | None
    embedded_chunk_count: int
    error: DocumentError | None
    filename: str
    has_printed_pages: bool
    id: UUID
    is_owner: bool
    keyword_ready_at: AwareDatetime | None
    language: str | None
    newer_version: PendingVersion | None
    page_count: int | None
    page_images: Literal['available', 'locked', 'none']
    progress: Progress | None
    ready_at: AwareDatetime | None
    sha256: str
    size_bytes: int
    status: Literal['queued', 'processing', 'ready', 'failed']
    tags: list[str]
    title: str | None
    unreadable_page_count: int
    updated_at: AwareDatetime
    version: int


class DocumentStats(BaseModel):
    character_count: int
    document: str
    document_id: UUID
    other_forms: list[FormCount]
    page_count: int
    term: str | None
    term_count: int | None
    term_pages: list[PageCount] | None
    word_count: int


class ExtractsHealth(BaseModel):
    active: int
    caches: list[CacheFacts]
    device: Literal['cpu', 'remote']
    dimensions: int
    embedding_model: str
    features: ExtractsFeatures
    formats: list[str]
    ocr_engine: str
    security: ExtractsSecurity
    started_at: AwareDatetime
    status: Literal['ok']
    timestamp: AwareDatetime
    version: str


class FolderOutcome(BaseModel):
    added: list[str] = []
    added_count: int = 0
    held_back: str | None = None
    held_back_code: str | None = None
    held_back_values: dict[str, str | int] = {}
    is_dry_run: bool
    problem: str | None = None
    problem_code: str | None = None
    pruned: list[str] = []
    pruned_count: int = 0
    refused: Annotated[list[RefusedPath], Field(validate_default=True)] = []
    refused_count: int = 0
    renamed: Annotated[list[RenamedFile], Field(validate_default=True)] = []
    renamed_count: int = 0
    seconds: float = 0.0
    unchanged_count: int = 0
    updated: list[str] = []
    updated_count: int = 0


class PageHighlight(BaseModel):
    page_number: int
    rects: list[RectangleResponse]


class PageResponse(BaseModel):
    char_count: int
    char_start: int
    chunk_count: int
    height_points: float
    kind: Literal['text', 'table', 'toc', 'ocr', 'empty', 'unreadable']
    language: str | None
    note: str | None
    page_number: int
    text: str
    width_points: float
    words: list[PageWord] | None = None


class PageDocumentResponse(BaseModel):
    items: list[DocumentResponse]
    next_cursor: str | None = None
    total: int


class PageTagResponse(BaseModel):
    items: list[TagResponse]
    next_cursor: str | None = None
    total: int


class ProcessedDocument(BaseModel):
    char_count: int
    char_start: int
    file: FileFacts
    images: list[ImageOfFile]
    is_truncated: bool
    outline: list[OutlineHeading]
    tables: list[TableOfFile]
    text: str
    urls: list[UrlOfFile]


class QuoteLocation(BaseModel):
    char_end: int
    char_start: int
    document: str
    document_id: UUID
    highlights: list[PageHighlight]
    last_page_number: int
    links: DocumentLinks
    page_number: int
    text: str
    title: str | None


class QuoteVerdict(BaseModel):
    differences: list[QuoteDifference]
    locations: list[QuoteLocation]
    similarity: float | None
    verdict: Literal['EXACT', 'NEAR', 'NOT_FOUND']


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
    highlights: list[PageHighlight]
    start: int


class TextMatch(BaseModel):
    after: str
    before: str
    char_end: int
    char_start: int
    highlights: list[PageHighlight]
    page_number: int
    text: str


class UploadResult(BaseModel):
    document: DocumentResponse | None = None
    filename: str
    is_duplicate: bool = False
    is_language_changed: bool = False
    is_new_version: bool = False
    is_restored: bool = False
    job_id: UUID | None = None
    problem: UploadProblem | None = None


class Vision(BaseModel):
    completion_tokens: int
    pages: list[SentPage]
    problem: VisionProblem | None
    prompt_tokens: int
    skipped_pages: list[SkippedPage]
    status: Literal['answered', 'abstained', 'refused', 'failed', 'no_pages']
    took_ms: float


class Citation(BaseModel):
    basis: Literal['text', 'image'] = 'text'
    char_end: int
    char_start: int
    chunk_id: UUID | None
    content_type: Literal['text', 'table', 'list', 'heading']
    document: str
    document_id: UUID
    highlights: list[PageHighlight]
    last_page_number: int
    links: DocumentLinks
    number: int
    page_number: int
    score: float
    section_heading: str | None
    snippet: str
    table: CitedTable | None = None
    title: str | None


class EvidenceCell(BaseModel):
    char_end: int
    char_start: int
    chunk_id: UUID
    document: str
    document_id: UUID
    highlights: list[PageHighlight]
    id: str
    label: str
    links: DocumentLinks
    number: str
    page_number: int
    period: str
    quote: str
    scale: str
    search: str
    unit: str
    value: str


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
    highlights: list[PageHighlight]
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


class PageTextMatch(BaseModel):
    items: list[TextMatch]
    next_cursor: str | None = None
    total: int


class QuoteResponse(BaseModel):
    data: QuoteVerdict
    message: str
    metadata: QuoteMetadata


class SearchResponse(BaseModel):
    data: list[Hit]
    message: str
    metadata: SearchMetadata


class UploadResponse(BaseModel):
    items: list[UploadResult]


class Answer(BaseModel):
    answer: str
    answer_found: bool
    citations: list[Citation]
    document_filter: list[str]
    id: UUID | None
    nearest: list[ClosestSource]
    outcome: Literal['answered', 'closest_passages', 'nothing_found']
    question: str
    retrieved_count: int
    rewritten_question: str | None = None
    sentences: list[AnswerSentence]
    thread_id: UUID | None = None


class AnswerTrace(BaseModel):
    calculation: Calculation | None = None
    evidence: Annotated[list[EvidenceCell], Field(validate_default=True)] = []
    rejected: Annotated[list[RejectedCell], Field(validate_default=True)] = []
    route: Literal['single_step', 'multi_step']
    route_reason: Literal[
        'simple_question',
        'calculation',
        'comparison',
        'requested',
        'count',
        'no_chat_endpoint',
        'nothing_found',
        'unusable_plan',
    ]
    steps: Annotated[list[TraceStep], Field(validate_default=True)] = []
    stopped_by: Literal['searches', 'tokens', 'seconds'] | None = None


class AnswerMetadata(BaseModel):
    confidence: float | None
    coverage: Coverage
    dropped_labels: int
    dropped_sentences: int
    evidence: float | None
    is_vision_used: bool
    mode: Literal['model', 'extractive', 'count']
    model: str | None
    reason: (
        Literal[
            'nothing_found',
            'weak_evidence',
            'underspecified',
            'contradicted',
            'ambiguous_document',
            'model_abstained',
            'unsupported',
            'not_calculated',
            'budget_exhausted',
        ]
        | None
    )
    structured_output: Literal['json_schema', 'json_object'] | None
    took_ms: AnsweringTook
    trace: AnswerTrace | None = None
    usage: Usage | None
    vision: Vision | None = None


class AnswerResponse(BaseModel):
    data: Answer
    message: str
    metadata: AnswerMetadata
