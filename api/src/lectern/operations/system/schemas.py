"""The installation as its administrators see it."""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel


class Versions(BaseModel):
    """What runs here."""

    lectern: str
    python: str
    postgres: str
    pgvector: str
    platform: str


class LibraryFacts(BaseModel):
    """What the library holds. `documents` counts by status, those in the trash not included."""

    documents: dict[Literal["queued", "processing", "ready", "failed"], int]
    trashed_documents: int
    pages: int
    chunks: int
    tags: int
    collections: int
    users: int


class QueueFacts(BaseModel):
    """What waits, what is worked on, what needs somebody. `workers` counts the processes that prove that they live."""

    queued: int
    running: int
    failed: int
    oldest_queued_at: datetime | None
    workers: int


class StorageFacts(BaseModel):
    """Where originals and rows are kept and how much room they take."""

    kind: Literal["folder", "object_store"]
    original_count: int
    original_bytes: int
    database_bytes: int


class DiskFacts(BaseModel):
    """The disk under the data folder."""

    total_bytes: int
    free_bytes: int
    is_low: bool


class ConfinementFacts(BaseModel):
    """What the processes that open uploaded files are kept from on the API's machine; found out by trying.

    `network`: no connection; `writing`: no file is written, changed or removed; `reading`: only the given file and the
    interpreter's own are read; `programs`: none is started. Limits of memory and time hold in any case.
    """

    network: bool
    writing: bool
    reading: bool
    programs: bool


class GenerationFacts(BaseModel):
    """The embeddings that one model made.

    `is_set`: its model is one of the settings'; only such can be used, and are kept up to date. `embedded_chunks` is
    null where they are not.
    """

    id: int
    embedding_model: str
    fingerprint: str
    dimensions: int
    state: Literal["filling", "active", "retired"]
    activated_at: datetime | None
    is_set: bool
    embedded_chunks: int | None


class EmbeddingsFacts(BaseModel):
    """The model in use, and every generation that the database keeps."""

    embedding_model: str
    dimensions: int
    fingerprint: str
    embedded_chunks: int
    generations: list[GenerationFacts]


class SystemResponse(BaseModel):
    """The installation at this moment.

    `disk` is null where originals are in an object store only, `confinement` where it cannot be found out.
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


class McpAddressResponse(BaseModel):
    """Where agents reach the MCP service."""

    url: str
