"""Create, list, change, rotate, revoke and introspect API keys."""

import secrets
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any, Protocol, TypedDict, TypeVar

from pydantic import SecretStr

from lectern.accounts import repository as principals_repository
from lectern.accounts.audit.service import changes_with_before, record
from lectern.accounts.authentication import API_KEY_PREFIX, is_address_allowed
from lectern.accounts.errors import (
    ApiKeyInactive,
    ApiKeyNotFound,
    KeyFromEnvironment,
    KeyLifetimeRefused,
    KeyOfClient,
    ScopeNotYours,
)
from lectern.accounts.keys import repository
from lectern.accounts.keys.connection import TOKEN_LIFE, read_test_token
from lectern.accounts.keys.schemas import (
    ApiKeyCreate,
    ApiKeyCreated,
    ApiKeyResponse,
    ApiKeyRotate,
    ApiKeyUpdate,
    KeyIntrospection,
    KeyPolicyResponse,
    KeyViewResponse,
    ToolsetResponse,
)
from lectern.accounts.models import ApiKey
from lectern.accounts.principals import Principal, key_principal
from lectern.accounts.tokens import Tokens, hash_token
from lectern.accounts.toolsets import OPERATIONS, TOOLS, default_toolsets, list_operations, list_tools
from lectern.db.session import Database, Session
from lectern.errors import InvalidRequest
from lectern.http.pagination import Page, list_page

T = TypeVar("T")

ENVIRONMENT_KEY_ID = uuid.UUID("00000000-0000-4000-8000-00000000000a")
ENVIRONMENT_KEY_NAME = "mcp (from the environment)"


class ScopeIds(TypedDict):
    """The limits of a new key. None means no limit."""

    tag_ids: list[uuid.UUID] | None
    document_ids: list[uuid.UUID] | None
    collection_ids: list[uuid.UUID] | None


class ResolveReferences(Protocol):
    """Resolve ids and names in the session's scope. The application provides it, because it needs other packages."""

    async def __call__(
        self,
        session: Session,
        *,
        tags: Sequence[str] | None = None,
        documents: Sequence[str] | None = None,
        collections: Sequence[str] | None = None,
    ) -> ScopeIds: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class NewKey:
    """A new key. The ids of the names in the request are in the scope of its creator."""

    body: ApiKeyCreate
    ids: ScopeIds
    client_id: str | None = None
    client_name: str | None = None


async def prepare_key(
    database: Database, principal: Principal, body: ApiKeyCreate, *, resolve: ResolveReferences
) -> NewKey:
    """Resolve the names in a request in the scope of its user.

    Raises ScopeNotYours, UnknownTag, UnknownDocument, UnknownCollection.
    """
    if body.can_write and not principal.scope.can_write:
        raise ScopeNotYours("Only a user with write access can create a key that can write.")
    async with database.session(principal.scope) as session:
        ids = await resolve(session, tags=body.tags, documents=body.documents, collections=body.collections)
    return NewKey(body=body, ids=ids)


async def create_key(session: Session, principal: Principal, *, wanted: NewKey, max_days: int) -> ApiKeyCreated:
    """Create a key in a system session. A key of the command line belongs to the installation.

    Raises:
        InvalidRequest: `expires_at` is in the past.
        KeyLifetimeRefused: The key would live longer than `max_days`.
    """
    body, ids = wanted.body, wanted.ids
    _check_expiry(body.expires_at, max_days=max_days)
    key, prefix = create_secret()
    toolsets = body.toolsets or default_toolsets(can_write=body.can_write)
    row = ApiKey(
        id=uuid.uuid4(),
        name=body.name,
        prefix=prefix,
        key_hash=hash_token(key),
        can_write=body.can_write,
        toolsets=_deduplicate(toolsets),
        collection_ids=_deduplicate(ids["collection_ids"]),
        tag_ids=_deduplicate(ids["tag_ids"]),
        document_ids=_deduplicate(ids["document_ids"]),
        allowed_networks=_deduplicate(body.allowed_networks and map(str, body.allowed_networks)),
        created_by=principal.owner_id,
        expires_at=body.expires_at,
        client_id=wanted.client_id,
        client_name=wanted.client_name,
    )
    session.add(row)
    await session.flush()
    details: dict[str, Any] = {"name": body.name, "can_write": body.can_write, "toolsets": row.toolsets}
    if wanted.client_id is not None:
        details["client"] = wanted.client_id
    await record(session, principal.actor, action="key.create", target=f"key:{row.id}", details=details)
    return ApiKeyCreated(api_key=ApiKeyResponse.model_validate(row), key=key)


def create_secret() -> tuple[str, str]:
    """Return a new secret and its prefix."""
    prefix = f"{API_KEY_PREFIX}{secrets.token_hex(4)}"
    return f"{prefix}_{secrets.token_urlsafe(32)}", prefix


def _check_expiry(expires_at: datetime | None, *, max_days: int) -> None:
    now = datetime.now(UTC)
    if expires_at is not None and expires_at <= now:
        raise InvalidRequest("`expires_at` is in the past.", hint="Set a time in the future, or null for no expiry.")
    latest = now + timedelta(days=max_days, hours=1)  # the clocks of clients differ
    if max_days and (expires_at is None or expires_at > latest):
        hint = f"Set `expires_at` within {max_days} days, or `--days {max_days}` on the command line."
        raise KeyLifetimeRefused(f"Keys of this installation must expire within {max_days} days.", hint=hint)


def _deduplicate(values: Iterable[T] | None) -> list[T] | None:
    return None if values is None else list(dict.fromkeys(values))


def _owner_filter(principal: Principal) -> uuid.UUID | None:
    """Return None for administrators, who manage all keys, or else the user's id."""
    user_id = principal.require_person()
    return None if principal.is_admin else user_id


async def list_keys(session: Session, principal: Principal, *, cursor: str | None, limit: int) -> Page[ApiKeyResponse]:
    """List a page of the caller's keys, or of all keys for administrators, newest first. Raises BrokenCursor."""
    read = partial(repository.list_keys, session, created_by=_owner_filter(principal))
    keys = {"created_at": datetime, "id": uuid.UUID}
    return await list_page(read, ApiKeyResponse.model_validate, order="keys", keys=keys, cursor=cursor, limit=limit)


async def get_key(session: Session, principal: Principal, key_id: uuid.UUID) -> ApiKey:
    """Return a key. Raises ApiKeyNotFound."""
    key = await repository.find(session, key_id, created_by=_owner_filter(principal))
    if key is None:
        raise ApiKeyNotFound
    return key


async def get_named_key(session: Session, name: str) -> ApiKey:
    """Return the only key with this id, prefix or name, for the command line. Raises ApiKeyNotFound."""
    found = await repository.find_named(session, name)
    if len(found) != 1:
        raise ApiKeyNotFound(f"{len(found) or 'No'} keys match {name!r}.", hint="Run `lectern keys list`.")
    return found[0]


async def update_key(
    session: Session, principal: Principal, key_id: uuid.UUID, *, wanted: ApiKeyUpdate
) -> ApiKeyResponse:
    """Change a key. Raises ApiKeyNotFound."""
    key = await get_key(session, principal, key_id)
    changes: dict[str, Any] = wanted.model_dump(exclude_unset=True, mode="json")
    changes = {name: value for name, value in changes.items() if value is not None or name == "allowed_networks"}
    details = changes_with_before(changes, key)
    for name, value in changes.items():
        setattr(key, name, value if name == "name" or value is None else list(dict.fromkeys(value)))
    await session.flush()
    await record(session, principal.actor, action="key.update", target=f"key:{key_id}", details=details)
    return ApiKeyResponse.model_validate(key)


async def rotate_key(
    session: Session, principal: Principal, key_id: uuid.UUID, *, wanted: ApiKeyRotate, max_days: int
) -> ApiKeyCreated:
    """Give a key a new secret. The old one works for some hours more, but never longer than the key did.

    Raises ApiKeyNotFound, ApiKeyInactive, KeyFromEnvironment, KeyOfClient, InvalidRequest, KeyLifetimeRefused.
    """
    key = await get_key(session, principal, key_id)
    now = datetime.now(UTC)
    if key.id == ENVIRONMENT_KEY_ID:
        raise KeyFromEnvironment
    if key.client_id is not None:
        raise KeyOfClient
    if key.revoked_at is not None or (key.expires_at is not None and key.expires_at <= now):
        raise ApiKeyInactive
    expires_at = wanted.expires_at or key.expires_at
    _check_expiry(expires_at, max_days=max_days)
    overlap_ends_at = min(
        now + timedelta(hours=wanted.overlap_hours), key.expires_at or datetime.max.replace(tzinfo=UTC)
    )
    key.previous_key_hash, key.previous_prefix, key.previous_expires_at = key.key_hash, key.prefix, overlap_ends_at
    secret, key.prefix = create_secret()
    key.key_hash, key.expires_at = hash_token(secret), expires_at
    await session.flush()
    details = {"previous_expires_at": overlap_ends_at.isoformat()}
    await record(session, principal.actor, action="key.rotate", target=f"key:{key_id}", details=details)
    return ApiKeyCreated(api_key=ApiKeyResponse.model_validate(key), key=secret)


async def get_key_principal(session: Session, principal: Principal, key_id: uuid.UUID) -> Principal:
    """Return what a valid key may do. Raises ApiKeyNotFound, ApiKeyInactive."""
    await get_key(session, principal, key_id)
    lookup = await principals_repository.find_key_by_id(session, key_id)
    if lookup is None:
        raise ApiKeyInactive
    return key_principal(lookup.grant, lookup.owner)


async def describe_view(session: Session, key: Principal) -> KeyViewResponse:
    """Return what a key sees, counted in a session of its scope, and what it may do."""
    return KeyViewResponse(
        **await repository.count_visible(session),
        can_write=key.scope.can_write,
        toolsets=list(key.toolsets),
        tools=list_tools(key.toolsets),
        operations=list_operations(key.toolsets, can_write=key.scope.can_write),
    )


def describe_policy(*, max_days: int) -> KeyPolicyResponse:
    """Return the longest lifetime of a key, and what each toolset permits."""
    toolsets = [
        ToolsetResponse(name=name, tools=list(TOOLS[name]), operations=sorted(operations))
        for name, operations in OPERATIONS.items()
    ]
    return KeyPolicyResponse(max_days=max_days or None, toolsets=toolsets)


async def list_keys_against_policy(session: Session, *, max_days: int) -> list[ApiKeyResponse]:
    """List the valid keys that live longer than new ones may. The key from the environment may."""
    keys = await repository.list_keys_outliving(session, max_days) if max_days else []
    return [ApiKeyResponse.model_validate(key) for key in keys if key.id != ENVIRONMENT_KEY_ID]


async def revoke_key(session: Session, principal: Principal, key_id: uuid.UUID) -> None:
    """Revoke a key. Its row stays. Raises ApiKeyNotFound."""
    await get_key(session, principal, key_id)
    await repository.revoke(session, key_id)
    await record(session, principal.actor, action="key.revoke", target=f"key:{key_id}")


async def introspect(
    session: Session, key: SecretStr, *, tokens: Tokens, client: str | None, web_url: str
) -> KeyIntrospection:
    """Return the permissions of a valid key that works from the client's address. None is not checked."""
    lookup, expires_at = await principals_repository.find_key_by_hash(session, hash_token(key.get_secret_value())), None
    if lookup is None and (key_id := read_test_token(tokens, key)) is not None:
        lookup, expires_at = await principals_repository.find_key_by_id(session, key_id), datetime.now(UTC)
        expires_at += TOKEN_LIFE
    if lookup is None or not (client is None or is_address_allowed(lookup.grant.allowed_networks, client)):
        return KeyIntrospection(is_active=False)
    principal = key_principal(lookup.grant, lookup.owner)
    return KeyIntrospection(
        is_active=True,
        principal=f"{principal.actor}:{lookup.grant.prefix}",
        name=principal.name,
        can_write=principal.scope.can_write,
        toolsets=list(principal.toolsets),
        expires_at=min(filter(None, (lookup.expires_at, expires_at)), default=None),
        web_url=web_url,
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
