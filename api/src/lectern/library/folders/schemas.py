"""Request and response models of watched folders."""

import uuid
from datetime import datetime
from typing import Annotated

from pydantic import Field, StringConstraints

from lectern.http.schemas import RequestModel, ResponseModel

SHOWN = 100


class FolderBinding(RequestModel):
    """The directory to bind a collection to."""

    path: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=4_000)] = Field(
        description="Absolute path on the machine of the API and the workers."
    )


class FolderScan(RequestModel):
    """Options of a scan."""

    dry_run: bool = Field(default=False, description="Return the changes without making them.")
    confirm_prune: bool = Field(
        default=False,
        description="Accept all missing files as deleted, however many.",
    )


class RenamedFile(ResponseModel):
    """A moved file. Its document keeps its id, tags and chunks."""

    old_path: str
    new_path: str


class RefusedPath(ResponseModel):
    """A file that the library refuses."""

    path: str
    code: str


class FolderOutcome(ResponseModel):
    """The result of a scan or dry run. Lists have the first hundred files; the counts are complete."""

    is_dry_run: bool
    unchanged_count: int = 0
    added_count: int = 0
    updated_count: int = 0
    renamed_count: int = 0
    pruned_count: int = 0
    refused_count: int = 0
    added: list[str] = Field(default=[], description="New files, added as documents.")
    updated: list[str] = Field(default=[], description="Changed files: their documents get a new version.")
    renamed: list[RenamedFile] = Field(default=[], description="Moved files: their documents stay.")
    pruned: list[str] = Field(default=[], description="Missing files: their documents go to the trash.")
    refused: list[RefusedPath] = Field(default=[], description="Files that the library refuses.")
    held_back: str | None = Field(default=None, description="Reason why missing files were not moved to the trash.")
    held_back_code: str | None = Field(
        default=None,
        description="Code of this reason: `device_changed`, `part_unreadable`, `all_missing` or `many_missing`.",
    )
    held_back_values: dict[str, str | int] = Field(default={}, description="Values in this reason.")
    problem: str | None = Field(default=None, description="Reason why the scan failed.")
    problem_code: str | None = Field(default=None, description="Code of the error that made the scan fail.")
    seconds: float = 0.0


class FolderResponse(ResponseModel):
    """The directory of a collection, and the result of the last scan."""

    collection_id: uuid.UUID
    path: str
    file_count: int
    is_scan_requested: bool
    last_scan_at: datetime | None
    last_outcome: FolderOutcome | None
