"""Documents as clients see them."""

import uuid
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AwareDatetime, Field, SecretStr, StringConstraints, model_validator
from pydantic_core import PydanticCustomError

from lectern.extraction.types import PageImageStatus
from lectern.http.pagination import MAX_CURSOR_CHARACTERS, MAX_LIMIT
from lectern.http.schemas import PartialUpdate, RequestModel, ResponseModel

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
]
Reference = Annotated[str, StringConstraints(min_length=1, max_length=500)]
References = Annotated[list[Reference], Field(max_length=200)]
LanguageCode = Annotated[str, StringConstraints(pattern=r"^[a-z]{2}$")]
MAX_IDS = 10_000


class CollectionRef(ResponseModel):
    """Where a document stands."""

    id: uuid.UUID
    name: str


class DocumentError(ResponseModel):
    """Why a document failed."""

    code: str
    message: str
    hint: str | None
    details: dict[str, Any] | None = Field(description="Its limits and numbers by name, such as `max_pages`.")


class Progress(ResponseModel):
    """The latest job of a document: how far it is, or how it ended."""

    job_id: uuid.UUID
    kind: str
    state: Literal["queued", "running", "succeeded", "failed", "cancelled"]
    share: float = Field(description="0 to 1; 1 only when the document is ready.")
    stage: str | None = Field(description="extract, chunk, index or embed.")
    page: int | None
    page_count: int | None
    chunks_embedded: int | None
    chunks_to_embed: int | None
    version: int | None = Field(description="The version that it makes; null: it reads the current one.")
    chunks_unchanged: int | None = Field(description="Chunks kept from the previous content, with their embeddings.")
    chunks_added: int | None = Field(description="New chunks, which must be embedded.")
    chunks_removed: int | None = Field(description="Chunks removed when the job succeeds.")
    error: DocumentError | None = Field(description="Why it failed, was cancelled, or waits for another try.")
    attempts: int
    max_attempts: int
    next_try_at: datetime | None
    started_at: datetime | None
    finished_at: datetime | None


class WaitingVersion(ResponseModel):
    """A version that is newer than the current one: on its way, or not come."""

    number: int
    state: Literal["processing", "failed", "cancelled"]
    filename: str
    error: DocumentError | None
    created_by: str
    created_at: datetime


class DocumentResponse(ResponseModel):
    """An uploaded file and what became of it."""

    id: uuid.UUID
    filename: str
    title: str | None
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
        description="Whether `/pages/{page_number}/image` can draw its pages, known once it was read: not those of a "
        "file that only opens with a password (`locked`), nor those of other formats than PDF (`none`)."
    )
    chunk_count: int
    embedded_chunk_count: int
    keyword_ready_at: datetime | None = Field(description="Since when it is found by keyword.")
    ready_at: datetime | None = Field(description="Since when all of it is found by meaning too.")
    created_at: datetime
    updated_at: datetime
    deleted_at: datetime | None = Field(description="Since when it is in the trash.")
    created_by: str
    version: int = Field(description="The version that is searched and read.")
    newer_version: WaitingVersion | None = Field(
        description="One that is to take over, or failed to: the document is as it was before."
    )
    progress: Progress | None


class DocumentFilter(RequestModel):
    """Which documents; everything given must hold. Unknown tags and collections are refused by name."""

    tags: References = Field(default_factory=list[str], description="Any of these, by id or name.")
    tags_all: References = Field(default_factory=list[str], description="All of these.")
    tags_none: References = Field(default_factory=list[str], description="None of these.")
    is_untagged: bool = Field(default=False, description="Those without any tag.")
    collections: References = Field(default_factory=list[str], description="In any of these, by id or name.")
    status: list[Status] = Field(default_factory=list[Status], max_length=4)
    content_type: References = Field(default_factory=list[str])
    language: list[LanguageCode] = Field(default_factory=list[str], max_length=50)
    q: Annotated[str, StringConstraints(min_length=1, max_length=200)] | None = Field(
        default=None, description="Part of the filename or the title."
    )
    created_from: AwareDatetime | None = None
    created_to: AwareDatetime | None = Field(default=None, description="Up to, not including.")
    is_deleted: bool = Field(default=False, description="True: the trash instead of the library.")


class DocumentListParameters(DocumentFilter):
    """A filter, an order, and the place in it."""

    sort: DocumentSort = "-created_at"
    cursor: str | None = Field(default=None, max_length=MAX_CURSOR_CHARACTERS, description="`next_cursor` of before.")
    limit: int = Field(default=50, ge=1, le=MAX_LIMIT)


class DocumentUpdate(PartialUpdate):
    """What is given is changed."""

    title: Annotated[str, StringConstraints(strip_whitespace=True, max_length=1_000)] | None = None
    filename: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=255)] | None = None
    language: LanguageCode | None = Field(default=None, description="Reads the document again with this language.")
    tags: References | None = Field(default=None, description="All its tags from now on; new names become tags.")
    collection: Reference | None = Field(default=None, description="Id or name of the collection it moves to.")


class IngestRequest(RequestModel):
    """How to read a document again."""

    password: Annotated[SecretStr, Field(min_length=1, max_length=500)] | None = Field(
        default=None, description="Of an encrypted file; forgotten when the file has been read."
    )


class PurgeReceipt(ResponseModel):
    """What a purge removed, by store."""

    document_ids: list[uuid.UUID]
    rows: dict[str, int] = Field(description="Rows by table.")
    bytes: dict[str, int] = Field(description="Bytes of these rows by table, without indexes; and of `originals`.")
    original_count: int = Field(description="Originals of all versions; one that another document shares stays.")
    original_bytes: int
    text_bytes: int = Field(description="Text of pages and chunks.")


class BulkRequest(RequestModel):
    """One action on many documents: those listed, or all that match a filter."""

    action: Literal["tag", "untag", "move", "delete", "restore", "purge", "reingest"]
    ids: Annotated[list[uuid.UUID], Field(min_length=1, max_length=MAX_IDS)] | None = None
    filter: DocumentFilter | None = None
    tags: References | None = Field(default=None, description="For `tag` and `untag`.")
    collection: Reference | None = Field(default=None, description="For `move`.")

    @model_validator(mode="after")
    def _check_parts(self) -> "BulkRequest":
        if (self.ids is None) == (self.filter is None):
            raise PydanticCustomError("ids_or_filter", "Give either `ids` or `filter`.")
        if (self.action in {"tag", "untag"}) != bool(self.tags):
            raise PydanticCustomError("tags_of_action", "`tags` belong to `tag` and `untag`, which need some.")
        if (self.action == "move") != (self.collection is not None):
            raise PydanticCustomError("collection_of_action", "`collection` belongs to `move`, which needs one.")
        return self


class BulkResponse(ResponseModel):
    """What became of it. `skipped` had nothing to change, or would have clashed with a document that is there."""

    action: str
    matched: int
    changed: int
    skipped: int
    ids: list[uuid.UUID] | None = Field(
        default=None, description="For `delete`: those that went to the trash, to be restored when it was a mistake."
    )
    receipt: PurgeReceipt | None = None
