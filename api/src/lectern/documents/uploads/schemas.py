"""Uploads as clients see them."""

import uuid
from enum import StrEnum

from pydantic import ConfigDict, Field

from lectern.documents.schemas import DocumentResponse
from lectern.http.schemas import ResponseModel


class OnSameName(StrEnum):
    """What an upload does when its collection has a document of the same name."""

    KEEP_BOTH = "keep_both"
    NEW_VERSION = "new_version"


class UploadProblem(ResponseModel):
    """Why one file of several was refused; nothing of it was kept. Some codes add members of their own."""

    model_config = ConfigDict(from_attributes=True, extra="allow")

    code: str
    status: int
    detail: str
    hint: str | None


class UploadResult(ResponseModel):
    """What became of one file: a document, or a problem."""

    filename: str
    document: DocumentResponse | None = None
    is_duplicate: bool = Field(default=False, description="The collection had this file; its tags were merged.")
    is_new_version: bool = Field(default=False, description="It is the next version of the document of this name.")
    is_restored: bool = Field(default=False, description="It was in the trash and is back.")
    is_language_changed: bool = Field(
        default=False, description="The collection had this file; it is read again in the language that was given now."
    )
    job_id: uuid.UUID | None = Field(default=None, description="The job that reads it; null when it was read before.")
    problem: UploadProblem | None = None


class UploadResponse(ResponseModel):
    """The files in the order they were sent."""

    items: list[UploadResult]
