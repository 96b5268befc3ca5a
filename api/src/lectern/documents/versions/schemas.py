"""Versions as clients see them."""

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
    is_current: bool = Field(description="What is searched and read; also while its first reading is not done.")
    filename: str = Field(description="As it was uploaded.")
    content_type: str
    size_bytes: int
    sha256: str
    page_count: int | None
    chunk_count: int | None
    chunks_unchanged: int | None = Field(description="Chunks it shares with the version before it.")
    chunks_added: int | None = Field(description="Chunks it added.")
    chunks_removed: int | None = Field(description="Chunks of the version before it that it lacks.")
    restored_from: int | None = Field(description="The version whose file this is again.")
    job_id: uuid.UUID | None
    error: DocumentError | None = Field(description="Why it failed or was cancelled.")
    created_by: str
    created_at: datetime
    current_at: datetime | None = Field(description="When it took over.")


class VersionAccepted(ResponseModel):
    """A new version on its way. Until it is complete the document is searched and read as it was."""

    document: DocumentResponse
    version: VersionResponse
    job_id: uuid.UUID | None = Field(description="The job that makes it; null when there is nothing to do.")
    is_unchanged: bool = Field(description="These bytes are the newest version already.")
