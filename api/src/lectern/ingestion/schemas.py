"""Jobs and the progress of documents as clients see them."""

import uuid
from datetime import datetime
from typing import Any, Literal

from pydantic import Field, SecretStr

from lectern.documents.schemas import WaitingVersion
from lectern.http.schemas import RequestModel, ResponseModel
from lectern.jobs.schemas import JobResponse


class DocumentJobResponse(JobResponse):
    """A job with the name of its document."""

    filename: str


class JobRetry(RequestModel):
    """What the next try is given."""

    password: SecretStr | None = Field(default=None, max_length=1_000, description="Of a protected file.")


class DocumentEvent(ResponseModel):
    """Where a document stands: the data of a `document` event."""

    document_id: uuid.UUID
    filename: str
    status: Literal["queued", "processing", "ready", "failed"]
    version: int
    newer_version: WaitingVersion | None
    page_count: int | None
    chunk_count: int
    embedded_chunk_count: int
    error_code: str | None
    error_message: str | None
    error_hint: str | None
    error_details: dict[str, Any] | None
    keyword_ready_at: datetime | None
    ready_at: datetime | None
    deleted_at: datetime | None
    job: JobResponse | None
