"""Making, listing and revoking API keys, and telling services whether one is good."""

import secrets
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from pydantic import SecretStr

from lectern.accounts import repository as principals_repository
from lectern.accounts.audit.service import record
from lectern.accounts.authentication import API_KEY_PREFIX
from lectern.accounts.errors import ApiKeyNotFound
from lectern.accounts.keys import repository
from lectern.accounts.keys.schemas import ApiKeyCreated, ApiKeyResponse, KeyIntrospection
from lectern.accounts.models import ApiKey
from lectern.accounts.principals import Principal, key_principal
from lectern.accounts.tokens import token_hash
from lectern.db.session import Session
from lectern.errors import InvalidRequest
from lectern.http.pagination import Page, decode_cursor, encode_cursor

_ORDER = "keys"
ENVIRONMENT_KEY_ID = uuid.UUID("00000000-0000-4000-8000-00000000000a")
ENVIRONMENT_KEY_NAME = "mcp (from the environment)"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewKey:
    """What a new key shall allow; ids are of things that its maker can see."""

    name: str
    can_write: bool = False
    toolsets: Sequence[str] = ("search",)
    collection_ids: Sequence[uuid.UUID] | None = None
    tag_ids: Sequence[uuid.UUID] | None = None
    document_ids: Sequence[uuid.UUID] | None = None
    expires_at: datetime | None = None


async def create_key(session: Session, *, actor: str, created_by: uuid.UUID | None, wanted: NewKey) -> ApiKeyCreated:
    """Make a key in a system session; without a maker it belongs to the installation.

    Raises:
        InvalidRequest: It would have expired already.
    """
    if wanted.expires_at is not None and wanted.expires_at <= datetime.now(UTC):
        raise InvalidRequest("expires_at lies in the past.")
    public = secrets.token_hex(4)
    key = f"{API_KEY_PREFIX}{public}_{secrets.token_urlsafe(32)}"
    row = ApiKey(
        id=uuid.uuid4(),
        name=wanted.name,
        prefix=f"{API_KEY_PREFIX}{public}",
        key_hash=token_hash(key),
        can_write=wanted.can_write,
        toolsets=list(dict.fromkeys(wanted.toolsets)),
        collection_ids=_listed(wanted.collection_ids),
        tag_ids=_listed(wanted.tag_ids),
        document_ids=_listed(wanted.document_ids),
        created_by=created_by,
        expires_at=wanted.expires_at,
    )
    made = await repository.add(session, row)
    details = {"name": wanted.name, "can_write": wanted.can_write, "toolsets": list(wanted.toolsets)}
    await record(session, actor, action="key.create", target=f"key:{made.id}", details=details)
    return ApiKeyCreated(api_key=ApiKeyResponse.model_validate(made), key=key)


def _listed(ids: Sequence[uuid.UUID] | None) -> list[uuid.UUID] | None:
    return None if ids is None else list(dict.fromkeys(ids))


def _whose(principal: Principal) -> uuid.UUID | None:
    """Administrators look after every key, others after their own."""
    user_id = principal.require_person()
    return None if principal.is_admin else user_id


async def list_keys(session: Session, principal: Principal, *, cursor: str | None, limit: int) -> Page[ApiKeyResponse]:
    """A page of the caller's keys (an administrator's: everybody's), the newest first. Raises BrokenCursor."""
    after = tuple(decode_cursor(cursor, order=_ORDER, types=(datetime, uuid.UUID))) if cursor else None
    keys, total = await repository.list_keys(session, created_by=_whose(principal), after=after, limit=limit + 1)
    shown = keys[:limit]
    return Page(
        items=[ApiKeyResponse.model_validate(key) for key in shown],
        next_cursor=encode_cursor(_ORDER, [shown[-1].created_at, shown[-1].id]) if len(keys) > limit else None,
        total=total,
    )


async def get_key(session: Session, principal: Principal, key_id: uuid.UUID) -> ApiKey:
    """Raises ApiKeyNotFound."""
    key = await repository.find(session, key_id, created_by=_whose(principal))
    if key is None:
        raise ApiKeyNotFound
    return key


async def rename_key(session: Session, principal: Principal, key_id: uuid.UUID, *, name: str) -> ApiKeyResponse:
    """Raises ApiKeyNotFound."""
    key = await get_key(session, principal, key_id)
    key.name = name
    await session.flush()
    await record(session, principal.actor, action="key.rename", target=f"key:{key_id}", details={"name": name})
    return ApiKeyResponse.model_validate(key)


async def revoke_key(session: Session, principal: Principal, key_id: uuid.UUID) -> None:
    """End a key at once; its record stays. Raises ApiKeyNotFound."""
    await get_key(session, principal, key_id)
    await repository.revoke(session, key_id)
    await record(session, principal.actor, action="key.revoke", target=f"key:{key_id}")


async def introspect(session: Session, key: SecretStr) -> KeyIntrospection:
    """What a service may know about a key that it was given."""
    found = await principals_repository.inspect_key(session, token_hash(key.get_secret_value()))
    if found is None:
        return KeyIntrospection(is_active=False)
    principal = key_principal(found.grant, found.owner)
    return KeyIntrospection(
        is_active=True,
        principal=principal.actor,
        name=principal.name,
        can_write=principal.scope.can_write,
        toolsets=list(principal.toolsets),
        expires_at=found.expires_at,
    )


async def keep_environment_key(session: Session, key: SecretStr | None) -> None:
    """Make MCP_API_KEY a key that may search everything, or end the one that an earlier environment had."""
    if key is None:
        await repository.revoke(session, ENVIRONMENT_KEY_ID)
        return
    await repository.keep(
        session,
        key_id=ENVIRONMENT_KEY_ID,
        name=ENVIRONMENT_KEY_NAME,
        prefix="environment",
        key_hash=token_hash(key.get_secret_value()),
        toolsets=["search"],
    )
