"""Request and response models about files outside the library."""

from datetime import datetime
from typing import Annotated, Literal, Self

from pydantic import Field, SecretStr, StringConstraints, model_validator
from pydantic_core import PydanticCustomError

from lectern.documents.chunks import ChunkView
from lectern.documents.parts.schemas import OutlineHeading, PageKindName
from lectern.http.schemas import Reference, RequestModel, ResponseModel, Url
from lectern.search.schemas import Reranking

MAX_TEXT_CHARACTERS = 50_000
MAX_PASSAGE_CHARACTERS = 5_000
MAX_ROWS = 20
MAX_CONTENT_CHARACTERS = 1_000_000
UrlCategory = Literal["api_endpoint", "navigation", "image", "general"]
CacheName = Literal["download", "document", "retriever"]
Format = Literal["pdf", "docx", "pptx", "image", "xlsx", "csv"]


class SourceRequest(RequestModel):
    """A file, as a URL or as base64 bytes."""

    url: Url | None = Field(default=None, description="Public http(s) URL.")
    content: Annotated[str, StringConstraints(min_length=1, max_length=MAX_CONTENT_CHARACTERS)] | None = Field(
        default=None, description="Bytes of the file in base64, instead of `url`."
    )
    filename: Annotated[str, StringConstraints(max_length=200)] | None = Field(
        default=None, description="File name. Its extension tells text formats apart."
    )
    password: SecretStr | None = Field(default=None, description="Password of a protected file.")

    @model_validator(mode="after")
    def _has_one_source(self) -> Self:
        if (self.url is None) == (self.content is None):
            raise PydanticCustomError("one_source", "Give either url or content.")
        return self


class ProcessRequest(SourceRequest):
    """A file, and where its text begins."""

    char_start: int = Field(default=0, ge=0, description="First character. Above 0, only the text is returned.")


class TablesRequest(SourceRequest):
    """A file and its required format."""

    format: Format | None = Field(default=None, description="Required format of the file.")


class TextRequest(TablesRequest):
    """A file, its required format and the pages to return."""

    first_page: int = Field(default=1, ge=1, description="First page.")
    last_page: int | None = Field(default=None, ge=1, description="Last page. Default: the last one of the file.")
    char_start: int = Field(default=0, ge=0, description="First character of the first page.")


class ChunksRequest(SourceRequest):
    """A file to chunk, and the range of chunks to return."""

    offset: int = Field(default=0, ge=0, description="Index of the first chunk.")
    limit: int = Field(default=50, ge=1, le=200, description="Chunks wanted.")


class RetrievalRequest(SourceRequest):
    """A file and a question about it."""

    query: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=4_000)]
    top_k: int = Field(default=5, ge=1, le=20, description="Chunks wanted.")


class RowsRequest(SourceRequest):
    """A spreadsheet and the words to find in its rows."""

    query: Annotated[str, StringConstraints(strip_whitespace=True, max_length=1_000)] = Field(
        default="", description="Value or words to find. Empty: the first rows."
    )
    sheet: Annotated[str, StringConstraints(min_length=1, max_length=200)] | None = Field(
        default=None, description="Name or number of the sheet. Default: all."
    )
    limit: int = Field(default=MAX_ROWS, ge=1, le=MAX_ROWS, description="Rows wanted.")


class LanguageRequest(RequestModel):
    """A text."""

    text: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=100_000)]


class AddFromUrl(RequestModel):
    """A file on the public Internet that becomes a document."""

    url: Url = Field(description="Public http(s) URL.")
    filename: Annotated[str, StringConstraints(min_length=1, max_length=200)] | None = Field(
        default=None, description="Name of the document. Null: the last part of the URL."
    )
    tags: Annotated[list[Reference], Field(max_length=200)] = Field(default=[], description="Ids or names.")
    collection: Reference | None = Field(default=None, description="Id or name.")
    language: Reference | None = None


class FileFacts(ResponseModel):
    """Metadata of a file."""

    filename: str
    content_type: str
    size_bytes: int
    sha256: str
    title: str | None
    language: str | None
    page_count: int
    character_count: int
    ocr_confidence: float | None = Field(description="Mean confidence of recognized pages and images, 0..1.")


class PageOfFile(ResponseModel):
    """A page (slide, sheet). `text` begins at `char_start`. Headings begin with `#`, once for each level."""

    page_number: int
    kind: PageKindName
    character_count: int
    char_start: int
    ocr_confidence: float | None = Field(description="Confidence of text recognition, 0..1. Null without it.")
    note: str | None
    text: str
    is_truncated: bool


class ColumnOfTable(ResponseModel):
    """A column of a table."""

    name: str
    kind: str = Field(description="number, date, boolean, text or empty.")
    density: float = Field(description="Share of non-empty cells, 0..1.")


class TableOfFile(ResponseModel):
    """A table with at most 20 rows."""

    page_number: int
    name: str = Field(description="The sheet's name, or the first line of its page.")
    columns: list[ColumnOfTable]
    row_count: int
    header: list[str]
    rows: list[list[str]]
    is_truncated: bool


class UrlOfFile(ResponseModel):
    """A URL in the text, with 100 characters of context on either side."""

    url: str
    category: UrlCategory
    context: str
    char_start: int


class ImageOfFile(ResponseModel):
    """An image that shows text, with the confidence of its recognition (0..1)."""

    page_number: int
    text: str
    confidence: float


class ProcessedDocument(ResponseModel):
    """A processed file. `text` has at most 50,000 characters, from `char_start` on. Headings begin with `#`."""

    file: FileFacts
    char_start: int
    char_count: int = Field(description="Characters of the whole text.")
    outline: list[OutlineHeading]
    tables: list[TableOfFile]
    urls: list[UrlOfFile]
    images: list[ImageOfFile] = Field(description="Images among the text. Their text is part of `text` too.")
    text: str
    is_truncated: bool


class TextOfFile(ResponseModel):
    """The text of a file, page by page."""

    file: FileFacts
    pages: list[PageOfFile]
    is_truncated: bool = Field(description="Text was cut at 50,000 characters. Go on from the last page.")


class TablesOfFile(ResponseModel):
    """The tables of a file."""

    file: FileFacts
    common_columns: list[str] = Field(description="Column names that all tables share.")
    tables: list[TableOfFile]


class ChunkOfFile(ChunkView):
    """A chunk as the library would make it, with at most 5,000 characters of text."""

    is_truncated: bool
    score: float | None = Field(
        default=None, description="Of retrieval, 0..1: ranks, importance and diversity of content types in one."
    )
    semantic_rank: int | None = None
    keyword_rank: int | None = None


class ChunksOfFile(ResponseModel):
    """A file in chunks."""

    file: FileFacts
    chunk_characters: int = Field(description="Target size of a chunk for this type and length.")
    overlap_characters: int
    chunk_count: int
    offset: int
    chunks: list[ChunkOfFile]


class RetrievedChunks(ResponseModel):
    """The chunks of a file that match a question best, best first."""

    file: FileFacts
    query: str
    embedding_model: str
    chunk_count: int
    reranking: Reranking | None = Field(default=None, description="Null if the installation does not rerank.")
    chunks: list[ChunkOfFile]


class FoundTableRow(ResponseModel):
    """A row of a table."""

    page_number: int
    table: str
    row_number: int = Field(description="Row number below the header, from 1.")
    values: dict[str, str]
    score: float = Field(description="1: a cell equals the query. 0.9: the row contains it. Below: some of its words.")


class SearchedTable(ResponseModel):
    """A searched table and its matching rows."""

    page_number: int
    name: str = Field(description="The sheet's name.")
    columns: list[ColumnOfTable]
    row_count: int
    match_count: int


class SpreadsheetRows(ResponseModel):
    """The rows of a spreadsheet that match, best first."""

    file: FileFacts
    query: str
    sheets: list[str] = Field(description="Names of all sheets with tables.")
    match_count: int = Field(description="All matching rows. `rows` has at most 20.")
    tables: list[SearchedTable]
    rows: list[FoundTableRow]


class LanguageVote(ResponseModel):
    """A language and its share of the text's parts."""

    language: str = Field(description="ISO 639-1.")
    name: str
    share: float


class DetectedLanguage(ResponseModel):
    """The most frequent language of a text, or null if unknown."""

    language: str | None
    name: str | None
    confidence: float = Field(description="Share of the parts in this language, 0..1.")
    votes: list[LanguageVote]


class CacheFacts(ResponseModel):
    """The content of a cache, and its hits and misses since the process started."""

    name: CacheName
    entries: int
    max_entries: int
    size_bytes: int
    max_bytes: int
    hits: int
    misses: int


class CachesResponse(ResponseModel):
    """The caches."""

    ttl_seconds: float
    caches: list[CacheFacts]


class CachesCleared(ResponseModel):
    """The number of removed entries."""

    cleared: int


class FormatFacts(ResponseModel):
    """A supported format."""

    name: str
    content_type: str
    suffixes: list[str]


class FormatsResponse(ResponseModel):
    """All supported formats."""

    formats: list[FormatFacts]


class ExtractsFeatures(ResponseModel):
    """Optional features of file processing."""

    text_recognition: bool
    reranking: bool


class ExtractsSecurity(ResponseModel):
    """The limits of file processing."""

    unenforced: list[str] | None = Field(description="Restrictions that the sandbox lacks here. Null if unknown.")
    fetches_private_addresses: bool = Field(description="True if LECTERN_FETCH_ALLOWED lists any.")
    max_file_bytes: int
    max_seconds: float


class ExtractsHealth(ResponseModel):
    """State of file processing."""

    status: Literal["ok"]
    version: str
    timestamp: datetime
    started_at: datetime = Field(description="Start of this process.")
    device: Literal["cpu", "remote"] = Field(description="Device of the embedding model.")
    embedding_model: str
    dimensions: int
    ocr_engine: str
    active: int = Field(description="Files in process.")
    features: ExtractsFeatures
    formats: list[str]
    security: ExtractsSecurity
    caches: list[CacheFacts]
