"""API keys as clients see them."""

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
    """A new key. A list that is left out does not narrow; names are resolved now, so a later rename changes nothing."""

    name: Name
    can_write: bool = False
    toolsets: Annotated[list[Toolset], Field(min_length=1, default_factory=_default_toolsets)]
    tags: References | None = Field(default=None, description="Ids or names: documents with any of them.")
    documents: References | None = Field(default=None, description="Ids or filenames.")
    collections: References | None = Field(default=None, description="Ids or names.")
    expires_at: AwareDatetime | None = None


class ApiKeyRename(RequestModel):
    """A new name."""

    name: Name


class ApiKeyResponse(ResponseModel):
    """A key without its secret."""

    id: uuid.UUID
    name: str
    prefix: str = Field(description="The beginning of the key, to tell it from others.")
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
    """A new key; its secret is shown this once."""

    api_key: ApiKeyResponse
    key: str = Field(description="The key itself. Keep it now: only its hash is stored.")


class IntrospectRequest(RequestModel):
    """A key that a service was given."""

    key: Annotated[SecretStr, Field(min_length=1, max_length=1_000)]


class KeyIntrospection(ResponseModel):
    """Whether a key may be used now; nothing else is told about one that may not."""

    is_active: bool
    principal: str | None = Field(default=None, examples=["key:6f9619ff-8b86-4d01-b42d-00cf4fc964ff"])
    name: str | None = None
    can_write: bool | None = None
    toolsets: list[str] | None = None
    expires_at: datetime | None = None
