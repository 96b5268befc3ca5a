"""Response bodies of uploads and samples."""

import uuid
from enum import StrEnum

from pydantic import ConfigDict, Field

from lectern.documents.schemas import DocumentResponse
from lectern.http.schemas import ResponseModel


class OnSameName(StrEnum):
    """Action of an upload if its collection has a document with the same filename."""

    KEEP_BOTH = "keep_both"
    NEW_VERSION = "new_version"


class UploadProblem(ResponseModel):
    """Why one of several files was refused. Some codes add members."""

    model_config = ConfigDict(from_attributes=True, extra="allow")

    code: str
    status: int
    detail: str
    hint: str | None


class UploadResult(ResponseModel):
    """The document or the problem of one file."""

    filename: str
    document: DocumentResponse | None = None
    is_duplicate: bool = Field(default=False, description="The collection already had this file. Its tags were merged.")
    is_new_version: bool = Field(
        default=False, description="The file is a new version of the document with this filename."
    )
    is_restored: bool = Field(default=False, description="The document was restored from the trash.")
    is_language_changed: bool = Field(
        default=False, description="The collection already had this file. It is reprocessed in the requested language."
    )
    job_id: uuid.UUID | None = Field(
        default=None, description="The job that processes the file. Null if it was processed before."
    )
    problem: UploadProblem | None = None


class UploadResponse(ResponseModel):
    """The results in the order of the files."""

    items: list[UploadResult]


class SamplesResponse(ResponseModel):
    """Number of sample documents, and how many are in the library."""

    is_available: bool = Field(description="True if this installation has sample documents.")
    document_count: int = Field(description="Number of sample documents.")
    loaded_count: int = Field(description="Sample documents in the caller's scope, without the trash.")
