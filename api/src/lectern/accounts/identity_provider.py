"""The identity provider: its metadata, its keys, and the tokens of a sign-in. Only this file imports Authlib.

Every response is read with a time limit and a size limit. Redirects are not followed.
"""

import asyncio
import json
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from time import monotonic
from typing import Any, Final, cast
from urllib.parse import urlsplit

import httpx
from authlib.oauth2.auth import ClientAuth  # pyright: ignore[reportMissingTypeStubs]: the library ships none
from authlib.oauth2.client import OAuth2Client  # pyright: ignore[reportMissingTypeStubs]
from authlib.oidc.core import CodeIDToken  # pyright: ignore[reportMissingTypeStubs]
from joserfc import jwt
from joserfc.errors import BadSignatureError, InvalidKeyIdError, JoseError
from joserfc.jwk import KeySet, import_key
from joserfc.jws import JWSRegistry
from pydantic import BaseModel, SecretStr, ValidationError

from lectern.accounts.errors import IdentityProviderFailed, IdentityTokenInvalid, SignInNotCompleted
from lectern.http.addresses import is_loopback

ALGORITHMS: Final = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512")
"""Accepted signatures. Those with a shared secret and `none` are not among them."""

_METADATA_SECONDS: Final = 3_600.0
_KEYS_SECONDS: Final = 600.0
_KEYS_MIN_SECONDS: Final = 5.0  # Tokens with invented key ids do not make the provider busy.
_TIMEOUT_SECONDS: Final = 10.0
_MAX_BYTES: Final = 1_048_576
_LEEWAY_SECONDS: Final = 60
_KEY_TYPES: Final = frozenset({"RSA", "EC"})
_SCOPES: Final = ("openid", "email", "profile")
_Claims = Mapping[str, Any]

logger: Final = logging.getLogger(__name__)


class Metadata(BaseModel):
    """The discovery document of the provider."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    userinfo_endpoint: str | None = None
    end_session_endpoint: str | None = None
    scopes_supported: list[str] = []
    id_token_signing_alg_values_supported: list[str] = ["RS256"]
    token_endpoint_auth_methods_supported: list[str] = ["client_secret_basic"]
    authorization_response_iss_parameter_supported: bool = False


@dataclass(frozen=True, slots=True)
class TokenSet:
    """The checked claims of a sign-in, and the ID token that carried them."""

    issuer: str
    claims: dict[str, Any]
    id_token: str = field(repr=False)


class IdentityProvider:
    """The provider of OIDC_ISSUER. Metadata and keys are fetched at the first use and kept for a while."""

    def __init__(
        self, *, issuer: str, client_id: str, client_secret: SecretStr | None, clock: Callable[[], float] = monotonic
    ) -> None:
        self.issuer = issuer
        self.client_id = client_id
        self._secret = client_secret.get_secret_value() if client_secret else None
        self._clock = clock
        self._client: httpx.AsyncClient | None = None
        self._metadata: tuple[Metadata, float] | None = None
        self._keys: tuple[KeySet, float] | None = None

    async def close(self) -> None:
        if self._client is not None:
            await self._client.aclose()

    async def get_metadata(self) -> Metadata:
        """Return the metadata of the provider. Raises IdentityProviderFailed."""
        if self._metadata is None or self._clock() - self._metadata[1] > _METADATA_SECONDS:
            url = f"{self.issuer.rstrip('/')}/.well-known/openid-configuration"
            try:
                metadata = Metadata.model_validate(await self._get_json(url))
            except ValidationError as error:
                fields = ", ".join(str(item["loc"][0]) for item in error.errors() if item["loc"])
                raise IdentityProviderFailed(f"The discovery document is not valid: {fields[:60]}.") from error
            _check_metadata(metadata, issuer=self.issuer)
            self._metadata = metadata, self._clock()
        return self._metadata[0]

    async def build_sign_in_url(self, *, redirect_uri: str, state: str, nonce: str, verifier: str) -> str:
        """Return the address where the person signs in. Raises IdentityProviderFailed."""
        metadata = await self.get_metadata()
        scopes = [*_SCOPES, *(["groups"] if "groups" in metadata.scopes_supported else [])]
        client: Any = cast("Any", OAuth2Client)(
            None,
            client_id=self.client_id,
            redirect_uri=redirect_uri,
            scope=" ".join(scopes),
            code_challenge_method="S256",
        )
        url, _ = client.create_authorization_url(
            metadata.authorization_endpoint, state=state, code_verifier=verifier, nonce=nonce
        )
        return url

    async def redeem(
        self, code: str, *, redirect_uri: str, verifier: str, nonce: str, returned_issuer: str | None, group_claim: str
    ) -> TokenSet:
        """Exchange a code, check the ID token, and add claims of the userinfo endpoint that it lacks.

        Raises:
            IdentityProviderFailed: The provider does not answer, or not as the standard says.
            IdentityTokenInvalid: The ID token is forged, expired or for somebody else.
            SignInNotCompleted: The provider refused the code.
        """
        metadata = await self.get_metadata()
        _check_returned_issuer(metadata, returned_issuer)
        tokens = await self._fetch_tokens(metadata, code, redirect_uri=redirect_uri, verifier=verifier)
        id_token, access_token = tokens.get("id_token"), tokens.get("access_token")
        if not isinstance(id_token, str):
            raise IdentityProviderFailed("The token endpoint returned no ID token.")
        claims = await self._read_id_token(metadata, id_token, nonce=nonce, access_token=access_token)
        lacking = {"email", "email_verified", "name", group_claim} - claims.keys()
        if lacking and metadata.userinfo_endpoint and isinstance(access_token, str):
            more = await self._fetch_userinfo(metadata.userinfo_endpoint, access_token, subject=claims["sub"])
            claims |= {name: value for name, value in more.items() if name in lacking}
        return TokenSet(metadata.issuer, claims, id_token)

    async def build_sign_out_url(self, *, id_token: str | None, redirect_uri: str) -> str | None:
        """Return the address that ends the session at the provider, or None if it has none or does not answer."""
        try:
            endpoint = (await self.get_metadata()).end_session_endpoint
        except IdentityProviderFailed as error:
            logger.warning("Sign-out ends at Lectern only: %s", error.message)
            return None
        if endpoint is None:
            return None
        values = {"post_logout_redirect_uri": redirect_uri, "client_id": self.client_id}
        values |= {"id_token_hint": id_token} if id_token else {}
        return str(httpx.URL(endpoint).copy_merge_params(values))

    async def _read_id_token(
        self, metadata: Metadata, id_token: str, *, nonce: str, access_token: object
    ) -> dict[str, Any]:
        token = await self._verify_signature(metadata, id_token)
        options = {
            "iss": {"essential": True, "value": metadata.issuer},
            "aud": {"essential": True, "value": self.client_id},
            "sub": {"essential": True},
            "exp": {"essential": True},
            "nonce": {"essential": True, "value": nonce},
        }
        parameters = {"nonce": nonce, "client_id": self.client_id, "access_token": access_token}
        claims: Any = cast("Any", CodeIDToken)(token.claims, token.header, options, parameters)
        try:
            claims.validate(leeway=_LEEWAY_SECONDS)
        except (JoseError, TypeError, ValueError) as error:
            raise IdentityTokenInvalid(f"The ID token was refused: {_reason(error)}.") from error
        if not isinstance(claims["sub"], str):
            raise IdentityTokenInvalid("The ID token was refused: its subject is no text.")
        return dict(claims)

    async def _verify_signature(self, metadata: Metadata, id_token: str) -> jwt.Token:
        """Check the signature. A key that is not known yet may be a new one, so the keys are fetched again."""
        algorithms = [name for name in metadata.id_token_signing_alg_values_supported if name in ALGORITHMS]
        registry = JWSRegistry(algorithms=algorithms, strict_check_header=False)
        registry.max_header_length = 4_096
        try:
            try:
                return jwt.decode(id_token, await self._get_keys(metadata), registry=registry)
            except (InvalidKeyIdError, BadSignatureError):
                fresh = await self._get_keys(metadata, max_age=_KEYS_MIN_SECONDS)
                return jwt.decode(id_token, fresh, registry=registry)
        except (JoseError, TypeError, ValueError) as error:
            raise IdentityTokenInvalid(f"The ID token was refused: {_reason(error)}.") from error

    async def _get_keys(self, metadata: Metadata, *, max_age: float = _KEYS_SECONDS) -> KeySet:
        if self._keys is None or self._clock() - self._keys[1] > max_age:
            document = await self._get_json(metadata.jwks_uri)
            self._keys = _import_keys(document), self._clock()
        return self._keys[0]

    async def _fetch_tokens(self, metadata: Metadata, code: str, *, redirect_uri: str, verifier: str) -> dict[str, Any]:
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": redirect_uri,
            "code_verifier": verifier,
        }
        url, headers, body = self._authenticate(metadata, str(httpx.QueryParams(form)))
        status, answer = await self._send("POST", url, headers=headers, content=body)
        if status == HTTPStatus.OK:
            return answer
        reason = str(answer.get("error", f"HTTP {status}"))
        logger.warning("The identity provider refused a code", extra={"reason": reason[:100], "status": status})
        if reason == "invalid_client":
            hint = "Check OIDC_CLIENT_ID and OIDC_CLIENT_SECRET."
            raise IdentityProviderFailed("The identity provider refuses the client secret.", hint=hint)
        raise SignInNotCompleted

    def _authenticate(self, metadata: Metadata, body: str) -> tuple[str, dict[str, str], str]:
        """Return a token request that carries the client secret in the way that the provider supports."""
        supported = metadata.token_endpoint_auth_methods_supported
        method = "client_secret_basic" if "client_secret_basic" in supported else "client_secret_post"
        auth: Any = cast("Any", ClientAuth)(self.client_id, self._secret, method if self._secret else "none")
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        return auth.prepare("POST", metadata.token_endpoint, headers, body)

    async def _fetch_userinfo(self, url: str, access_token: str, *, subject: str) -> dict[str, Any]:
        status, claims = await self._send("GET", url, headers={"Authorization": f"Bearer {access_token}"})
        if status != HTTPStatus.OK:
            raise IdentityProviderFailed(f"The userinfo endpoint answered with HTTP {status}.")
        if claims.get("sub") != subject:
            raise IdentityTokenInvalid("The userinfo endpoint describes another person.")
        return claims

    async def _get_json(self, url: str) -> dict[str, Any]:
        status, document = await self._send("GET", url)
        if status != HTTPStatus.OK:
            raise IdentityProviderFailed(f"The identity provider answered with HTTP {status}: {_short(url)}.")
        return document

    async def _send(
        self, method: str, url: str, *, headers: Mapping[str, str] | None = None, content: str | None = None
    ) -> tuple[int, dict[str, Any]]:
        """Return the status and the JSON object of a response. Raises IdentityProviderFailed."""
        if self._client is None:
            self._client = httpx.AsyncClient(timeout=_TIMEOUT_SECONDS, headers={"Accept": "application/json"})
        try:
            async with (
                asyncio.timeout(_TIMEOUT_SECONDS),
                self._client.stream(method, url, headers=dict(headers or {}), content=content) as response,
            ):
                received = bytearray()
                async for part in response.aiter_bytes():
                    received += part
                    if len(received) > _MAX_BYTES:
                        raise IdentityProviderFailed("The identity provider sent more than 1 MB.")
        except (httpx.HTTPError, httpx.InvalidURL, TimeoutError) as error:
            raise IdentityProviderFailed(f"The identity provider does not answer at {_short(url)}.") from error
        try:
            document = json.loads(received)
        except ValueError:
            document = None
        if not isinstance(document, dict):
            if response.status_code == HTTPStatus.OK:
                raise IdentityProviderFailed(f"The identity provider sent no JSON object: {_short(url)}.")
            return response.status_code, {}
        return response.status_code, cast("dict[str, Any]", document)


def _check_metadata(metadata: Metadata, *, issuer: str) -> None:
    """Check that the document is of this provider, and that its addresses use TLS. Raises IdentityProviderFailed."""
    if metadata.issuer.rstrip("/") != issuer.rstrip("/"):
        hint = f"Set OIDC_ISSUER to {metadata.issuer[:200]} if you trust it."
        raise IdentityProviderFailed("The discovery document names another issuer.", hint=hint)
    endpoints = (metadata.authorization_endpoint, metadata.token_endpoint, metadata.jwks_uri)
    optional = (metadata.userinfo_endpoint, metadata.end_session_endpoint)
    for url in (*endpoints, *(url for url in optional if url)):
        parts = urlsplit(url)
        if parts.scheme != "https" and not (parts.scheme == "http" and is_loopback(parts.hostname or "")):
            raise IdentityProviderFailed(f"An endpoint of the identity provider is not https: {_short(url)}.")
    if not set(metadata.id_token_signing_alg_values_supported) & set(ALGORITHMS):
        raise IdentityProviderFailed("The identity provider signs ID tokens with none of the supported algorithms.")


def _check_returned_issuer(metadata: Metadata, returned: str | None) -> None:
    """Check the parameter `iss` of the callback (RFC 9207). Raises IdentityTokenInvalid."""
    if returned is None and not metadata.authorization_response_iss_parameter_supported:
        return
    if returned != metadata.issuer:
        raise IdentityTokenInvalid("The answer came from another identity provider.")


def _import_keys(document: _Claims) -> KeySet:
    """Return the public keys for signatures. Others are left out, such as keys for encryption."""
    found: list[Any] = []
    listed = cast("list[object]", document.get("keys") or [])
    for data in (cast("dict[str, Any]", key) for key in listed if isinstance(key, dict)):
        if data.get("kty") in _KEY_TYPES and data.get("use", "sig") == "sig":
            try:
                found.append(import_key(data))
            except (JoseError, ValueError, TypeError, KeyError) as error:
                logger.warning("A key of the identity provider cannot be used: %s", _reason(error))
    if not found:
        raise IdentityProviderFailed("The identity provider publishes no key for signatures.")
    return KeySet(found)


def _reason(error: Exception) -> str:
    return (str(error) or type(error).__name__).rstrip(".")[:60]


def _short(url: str) -> str:
    return urlsplit(url)._replace(query="", fragment="").geturl()[:70]
