"""Request and response bodies of API keys."""

import uuid
from datetime import datetime
from typing import Annotated

from pydantic import AwareDatetime, Field, IPvAnyNetwork, SecretStr

from lectern.accounts.toolsets import Toolset
from lectern.http.schemas import Name, Reference, RequestModel, ResponseModel

References = Annotated[list[Reference], Field(min_length=1, max_length=1_000)]
Toolsets = Annotated[list[Toolset], Field(min_length=1, max_length=5)]
Networks = Annotated[list[IPvAnyNetwork], Field(min_length=1, max_length=50)]


class ApiKeyCreate(RequestModel):
    """A new key. An absent list means no limit. Names are resolved now, so later renames have no effect."""

    name: Name
    can_write: bool = False
    toolsets: Toolsets | None = Field(
        default=None,
        description="What the key may do (`GET /keys/policy`). Null: `search`; with `can_write`, `library` too.",
    )
    tags: References | None = Field(
        default=None, description="Ids or names. The key sees only documents with one of these tags."
    )
    documents: References | None = Field(
        default=None, description="Ids or filenames. The key sees only these documents."
    )
    collections: References | None = Field(
        default=None, description="Ids or names. The key sees only these collections."
    )
    allowed_networks: Networks | None = Field(
        default=None,
        description="Addresses from which the key works, in CIDR notation. Null: from everywhere.",
        examples=[["10.0.0.0/8", "2001:db8::/32"]],
    )
    expires_at: AwareDatetime | None = None


class ApiKeyUpdate(RequestModel):
    """Fields to change. To change what a key sees, create another key."""

    name: Name | None = None
    toolsets: Toolsets | None = None
    allowed_networks: Networks | None = Field(default=None, description="Null: the key works from everywhere.")


class ApiKeyRotate(RequestModel):
    """The overlap of the old and the new secret, and the new expiry."""

    overlap_hours: int = Field(default=24, ge=0, le=720, description="0: the old secret stops at once.")
    expires_at: AwareDatetime | None = Field(
        default=None, description="Expiry of the new secret. Null: that of the key stays."
    )


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
    allowed_networks: list[str] | None
    previous_prefix: str | None = Field(description="The first characters of the secret before the last rotation.")
    previous_expires_at: datetime | None = Field(description="The previous secret works until then.")
    client_name: str | None = Field(description="The app that this key connects by OAuth. Null: a key for people.")


class ApiKeyCreated(ResponseModel):
    """A key with its new secret."""

    api_key: ApiKeyResponse
    key: str = Field(description="The secret key. Save it now: only its hash is stored.")


class IntrospectRequest(RequestModel):
    """A key to introspect."""

    key: Annotated[SecretStr, Field(min_length=1, max_length=1_000)]
    client: str | None = Field(default=None, max_length=100, description="Address of the caller who sent the key.")


class KeyIntrospection(ResponseModel):
    """The permissions of a valid key. Only `is_active` is set for an invalid one."""

    is_active: bool
    principal: str | None = Field(
        default=None,
        description="Value of X-Lectern-Principal. It names the secret: a rotated key has two.",
        examples=["key:6f9619ff-8b86-4d01-b42d-00cf4fc964ff:lk_1a2b3c4d"],
    )
    name: str | None = None
    can_write: bool | None = None
    toolsets: list[str] | None = None
    expires_at: datetime | None = None
    web_url: str | None = Field(default=None, description="Address of the web UI, for links to documents.")


class ToolsetResponse(ResponseModel):
    """A toolset with its operations and tools. Changes also need write access."""

    name: Toolset
    tools: list[str] = Field(description="Tools of the MCP service.")
    operations: list[str] = Field(description="Operations of the REST API. Changes also need write access.")


class KeyPolicyResponse(ResponseModel):
    """The rules for keys of this installation."""

    max_days: int | None = Field(description="Longest lifetime of a key. Null: keys need no expiry.")
    toolsets: list[ToolsetResponse]


class KeyTestResponse(ResponseModel):
    """The result of a call through the MCP service."""

    url: str = Field(description="Address of the MCP service that was called.")
    tools: list[str] = Field(description="The tools that the service showed.")
    called_tool: str | None = Field(description="The tool that was called. Null: the key sees none that is cheap.")
    latency_ms: float | None = Field(description="Duration of the call.")


class KeyViewResponse(ResponseModel):
    """The current permissions of a key, and counts of what it sees."""

    document_count: int
    collection_count: int
    tag_count: int
    can_write: bool
    toolsets: list[str]
    tools: list[str] = Field(description="Tools of the MCP service, if it offers them.")
    operations: list[str] = Field(description="Operations of the REST API, by `operationId`.")
