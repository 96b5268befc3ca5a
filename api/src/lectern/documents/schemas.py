"""Request and response bodies of documents."""

import uuid
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, AwareDatetime, Field, SecretStr, StringConstraints, model_validator
from pydantic_core import PydanticCustomError

from lectern.accounts.schemas import Email
from lectern.documents.name_match import split_name
from lectern.extraction.types import PageImageStatus
from lectern.http.pagination import MAX_CURSOR_CHARACTERS, MAX_LIMIT
from lectern.http.schemas import Cleaned, Name, PartialUpdate, Reference, RequestModel, ResponseModel, not_before

Status = Literal["queued", "processing", "ready", "failed"]
DocumentSort = Literal[
    "created_at",
    "-created_at",
    "filename",
    "-filename",
    "title",
    "-title",
    "size_bytes",
    "-size_bytes",
    "page_count",
    "-page_count",
    "status",
    "-status",
    "deleted_at",
    "-deleted_at",
    "name_match",
]
References = Annotated[list[Reference], Field(max_length=200)]
MediaType = Annotated[str, StringConstraints(pattern=r"^[\w.+-]+/[\w.+-]+$", max_length=100)]
LanguageCode = Annotated[str, StringConstraints(pattern=r"^[a-z]{2}$")]
MAX_IDS = 10_000


def require_word(name: str) -> str:
    """Raise unless the name has a word, by which a document can be found."""
    if not split_name(name):
        raise PydanticCustomError("alias_without_words", "An alias needs a letter or a digit.")
    return name


def drop_repetitions(aliases: list[str]) -> list[str]:
    """Return the aliases without those that differ from an earlier one in case only."""
    known: dict[str, str] = {}
    for alias in aliases:
        known.setdefault(alias.casefold(), alias)
    return list(known.values())


Alias = Annotated[Name, AfterValidator(require_word)]


class CollectionRef(ResponseModel):
    """The collection of a document."""

    id: uuid.UUID
    name: str


class DocumentError(ResponseModel):
    """Why processing failed or was cancelled."""

    code: str
    message: str
    hint: str | None
    details: dict[str, Any] | None = Field(description="Limits and numbers by name, such as `max_pages`.")


class Progress(ResponseModel):
    """Progress and outcome of the latest job of a document."""

    job_id: uuid.UUID
    kind: str
    state: Literal["queued", "running", "succeeded", "failed", "cancelled"]
    share: float = Field(description="Progress from 0 to 1. It is 1 only when the document is ready.")
    stage: str | None = Field(description="`extract`, `chunk`, `index` or `embed`.")
    page: int | None
    page_count: int | None
    chunks_embedded: int | None
    chunks_to_embed: int | None
    version: int | None = Field(
        description="The version that the job creates. Null if it reprocesses the current version."
    )
    chunks_unchanged: int | None = Field(
        description="Chunks shared with the previous version, which keep their embeddings."
    )
    chunks_added: int | None = Field(description="New chunks, which must be embedded.")
    chunks_removed: int | None = Field(description="Chunks removed when the job succeeds.")
    error: DocumentError | None = Field(description="Why the job failed, was cancelled, or waits for a retry.")
    attempts: int
    max_attempts: int
    next_try_at: datetime | None
    started_at: datetime | None
    finished_at: datetime | None


class PendingVersion(ResponseModel):
    """A version newer than the current one, that is processing, failed or cancelled."""

    number: int
    state: Literal["processing", "failed", "cancelled"]
    filename: str
    error: DocumentError | None
    created_by: str
    created_at: datetime


class DocumentResponse(ResponseModel):
    """An uploaded file with its metadata and state."""

    # Fields are copied from the columns of the same names. `presentation.present` adds the others.
    id: uuid.UUID
    filename: str
    title: str | None
    aliases: list[str] = Field(
        description="Further names that find the document in filters and tools. Given ones replace those of the file."
    )
    collection: CollectionRef
    tags: list[str]
    content_type: str
    size_bytes: int
    sha256: str
    language: str | None
    status: Status
    error: DocumentError | None
    page_count: int | None
    unreadable_page_count: int
    page_images: PageImageStatus = Field(
        description="Whether `/pages/{page_number}/image` can draw pages: `available`, `locked` (the file needs a "
        "password) or `none` (no PDF or picture, or not processed yet)."
    )
    has_printed_pages: bool = Field(
        description="Whether `is_printed=true` of `/original` and `/rectangles` works: an Office file, and LibreOffice "
        "is on the server. `/pages/{page_number}/image` draws printed pages then."
    )
    chunk_count: int
    embedded_chunk_count: int
    keyword_ready_at: datetime | None = Field(description="Since when the document is searchable by keyword.")
    ready_at: datetime | None = Field(description="Since when all its chunks are searchable by meaning too.")
    created_at: datetime
    updated_at: datetime
    deleted_at: datetime | None = Field(description="Since when the document is in the trash.")
    created_by: str
    is_owner: bool = Field(description="True: the caller is the person who owns it, and may share it.")
    version: int = Field(description="The current version, which searches and downloads use.")
    newer_version: PendingVersion | None = Field(
        description="A newer version that is not complete or failed. The current version stays in use."
    )
    progress: Progress | None


class DocumentFilter(RequestModel):
    """Conditions that documents must all meet. Unknown tags and collections are errors."""

    tags: References = Field(default_factory=list[str], description="Any of these tags, by id or name.")
    tags_all: References = Field(default_factory=list[str], description="All of these tags.")
    tags_none: References = Field(default_factory=list[str], description="None of these tags.")
    is_untagged: bool = Field(default=False, description="Only documents without tags.")
    is_shared_with_me: bool = Field(
        default=False, description="Only documents of collections that the caller does not read, shared by a grant."
    )
    collections: References = Field(default_factory=list[str], description="Any of these collections, by id or name.")
    status: list[Status] = Field(default_factory=list[Status], max_length=4)
    content_type: list[MediaType] = Field(
        default_factory=list[str], max_length=50, description="Any of these media types, such as `application/pdf`."
    )
    language: list[LanguageCode] = Field(default_factory=list[str], max_length=50)
    q: Annotated[str, StringConstraints(min_length=1, max_length=200)] | None = Field(
        default=None, description="Part of the filename or the title."
    )
    created_from: AwareDatetime | None = None
    created_to: Annotated[AwareDatetime, not_before("created_from")] | None = Field(
        default=None, description="Exclusive upper bound."
    )
    is_deleted: bool = Field(
        default=False, description="True: only documents in the trash. False: only documents outside it."
    )


class DocumentListParameters(DocumentFilter):
    """A filter, a sort order and a cursor."""

    sort: DocumentSort = Field(
        default="-created_at",
        description="`name_match`: names equal to `q`, names that begin with it, other names. Newest first in each.",
    )
    cursor: str | None = Field(
        default=None, max_length=MAX_CURSOR_CHARACTERS, description="`next_cursor` of the previous page."
    )
    limit: int = Field(default=50, ge=1, le=MAX_LIMIT)


class DocumentUpdate(PartialUpdate):
    """Fields to change. Absent fields stay as they are."""

    title: Annotated[
        Annotated[str, Cleaned, StringConstraints(max_length=1_000)] | None, AfterValidator(lambda title: title or None)
    ] = Field(default=None, description="Null or blank removes it. Reprocessing then takes the one in the file.")
    filename: Annotated[str, Cleaned, StringConstraints(min_length=1, max_length=255)] | None = None
    language: LanguageCode | None = Field(
        default=None, description="The document is reprocessed in this language. Null detects it."
    )
    aliases: Annotated[list[Alias], Field(max_length=50), AfterValidator(drop_repetitions)] | None = Field(
        default=None,
        description="Replaces all aliases. Null takes those of the file, such as its `ticker` and `company`.",
    )
    tags: References | None = Field(default=None, description="Replaces all tags. New names create tags.")
    collection: Reference | None = Field(default=None, description="Id or name of the target collection.")


class IngestRequest(RequestModel):
    """Options for reprocessing a document."""

    password: Annotated[SecretStr, Field(min_length=1, max_length=500)] | None = Field(
        default=None, description="Password of an encrypted file. It is deleted after processing."
    )


class PurgeReceipt(ResponseModel):
    """Rows and bytes that a purge deleted."""

    document_ids: list[uuid.UUID]
    rows: dict[str, int] = Field(description="Rows by table.")
    bytes: dict[str, int] = Field(
        description="Bytes of the rows by table without indexes, of `originals`, and of `conversions` made of them."
    )
    original_count: int = Field(
        description="Deleted originals of all versions. Originals shared with another document stay."
    )
    original_bytes: int
    text_bytes: int = Field(description="Text of pages and chunks.")
    blanked_event_count: int = Field(description="Audit events whose details are blank now.")
    retained_in: list[Literal["database_files", "write_ahead_log", "backups"]] = Field(
        default=["database_files", "write_ahead_log", "backups"],
        description="Where bytes stay: in database files and the write-ahead log until Postgres reuses the space,"
        " and in backups and exports made before.",
    )


class BulkRequest(RequestModel):
    """An action on many documents, selected by `ids` or by `filter`."""

    action: Literal["tag", "untag", "move", "delete", "restore", "purge", "reingest", "change_owner"]
    ids: Annotated[list[uuid.UUID], Field(min_length=1, max_length=MAX_IDS)] | None = None
    filter: DocumentFilter | None = None
    tags: References | None = Field(default=None, description="For `tag` and `untag`.")
    collection: Reference | None = Field(default=None, description="For `move`.")
    owner: Email | None = Field(default=None, description="For `change_owner`: an address. For administrators.")

    @model_validator(mode="after")
    def _check_parts(self) -> "BulkRequest":
        if (self.ids is None) == (self.filter is None):
            raise PydanticCustomError("ids_or_filter", "Give either `ids` or `filter`.")
        if (self.action in {"tag", "untag"}) != bool(self.tags):
            raise PydanticCustomError(
                "tags_of_action", "The actions `tag` and `untag` need `tags`; other actions take none."
            )
        if (self.action == "move") != (self.collection is not None):
            raise PydanticCustomError(
                "collection_of_action", "The action `move` needs `collection`; other actions take none."
            )
        if (self.action == "change_owner") != (self.owner is not None):
            raise PydanticCustomError(
                "owner_of_action", "The action `change_owner` needs `owner`; other actions take none."
            )
        return self


class BulkResponse(ResponseModel):
    """Counts of a bulk action. `skipped` documents needed no change or conflict with an existing document."""

    action: str
    matched: int
    changed: int
    skipped: int
    ids: list[uuid.UUID] | None = Field(
        default=None, description="For `delete`: the documents that are in the trash now, for an undo with `restore`."
    )
    receipt: PurgeReceipt | None = None
