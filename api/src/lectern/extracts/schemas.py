"""Requests and responses about files that are not in the library."""

from typing import Annotated, Literal, Self

from pydantic import Field, SecretStr, StringConstraints, model_validator
from pydantic_core import PydanticCustomError

from lectern.documents.chunks import ChunkView
from lectern.http.schemas import RequestModel, ResponseModel
from lectern.search.schemas import Reranking

MAX_TEXT_CHARACTERS = 50_000
MAX_PASSAGE_CHARACTERS = 5_000
MAX_ROWS = 20
MAX_CONTENT_CHARACTERS = 1_000_000
Kind = Literal["text", "table", "toc", "ocr", "empty", "unreadable"]
Format = Literal["pdf", "docx", "pptx", "image", "xlsx", "csv"]


class SourceRequest(RequestModel):
    """A file: where it is fetched from, or its bytes."""

    url: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=2_048)] | None = Field(
        default=None, description="An http(s) address on the public Internet."
    )
    content: Annotated[str, StringConstraints(min_length=1, max_length=MAX_CONTENT_CHARACTERS)] | None = Field(
        default=None, description="The bytes of the file in base64, instead of a url."
    )
    filename: Annotated[str, StringConstraints(max_length=200)] | None = Field(
        default=None, description="Its name; among text formats the ending says which one it is."
    )
    password: SecretStr | None = Field(default=None, description="For a protected file.")

    @model_validator(mode="after")
    def _has_one_source(self) -> Self:
        if (self.url is None) == (self.content is None):
            raise PydanticCustomError("one_source", "Give either url or content.")
        return self


class TextRequest(SourceRequest):
    """A file and the format that it must have."""

    format: Format | None = Field(default=None, description="Refuse a file of another format.")


class ChunksRequest(SourceRequest):
    """A file to be cut, and which chunks of it are wanted."""

    offset: int = Field(default=0, ge=0, description="The first chunk wanted.")
    limit: int = Field(default=50, ge=1, le=200, description="Chunks wanted.")


class RetrievalRequest(SourceRequest):
    """A file and a question to it."""

    query: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=4_000)]
    top_k: int = Field(default=5, ge=1, le=20, description="Chunks wanted.")


class RowsRequest(SourceRequest):
    """A spreadsheet and the words of the rows that are looked for."""

    query: Annotated[str, StringConstraints(strip_whitespace=True, max_length=1_000)] = Field(
        default="", description="Words of the rows wanted; empty: the first rows."
    )
    sheet: Annotated[str, StringConstraints(min_length=1, max_length=200)] | None = Field(
        default=None, description="Name or number of the only sheet to look in."
    )
    limit: int = Field(default=MAX_ROWS, ge=1, le=MAX_ROWS, description="Rows wanted.")


class LanguageRequest(RequestModel):
    """A text."""

    text: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=100_000)]


class FileFacts(ResponseModel):
    """What was read."""

    filename: str
    content_type: str
    size_bytes: int
    sha256: str
    title: str | None
    language: str | None
    page_count: int
    character_count: int


class PageOfFile(ResponseModel):
    """A page (a slide, a sheet) and what became of it; its text has at most 5,000 characters."""

    page_number: int
    kind: Kind
    character_count: int
    note: str | None
    text: str
    is_truncated: bool


class HeadingOfFile(ResponseModel):
    """An entry of the file's own outline."""

    title: str
    level: int
    page_number: int


class ColumnOfTable(ResponseModel):
    """What a column holds."""

    name: str
    kind: str = Field(description="number, date, boolean, text or empty.")
    density: float = Field(description="Share of cells that are filled, 0..1.")


class TableOfFile(ResponseModel):
    """A table and its first rows, at most 20."""

    page_number: int
    name: str = Field(description="The sheet's name, or the first line of its page.")
    columns: list[ColumnOfTable]
    row_count: int
    header: list[str]
    rows: list[list[str]]
    is_truncated: bool


class UrlOfFile(ResponseModel):
    """A URL that the text names, with 100 characters of text on either side."""

    url: str
    category: Literal["api_endpoint", "navigation", "image", "general"]
    context: str
    char_start: int


class ProcessedDocument(ResponseModel):
    """A file as read; `text` has at most 50,000 characters."""

    file: FileFacts
    outline: list[HeadingOfFile]
    tables: list[TableOfFile]
    urls: list[UrlOfFile]
    text: str
    is_truncated: bool


class TextOfFile(ResponseModel):
    """The text of a file, page by page."""

    file: FileFacts
    pages: list[PageOfFile]
    is_truncated: bool = Field(
        description="Some text was left out: more than 5,000 characters on a page, 50,000 in all."
    )


class TablesOfFile(ResponseModel):
    """The tables of a file."""

    file: FileFacts
    common_columns: list[str] = Field(description="Names of the columns that all of them have.")
    tables: list[TableOfFile]


class ChunkOfFile(ChunkView):
    """A chunk as the library would have it; its text has at most 5,000 characters."""

    is_truncated: bool


class ChunksOfFile(ResponseModel):
    """A file in chunks."""

    file: FileFacts
    chunk_characters: int = Field(description="What a chunk of this type and length aims at.")
    overlap_characters: int
    chunk_count: int
    offset: int
    chunks: list[ChunkOfFile]


class RankedChunkOfFile(ChunkOfFile):
    """A chunk that was found."""

    score: float = Field(description="0..1; ranks, importance and diversity of content types in one.")
    semantic_rank: int | None
    keyword_rank: int | None


class RetrievedChunks(ResponseModel):
    """The chunks of a file that fit a question best, best first."""

    file: FileFacts
    query: str
    embedding_model: str
    chunk_count: int
    reranking: Reranking | None = Field(
        default=None, description="Null: the installation does not rerank its searches by itself."
    )
    chunks: list[RankedChunkOfFile]


class FoundTableRow(ResponseModel):
    """A row of a table."""

    page_number: int
    table: str
    row_number: int = Field(description="From 1, below the header.")
    values: dict[str, str]
    score: float = Field(description="Share of the words of the query that it has.")


class SpreadsheetRows(ResponseModel):
    """The rows of a spreadsheet that have the words."""

    file: FileFacts
    query: str
    sheets: list[str]
    columns: list[ColumnOfTable] = Field(description="Of the table that the first row is from.")
    rows: list[FoundTableRow]


class LanguageVote(ResponseModel):
    """A language and the share of the text's parts that are in it."""

    language: str = Field(description="ISO 639-1.")
    name: str
    share: float


class DetectedLanguage(ResponseModel):
    """The language of most parts of a text; null where it cannot be told."""

    language: str | None
    name: str | None
    confidence: float = Field(description="Share of the parts that say so, 0..1.")
    votes: list[LanguageVote]


class CacheFacts(ResponseModel):
    """What a cache holds; hits and misses since this process began."""

    name: Literal["download", "document", "retriever"]
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
    """How many entries were forgotten."""

    cleared: int


class FormatFacts(ResponseModel):
    """A format that is read."""

    name: str
    content_type: str
    suffixes: list[str]


class FormatsResponse(ResponseModel):
    """Every format that is read."""

    formats: list[FormatFacts]


class ExtractsHealth(ResponseModel):
    """Whether files can be read here, and with what."""

    status: Literal["ok"]
    version: str
    embedding_model: str
    dimensions: int
    ocr_engine: str
    active: int = Field(description="Files that are being read just now.")
    caches: list[CacheFacts]
