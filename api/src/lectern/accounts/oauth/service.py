"""Authorize clients: consent, codes, access and refresh tokens, and revocation.

An access token is the secret of an API key with a client. Codes and refresh tokens work once. Their transactions commit
before an error is raised, because a used code and a revoked key must survive it.
"""

import base64
import hashlib
import hmac
import re
import secrets
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final, get_args
from urllib.parse import parse_qsl, urlencode, urlsplit

from lectern.accounts.audit.service import record
from lectern.accounts.context import Accounts
from lectern.accounts.errors import ClientRefused, OAuthError
from lectern.accounts.keys import repository as keys_repository
from lectern.accounts.keys import service as keys
from lectern.accounts.models import ApiKey, OAuthToken
from lectern.accounts.oauth import repository
from lectern.accounts.oauth.clients import KnownClient, is_registered
from lectern.accounts.oauth.schemas import AuthorizationPreview, AuthorizationRequest, TokenResponse
from lectern.accounts.principals import Principal
from lectern.accounts.tokens import hash_token
from lectern.accounts.toolsets import Toolset
from lectern.db.scope import SYSTEM_SCOPE
from lectern.db.session import Session
from lectern.http.addresses import is_loopback, is_same_resource

CODE_LIFE: Final = timedelta(seconds=60)
OVERLAP: Final = timedelta(seconds=60)
"""How long an access token works after its refresh, for requests that are on their way."""
REFRESH_TOKEN_PREFIX: Final = "lr_"  # noqa: S105 - not a secret
WRITE: Final = "write"
_CHALLENGE: Final = re.compile(r"[A-Za-z0-9_-]{43}")
_VERIFIER: Final = re.compile(r"[A-Za-z0-9._~-]{43,128}")


@dataclass(frozen=True, slots=True)
class Addresses:
    """The issuer of tokens, and the MCP service, their only audience."""

    issuer: str
    resource: str


def check_redirect(client: KnownClient, request: AuthorizationRequest) -> None:
    """Check the address to which the browser would return. Raises ClientRefused."""
    if not is_registered(request.redirect_uri, client.redirect_uris):
        raise ClientRefused("The app's redirect address is not the one that it registered.")


def find_fault(request: AuthorizationRequest, addresses: Addresses) -> OAuthError | None:
    """Return what is wrong with a request whose redirect address is right."""
    if request.response_type != "code":
        return OAuthError("unsupported_response_type", "Only response_type=code is supported.")
    if request.code_challenge_method != "S256" or not _CHALLENGE.fullmatch(request.code_challenge):
        return OAuthError("invalid_request", "PKCE is required: code_challenge with code_challenge_method=S256.")
    return _find_wrong_resource(request.resource, addresses)


def _find_wrong_resource(resource: str | None, addresses: Addresses) -> OAuthError | None:
    if resource is None or is_same_resource(resource, addresses.resource):
        return None
    return OAuthError("invalid_target", f"The only resource is {addresses.resource}.")


def build_redirect(request: AuthorizationRequest, addresses: Addresses, result: Mapping[str, str]) -> str:
    """Return the redirect URI with a result, the request's `state` and the issuer (RFC 9207)."""
    parts = urlsplit(request.redirect_uri)
    state = {} if request.state is None else {"state": request.state}
    query = [*parse_qsl(parts.query, keep_blank_values=True), *{**result, **state, "iss": addresses.issuer}.items()]
    return parts._replace(query=urlencode(query)).geturl()


def build_error_redirect(request: AuthorizationRequest, addresses: Addresses, error: OAuthError) -> str:
    return build_redirect(request, addresses, {"error": error.code, "error_description": error.description})


def preview(client: KnownClient, request: AuthorizationRequest, addresses: Addresses) -> AuthorizationPreview:
    """Describe a request for the consent screen. Raises ClientRefused.

    Most clients ask for every toolset. `connector` has another tool `search`, so it is chosen only without `search`.
    """
    check_redirect(client, request)
    fault = find_fault(request, addresses)
    parts = urlsplit(request.redirect_uri)
    wanted = set(request.scope.split())
    wanted -= {"connector"} if "search" in wanted else set()
    known: tuple[Toolset, ...] = get_args(Toolset)
    return AuthorizationPreview(
        client_name=client.name,
        client_host=client.host,
        redirect_host=parts.netloc,
        is_loopback=is_loopback(parts.hostname or ""),
        toolsets=[toolset for toolset in known if toolset in wanted] or ["search"],
        redirect_to=build_error_redirect(request, addresses, fault) if fault else None,
    )


async def create_code(
    session: Session, principal: Principal, request: AuthorizationRequest, *, wanted: keys.NewKey, max_days: int
) -> str:
    """Create the key of a client and a code for it. The key has no secret, and expires with the code if it is not used.

    Raises InvalidRequest, KeyLifetimeRefused.
    """
    created = await keys.create_key(session, principal, wanted=wanted, max_days=max_days)
    key = await keys_repository.find(session, created.api_key.id, created_by=principal.require_person())
    assert key is not None
    expires_at = wanted.body.expires_at
    code, code_expires_at = secrets.token_urlsafe(32), datetime.now(UTC) + CODE_LIFE
    session.add(
        OAuthToken(
            token_hash=hash_token(code),
            kind="code",
            key_id=key.id,
            expires_at=code_expires_at,
            redirect_uri=request.redirect_uri,
            code_challenge=request.code_challenge,
            key_expires_at=expires_at,
        )
    )
    key.expires_at = min(code_expires_at, expires_at or code_expires_at)
    await session.flush()
    return code


async def exchange(accounts: Accounts, form: Mapping[str, str], addresses: Addresses) -> TokenResponse:
    """Exchange a code or a refresh token for new tokens. Raises OAuthError."""
    kinds = {"authorization_code": ("code", "code"), "refresh_token": ("refresh", "refresh_token")}
    if form.get("grant_type") not in kinds:
        raise OAuthError("unsupported_grant_type", "Use authorization_code or refresh_token.")
    kind, name = kinds[form["grant_type"]]
    if not form.get(name) or not form.get("client_id"):
        raise OAuthError("invalid_request", f"Send {name} and client_id.")
    if wrong := _find_wrong_resource(form.get("resource"), addresses):
        raise wrong
    async with accounts.database.session(SYSTEM_SCOPE) as session:
        tokens = await _exchange(accounts, session, form, token=form[name], kind=kind)
    if tokens is None:
        raise OAuthError("invalid_grant", f"The {name} is unknown, expired or used, or the request differs.")
    return tokens


async def _exchange(
    accounts: Accounts, session: Session, form: Mapping[str, str], *, token: str, kind: str
) -> TokenResponse | None:
    row = await repository.lock_token(session, hash_token(token), kind=kind)
    if row is None:
        return None
    now = datetime.now(UTC)
    if row.used_at is not None:
        await _revoke(session, row.key_id, action="key.reuse_detected")
        return None
    row.used_at = now
    await session.flush()
    key = await repository.lock_key(session, row.key_id)
    if key is None or row.expires_at <= now or key.client_id != form["client_id"]:
        return None
    if kind == "code":
        if row.redirect_uri != form.get("redirect_uri") or not _is_verified(row.code_challenge, form):
            return None
        key.expires_at = row.key_expires_at
    return await _issue(accounts, session, key, now=now)


def _is_verified(challenge: str | None, form: Mapping[str, str]) -> bool:
    """Check the code verifier (RFC 7636)."""
    verifier = form.get("code_verifier", "")
    if challenge is None or not _VERIFIER.fullmatch(verifier):
        return False
    digest = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=")
    return hmac.compare_digest(digest, challenge.encode())


async def _issue(accounts: Accounts, session: Session, key: ApiKey, *, now: datetime) -> TokenResponse:
    """Give a key a new secret and a new refresh token. Neither outlives the key."""
    ends_at = key.expires_at or datetime.max.replace(tzinfo=UTC)
    if key.secret_expires_at is not None:
        key.previous_key_hash, key.previous_prefix = key.key_hash, key.prefix
        key.previous_expires_at = min(key.secret_expires_at, now + OVERLAP)
    secret, key.prefix = keys.create_secret()
    key.key_hash = hash_token(secret)
    secret_expires_at = min(ends_at, now + timedelta(minutes=accounts.settings.access_token_minutes))
    key.secret_expires_at = secret_expires_at
    refresh_token = f"{REFRESH_TOKEN_PREFIX}{secrets.token_urlsafe(32)}"
    refresh_expires_at = min(ends_at, now + timedelta(days=accounts.settings.refresh_token_days))
    row = OAuthToken(token_hash=hash_token(refresh_token), kind="refresh", key_id=key.id, expires_at=refresh_expires_at)
    session.add(row)
    await session.flush()
    return TokenResponse(
        access_token=secret,
        expires_in=int((secret_expires_at - now).total_seconds()),
        refresh_token=refresh_token,
        scope=" ".join([*key.toolsets, *([WRITE] if key.can_write else [])]),
    )


async def revoke_token(accounts: Accounts, form: Mapping[str, str]) -> None:
    """Revoke the key of an access token or a refresh token (RFC 7009). Tokens of others are ignored."""
    if not form.get("token") or not form.get("client_id"):
        raise OAuthError("invalid_request", "Send token and client_id.")
    async with accounts.database.session(SYSTEM_SCOPE) as session:
        key = await repository.find_key_by_secret(session, hash_token(form["token"]))
        if key is not None and key.client_id == form["client_id"]:
            await _revoke(session, key.id, action="key.revoke")


async def _revoke(session: Session, key_id: uuid.UUID, *, action: str) -> None:
    await keys_repository.revoke(session, key_id)
    await record(session, f"key:{key_id}", action=action, target=f"key:{key_id}")
