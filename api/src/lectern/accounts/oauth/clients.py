"""Clients: dynamic registration (RFC 7591), client ID metadata documents, and their redirect URIs."""

import re
import uuid
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from pydantic import ValidationError

from lectern.accounts.context import Accounts
from lectern.accounts.errors import ClientRefused, OAuthError, TooManyRequests
from lectern.accounts.models import OAuthClient
from lectern.accounts.oauth import repository
from lectern.accounts.oauth.schemas import MAX_URI_CHARACTERS, ClientMetadata, PublishedClient, RegisteredClient
from lectern.accounts.reauthentication import count_attempt
from lectern.db.scope import SYSTEM_SCOPE
from lectern.http.addresses import is_loopback
from lectern.http.limits import client_block

FetchDocument = Callable[[str], Awaitable[bytes]]
"""Fetch a client ID metadata document. The application provides it, because fetching belongs to another package."""

_UNSAFE: Final = re.compile(r"[\x00-\x20\x7f\\]")
_DOT_SEGMENT: Final = re.compile(r"/\.{1,2}(/|$)")


@dataclass(frozen=True, slots=True)
class KnownClient:
    """A client. `host` is the one that published its metadata."""

    id: str
    name: str
    redirect_uris: Sequence[str]
    host: str | None = None


async def register_client(accounts: Accounts, body: bytes, *, ip: str) -> RegisteredClient:
    """Register a public client. Raises OAuthError, TooManyRequests."""
    metadata = _parse_registration(body)
    error = TooManyRequests("Too many registrations from this address.")
    await count_attempt(accounts, f"oauth-register:{client_block(ip)}", error=error)
    client = OAuthClient(
        id=str(uuid.uuid4()),
        name=metadata.client_name or urlsplit(metadata.redirect_uris[0]).hostname,
        redirect_uris=list(dict.fromkeys(metadata.redirect_uris)),
    )
    async with accounts.database.session(SYSTEM_SCOPE) as session:
        await repository.delete_expired(session)
        session.add(client)
        await session.flush()
        return RegisteredClient(
            client_id=client.id,
            client_id_issued_at=int(client.created_at.timestamp()),
            client_name=client.name,
            redirect_uris=client.redirect_uris,
        )


def _parse_registration(body: bytes) -> ClientMetadata:
    try:
        metadata = ClientMetadata.model_validate_json(body)
    except ValidationError as error:
        fields = {str(item["loc"][0]) for item in error.errors() if item["loc"]}
        code = "invalid_redirect_uri" if fields == {"redirect_uris"} else "invalid_client_metadata"
        raise OAuthError(code, f"Wrong or missing: {', '.join(sorted(fields)) or 'a JSON object'}.") from None
    for uri in metadata.redirect_uris:
        if not is_redirect_uri(uri):
            raise OAuthError("invalid_redirect_uri", "Redirect URIs are https, or http on loopback, without fragment.")
    if "authorization_code" not in metadata.grant_types or "code" not in metadata.response_types:
        raise OAuthError("invalid_client_metadata", "Only the grant type authorization_code is supported.")
    return metadata


async def find_client(accounts: Accounts, client_id: str, *, fetch: FetchDocument) -> KnownClient:
    """Return a registered client, or the one that a metadata document describes. Raises ClientRefused."""
    if client_id.startswith("https://"):
        return await _fetch_client(client_id, fetch=fetch)
    async with accounts.database.session(SYSTEM_SCOPE) as session:
        row = await repository.find_client(session, client_id)
    if row is None:
        raise ClientRefused("This app is not registered here.")
    return KnownClient(row.id, row.name, row.redirect_uris)


async def _fetch_client(client_id: str, *, fetch: FetchDocument) -> KnownClient:
    if not _is_document_url(client_id):
        raise ClientRefused("The app's client_id is not the URL of a metadata document.")
    try:
        metadata = PublishedClient.model_validate_json(await fetch(client_id))
    except ValidationError:
        raise ClientRefused("The app's metadata document is not valid.") from None
    if metadata.client_id != client_id:
        raise ClientRefused("The app's metadata document describes another app.")
    host = urlsplit(client_id).hostname or ""
    uris = [uri for uri in metadata.redirect_uris if is_redirect_uri(uri)]
    return KnownClient(client_id, metadata.client_name or host, uris, host=host)


def _is_document_url(url: str) -> bool:
    """Return True for an https URL with a path, without fragment, user name and dot segments."""
    path = urlsplit(url).path if is_redirect_uri(url) else ""
    return path not in {"", "/"} and not _DOT_SEGMENT.search(path)


def is_redirect_uri(uri: str) -> bool:
    """Return True for https, and for http on loopback, without fragment and user name."""
    if len(uri) > MAX_URI_CHARACTERS or not uri.isascii() or _UNSAFE.search(uri) or "#" in uri:
        return False
    try:
        parts = urlsplit(uri)
        _ = parts.port
    except ValueError:
        return False
    if "@" in parts.netloc or not parts.hostname:
        return False
    return parts.scheme == "https" or (parts.scheme == "http" and is_loopback(parts.hostname))


def is_registered(uri: str, registered: Sequence[str]) -> bool:
    """Compare a redirect URI with the registered ones exactly. On loopback any port matches (RFC 8252)."""
    if uri in registered:
        return True
    return is_redirect_uri(uri) and uri.startswith("http:") and _without_port(uri) in map(_without_port, registered)


def _without_port(uri: str) -> str:
    parts = urlsplit(uri)
    return parts._replace(netloc=parts.hostname or "").geturl()
