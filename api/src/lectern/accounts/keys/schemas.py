"""Request and response bodies of API keys."""

import uuid
from datetime import datetime
from typing import Annotated, Literal

from pydantic import AwareDatetime, Field, SecretStr, StringConstraints

from lectern.http.schemas import Name, RequestModel, ResponseModel

Toolset = Literal["search", "answers", "library", "extract"]
Reference = Annotated[str, StringConstraints(min_length=1, max_length=500)]
References = Annotated[list[Reference], Field(min_length=1, max_length=1_000)]


def _default_toolsets() -> list[Toolset]:
    return ["search"]


class ApiKeyCreate(RequestModel):
    """A new key. An absent list means no limit. Names are resolved now, so later renames have no effect."""

    name: Name
    can_write: bool = False
    toolsets: Annotated[list[Toolset], Field(min_length=1, default_factory=_default_toolsets)]
    tags: References | None = Field(
        default=None, description="Ids or names. The key sees only documents with one of these tags."
    )
    documents: References | None = Field(
        default=None, description="Ids or filenames. The key sees only these documents."
    )
    collections: References | None = Field(
        default=None, description="Ids or names. The key sees only these collections."
    )
    expires_at: AwareDatetime | None = None


class ApiKeyRename(RequestModel):
    """A new name."""

    name: Name


class ApiKeyResponse(ResponseModel):
    """A key without its secret."""

    id: uuid.UUID
    name: str
    prefix: str = Field(description="The first characters of the key.")
    can_write: bool
    toolsets: list[str]
    tag_ids: list[uuid.UUID] | None
    document_ids: list[uuid.UUID] | None
    collection_ids: list[uuid.UUID] | None
    created_by: uuid.UUID | None
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None
    revoked_at: datetime | None


class ApiKeyCreated(ResponseModel):
    """A new key with its secret."""

    api_key: ApiKeyResponse
    key: str = Field(description="The secret key. Save it now: only its hash is stored.")


class IntrospectRequest(RequestModel):
    """A key to introspect."""

    key: Annotated[SecretStr, Field(min_length=1, max_length=1_000)]


class KeyIntrospection(ResponseModel):
    """The permissions of a valid key. Only `is_active` is set for an invalid one."""

    is_active: bool
    principal: str | None = Field(default=None, examples=["key:6f9619ff-8b86-4d01-b42d-00cf4fc964ff"])
    name: str | None = None
    can_write: bool | None = None
    toolsets: list[str] | None = None
    expires_at: datetime | None = None
