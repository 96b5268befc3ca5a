"""Request and response bodies of collections."""

import uuid
from datetime import datetime

from pydantic import Field

from lectern.http.schemas import Description, Name, PartialUpdate, RequestModel, ResponseModel


class CollectionCreate(RequestModel):
    """A new collection."""

    name: Name
    description: Description = ""
    is_open: bool = Field(
        default=True, description="True: every user has access. False: only members and administrators."
    )


class CollectionUpdate(PartialUpdate):
    """Fields to change. Absent fields stay as they are."""

    name: Name | None = None
    description: Description | None = None
    is_open: bool | None = None
    is_default: bool | None = Field(default=None, description="True: uploads without a collection go here.")


class CollectionResponse(ResponseModel):
    """A group of documents with its own access rules."""

    id: uuid.UUID
    name: str
    description: str
    is_open: bool
    is_default: bool
    can_write: bool = Field(description="True if the caller may add documents.")
    document_count: int = Field(description="Documents in the caller's scope, without the trash.")
    created_at: datetime


class MemberUpdate(RequestModel):
    """The permissions of a member."""

    can_write: bool = False


class MemberResponse(ResponseModel):
    """A member of a closed collection."""

    user_id: uuid.UUID
    email: str
    name: str
    can_write: bool
    is_from_group: bool = Field(description="True: a group of the identity provider gives the access.")
