"""Requests and responses of grants."""

import uuid
from datetime import datetime

from pydantic import Field

from lectern.accounts.schemas import Email
from lectern.http.schemas import RequestModel, ResponseModel


class GrantCreate(RequestModel):
    """The person to share with."""

    email: Email = Field(description="The address with which the person signs in. It need not have an account yet.")


class OwnerUpdate(RequestModel):
    """The account that becomes the owner."""

    email: Email


class GrantResponse(ResponseModel):
    """Read access of one person to one document."""

    id: uuid.UUID
    email: str
    granted_at: datetime


class TagShareResponse(ResponseModel):
    """Read access of one person through a tag of the document."""

    tag: str
    email: str
    granted_at: datetime


class OwnerResponse(ResponseModel):
    """The account that owns a document or tag."""

    email: str
    name: str


class DocumentGrantsResponse(ResponseModel):
    """The owner of a document, its collection, and the people with a grant. Administrators read it too."""

    owner: OwnerResponse | None = Field(description="Null for watched folders, and once the account is deleted.")
    collection: str
    is_collection_open: bool = Field(description="True: everybody with an account reads the collection.")
    grants: list[GrantResponse]
    tag_shares: list[TagShareResponse]


class TagGrantResponse(GrantResponse):
    """Read access of one person to documents of a tag."""

    granted_by: str = Field(description="The address of whoever shared.")


class TagGrantsResponse(ResponseModel):
    """The people with whom the caller shares a tag. Administrators see those of everybody."""

    owner: OwnerResponse | None = Field(description="For the owner and administrators. Null for others.")
    documents: int = Field(description="Documents with the tag that the caller may share.")
    grants: list[TagGrantResponse]


class OwnershipTransferred(ResponseModel):
    """Counts of what has a new owner. Nothing the second time."""

    documents: int = Field(description="Including those in the trash.")
    tags: int
