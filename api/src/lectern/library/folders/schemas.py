"""Watched folders as clients see them."""

import uuid
from datetime import datetime
from typing import Annotated

from pydantic import Field, StringConstraints

from lectern.http.schemas import RequestModel, ResponseModel

SHOWN = 100


class FolderBinding(RequestModel):
    """The directory that a collection is to follow."""

    path: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=4_000)] = Field(
        description="Absolute path on the machine of the API and of the workers."
    )


class FolderScan(RequestModel):
    """How a folder is to be looked through."""

    dry_run: bool = Field(default=False, description="Say what would be done, and do nothing.")
    confirm_prune: bool = Field(
        default=False,
        description="Believe that files that are gone were deleted, also when they are many, or all.",
    )


class RenamedFile(ResponseModel):
    """A file that has another place now; its document keeps its id, tags and chunks."""

    old_path: str
    new_path: str


class RefusedPath(ResponseModel):
    """A file that is not taken in."""

    path: str
    code: str


class FolderOutcome(ResponseModel):
    """What a scan did, or would do. Lists show the first hundred; the counts are whole."""

    is_dry_run: bool
    unchanged_count: int = 0
    added_count: int = 0
    updated_count: int = 0
    renamed_count: int = 0
    pruned_count: int = 0
    refused_count: int = 0
    added: list[str] = Field(default=[], description="New files: they become documents.")
    updated: list[str] = Field(default=[], description="Files with another content: their documents follow.")
    renamed: list[RenamedFile] = Field(default=[], description="Files at another place: their documents stay.")
    pruned: list[str] = Field(default=[], description="Files that are gone: their documents go to the trash.")
    refused: list[RefusedPath] = Field(default=[], description="Files of a kind that the library does not take.")
    held_back: str | None = Field(
        default=None, description="Why nothing was put into the trash although files are gone."
    )
    problem: str | None = Field(default=None, description="Why the folder could not be looked through.")
    seconds: float = 0.0


class FolderResponse(ResponseModel):
    """The directory that a collection follows, and what the last scan did."""

    collection_id: uuid.UUID
    path: str
    file_count: int
    is_scan_requested: bool
    last_scan_at: datetime | None
    last_outcome: FolderOutcome | None
