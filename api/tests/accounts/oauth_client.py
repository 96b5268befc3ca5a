"""An OAuth client that the tests drive step by step."""

import base64
import hashlib
import secrets
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
from tests.api import Api, Person

OAUTH = "/api/v1/oauth"
AUTHORIZATION = f"{OAUTH}/authorization"
CALLBACK = "https://claude.example/api/mcp/auth_callback"
RESOURCE = "http://127.0.0.1:8001/mcp"


@dataclass
class OAuthTestClient:
    """A registered client with the verifier of its next request."""

    api: Api
    client_id: str
    redirect_uri: str = CALLBACK
    verifier: str = field(default_factory=lambda: secrets.token_urlsafe(48))

    @property
    def challenge(self) -> str:
        return base64.urlsafe_b64encode(hashlib.sha256(self.verifier.encode()).digest()).rstrip(b"=").decode()

    def request(self, **changes: Any) -> dict[str, Any]:
        """Return the parameters of an authorization request. A change to None removes one."""
        parameters = {
            "client_id": self.client_id,
            "redirect_uri": self.redirect_uri,
            "response_type": "code",
            "code_challenge": self.challenge,
            "code_challenge_method": "S256",
            "state": "state & more",
            "scope": "search answers offline_access",
            "resource": RESOURCE,
        }
        return {name: value for name, value in {**parameters, **changes}.items() if value is not None}

    async def preview(self, person: Person, **changes: Any) -> httpx.Response:
        return await self.api.client.get(AUTHORIZATION, params=self.request(**changes), headers=person.headers)

    async def decide(self, person: Person, key: dict[str, Any] | None, **changes: Any) -> httpx.Response:
        body = {"request": self.request(**changes), "key": key}
        return await self.api.client.post(AUTHORIZATION, json=body, headers=person.headers)

    async def answer(self, person: Person, key: dict[str, Any] | None, **changes: Any) -> dict[str, str]:
        """Return the parameters with which the browser comes back after a decision."""
        response = await self.decide(person, key, **changes)
        assert response.status_code == 200, response.text
        return returned(response.json()["redirect_to"])

    async def code(self, person: Person, **key: Any) -> str:
        return (await self.answer(person, {"name": "Claude", **key}))["code"]

    async def token(self, **form: Any) -> httpx.Response:
        form = {"client_id": self.client_id, **form}
        data = {name: value for name, value in form.items() if value is not None}
        return await self.api.client.post(f"{OAUTH}/token", data=data)

    async def redeem(self, code: str, **changes: Any) -> httpx.Response:
        form = {"grant_type": "authorization_code", "code": code, "redirect_uri": self.redirect_uri}
        return await self.token(**{**form, "code_verifier": self.verifier, "resource": RESOURCE, **changes})

    async def refresh(self, refresh_token: str, **changes: Any) -> httpx.Response:
        form = {"grant_type": "refresh_token", "refresh_token": refresh_token}
        return await self.token(**{**form, "resource": RESOURCE, **changes})

    async def connect(self, person: Person, **key: Any) -> dict[str, Any]:
        """Return the tokens that follow a consent."""
        response = await self.redeem(await self.code(person, **key))
        assert response.status_code == 200, response.text
        return response.json()


def returned(address: str) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}


def bearer(tokens: dict[str, Any]) -> dict[str, str]:
    return {"Authorization": f"Bearer {tokens['access_token']}"}


async def register(api: Api, *redirect_uris: str, **metadata: Any) -> OAuthTestClient:
    """Register a client."""
    uris = redirect_uris or (CALLBACK,)
    response = await register_raw(api, redirect_uris=uris, **{"client_name": "Claude", **metadata})
    assert response.status_code == 201, response.text
    return OAuthTestClient(api, response.json()["client_id"], uris[0])


async def register_raw(api: Api, **metadata: Any) -> httpx.Response:
    return await api.client.post(f"{OAUTH}/register", json=metadata)


async def connect_app(api: Api, person: Person, **key: Any) -> dict[str, str]:
    """Return the headers of a new app to which a person gives a key."""
    return bearer(await (await register(api)).connect(person, **key))
