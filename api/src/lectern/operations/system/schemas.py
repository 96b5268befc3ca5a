"""Facts about an installation, as administrators see them."""

from datetime import datetime
from typing import Literal, TypeAlias

from pydantic import BaseModel, Field

from lectern.documents.schemas import Status
from lectern.extraction.kernel import Enforcement
from lectern.extraction.sandbox.conversion import ConverterStatus
from lectern.http.schemas import ResponseModel


class Versions(BaseModel):
    """Versions of Lectern and its runtime."""

    lectern: str
    python: str
    postgres: str
    pgvector: str
    platform: str


class LibraryFacts(BaseModel):
    """Counts of the library. `documents` counts by status, without the trash."""

    documents: dict[Status, int]
    trashed_documents: int
    pages: int
    chunks: int
    tags: int
    collections: int
    users: int


class QueueFacts(BaseModel):
    """Queued, running and failed jobs. `workers` counts live worker processes."""

    queued: int
    running: int
    failed: int
    oldest_queued_at: datetime | None
    workers: int


class StorageFacts(BaseModel):
    """Location and size of originals and of the database."""

    kind: Literal["folder", "object_store"]
    original_count: int
    original_bytes: int
    database_bytes: int


class DiskFacts(BaseModel):
    """The disk of the data folder."""

    total_bytes: int
    free_bytes: int
    is_low: bool


class ConfinementFacts(BaseModel):
    """The sandbox of the processes that open uploaded files, as tested on the API's machine.

    `network`: no sockets. `writing`: no file is written, changed or removed. `reading`: only the given file and the
    interpreter's own files. `programs`: no program is started, and only Tesseract by text recognition. `processes`: no
    process is started, signalled, traced or limited. `kernel`: no shared memory, namespaces, mounts or other kernel
    interfaces. `privileges`: no capabilities. Memory and time are always limited.
    `landlock` and `seccomp` are what the kernel said: `unsupported` by it or on this architecture, or `refused`.
    """

    network: bool
    writing: bool
    reading: bool
    programs: bool
    processes: bool
    kernel: bool
    privileges: bool
    landlock: Enforcement
    seccomp: Enforcement


RankerState: TypeAlias = Literal["shipped", "fitted", "outdated"]


class GenerationFacts(ResponseModel):
    """The embeddings of one model.

    `is_set`: its model is configured. Only these embeddings can be used and are kept up to date.
    `embedded_chunks` is null for the others. `ranker`: what orders its searches. `outdated`: a fitted one is
    stored for another version, so the shipped one is used.
    """

    id: int
    embedding_model: str
    fingerprint: str
    dimensions: int
    state: Literal["filling", "active", "retired"]
    activated_at: datetime | None
    is_set: bool
    embedded_chunks: int | None
    ranker: RankerState


class EmbeddingsFacts(BaseModel):
    """The active model, and every generation in the database."""

    embedding_model: str
    dimensions: int
    fingerprint: str
    embedded_chunks: int
    generations: list[GenerationFacts]


class SystemResponse(BaseModel):
    """The installation at this moment.

    `disk` is null if originals are in an object store. `confinement` is null if it is unknown.
    """

    status: Literal["ready", "not_ready"]
    checks: dict[str, Literal["ok", "failed"]]
    started_at: datetime
    versions: Versions
    library: LibraryFacts
    queue: QueueFacts
    storage: StorageFacts
    disk: DiskFacts | None
    embeddings: EmbeddingsFacts
    confinement: ConfinementFacts | None
    office_pages: ConverterStatus = Field(
        description="Whether pages of Office files can be drawn: `available`, `not_installed` (no LibreOffice) or "
        "`not_confined` (the kernel cannot sandbox it)."
    )
    folder_roots: list[str] = Field(description="Directories that may contain watched folders. Empty: watching is off.")


class McpAddressResponse(BaseModel):
    """The address of the MCP service for agents."""

    url: str
