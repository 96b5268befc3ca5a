"""Jobs as clients see them."""

import uuid
from datetime import datetime
from typing import Any, Literal

from pydantic import Field

from lectern.http.schemas import ResponseModel
from lectern.jobs.models import Job

# Shares of a whole ingestion; reading takes seconds where embedding takes minutes.
_READ, _INDEXED, _EMBEDDED = 0.2, 0.25, 0.99


def progress_of(job: Job) -> float:
    """How much of a job is done, 0 to 1; it is 1 only when the document is ready."""
    if job.state == "succeeded":
        return 1.0
    if job.stage == "embed":
        share = (job.chunks_embedded or 0) / job.chunks_to_embed if job.chunks_to_embed else 0.0
        return _INDEXED + (_EMBEDDED - _INDEXED) * min(share, 1.0)
    if job.stage in {"chunk", "index"}:
        return _READ
    return _READ * min((job.page or 0) / job.page_count, 1.0) if job.page_count else 0.0


class JobResponse(ResponseModel):
    """One piece of background work on a document."""

    id: uuid.UUID
    kind: str
    document_id: uuid.UUID
    state: Literal["queued", "running", "succeeded", "failed", "cancelled"]
    priority: int
    stage: Literal["extract", "chunk", "index", "embed"] | None
    progress: float = Field(ge=0, le=1, description="1 only when the document is ready.")
    page: int | None = Field(description="Extraction is at this page ...")
    page_count: int | None = Field(description="... of so many.")
    chunks_embedded: int | None
    chunks_to_embed: int | None
    version: int | None = Field(description="The version that it makes; null: it reads the current one.")
    chunks_unchanged: int | None = Field(description="Chunks kept from the previous content, with their embeddings.")
    chunks_added: int | None = Field(description="New chunks, which must be embedded.")
    chunks_removed: int | None = Field(description="Chunks removed when the job succeeds.")
    attempts: int = Field(description="Tries since the last lasting progress.")
    crashes: int = Field(description="Those of them that ended with their worker.")
    max_attempts: int = Field(description="So many crashes are the end.")
    error_code: str | None
    error_message: str | None
    error_hint: str | None
    error_details: dict[str, Any] | None = Field(description="Limits and numbers of the failure, by name.")
    timings_seconds: dict[str, float] = Field(description="By stage.")
    created_at: datetime
    started_at: datetime | None
    heartbeat_at: datetime | None = Field(description="The worker's last sign of life.")
    next_try_at: datetime | None = Field(description="When a passing fault is expected to have passed.")
    finished_at: datetime | None


def job_fields(job: Job) -> dict[str, Any]:
    """The fields of a `JobResponse`. Arguments stay inside: there may be a password among them."""
    fields = {name: getattr(job, name) for name in JobResponse.model_fields if name != "progress"}
    return {**fields, "progress": round(progress_of(job), 4)}


def job_response(job: Job) -> JobResponse:
    """The job as clients see it."""
    return JobResponse.model_validate(job_fields(job))
