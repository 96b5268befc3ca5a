"""Create, list, revoke and introspect API keys."""

import secrets
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol

from pydantic import SecretStr

from lectern.accounts import repository as principals_repository
from lectern.accounts.audit.service import record
from lectern.accounts.authentication import API_KEY_PREFIX
from lectern.accounts.errors import ApiKeyNotFound
from lectern.accounts.keys import repository
from lectern.accounts.keys.schemas import ApiKeyCreated, ApiKeyResponse, KeyIntrospection
from lectern.accounts.models import ApiKey
from lectern.accounts.principals import Principal, key_principal
from lectern.accounts.tokens import hash_token
from lectern.db.session import Session
from lectern.errors import InvalidRequest
from lectern.http.pagination import Page, decode_cursor, paginate

_ORDER = "keys"
ENVIRONMENT_KEY_ID = uuid.UUID("00000000-0000-4000-8000-00000000000a")
ENVIRONMENT_KEY_NAME = "mcp (from the environment)"


@dataclass(frozen=True, slots=True)
class ScopeReferences:
    """The limits of a new key as ids or names. None means no limit."""

    tags: Sequence[str] | None
    documents: Sequence[str] | None
    collections: Sequence[str] | None


@dataclass(frozen=True, slots=True)
class ScopeIds:
    """The limits of a new key as ids. None means no limit."""

    tags: list[uuid.UUID] | None
    documents: list[uuid.UUID] | None
    collections: list[uuid.UUID] | None


class ResolveReferences(Protocol):
    """Resolve references in the session's scope. The application provides it, because it needs other rooms."""

    async def __call__(self, session: Session, references: ScopeReferences) -> ScopeIds: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class NewKey:
    """A new key. Its ids are in the scope of its creator."""

    name: str
    can_write: bool = False
    toolsets: Sequence[str] = ("search",)
    collection_ids: Sequence[uuid.UUID] | None = None
    tag_ids: Sequence[uuid.UUID] | None = None
    document_ids: Sequence[uuid.UUID] | None = None
    expires_at: datetime | None = None


async def create_key(session: Session, *, actor: str, created_by: uuid.UUID | None, wanted: NewKey) -> ApiKeyCreated:
    """Create a key in a system session. A key without a creator belongs to the installation.

    Raises:
        InvalidRequest: `expires_at` is in the past.
    """
    if wanted.expires_at is not None and wanted.expires_at <= datetime.now(UTC):
        raise InvalidRequest("`expires_at` is in the past.", hint="Set a time in the future, or null for no expiry.")
    public = secrets.token_hex(4)
    key = f"{API_KEY_PREFIX}{public}_{secrets.token_urlsafe(32)}"
    row = ApiKey(
        id=uuid.uuid4(),
        name=wanted.name,
        prefix=f"{API_KEY_PREFIX}{public}",
        key_hash=hash_token(key),
        can_write=wanted.can_write,
        toolsets=list(dict.fromkeys(wanted.toolsets)),
        collection_ids=_deduplicate(wanted.collection_ids),
        tag_ids=_deduplicate(wanted.tag_ids),
        document_ids=_deduplicate(wanted.document_ids),
        created_by=created_by,
        expires_at=wanted.expires_at,
    )
    key_row = await repository.add(session, row)
    details = {"name": wanted.name, "can_write": wanted.can_write, "toolsets": list(wanted.toolsets)}
    await record(session, actor, action="key.create", target=f"key:{key_row.id}", details=details)
    return ApiKeyCreated(api_key=ApiKeyResponse.model_validate(key_row), key=key)


def _deduplicate(ids: Sequence[uuid.UUID] | None) -> list[uuid.UUID] | None:
    return None if ids is None else list(dict.fromkeys(ids))


def _owner_filter(principal: Principal) -> uuid.UUID | None:
    """Return None for administrators, who manage all keys, or else the user's id."""
    user_id = principal.require_person()
    return None if principal.is_admin else user_id


async def list_keys(session: Session, principal: Principal, *, cursor: str | None, limit: int) -> Page[ApiKeyResponse]:
    """List a page of the caller's keys, or of all keys for administrators, newest first. Raises BrokenCursor."""
    after = tuple(decode_cursor(cursor, order=_ORDER, types=(datetime, uuid.UUID))) if cursor else None
    keys, total = await repository.list_keys(session, created_by=_owner_filter(principal), after=after, limit=limit + 1)
    return paginate(
        keys,
        ApiKeyResponse.model_validate,
        order=_ORDER,
        keys=lambda key: [key.created_at, key.id],
        limit=limit,
        total=total,
    )


async def get_key(session: Session, principal: Principal, key_id: uuid.UUID) -> ApiKey:
    """Return a key. Raises ApiKeyNotFound."""
    key = await repository.find(session, key_id, created_by=_owner_filter(principal))
    if key is None:
        raise ApiKeyNotFound
    return key


async def rename_key(session: Session, principal: Principal, key_id: uuid.UUID, *, name: str) -> ApiKeyResponse:
    """Rename a key. Raises ApiKeyNotFound."""
    key = await get_key(session, principal, key_id)
    key.name = name
    await session.flush()
    await record(session, principal.actor, action="key.rename", target=f"key:{key_id}", details={"name": name})
    return ApiKeyResponse.model_validate(key)


async def revoke_key(session: Session, principal: Principal, key_id: uuid.UUID) -> None:
    """Revoke a key. Its row stays. Raises ApiKeyNotFound."""
    await get_key(session, principal, key_id)
    await repository.revoke(session, key_id)
    await record(session, principal.actor, action="key.revoke", target=f"key:{key_id}")


async def introspect(session: Session, key: SecretStr) -> KeyIntrospection:
    """Return the permissions of a valid key."""
    lookup = await principals_repository.inspect_key(session, hash_token(key.get_secret_value()))
    if lookup is None:
        return KeyIntrospection(is_active=False)
    principal = key_principal(lookup.grant, lookup.owner)
    return KeyIntrospection(
        is_active=True,
        principal=principal.actor,
        name=principal.name,
        can_write=principal.scope.can_write,
        toolsets=list(principal.toolsets),
        expires_at=lookup.expires_at,
    )


async def sync_environment_key(session: Session, key: SecretStr | None) -> None:
    """Store MCP_API_KEY as a key that may search everything. Revoke it if the variable is not set."""
    if key is None:
        await repository.revoke(session, ENVIRONMENT_KEY_ID)
        return
    await repository.upsert(
        session,
        key_id=ENVIRONMENT_KEY_ID,
        name=ENVIRONMENT_KEY_NAME,
        prefix="environment",
        key_hash=hash_token(key.get_secret_value()),
        toolsets=["search"],
    )
