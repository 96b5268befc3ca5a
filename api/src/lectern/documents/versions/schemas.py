"""Response bodies of versions."""

import uuid
from datetime import datetime
from typing import Literal

from pydantic import Field

from lectern.documents.schemas import DocumentError, DocumentResponse
from lectern.http.schemas import ResponseModel


class VersionResponse(ResponseModel):
    """One content of a document."""

    number: int
    state: Literal["processing", "current", "replaced", "failed", "cancelled"]
    is_current: bool = Field(description="True for the version that searches and downloads use.")
    filename: str = Field(description="The uploaded filename.")
    content_type: str
    size_bytes: int
    sha256: str
    page_count: int | None
    chunk_count: int | None
    chunks_unchanged: int | None = Field(description="Chunks shared with the previous version.")
    chunks_added: int | None = Field(description="Chunks that the previous version does not have.")
    chunks_removed: int | None = Field(description="Chunks of the previous version that this one does not have.")
    restored_from: int | None = Field(description="The older version that was restored.")
    job_id: uuid.UUID | None
    error: DocumentError | None = Field(description="Why processing failed or was cancelled.")
    created_by: str
    created_at: datetime
    current_at: datetime | None = Field(description="When it became the current version.")


class VersionAccepted(ResponseModel):
    """A new version. The current version stays in use until the new one is complete."""

    document: DocumentResponse
    version: VersionResponse
    job_id: uuid.UUID | None = Field(description="The job that processes it. Null if nothing has to be done.")
    is_unchanged: bool = Field(description="True if the newest version already has this file.")
