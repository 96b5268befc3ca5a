"""Collections as clients see them."""

import uuid
from datetime import datetime

from pydantic import Field

from lectern.http.schemas import Description, Name, PartialUpdate, RequestModel, ResponseModel


class CollectionCreate(RequestModel):
    """A new collection."""

    name: Name
    description: Description = ""
    is_open: bool = Field(default=True, description="Every user reaches it; a closed one only its members.")


class CollectionUpdate(PartialUpdate):
    """What is given is changed."""

    name: Name | None = None
    description: Description | None = None
    is_open: bool | None = None
    is_default: bool | None = Field(default=None, description="True: uploads that name no collection go here.")


class CollectionResponse(ResponseModel):
    """A shelf of the library."""

    id: uuid.UUID
    name: str
    description: str
    is_open: bool
    is_default: bool
    can_write: bool = Field(description="Whether the caller may change its documents.")
    document_count: int = Field(description="Documents that the caller sees, without the trash.")
    created_at: datetime


class MemberUpdate(RequestModel):
    """What a member may do in a closed collection."""

    can_write: bool = False


class MemberResponse(ResponseModel):
    """A user's access to a closed collection."""

    user_id: uuid.UUID
    email: str
    name: str
    can_write: bool
