"""Jobs and events of documents in the API."""

import uuid
from datetime import datetime
from typing import Any

from pydantic import Field, SecretStr

from lectern.documents.schemas import PendingVersion, Status
from lectern.http.schemas import RequestModel, ResponseModel
from lectern.jobs.schemas import JobResponse


class DocumentJobResponse(JobResponse):
    """A job with the filename of its document."""

    filename: str


class JobRetry(RequestModel):
    """Options of the next try."""

    password: SecretStr | None = Field(default=None, max_length=1_000, description="Password of a protected file.")


class DocumentEvent(ResponseModel):
    """The current state of a document: the data of a `document` event."""

    document_id: uuid.UUID
    filename: str
    status: Status
    version: int
    newer_version: PendingVersion | None
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
