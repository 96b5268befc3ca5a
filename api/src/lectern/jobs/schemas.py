"""Jobs in API responses."""

import uuid
from datetime import datetime
from typing import Any, Literal

from pydantic import Field

from lectern.http.schemas import ResponseModel
from lectern.jobs.models import Job

# Shares of a whole ingestion. Extraction takes seconds, embedding minutes.
_READ, _INDEXED, _EMBEDDED = 0.2, 0.25, 0.99


def progress_of(job: Job) -> float:
    """Return the progress of a job from 0 to 1. It is 1 only when the document is ready."""
    if job.state == "succeeded":
        return 1.0
    if job.stage == "embed":
        share = (job.chunks_embedded or 0) / job.chunks_to_embed if job.chunks_to_embed else 0.0
        return round(_INDEXED + (_EMBEDDED - _INDEXED) * min(share, 1.0), 4)
    if job.stage in {"chunk", "index"}:
        return _READ
    return round(_READ * min((job.page or 0) / job.page_count, 1.0), 4) if job.page_count else 0.0


class JobResponse(ResponseModel):
    """One piece of background work on a document."""

    # The arguments are left out: they may have the password of the file.

    id: uuid.UUID
    kind: str
    document_id: uuid.UUID
    state: Literal["queued", "running", "succeeded", "failed", "cancelled"]
    priority: int
    stage: Literal["extract", "chunk", "index", "embed"] | None
    progress: float = Field(ge=0, le=1, description="1 only when the document is ready.")
    page: int | None = Field(description="The page that extraction has reached.")
    page_count: int | None
    chunks_embedded: int | None
    chunks_to_embed: int | None
    version: int | None = Field(description="The version that it makes; null if it reprocesses the current one.")
    chunks_unchanged: int | None = Field(description="Chunks kept from the previous content, with their embeddings.")
    chunks_added: int | None = Field(description="New chunks, which must be embedded.")
    chunks_removed: int | None = Field(description="Chunks removed when the job succeeds.")
    attempts: int = Field(description="Tries since the last stored progress.")
    crashes: int = Field(description="Tries that ended their worker.")
    max_attempts: int = Field(description="The job fails after this many crashes.")
    error_code: str | None
    error_message: str | None
    error_hint: str | None
    error_details: dict[str, Any] | None = Field(description="Limits and numbers of the failure.")
    timings_seconds: dict[str, float] = Field(description="Duration of each stage.")
    created_at: datetime
    started_at: datetime | None
    heartbeat_at: datetime | None = Field(description="The last heartbeat of the worker.")
    next_try_at: datetime | None = Field(description="Time of the next try after a transient error.")
    finished_at: datetime | None
