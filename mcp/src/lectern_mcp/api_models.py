# Generated from api/openapi.json by mcp/generate_api_models.py; do not edit.

from __future__ import annotations

from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, RootModel, SecretStr


class Collection(RootModel[str]):
    root: Annotated[
        str,
        Field(
            description='Id or name.', max_length=500, min_length=1, title='Collection'
        ),
    ]


class Filename(RootModel[str]):
    root: Annotated[
        str,
        Field(
            description='Name of the document. Null: the last part of the URL.',
            max_length=200,
            min_length=1,
            title='Filename',
        ),
    ]


class Language(RootModel[str]):
    root: Annotated[str, Field(max_length=500, min_length=1, title='Language')]


class Tag(RootModel[str]):
    root: Annotated[str, Field(max_length=500, min_length=1)]


class AddFromUrl(BaseModel):
    """
    A file on the public Internet that becomes a document.
    """

    model_config = ConfigDict(
        extra='forbid',
    )
    collection: Annotated[
        Collection | None, Field(description='Id or name.', title='Collection')
    ] = None
    filename: Annotated[
        Filename | None,
        Field(
            description='Name of the document. Null: the last part of the URL.',
            title='Filename',
        ),
    ] = None
    language: Annotated[Language | None, Field(title='Language')] = None
    tags: Annotated[
        list[Tag],
        Field(
            description='Ids or names.',
            max_length=200,
            title='Tags',
            validate_default=True,
        ),
    ] = []
    url: Annotated[
        str,
        Field(
            description='Public http(s) URL.',
            max_length=2048,
            min_length=1,
            title='Url',
        ),
    ]


class Collection1(RootModel[str]):
    root: Annotated[str, Field(max_length=500, min_length=1)]


class Document(RootModel[str]):
    root: Annotated[
        str,
        Field(
            description='Id or filename of the only document to search.',
            max_length=500,
            min_length=1,
            title='Document',
        ),
    ]


class Document1(RootModel[str]):
    root: Annotated[str, Field(max_length=500, min_length=1)]


class Language1(RootModel[str]):
    root: Annotated[
        str,
        Field(
            description='Only documents in this language (ISO 639).',
            pattern='^[A-Za-z]{2,3}$',
            title='Language',
        ),
    ]


class AnswerSentence(BaseModel):
    """
    A sentence of the answer and the citations that support it.
    """

    citations: Annotated[
        list[int], Field(description='Numbers of citations.', title='Citations')
    ]
    text: Annotated[str, Field(title='Text')]


class AnsweringTook(BaseModel):
    """
    Times in milliseconds.
    """

    answering: Annotated[float, Field(title='Answering')]
    retrieval: Annotated[float, Field(title='Retrieval')]
    total: Annotated[float, Field(title='Total')]


class CacheFacts(BaseModel):
    """
    The content of a cache, and its hits and misses since the process started.
    """

    entries: Annotated[int, Field(title='Entries')]
    hits: Annotated[int, Field(title='Hits')]
    max_bytes: Annotated[int, Field(title='Max Bytes')]
    max_entries: Annotated[int, Field(title='Max Entries')]
    misses: Annotated[int, Field(title='Misses')]
    name: Annotated[Literal['download', 'document', 'retriever'], Field(title='Name')]
    size_bytes: Annotated[int, Field(title='Size Bytes')]


class CachesCleared(BaseModel):
    """
    The number of removed entries.
    """

    cleared: Annotated[int, Field(title='Cleared')]


class CachesResponse(BaseModel):
    """
    The caches.
    """

    caches: Annotated[list[CacheFacts], Field(title='Caches')]
    ttl_seconds: Annotated[float, Field(title='Ttl Seconds')]


class CalculationLine(BaseModel):
    """
    An operation and its result.
    """

    expression: Annotated[str, Field(title='Expression')]
    result: Annotated[str, Field(title='Result')]


class ChunkOfFile(BaseModel):
    """
    A chunk as the library would make it, with at most 5,000 characters of text.
    """

    char_end: Annotated[int, Field(title='Char End')]
    char_start: Annotated[int, Field(title='Char Start')]
    chunk_index: Annotated[int, Field(title='Chunk Index')]
    content_type: Annotated[
        Literal['text', 'table', 'list', 'heading'], Field(title='Content Type')
    ]
    importance: Annotated[float, Field(title='Importance')]
    is_truncated: Annotated[bool, Field(title='Is Truncated')]
    keyword_rank: Annotated[int | None, Field(title='Keyword Rank')] = None
    language: Annotated[str, Field(title='Language')]
    last_page_number: Annotated[int, Field(title='Last Page Number')]
    page_number: Annotated[int, Field(title='Page Number')]
    score: Annotated[
        float | None,
        Field(
            description='Of retrieval, 0..1: ranks, importance and diversity of content types in one.',
            title='Score',
        ),
    ] = None
    section_heading: Annotated[str | None, Field(title='Section Heading')]
    section_path: Annotated[
        list[str],
        Field(
            description='The headings above it, the outermost first.',
            title='Section Path',
        ),
    ]
    semantic_rank: Annotated[int | None, Field(title='Semantic Rank')] = None
    text: Annotated[str, Field(title='Text')]
    token_count: Annotated[int, Field(title='Token Count')]


class Content(RootModel[str]):
    root: Annotated[
        str,
        Field(
            description='Bytes of the file in base64, instead of `url`.',
            max_length=1000000,
            min_length=1,
            title='Content',
        ),
    ]


class Filename1(RootModel[str]):
    root: Annotated[
        str,
        Field(
            description='File name. Its extension tells text formats apart.',
            max_length=200,
            title='Filename',
        ),
    ]


class Url(RootModel[str]):
    root: Annotated[
        str,
        Field(
            description='Public http(s) URL.',
            max_length=2048,
            min_length=1,
            title='Url',
        ),
    ]


class ChunksRequest(BaseModel):
    """
    A file to chunk, and the range of chunks to return.
    """

    model_config = ConfigDict(
        extra='forbid',
    )
    content: Annotated[
        Content | None,
        Field(
            description='Bytes of the file in base64, instead of `url`.',
            title='Content',
        ),
    ] = None
    filename: Annotated[
        Filename1 | None,
        Field(
            description='File name. Its extension tells text formats apart.',
            title='Filename',
        ),
    ] = None
    limit: Annotated[
        int, Field(description='Chunks wanted.', ge=1, le=200, title='Limit')
    ] = 50
    offset: Annotated[
        int, Field(description='Index of the first chunk.', ge=0, title='Offset')
    ] = 0
    password: Annotated[
        SecretStr | None,
        Field(description='Password of a protected file.', title='Password'),
    ] = None
    url: Annotated[
        Url | None, Field(description='Public http(s) URL.', title='Url')
    ] = None


class CitedTable(BaseModel):
    """
    The header and the row of a table that are cited, cell by cell.
    """

    header: Annotated[list[str], Field(title='Header')]
    rows: Annotated[list[list[str]], Field(title='Rows')]


class CollectionRef(BaseModel):
    """
    The collection of a document.
    """

    id: Annotated[UUID, Field(title='Id')]
    name: Annotated[str, Field(title='Name')]


class CollectionResponse(BaseModel):
    """
    A group of documents with its own access rules.
    """

    can_write: Annotated[
        bool,
        Field(
            description='True if the caller may change its documents.',
            title='Can Write',
        ),
    ]
    created_at: Annotated[AwareDatetime, Field(title='Created At')]
    description: Annotated[str, Field(title='Description')]
    document_count: Annotated[
        int,
        Field(
            description="Documents in the caller's scope, without the trash.",
            title='Document Count',
        ),
    ]
    id: Annotated[UUID, Field(title='Id')]
    is_default: Annotated[bool, Field(title='Is Default')]
    is_open: Annotated[bool, Field(title='Is Open')]
    name: Annotated[str, Field(title='Name')]


class ColumnOfTable(BaseModel):
    """
    A column of a table.
    """

    density: Annotated[
        float, Field(description='Share of non-empty cells, 0..1.', title='Density')
    ]
    kind: Annotated[
        str, Field(description='number, date, boolean, text or empty.', title='Kind')
    ]
    name: Annotated[str, Field(title='Name')]


class ContentResponse(BaseModel):
    """
    A range of the document's text.
    """

    char_count: Annotated[
        int, Field(description='Characters of the whole text.', title='Char Count')
    ]
    char_end: Annotated[int, Field(title='Char End')]
    char_start: Annotated[int, Field(title='Char Start')]
    document_id: Annotated[UUID, Field(title='Document Id')]
    next_char_start: Annotated[
        int | None,
        Field(
            description='`char_start` of the next request. Null at the end.',
            title='Next Char Start',
        ),
    ]
    text: Annotated[str, Field(title='Text')]


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


class DocumentError(BaseModel):
    """
    Why processing failed or was cancelled.
    """

    code: Annotated[str, Field(title='Code')]
    details: Annotated[
        dict[str, Any] | None,
        Field(
            description='Limits and numbers by name, such as `max_pages`.',
            title='Details',
        ),
    ]
    hint: Annotated[str | None, Field(title='Hint')]
    message: Annotated[str, Field(title='Message')]


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


class ExtractsFeatures(BaseModel):
    """
    Optional features of file processing.
    """

    reranking: Annotated[bool, Field(title='Reranking')]
    text_recognition: Annotated[bool, Field(title='Text Recognition')]


class ExtractsSecurity(BaseModel):
    """
    The limits of file processing.
    """

    fetches_private_addresses: Annotated[
        bool,
        Field(
            description='True if LECTERN_FETCH_ALLOWED lists any.',
            title='Fetches Private Addresses',
        ),
    ]
    max_file_bytes: Annotated[int, Field(title='Max File Bytes')]
    max_seconds: Annotated[float, Field(title='Max Seconds')]
    unenforced: Annotated[
        list[str] | None,
        Field(
            description='Restrictions that the sandbox lacks here. Null if unknown.',
            title='Unenforced',
        ),
    ]


class FileFacts(BaseModel):
    """
    Metadata of a file.
    """

    character_count: Annotated[int, Field(title='Character Count')]
    content_type: Annotated[str, Field(title='Content Type')]
    filename: Annotated[str, Field(title='Filename')]
    language: Annotated[str | None, Field(title='Language')]
    ocr_confidence: Annotated[
        float | None,
        Field(
            description='Mean confidence of recognized pages and images, 0..1.',
            title='Ocr Confidence',
        ),
    ]
    page_count: Annotated[int, Field(title='Page Count')]
    sha256: Annotated[str, Field(title='Sha256')]
    size_bytes: Annotated[int, Field(title='Size Bytes')]
    title: Annotated[str | None, Field(title='Title')]


class FolderScan(BaseModel):
    """
    Options of a scan.
    """

    model_config = ConfigDict(
        extra='forbid',
    )
    confirm_prune: Annotated[
        bool,
        Field(
            description='Accept all missing files as deleted, however many.',
            title='Confirm Prune',
        ),
    ] = False
    dry_run: Annotated[
        bool,
        Field(description='Return the changes without making them.', title='Dry Run'),
    ] = False


class FormCount(BaseModel):
    """
    Number of occurrences of a word.
    """

    count: Annotated[int, Field(title='Count')]
    word: Annotated[str, Field(title='Word')]


class FormatFacts(BaseModel):
    """
    A supported format.
    """

    content_type: Annotated[str, Field(title='Content Type')]
    name: Annotated[str, Field(title='Name')]
    suffixes: Annotated[list[str], Field(title='Suffixes')]


class FormatsResponse(BaseModel):
    """
    All supported formats.
    """

    formats: Annotated[list[FormatFacts], Field(title='Formats')]


class FoundTableRow(BaseModel):
    """
    A row of a table.
    """

    page_number: Annotated[int, Field(title='Page Number')]
    row_number: Annotated[
        int,
        Field(description='Row number below the header, from 1.', title='Row Number'),
    ]
    score: Annotated[
        float,
        Field(
            description='1: a cell equals the query. 0.9: the row contains it. Below: some of its words.',
            title='Score',
        ),
    ]
    table: Annotated[str, Field(title='Table')]
    values: Annotated[dict[str, str], Field(title='Values')]


class HighlightRect(BaseModel):
    """
    A rectangle in fractions of the displayed page, origin top left.
    """

    h: Annotated[float, Field(title='H')]
    w: Annotated[float, Field(title='W')]
    x: Annotated[float, Field(title='X')]
    y: Annotated[float, Field(title='Y')]


class ImageOfFile(BaseModel):
    """
    An image that shows text, with the confidence of its recognition (0..1).
    """

    confidence: Annotated[float, Field(title='Confidence')]
    page_number: Annotated[int, Field(title='Page Number')]
    text: Annotated[str, Field(title='Text')]


class Client(RootModel[str]):
    root: Annotated[
        str,
        Field(
            description='Address of the caller who sent the key.',
            max_length=100,
            title='Client',
        ),
    ]


class IntrospectRequest(BaseModel):
    """
    A key to introspect.
    """

    model_config = ConfigDict(
        extra='forbid',
    )
    client: Annotated[
        Client | None,
        Field(description='Address of the caller who sent the key.', title='Client'),
    ] = None
    key: Annotated[SecretStr, Field(max_length=1000, min_length=1, title='Key')]


class KeyIntrospection(BaseModel):
    """
    The permissions of a valid key. Only `is_active` is set for an invalid one.
    """

    can_write: Annotated[bool | None, Field(title='Can Write')] = None
    expires_at: Annotated[AwareDatetime | None, Field(title='Expires At')] = None
    is_active: Annotated[bool, Field(title='Is Active')]
    name: Annotated[str | None, Field(title='Name')] = None
    principal: Annotated[
        str | None,
        Field(
            description='Value of X-Lectern-Principal. It names the secret: a rotated key has two.',
            examples=['key:6f9619ff-8b86-4d01-b42d-00cf4fc964ff:lk_1a2b3c4d'],
            title='Principal',
        ),
    ] = None
    toolsets: Annotated[list[str] | None, Field(title='Toolsets')] = None
    web_url: Annotated[
        str | None,
        Field(
            description='Address of the web UI, for links to documents.',
            title='Web Url',
        ),
    ] = None


class LanguageRequest(BaseModel):
    """
    A text.
    """

    model_config = ConfigDict(
        extra='forbid',
    )
    text: Annotated[str, Field(max_length=100000, min_length=1, title='Text')]


class LanguageVote(BaseModel):
    """
    A language and its share of the text's parts.
    """

    language: Annotated[str, Field(description='ISO 639-1.', title='Language')]
    name: Annotated[str, Field(title='Name')]
    share: Annotated[float, Field(title='Share')]


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


class OutlineHeading(BaseModel):
    """
    A heading and its page.
    """

    level: Annotated[int, Field(title='Level')]
    page_number: Annotated[int | None, Field(title='Page Number')] = None
    title: Annotated[str, Field(title='Title')]


class OutlineResponse(BaseModel):
    """
    The outline in the file, or else the detected headings.
    """

    items: Annotated[list[OutlineHeading], Field(title='Items')]


class PageCount(BaseModel):
    """
    Number of occurrences of the term on a page.
    """

    count: Annotated[int, Field(title='Count')]
    page_number: Annotated[int, Field(title='Page Number')]


class PageImageStatus(RootModel[Literal['available', 'locked', 'none']]):
    root: Annotated[
        Literal['available', 'locked', 'none'],
        Field(
            description='Availability of page images. `LOCKED` files need a password, which is never stored.',
            title='PageImageStatus',
        ),
    ]


class PageOfFile(BaseModel):
    """
    A page (slide, sheet). `text` begins at `char_start`. Headings begin with `#`, once for each level.
    """

    char_start: Annotated[int, Field(title='Char Start')]
    character_count: Annotated[int, Field(title='Character Count')]
    is_truncated: Annotated[bool, Field(title='Is Truncated')]
    kind: Annotated[
        Literal['text', 'table', 'toc', 'ocr', 'empty', 'unreadable'],
        Field(title='Kind'),
    ]
    note: Annotated[str | None, Field(title='Note')]
    ocr_confidence: Annotated[
        float | None,
        Field(
            description='Confidence of text recognition, 0..1. Null without it.',
            title='Ocr Confidence',
        ),
    ]
    page_number: Annotated[int, Field(title='Page Number')]
    text: Annotated[str, Field(title='Text')]


class PageWord(BaseModel):
    """
    A word of a page: its characters in the page's text, and its rectangle.
    """

    end: Annotated[int, Field(title='End')]
    h: Annotated[float, Field(title='H')]
    line: Annotated[
        int,
        Field(
            description='Number of its line, or of its cell in a table.', title='Line'
        ),
    ]
    start: Annotated[int, Field(title='Start')]
    w: Annotated[float, Field(title='W')]
    x: Annotated[float, Field(title='X')]
    y: Annotated[float, Field(title='Y')]


class PageCollectionResponse(BaseModel):
    items: Annotated[list[CollectionResponse], Field(title='Items')]
    next_cursor: Annotated[
        str | None,
        Field(
            description='Send it as `cursor` for the next page. Null on the last page.',
            title='Next Cursor',
        ),
    ] = None
    total: Annotated[
        int, Field(description='Number of items on all pages.', title='Total')
    ]


class PendingVersion(BaseModel):
    """
    A version newer than the current one, that is processing, failed or cancelled.
    """

    created_at: Annotated[AwareDatetime, Field(title='Created At')]
    created_by: Annotated[str, Field(title='Created By')]
    error: DocumentError | None
    filename: Annotated[str, Field(title='Filename')]
    number: Annotated[int, Field(title='Number')]
    state: Annotated[Literal['processing', 'failed', 'cancelled'], Field(title='State')]


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


class ProcessRequest(BaseModel):
    """
    A file, and where its text begins.
    """

    model_config = ConfigDict(
        extra='forbid',
    )
    char_start: Annotated[
        int,
        Field(
            description='First character. Above 0, only the text is returned.',
            ge=0,
            title='Char Start',
        ),
    ] = 0
    content: Annotated[
        Content | None,
        Field(
            description='Bytes of the file in base64, instead of `url`.',
            title='Content',
        ),
    ] = None
    filename: Annotated[
        Filename1 | None,
        Field(
            description='File name. Its extension tells text formats apart.',
            title='Filename',
        ),
    ] = None
    password: Annotated[
        SecretStr | None,
        Field(description='Password of a protected file.', title='Password'),
    ] = None
    url: Annotated[
        Url | None, Field(description='Public http(s) URL.', title='Url')
    ] = None


class Progress(BaseModel):
    """
    Progress and outcome of the latest job of a document.
    """

    attempts: Annotated[int, Field(title='Attempts')]
    chunks_added: Annotated[
        int | None,
        Field(description='New chunks, which must be embedded.', title='Chunks Added'),
    ]
    chunks_embedded: Annotated[int | None, Field(title='Chunks Embedded')]
    chunks_removed: Annotated[
        int | None,
        Field(
            description='Chunks removed when the job succeeds.', title='Chunks Removed'
        ),
    ]
    chunks_to_embed: Annotated[int | None, Field(title='Chunks To Embed')]
    chunks_unchanged: Annotated[
        int | None,
        Field(
            description='Chunks shared with the previous version, which keep their embeddings.',
            title='Chunks Unchanged',
        ),
    ]
    error: Annotated[
        DocumentError | None,
        Field(description='Why the job failed, was cancelled, or waits for a retry.'),
    ]
    finished_at: Annotated[AwareDatetime | None, Field(title='Finished At')]
    job_id: Annotated[UUID, Field(title='Job Id')]
    kind: Annotated[str, Field(title='Kind')]
    max_attempts: Annotated[int, Field(title='Max Attempts')]
    next_try_at: Annotated[AwareDatetime | None, Field(title='Next Try At')]
    page: Annotated[int | None, Field(title='Page')]
    page_count: Annotated[int | None, Field(title='Page Count')]
    share: Annotated[
        float,
        Field(
            description='Progress from 0 to 1. It is 1 only when the document is ready.',
            title='Share',
        ),
    ]
    stage: Annotated[
        str | None,
        Field(description='`extract`, `chunk`, `index` or `embed`.', title='Stage'),
    ]
    started_at: Annotated[AwareDatetime | None, Field(title='Started At')]
    state: Annotated[
        Literal['queued', 'running', 'succeeded', 'failed', 'cancelled'],
        Field(title='State'),
    ]
    version: Annotated[
        int | None,
        Field(
            description='The version that the job creates. Null if it reprocesses the current version.',
            title='Version',
        ),
    ]


class ProtectedResourceMetadata(BaseModel):
    """
    The MCP service as a protected resource (RFC 9728).
    """

    authorization_servers: Annotated[list[str], Field(title='Authorization Servers')]
    bearer_methods_supported: Annotated[
        list[str], Field(title='Bearer Methods Supported')
    ] = ['header']
    resource: Annotated[str, Field(title='Resource')]
    resource_name: Annotated[str, Field(title='Resource Name')] = 'Lectern'
    scopes_supported: Annotated[list[str], Field(title='Scopes Supported')]


class QueryExpansion(BaseModel):
    """
    A term of the query and the synonyms that were searched as well.
    """

    synonyms: Annotated[list[str], Field(title='Synonyms')]
    term: Annotated[str, Field(title='Term')]


class QuoteDifference(BaseModel):
    """
    A difference between the quotation and the document.

    `missing`: the quotation omits these words. `added`: the document does not have them.
    """

    found: Annotated[str, Field(title='Found')]
    kind: Annotated[Literal['replaced', 'missing', 'added'], Field(title='Kind')]
    quoted: Annotated[str, Field(title='Quoted')]


class QuoteMetadata(BaseModel):
    """
    The text that the quotation was compared with.
    """

    coverage: Coverage
    documents_read: Annotated[
        int,
        Field(
            description='Number of documents whose text was compared.',
            title='Documents Read',
        ),
    ]
    is_whole_text: Annotated[
        bool,
        Field(
            description='True if the whole text of the named documents was compared, else only pages found by a search.',
            title='Is Whole Text',
        ),
    ]


class RectangleResponse(BaseModel):
    """
    A rectangle in fractions (0 to 1) of the displayed page, with the origin at the top left.
    """

    h: Annotated[float, Field(title='H')]
    w: Annotated[float, Field(title='W')]
    x: Annotated[float, Field(title='X')]
    y: Annotated[float, Field(title='Y')]


class Refusal(BaseModel):
    """
    Reason why nothing was calculated.
    """

    code: Annotated[
        Literal[
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
        ],
        Field(title='Code'),
    ]
    detail: Annotated[str, Field(title='Detail')]


class RefusedPath(BaseModel):
    """
    A file that the library refuses.
    """

    code: Annotated[str, Field(title='Code')]
    path: Annotated[str, Field(title='Path')]


class RejectedCell(BaseModel):
    """
    A figure of the model that is not used.
    """

    code: Annotated[
        Literal[
            'unknown_search',
            'unknown_source',
            'quote_not_found',
            'instruction',
            'no_figure',
            'figure_not_in_quote',
            'other_period',
            'unclear_scale',
        ],
        Field(title='Code'),
    ]
    detail: Annotated[str, Field(title='Detail')]
    document: Annotated[str | None, Field(title='Document')]
    document_id: Annotated[UUID | None, Field(title='Document Id')]
    search: Annotated[str, Field(title='Search')]


class RenamedFile(BaseModel):
    """
    A moved file. Its document keeps its id, tags and chunks.
    """

    new_path: Annotated[str, Field(title='New Path')]
    old_path: Annotated[str, Field(title='Old Path')]


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


class RetrievalRequest(BaseModel):
    """
    A file and a question about it.
    """

    model_config = ConfigDict(
        extra='forbid',
    )
    content: Annotated[
        Content | None,
        Field(
            description='Bytes of the file in base64, instead of `url`.',
            title='Content',
        ),
    ] = None
    filename: Annotated[
        Filename1 | None,
        Field(
            description='File name. Its extension tells text formats apart.',
            title='Filename',
        ),
    ] = None
    password: Annotated[
        SecretStr | None,
        Field(description='Password of a protected file.', title='Password'),
    ] = None
    query: Annotated[str, Field(max_length=4000, min_length=1, title='Query')]
    top_k: Annotated[
        int, Field(description='Chunks wanted.', ge=1, le=20, title='Top K')
    ] = 5
    url: Annotated[
        Url | None, Field(description='Public http(s) URL.', title='Url')
    ] = None


class RetrievedChunks(BaseModel):
    """
    The chunks of a file that match a question best, best first.
    """

    chunk_count: Annotated[int, Field(title='Chunk Count')]
    chunks: Annotated[list[ChunkOfFile], Field(title='Chunks')]
    embedding_model: Annotated[str, Field(title='Embedding Model')]
    file: FileFacts
    query: Annotated[str, Field(title='Query')]
    reranking: Annotated[
        Reranking | None, Field(description='Null if the installation does not rerank.')
    ] = None


class Sheet(RootModel[str]):
    root: Annotated[
        str,
        Field(
            description='Name or number of the sheet. Default: all.',
            max_length=200,
            min_length=1,
            title='Sheet',
        ),
    ]


class RowsRequest(BaseModel):
    """
    A spreadsheet and the words to find in its rows.
    """

    model_config = ConfigDict(
        extra='forbid',
    )
    content: Annotated[
        Content | None,
        Field(
            description='Bytes of the file in base64, instead of `url`.',
            title='Content',
        ),
    ] = None
    filename: Annotated[
        Filename1 | None,
        Field(
            description='File name. Its extension tells text formats apart.',
            title='Filename',
        ),
    ] = None
    limit: Annotated[
        int, Field(description='Rows wanted.', ge=1, le=20, title='Limit')
    ] = 20
    password: Annotated[
        SecretStr | None,
        Field(description='Password of a protected file.', title='Password'),
    ] = None
    query: Annotated[
        str,
        Field(
            description='Value or words to find. Empty: the first rows.',
            max_length=1000,
            title='Query',
        ),
    ] = ''
    sheet: Annotated[
        Sheet | None,
        Field(description='Name or number of the sheet. Default: all.', title='Sheet'),
    ] = None
    url: Annotated[
        Url | None, Field(description='Public http(s) URL.', title='Url')
    ] = None


class Language2(RootModel[str]):
    root: Annotated[
        str,
        Field(
            description='Documents in this language only (ISO 639).',
            pattern='^[A-Za-z]{2,3}$',
            title='Language',
        ),
    ]


class SearchedTable(BaseModel):
    """
    A searched table and its matching rows.
    """

    columns: Annotated[list[ColumnOfTable], Field(title='Columns')]
    match_count: Annotated[int, Field(title='Match Count')]
    name: Annotated[str, Field(description="The sheet's name.", title='Name')]
    page_number: Annotated[int, Field(title='Page Number')]
    row_count: Annotated[int, Field(title='Row Count')]


class SentPage(BaseModel):
    """
    A page sent as an image.
    """

    document: Annotated[
        str, Field(description="The document's filename.", title='Document')
    ]
    document_id: Annotated[UUID, Field(title='Document Id')]
    page_number: Annotated[int, Field(title='Page Number')]


class SkippedPage(BaseModel):
    """
    A page that was not sent as an image.
    """

    code: Annotated[
        str,
        Field(
            description='`too_many_bytes`, `contains_instructions` (its text addresses a language model), or the code of the rendering error.',
            title='Code',
        ),
    ]
    document: Annotated[
        str, Field(description="The document's filename.", title='Document')
    ]
    document_id: Annotated[UUID, Field(title='Document Id')]
    page_number: Annotated[int, Field(title='Page Number')]


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


class SpreadsheetRows(BaseModel):
    """
    The rows of a spreadsheet that match, best first.
    """

    file: FileFacts
    match_count: Annotated[
        int,
        Field(
            description='All matching rows. `rows` has at most 20.', title='Match Count'
        ),
    ]
    query: Annotated[str, Field(title='Query')]
    rows: Annotated[list[FoundTableRow], Field(title='Rows')]
    sheets: Annotated[
        list[str], Field(description='Names of all sheets with tables.', title='Sheets')
    ]
    tables: Annotated[list[SearchedTable], Field(title='Tables')]


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


class TableOfFile(BaseModel):
    """
    A table with at most 20 rows.
    """

    columns: Annotated[list[ColumnOfTable], Field(title='Columns')]
    header: Annotated[list[str], Field(title='Header')]
    is_truncated: Annotated[bool, Field(title='Is Truncated')]
    name: Annotated[
        str,
        Field(
            description="The sheet's name, or the first line of its page.", title='Name'
        ),
    ]
    page_number: Annotated[int, Field(title='Page Number')]
    row_count: Annotated[int, Field(title='Row Count')]
    rows: Annotated[list[list[str]], Field(title='Rows')]


class TablesOfFile(BaseModel):
    """
    The tables of a file.
    """

    common_columns: Annotated[
        list[str],
        Field(
            description='Column names that all tables share.', title='Common Columns'
        ),
    ]
    file: FileFacts
    tables: Annotated[list[TableOfFile], Field(title='Tables')]


class TablesRequest(BaseModel):
    """
    A file and its required format.
    """

    model_config = ConfigDict(
        extra='forbid',
    )
    content: Annotated[
        Content | None,
        Field(
            description='Bytes of the file in base64, instead of `url`.',
            title='Content',
        ),
    ] = None
    filename: Annotated[
        Filename1 | None,
        Field(
            description='File name. Its extension tells text formats apart.',
            title='Filename',
        ),
    ] = None
    format: Annotated[
        Literal['pdf', 'docx', 'pptx', 'image', 'xlsx', 'csv'] | None,
        Field(description='Required format of the file.', title='Format'),
    ] = None
    password: Annotated[
        SecretStr | None,
        Field(description='Password of a protected file.', title='Password'),
    ] = None
    url: Annotated[
        Url | None, Field(description='Public http(s) URL.', title='Url')
    ] = None


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


class TagResponse(BaseModel):
    """
    A label of documents.
    """

    color: Annotated[str, Field(title='Color')]
    created_at: Annotated[AwareDatetime, Field(title='Created At')]
    description: Annotated[str, Field(title='Description')]
    document_count: Annotated[
        int,
        Field(
            description="Documents with this tag in the caller's scope, without the trash.",
            title='Document Count',
        ),
    ]
    id: Annotated[UUID, Field(title='Id')]
    is_owner: Annotated[
        bool,
        Field(
            description='True: the caller is the person who owns it, and may share it.',
            title='Is Owner',
        ),
    ]
    name: Annotated[str, Field(title='Name')]


class TextOfFile(BaseModel):
    """
    The text of a file, page by page.
    """

    file: FileFacts
    is_truncated: Annotated[
        bool,
        Field(
            description='Text was cut at 50,000 characters. Go on from the last page.',
            title='Is Truncated',
        ),
    ]
    pages: Annotated[list[PageOfFile], Field(title='Pages')]


class LastPage(RootModel[int]):
    root: Annotated[
        int,
        Field(
            description='Last page. Default: the last one of the file.',
            ge=1,
            title='Last Page',
        ),
    ]


class TextRequest(BaseModel):
    """
    A file, its required format and the pages to return.
    """

    model_config = ConfigDict(
        extra='forbid',
    )
    char_start: Annotated[
        int,
        Field(
            description='First character of the first page.', ge=0, title='Char Start'
        ),
    ] = 0
    content: Annotated[
        Content | None,
        Field(
            description='Bytes of the file in base64, instead of `url`.',
            title='Content',
        ),
    ] = None
    filename: Annotated[
        Filename1 | None,
        Field(
            description='File name. Its extension tells text formats apart.',
            title='Filename',
        ),
    ] = None
    first_page: Annotated[
        int, Field(description='First page.', ge=1, title='First Page')
    ] = 1
    format: Annotated[
        Literal['pdf', 'docx', 'pptx', 'image', 'xlsx', 'csv'] | None,
        Field(description='Required format of the file.', title='Format'),
    ] = None
    last_page: Annotated[
        LastPage | None,
        Field(
            description='Last page. Default: the last one of the file.',
            title='Last Page',
        ),
    ] = None
    password: Annotated[
        SecretStr | None,
        Field(description='Password of a protected file.', title='Password'),
    ] = None
    url: Annotated[
        Url | None, Field(description='Public http(s) URL.', title='Url')
    ] = None


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


class TraceStep(BaseModel):
    """
    Event `step`: a finished step of an answer.
    """

    hits: Annotated[
        int | None, Field(description='Chunks of a search.', title='Hits')
    ] = None
    input: Annotated[
        str, Field(description='The question, query or expression.', title='Input')
    ]
    kind: Annotated[
        Literal['plan', 'search', 'cells', 'calculation', 'draft'],
        Field(
            description='`plan`: searches and an expression; `search`; `cells`: the model picks figures and Lectern checks them; `calculation`; `draft`: the model writes and each sentence is verified.',
            title='Kind',
        ),
    ]
    model_seconds: Annotated[
        float,
        Field(
            description='The part of `seconds` that was spent on the chat endpoint.',
            title='Model Seconds',
        ),
    ] = 0.0
    output: Annotated[str, Field(description='The result in short.', title='Output')]
    problem: Annotated[
        str | None,
        Field(description='Reason why the step gave no result.', title='Problem'),
    ] = None
    seconds: Annotated[float, Field(title='Seconds')]
    tokens: Annotated[
        int, Field(description='Tokens of prompt and completion.', title='Tokens')
    ] = 0


class UploadProblem(BaseModel):
    """
    Why one of several files was refused. Some codes add members.
    """

    model_config = ConfigDict(
        extra='allow',
    )
    code: Annotated[str, Field(title='Code')]
    detail: Annotated[str, Field(title='Detail')]
    hint: Annotated[str | None, Field(title='Hint')]
    status: Annotated[int, Field(title='Status')]


class UrlOfFile(BaseModel):
    """
    A URL in the text, with 100 characters of context on either side.
    """

    category: Annotated[
        Literal['api_endpoint', 'navigation', 'image', 'general'],
        Field(title='Category'),
    ]
    char_start: Annotated[int, Field(title='Char Start')]
    context: Annotated[str, Field(title='Context')]
    url: Annotated[str, Field(title='Url')]


class Usage(BaseModel):
    """
    Use of the chat endpoint.
    """

    completion_tokens: Annotated[int, Field(title='Completion Tokens')]
    image_bytes: Annotated[
        int, Field(description='Total size of these images.', title='Image Bytes')
    ] = 0
    images: Annotated[
        int, Field(description='Number of page images sent.', title='Images')
    ]
    prompt_tokens: Annotated[int, Field(title='Prompt Tokens')]
    requests: Annotated[int, Field(title='Requests')]


class VisionProblem(BaseModel):
    """
    The error of a request with page images.
    """

    code: Annotated[str, Field(title='Code')]
    detail: Annotated[str, Field(title='Detail')]
    hint: Annotated[str | None, Field(title='Hint')]


class AnswerRequest(BaseModel):
    """
    A question and where to look for its answer.
    """

    model_config = ConfigDict(
        extra='forbid',
    )
    collections: Annotated[
        list[Collection1],
        Field(
            description='Ids or names of collections to search.',
            max_length=100,
            title='Collections',
            validate_default=True,
        ),
    ] = []
    created_after: Annotated[
        AwareDatetime | None,
        Field(
            description='Only documents uploaded at or after this.',
            title='Created After',
        ),
    ] = None
    created_before: Annotated[
        AwareDatetime | None,
        Field(
            description='Only documents uploaded before this.', title='Created Before'
        ),
    ] = None
    document: Annotated[
        Document | None,
        Field(
            description='Id or filename of the only document to search.',
            title='Document',
        ),
    ] = None
    documents: Annotated[
        list[Document1],
        Field(
            description='Ids or filenames of documents to search. A comparison searches each of them.',
            max_length=100,
            title='Documents',
            validate_default=True,
        ),
    ] = []
    language: Annotated[
        Language1 | None,
        Field(
            description='Only documents in this language (ISO 639).', title='Language'
        ),
    ] = None
    question: Annotated[
        str,
        Field(
            description='A question, in any language.',
            max_length=4000,
            min_length=1,
            title='Question',
        ),
    ]
    rewrite: Annotated[
        bool,
        Field(
            description='Rewrite a follow-up question from its thread. False: ask it as it is.',
            title='Rewrite',
        ),
    ] = True
    save: Annotated[
        bool,
        Field(
            description='Save the question and answer in your history, in a new thread without `thread_id`.',
            title='Save',
        ),
    ] = True
    steps: Annotated[
        Literal['auto', 'never', 'always'],
        Field(
            description='`auto`: several steps for calculations and comparisons, with a chat endpoint; `never`; `always`.',
            title='Steps',
        ),
    ] = 'auto'
    stream: Annotated[
        bool, Field(description='Answer with server-sent events.', title='Stream')
    ] = False
    tags: Annotated[
        TagFilter | None,
        Field(description='Names of tags. A plain list matches any of them.'),
    ] = None
    thread_id: Annotated[
        UUID | None,
        Field(
            description='A thread of yours that the question continues. Its filters apply where you give none.',
            title='Thread Id',
        ),
    ] = None
    top_k: Annotated[
        int,
        Field(
            description='Number of chunks to answer from. The best keyword match is added to them.',
            ge=1,
            le=20,
            title='Top K',
        ),
    ] = 8


class Calculation(BaseModel):
    """
    A calculation over cells. `value` and `display` are null if it was refused.
    """

    cells: Annotated[
        list[str], Field(description='Ids of the cells that it uses.', title='Cells')
    ]
    display: Annotated[
        str | None,
        Field(description='The rounded number with scale and unit.', title='Display'),
    ]
    expression: Annotated[
        str, Field(description='With ids of searches.', title='Expression')
    ]
    lines: Annotated[
        list[CalculationLine],
        Field(
            description='Operations in order, with ids of cells and amounts.',
            title='Lines',
        ),
    ]
    refusal: Refusal | None
    unit: Annotated[str | None, Field(title='Unit')]
    value: Annotated[
        str | None, Field(description='The unrounded decimal number.', title='Value')
    ]


class ChunksOfFile(BaseModel):
    """
    A file in chunks.
    """

    chunk_characters: Annotated[
        int,
        Field(
            description='Target size of a chunk for this type and length.',
            title='Chunk Characters',
        ),
    ]
    chunk_count: Annotated[int, Field(title='Chunk Count')]
    chunks: Annotated[list[ChunkOfFile], Field(title='Chunks')]
    file: FileFacts
    offset: Annotated[int, Field(title='Offset')]
    overlap_characters: Annotated[int, Field(title='Overlap Characters')]


class ClosestSource(BaseModel):
    """
    A chunk that comes close to an answer, with its best sentence. Both are null if no sentence can be quoted.
    """

    char_end: Annotated[int | None, Field(title='Char End')] = None
    char_start: Annotated[
        int | None,
        Field(
            description="Offset of that sentence in the document's text.",
            title='Char Start',
        ),
    ] = None
    chunk_id: Annotated[UUID, Field(title='Chunk Id')]
    content_type: Annotated[
        Literal['text', 'table', 'list', 'heading'], Field(title='Content Type')
    ]
    document: Annotated[
        str, Field(description="The document's filename.", title='Document')
    ]
    document_id: Annotated[UUID, Field(title='Document Id')]
    last_page_number: Annotated[int, Field(title='Last Page Number')]
    page_number: Annotated[int, Field(title='Page Number')]
    score: Annotated[float, Field(title='Score')]
    section_heading: Annotated[str | None, Field(title='Section Heading')]
    sentence: Annotated[
        MatchRange | None,
        Field(description='Offsets of the best sentence in the snippet.'),
    ] = None
    snippet: Annotated[str, Field(title='Snippet')]
    title: Annotated[str | None, Field(title='Title')]


class DetectedLanguage(BaseModel):
    """
    The most frequent language of a text, or null if unknown.
    """

    confidence: Annotated[
        float,
        Field(
            description='Share of the parts in this language, 0..1.', title='Confidence'
        ),
    ]
    language: Annotated[str | None, Field(title='Language')]
    name: Annotated[str | None, Field(title='Name')]
    votes: Annotated[list[LanguageVote], Field(title='Votes')]


class DocumentResponse(BaseModel):
    """
    An uploaded file with its metadata and state.
    """

    aliases: Annotated[
        list[str],
        Field(
            description='Further names that find the document in filters and tools. Given ones replace those of the file.',
            title='Aliases',
        ),
    ]
    chunk_count: Annotated[int, Field(title='Chunk Count')]
    collection: CollectionRef
    content_type: Annotated[str, Field(title='Content Type')]
    created_at: Annotated[AwareDatetime, Field(title='Created At')]
    created_by: Annotated[str, Field(title='Created By')]
    deleted_at: Annotated[
        AwareDatetime | None,
        Field(
            description='Since when the document is in the trash.', title='Deleted At'
        ),
    ]
    embedded_chunk_count: Annotated[int, Field(title='Embedded Chunk Count')]
    error: DocumentError | None
    filename: Annotated[str, Field(title='Filename')]
    has_printed_pages: Annotated[
        bool,
        Field(
            description='Whether `is_printed=true` of `/original` and `/rectangles` works: an Office file, and LibreOffice is on the server. `/pages/{page_number}/image` draws printed pages then.',
            title='Has Printed Pages',
        ),
    ]
    id: Annotated[UUID, Field(title='Id')]
    is_owner: Annotated[
        bool,
        Field(
            description='True: the caller is the person who owns it, and may share it.',
            title='Is Owner',
        ),
    ]
    keyword_ready_at: Annotated[
        AwareDatetime | None,
        Field(
            description='Since when the document is searchable by keyword.',
            title='Keyword Ready At',
        ),
    ]
    language: Annotated[str | None, Field(title='Language')]
    newer_version: Annotated[
        PendingVersion | None,
        Field(
            description='A newer version that is not complete or failed. The current version stays in use.'
        ),
    ]
    page_count: Annotated[int | None, Field(title='Page Count')]
    page_images: Annotated[
        PageImageStatus,
        Field(
            description='Whether `/pages/{page_number}/image` can draw pages: `available`, `locked` (the file needs a password) or `none` (no PDF or picture, or not processed yet).'
        ),
    ]
    progress: Progress | None
    ready_at: Annotated[
        AwareDatetime | None,
        Field(
            description='Since when all its chunks are searchable by meaning too.',
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
    version: Annotated[
        int,
        Field(
            description='The current version, which searches and downloads use.',
            title='Version',
        ),
    ]


class DocumentStats(BaseModel):
    """
    Counts over the full text of a document.
    """

    character_count: Annotated[int, Field(title='Character Count')]
    document: Annotated[
        str, Field(description="The document's filename.", title='Document')
    ]
    document_id: Annotated[UUID, Field(title='Document Id')]
    other_forms: Annotated[
        list[FormCount],
        Field(
            description='For a term of one word: words of the text that differ in the ending, such as its plural.',
            title='Other Forms',
        ),
    ]
    page_count: Annotated[int, Field(title='Page Count')]
    term: Annotated[str | None, Field(title='Term')]
    term_count: Annotated[
        int | None,
        Field(
            description='Whole words; case, accents and line breaks are ignored.',
            title='Term Count',
        ),
    ]
    term_pages: Annotated[list[PageCount] | None, Field(title='Term Pages')]
    word_count: Annotated[int, Field(title='Word Count')]


class ExtractsHealth(BaseModel):
    """
    State of file processing.
    """

    active: Annotated[int, Field(description='Files in process.', title='Active')]
    caches: Annotated[list[CacheFacts], Field(title='Caches')]
    device: Annotated[
        Literal['cpu', 'remote'],
        Field(description='Device of the embedding model.', title='Device'),
    ]
    dimensions: Annotated[int, Field(title='Dimensions')]
    embedding_model: Annotated[str, Field(title='Embedding Model')]
    features: ExtractsFeatures
    formats: Annotated[list[str], Field(title='Formats')]
    ocr_engine: Annotated[str, Field(title='Ocr Engine')]
    security: ExtractsSecurity
    started_at: Annotated[
        AwareDatetime, Field(description='Start of this process.', title='Started At')
    ]
    status: Annotated[Literal['ok'], Field(title='Status')]
    timestamp: Annotated[AwareDatetime, Field(title='Timestamp')]
    version: Annotated[str, Field(title='Version')]


class FolderOutcome(BaseModel):
    """
    The result of a scan or dry run. Lists have the first hundred files; the counts are complete.
    """

    added: Annotated[
        list[str], Field(description='New files, added as documents.', title='Added')
    ] = []
    added_count: Annotated[int, Field(title='Added Count')] = 0
    held_back: Annotated[
        str | None,
        Field(
            description='Reason why missing files were not moved to the trash.',
            title='Held Back',
        ),
    ] = None
    is_dry_run: Annotated[bool, Field(title='Is Dry Run')]
    problem: Annotated[
        str | None, Field(description='Reason why the scan failed.', title='Problem')
    ] = None
    pruned: Annotated[
        list[str],
        Field(
            description='Missing files: their documents go to the trash.',
            title='Pruned',
        ),
    ] = []
    pruned_count: Annotated[int, Field(title='Pruned Count')] = 0
    refused: Annotated[
        list[RefusedPath],
        Field(
            description='Files that the library refuses.',
            title='Refused',
            validate_default=True,
        ),
    ] = []
    refused_count: Annotated[int, Field(title='Refused Count')] = 0
    renamed: Annotated[
        list[RenamedFile],
        Field(
            description='Moved files: their documents stay.',
            title='Renamed',
            validate_default=True,
        ),
    ] = []
    renamed_count: Annotated[int, Field(title='Renamed Count')] = 0
    seconds: Annotated[float, Field(title='Seconds')] = 0.0
    unchanged_count: Annotated[int, Field(title='Unchanged Count')] = 0
    updated: Annotated[
        list[str],
        Field(
            description='Changed files: their documents get a new version.',
            title='Updated',
        ),
    ] = []
    updated_count: Annotated[int, Field(title='Updated Count')] = 0


class Highlight(BaseModel):
    """
    The snippet's rectangles on one page.
    """

    page: Annotated[int, Field(title='Page')]
    rects: Annotated[list[HighlightRect], Field(title='Rects')]


class PageHighlight(BaseModel):
    """
    The rectangles of a text range on one page. Empty if the format has no geometry.
    """

    page: Annotated[int, Field(title='Page')]
    rects: Annotated[list[RectangleResponse], Field(title='Rects')]


class PageResponse(BaseModel):
    """
    A page with its text.
    """

    char_count: Annotated[int, Field(title='Char Count')]
    char_start: Annotated[
        int,
        Field(
            description="Offset of the page's text in the document's text.",
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
    words: Annotated[
        list[PageWord] | None,
        Field(description='Null unless requested.', title='Words'),
    ] = None


class PageDocumentResponse(BaseModel):
    items: Annotated[list[DocumentResponse], Field(title='Items')]
    next_cursor: Annotated[
        str | None,
        Field(
            description='Send it as `cursor` for the next page. Null on the last page.',
            title='Next Cursor',
        ),
    ] = None
    total: Annotated[
        int, Field(description='Number of items on all pages.', title='Total')
    ]


class PageTagResponse(BaseModel):
    items: Annotated[list[TagResponse], Field(title='Items')]
    next_cursor: Annotated[
        str | None,
        Field(
            description='Send it as `cursor` for the next page. Null on the last page.',
            title='Next Cursor',
        ),
    ] = None
    total: Annotated[
        int, Field(description='Number of items on all pages.', title='Total')
    ]


class ProcessedDocument(BaseModel):
    """
    A processed file. `text` has at most 50,000 characters, from `char_start` on. Headings begin with `#`.
    """

    char_count: Annotated[
        int, Field(description='Characters of the whole text.', title='Char Count')
    ]
    char_start: Annotated[int, Field(title='Char Start')]
    file: FileFacts
    images: Annotated[
        list[ImageOfFile],
        Field(
            description='Images among the text. Their text is part of `text` too.',
            title='Images',
        ),
    ]
    is_truncated: Annotated[bool, Field(title='Is Truncated')]
    outline: Annotated[list[OutlineHeading], Field(title='Outline')]
    tables: Annotated[list[TableOfFile], Field(title='Tables')]
    text: Annotated[str, Field(title='Text')]
    urls: Annotated[list[UrlOfFile], Field(title='Urls')]


class QuoteLocation(BaseModel):
    """
    The quoted text in a document, or the text most similar to it.
    """

    char_end: Annotated[int, Field(title='Char End')]
    char_start: Annotated[
        int, Field(description="Offset in the document's text.", title='Char Start')
    ]
    document: Annotated[
        str, Field(description="The document's filename.", title='Document')
    ]
    document_id: Annotated[UUID, Field(title='Document Id')]
    highlights: Annotated[list[PageHighlight], Field(title='Highlights')]
    last_page_number: Annotated[int, Field(title='Last Page Number')]
    links: DocumentLinks
    page_number: Annotated[int, Field(title='Page Number')]
    text: Annotated[str, Field(description="The document's exact text.", title='Text')]
    title: Annotated[str | None, Field(title='Title')]


class QuoteRequest(BaseModel):
    """
    A quotation and where to look for it.
    """

    model_config = ConfigDict(
        extra='forbid',
    )
    collections: Annotated[
        list[Collection1],
        Field(
            description='Ids or names of collections to search.',
            max_length=100,
            title='Collections',
            validate_default=True,
        ),
    ] = []
    documents: Annotated[
        list[Document1],
        Field(
            description='Ids or filenames of documents to search.',
            max_length=100,
            title='Documents',
            validate_default=True,
        ),
    ] = []
    quote: Annotated[
        str,
        Field(
            description='The quoted words.',
            max_length=4000,
            min_length=1,
            title='Quote',
        ),
    ]
    tags: Annotated[
        TagFilter | None,
        Field(description='Names of tags. A plain list matches any of them.'),
    ] = None


class QuoteVerdict(BaseModel):
    """
    The result of a quote check.
    """

    differences: Annotated[list[QuoteDifference], Field(title='Differences')]
    locations: Annotated[
        list[QuoteLocation],
        Field(description='At most 20; one for NEAR.', title='Locations'),
    ]
    similarity: Annotated[
        float | None,
        Field(
            description='Share of equal words, 0..1; null for NOT_FOUND.',
            title='Similarity',
        ),
    ]
    verdict: Annotated[Literal['EXACT', 'NEAR', 'NOT_FOUND'], Field(title='Verdict')]


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
        list[Collection1],
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
        list[Document1],
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
        Language2 | None,
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


class TextMatch(BaseModel):
    """
    A match of the words. Offsets are in the document's text.
    """

    after: Annotated[
        str,
        Field(
            description='Text after the match: at most 60 characters in whole words.',
            title='After',
        ),
    ]
    before: Annotated[
        str,
        Field(
            description='Text before the match: at most 60 characters in whole words.',
            title='Before',
        ),
    ]
    char_end: Annotated[int, Field(title='Char End')]
    char_start: Annotated[int, Field(title='Char Start')]
    highlights: Annotated[list[PageHighlight], Field(title='Highlights')]
    page_number: Annotated[
        int,
        Field(description='The page on which the match begins.', title='Page Number'),
    ]
    text: Annotated[
        str,
        Field(description='The matching text as it is in the document.', title='Text'),
    ]


class UploadResult(BaseModel):
    """
    The document or the problem of one file.
    """

    document: DocumentResponse | None = None
    filename: Annotated[str, Field(title='Filename')]
    is_duplicate: Annotated[
        bool,
        Field(
            description='The collection already had this file. Its tags were merged.',
            title='Is Duplicate',
        ),
    ] = False
    is_language_changed: Annotated[
        bool,
        Field(
            description='The collection already had this file. It is reprocessed in the requested language.',
            title='Is Language Changed',
        ),
    ] = False
    is_new_version: Annotated[
        bool,
        Field(
            description='The file is a new version of the document with this filename.',
            title='Is New Version',
        ),
    ] = False
    is_restored: Annotated[
        bool,
        Field(
            description='The document was restored from the trash.', title='Is Restored'
        ),
    ] = False
    job_id: Annotated[
        UUID | None,
        Field(
            description='The job that processes the file. Null if it was processed before.',
            title='Job Id',
        ),
    ] = None
    problem: UploadProblem | None = None


class Vision(BaseModel):
    """
    The second request, with page images, made if the text gave no answer. Tokens and time are of this request.
    """

    completion_tokens: Annotated[int, Field(title='Completion Tokens')]
    pages: Annotated[list[SentPage], Field(title='Pages')]
    problem: VisionProblem | None
    prompt_tokens: Annotated[int, Field(title='Prompt Tokens')]
    skipped_pages: Annotated[list[SkippedPage], Field(title='Skipped Pages')]
    status: Annotated[
        Literal['answered', 'abstained', 'refused', 'failed', 'no_pages'],
        Field(
            description='`answered`; `abstained`: no answer in the images; `refused`: the endpoint takes no images; `failed`: the request failed; `no_pages`: there was no page to send.',
            title='Status',
        ),
    ]
    took_ms: Annotated[float, Field(title='Took Ms')]


class Citation(BaseModel):
    """
    The part of a document that supports a sentence.
    """

    basis: Annotated[
        Literal['text', 'image'],
        Field(
            description='`text`: the snippet was checked against the sentence. `image`: the chat endpoint read it from the image of the page, which cannot be checked; the snippet is empty and the rectangle is the whole page.',
            title='Basis',
        ),
    ] = 'text'
    char_end: Annotated[int, Field(title='Char End')]
    char_start: Annotated[
        int,
        Field(
            description="Offset of the snippet in the document's text.",
            title='Char Start',
        ),
    ]
    chunk_id: Annotated[
        UUID | None,
        Field(
            description='Null for a count, which covers the full text.',
            title='Chunk Id',
        ),
    ]
    content_type: Annotated[
        Literal['text', 'table', 'list', 'heading'], Field(title='Content Type')
    ]
    document: Annotated[
        str, Field(description="The document's filename.", title='Document')
    ]
    document_id: Annotated[UUID, Field(title='Document Id')]
    highlights: Annotated[list[PageHighlight], Field(title='Highlights')]
    last_page_number: Annotated[int, Field(title='Last Page Number')]
    links: DocumentLinks
    number: Annotated[
        int,
        Field(
            description='From 1, in the order of the answer. Sentences refer to it.',
            title='Number',
        ),
    ]
    page_number: Annotated[int, Field(title='Page Number')]
    score: Annotated[
        float,
        Field(
            description='Search score of the chunk; 0 for a page without a retrieved chunk.',
            title='Score',
        ),
    ]
    section_heading: Annotated[str | None, Field(title='Section Heading')]
    snippet: Annotated[
        str,
        Field(
            description='The exact text that supports the sentence.', title='Snippet'
        ),
    ]
    table: Annotated[
        CitedTable | None,
        Field(description='The cells, if the snippet is a row below a header.'),
    ] = None
    title: Annotated[str | None, Field(title='Title')]


class EvidenceCell(BaseModel):
    """
    A figure that is in the quoted place of a document.
    """

    char_end: Annotated[int, Field(title='Char End')]
    char_start: Annotated[int, Field(title='Char Start')]
    chunk_id: Annotated[UUID, Field(title='Chunk Id')]
    document: Annotated[
        str, Field(description="The document's filename.", title='Document')
    ]
    document_id: Annotated[UUID, Field(title='Document Id')]
    highlights: Annotated[list[PageHighlight], Field(title='Highlights')]
    id: Annotated[str, Field(description='Named by the calculation.', title='Id')]
    label: Annotated[str, Field(title='Label')]
    links: DocumentLinks
    number: Annotated[
        str,
        Field(
            description='The number in full, as a decimal: 41.2 million is 41200000.',
            title='Number',
        ),
    ]
    page_number: Annotated[int, Field(title='Page Number')]
    period: Annotated[
        str, Field(description='Such as 2024. Empty if unknown.', title='Period')
    ]
    quote: Annotated[
        str,
        Field(description='The sentence or row that has the figure.', title='Quote'),
    ]
    scale: Annotated[
        str,
        Field(
            description='Such as thousand or million. Empty without one.', title='Scale'
        ),
    ]
    search: Annotated[
        str,
        Field(description='The search that it answers, such as `q1`.', title='Search'),
    ]
    unit: Annotated[
        str, Field(description='Such as EUR, % or day. Empty if unknown.', title='Unit')
    ]
    value: Annotated[
        str, Field(description='As written in the document.', title='Value')
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


class PageTextMatch(BaseModel):
    items: Annotated[list[TextMatch], Field(title='Items')]
    next_cursor: Annotated[
        str | None,
        Field(
            description='Send it as `cursor` for the next page. Null on the last page.',
            title='Next Cursor',
        ),
    ] = None
    total: Annotated[
        int, Field(description='Number of items on all pages.', title='Total')
    ]


class QuoteResponse(BaseModel):
    """
    The verdict and what to do next.
    """

    data: QuoteVerdict
    message: Annotated[str, Field(title='Message')]
    metadata: QuoteMetadata


class SearchResponse(BaseModel):
    """
    Hits, best first, and what to do next.
    """

    data: Annotated[list[Hit], Field(title='Data')]
    message: Annotated[str, Field(title='Message')]
    metadata: SearchMetadata


class UploadResponse(BaseModel):
    """
    The results in the order of the files.
    """

    items: Annotated[list[UploadResult], Field(title='Items')]


class Answer(BaseModel):
    """
    An answer with citations, or the closest chunks.
    """

    answer: Annotated[
        str, Field(description='Empty if there is no answer.', title='Answer')
    ]
    answer_found: Annotated[
        bool,
        Field(description='True if the outcome is `answered`.', title='Answer Found'),
    ]
    citations: Annotated[list[Citation], Field(title='Citations')]
    document_filter: Annotated[
        list[str],
        Field(
            description='Filenames of the documents that the request names.',
            title='Document Filter',
        ),
    ]
    id: Annotated[
        UUID | None,
        Field(description='Id in your history; null if it was not saved.', title='Id'),
    ]
    nearest: Annotated[
        list[ClosestSource],
        Field(
            description='Without an answer: the closest chunks, at most three.',
            title='Nearest',
        ),
    ]
    outcome: Annotated[
        Literal['answered', 'closest_passages', 'nothing_found'],
        Field(
            description='`answered`; `closest_passages`: no certain answer, `nearest` may hold it; `nothing_found`: no chunks in scope, or none that seems to be about the question.',
            title='Outcome',
        ),
    ]
    question: Annotated[str, Field(title='Question')]
    retrieved_count: Annotated[
        int,
        Field(
            description='Number of chunks retrieved for the question.',
            title='Retrieved Count',
        ),
    ]
    rewritten_question: Annotated[
        str | None,
        Field(
            description='What was asked instead of a follow-up question; null if it stands alone.',
            title='Rewritten Question',
        ),
    ] = None
    sentences: Annotated[list[AnswerSentence], Field(title='Sentences')]
    thread_id: Annotated[
        UUID | None,
        Field(
            description='Continue with it; null if it was not saved.', title='Thread Id'
        ),
    ] = None


class AnswerTrace(BaseModel):
    """
    How the answer was made.
    """

    calculation: Calculation | None = None
    evidence: Annotated[
        list[EvidenceCell], Field(title='Evidence', validate_default=True)
    ] = []
    rejected: Annotated[
        list[RejectedCell], Field(title='Rejected', validate_default=True)
    ] = []
    route: Annotated[
        Literal['single_step', 'multi_step'],
        Field(description='`single_step` or `multi_step`.', title='Route'),
    ]
    route_reason: Annotated[
        Literal[
            'simple_question',
            'calculation',
            'comparison',
            'requested',
            'count',
            'no_chat_endpoint',
            'nothing_found',
            'unusable_plan',
        ],
        Field(
            description="`simple_question`, `calculation` and `comparison` come from the question, `requested` from `steps`. `unusable_plan`: the model's plan was refused twice.",
            title='Route Reason',
        ),
    ]
    steps: Annotated[list[TraceStep], Field(title='Steps', validate_default=True)] = []
    stopped_by: Annotated[
        Literal['searches', 'tokens', 'seconds'] | None,
        Field(description='The limit that ended the answer.', title='Stopped By'),
    ] = None


class AnswerMetadata(BaseModel):
    """
    Details about how the answer was made.
    """

    confidence: Annotated[
        float | None,
        Field(
            description='Probability that the documents answer, 0..1: by the search, and for `extractive` by the best sentence too.',
            title='Confidence',
        ),
    ]
    coverage: Coverage
    dropped_labels: Annotated[
        int,
        Field(
            description='Sources that the model cited and was not given.',
            title='Dropped Labels',
        ),
    ]
    dropped_sentences: Annotated[
        int,
        Field(
            description='Sentences of the model without support in any chunk.',
            title='Dropped Sentences',
        ),
    ]
    evidence: Annotated[
        float | None,
        Field(
            description='Probability that the best sentences answer, 0..1; null for `count`.',
            title='Evidence',
        ),
    ]
    is_vision_used: Annotated[
        bool,
        Field(
            description='True if the chat endpoint read page images.',
            title='Is Vision Used',
        ),
    ]
    mode: Annotated[
        Literal['model', 'extractive', 'count'],
        Field(
            description='`model`: written by the chat endpoint and checked against the chunks; `extractive`: sentences from the documents; `count`: counted over the full text.',
            title='Mode',
        ),
    ]
    model: Annotated[str | None, Field(title='Model')]
    reason: Annotated[
        Literal[
            'nothing_found',
            'weak_evidence',
            'contradicted',
            'ambiguous_document',
            'model_abstained',
            'unsupported',
            'not_calculated',
            'budget_exhausted',
        ]
        | None,
        Field(
            description='Reason for having no answer. `nothing_found`: there are no chunks to answer from. `ambiguous_document`: several documents answer it, each differently. `not_calculated`: see `trace.calculation.refusal`. `budget_exhausted`: see `trace.stopped_by`.',
            title='Reason',
        ),
    ]
    structured_output: Annotated[
        Literal['json_schema', 'json_object'] | None,
        Field(
            description='Output format requested from the endpoint; null without one.',
            title='Structured Output',
        ),
    ]
    took_ms: AnsweringTook
    trace: Annotated[
        AnswerTrace | None,
        Field(
            description='How the answer was made. Null for answers that were saved before.'
        ),
    ] = None
    usage: Usage | None
    vision: Annotated[
        Vision | None,
        Field(
            description='Null if the text gave an answer, or the endpoint does not read images.'
        ),
    ] = None


class AnswerResponse(BaseModel):
    """
    An answer, its details, and what to do next.
    """

    data: Answer
    message: Annotated[str, Field(title='Message')]
    metadata: AnswerMetadata
