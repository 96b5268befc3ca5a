"""An identity provider whose tokens the tests forge. The end-to-end tests use a real one."""

import base64
import hashlib
import json
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
from joserfc import jwt
from joserfc.jwk import ECKey, OctKey, RSAKey
from pydantic import SecretStr
from tests.api import Api
from tests.loopback import serving

SSO = "/api/v1/auth/single-sign-on"
CLIENT_ID = "lectern"
CLIENT_SECRET = "a secret of the client 0123456789"
_KEYS = {name: RSAKey.generate_key(2048, {"kid": name, "use": "sig"}) for name in ("first", "second", "stranger")}
_EC_KEY = ECKey.generate_key("P-256", {"kid": "elliptic", "use": "sig"})


@dataclass
class ForgingProvider:
    """A script of the provider. `claims` are added to the ID token, and None removes one."""

    issuer: str = ""
    claims: dict[str, Any] = field(default_factory=dict[str, Any])
    userinfo: dict[str, Any] = field(default_factory=dict[str, Any])
    metadata: dict[str, Any] = field(default_factory=dict[str, Any])
    published: list[str] = field(default_factory=lambda: ["first"])
    signing_key: Any = field(default_factory=lambda: _KEYS["first"])
    header: dict[str, Any] = field(default_factory=lambda: {"alg": "RS256", "kid": "first"})
    has_userinfo: bool = False
    id_token: str | None = None
    nonces: dict[str, tuple[str, str]] = field(default_factory=dict[str, tuple[str, str]])
    asked: list[str] = field(default_factory=list[str])

    def sign_with(self, name: str) -> None:
        self.signing_key, self.header = _KEYS[name], {"alg": "RS256", "kid": name}

    def sign_with_curve(self) -> None:
        self.published = ["elliptic"]
        self.signing_key, self.header = _EC_KEY, {"alg": "ES256", "kid": "elliptic"}

    def sign_with_public_key_as_secret(self) -> None:
        """Forge a token that verifies where a public key is taken for a shared secret."""
        public = _KEYS["first"].as_pem(private=False)
        self.signing_key, self.header = OctKey.import_key(base64.urlsafe_b64encode(public)), {"alg": "HS256"}

    def discovery(self) -> dict[str, Any]:
        base = self.issuer
        return {
            "issuer": base,
            "authorization_endpoint": f"{base}/authorize",
            "token_endpoint": f"{base}/token",
            "jwks_uri": f"{base}/keys",
            "end_session_endpoint": f"{base}/logout",
            "id_token_signing_alg_values_supported": ["RS256", "ES256", "HS256", "none"],
            **({"userinfo_endpoint": f"{base}/userinfo"} if self.has_userinfo else {}),
            **self.metadata,
        }

    def keys(self) -> dict[str, Any]:
        keys = {**_KEYS, "elliptic": _EC_KEY}
        encryption = {**_KEYS["stranger"].as_dict(private=False), "use": "enc", "kid": "encryption"}
        return {"keys": [encryption, *(keys[name].as_dict(private=False) for name in self.published)]}

    def token(self, form: dict[str, str], authorization: str) -> tuple[int, dict[str, Any]]:
        expected = base64.b64encode(f"{CLIENT_ID}:{CLIENT_SECRET}".encode()).decode()
        if authorization != f"Basic {expected}":
            return 401, {"error": "invalid_client"}
        nonce, challenge = self.nonces.pop(form["code"], ("", ""))
        digest = hashlib.sha256(form["code_verifier"].encode()).digest()
        if base64.urlsafe_b64encode(digest).rstrip(b"=").decode() != challenge:
            return 400, {"error": "invalid_grant"}
        return 200, {"access_token": "access", "token_type": "Bearer", "id_token": self.id_token or self.sign(nonce)}

    def sign(self, nonce: str) -> str:
        now = int(time.time())
        claims = {
            "iss": self.issuer,
            "aud": CLIENT_ID,
            "sub": "subject-1",
            "iat": now,
            "exp": now + 300,
            "nonce": nonce,
            "email": "ada@example.org",
            "email_verified": True,
            "name": "Ada Lovelace",
            **self.claims,
        }
        claims = {name: value for name, value in claims.items() if value is not None}
        if self.header["alg"] == "none":
            return f"{_encode(self.header)}.{_encode(claims)}."
        return jwt.encode(self.header, claims, self.signing_key, algorithms=[self.header["alg"]])


def _encode(content: dict[str, Any]) -> str:
    return base64.urlsafe_b64encode(json.dumps(content).encode()).rstrip(b"=").decode()


class _Handler(BaseHTTPRequestHandler):
    state: ForgingProvider

    def do_GET(self) -> None:
        path = urlsplit(self.path).path
        self.state.asked.append(path)
        pages = {
            "/.well-known/openid-configuration": self.state.discovery,
            "/keys": self.state.keys,
            "/userinfo": lambda: {"sub": "subject-1", **self.state.userinfo},
        }
        self._answer(200, pages[path]()) if path in pages else self._answer(404, {})

    def do_POST(self) -> None:
        self.state.asked.append(self.path)
        body = self.rfile.read(int(self.headers["content-length"])).decode()
        form = {name: values[0] for name, values in parse_qs(body).items()}
        self._answer(*self.state.token(form, self.headers.get("authorization", "")))

    def _answer(self, status: int, content: dict[str, Any]) -> None:
        body = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class named it
        """Keep quiet."""


def settings_of(provider: ForgingProvider) -> dict[str, Any]:
    """Return the settings of accounts that sign people in over the provider."""
    client = {"oidc_client_id": CLIENT_ID, "oidc_client_secret": SecretStr(CLIENT_SECRET)}
    return {"oidc_issuer": provider.issuer, **client}


@contextmanager
def forging_provider() -> Generator[ForgingProvider]:
    """Serve a provider on loopback."""
    provider = ForgingProvider()
    with serving(_Handler, provider) as address:
        provider.issuer = address
        yield provider


async def depart(api: Api, **query: str) -> dict[str, str]:
    """Go to the provider, and return the parameters that it gets."""
    response = await api.client.get(SSO, params=query)
    assert response.status_code == 303, response.text
    return {name: values[0] for name, values in parse_qs(urlsplit(response.headers["location"]).query).items()}


async def come_back(api: Api, **query: str) -> httpx.Response:
    return await api.client.get(f"{SSO}/callback", params=query)


async def sign_in_over(api: Api, provider: ForgingProvider, *, next_page: str | None = None) -> httpx.Response:
    """Go to the provider and come back with a code."""
    asked = await depart(api, **({"next": next_page} if next_page is not None else {}))
    provider.nonces["code-1"] = (asked["nonce"], asked["code_challenge"])
    return await come_back(api, code="code-1", state=asked["state"], session_state="of this provider")
