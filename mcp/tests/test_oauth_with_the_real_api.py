"""The official client connects with OAuth: discovery, registration, consent, calls, refresh and revocation."""

import asyncio
import json
import re
import socket
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlsplit

import httpx
import httpx2
import pytest
from mcp import Client
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientInformationFull, OAuthClientMetadata, OAuthToken
from pydantic import AnyUrl

from fake_api import SERVICE_KEY
from harness import held
from lectern_mcp.server import Service
from lectern_mcp.settings import McpSettings
from node import CLIENTS, require_node
from real_api import RealApi, real_api
from serving import serving

PUBLIC, PRIVATE = "travel-and-expenses-policy.pdf", "aml-kyc-policy.pdf"
CALLBACK = "http://127.0.0.1:33418/callback"
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
ACCEPT = {"Accept": "application/json, text/event-stream"}


@pytest.fixture(scope="module")
async def api(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[RealApi]:
    documents = {PUBLIC: ("travel",), PRIVATE: ("aml", "confidential")}
    async with held(real_api(tmp_path_factory.mktemp("api"), documents=documents)) as made:
        yield made


@pytest.fixture(scope="module")
async def url(api: RealApi) -> AsyncGenerator[str]:
    settings = {"api_url": api.url, "rate_limit_per_minute": 0, "key_cache_seconds": 0.05}
    service = Service(McpSettings.model_validate({"backend_api_key": SERVICE_KEY, **settings}))
    async with held(serving(service.app())) as address:
        yield address


@dataclass
class Host:
    """An application with the official client. Its person consents over REST, as the consent screen does."""

    api: RealApi
    key: dict[str, Any] | None
    tokens: OAuthToken | None = None
    client: OAuthClientInformationFull | None = None
    consents: list[str] = field(default_factory=list[str])
    redirected: str = ""
    _auth: OAuthClientProvider | None = None

    def expire(self) -> None:
        """Make the client believe that its access token has expired."""
        assert self._auth is not None
        self._auth.context.token_expiry_time = 1.0

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.client = client_info

    async def open_browser(self, address: str) -> None:
        parts = urlsplit(address)
        assert address.startswith(f"{self.api.url}/oauth/authorize?")
        self.consents.append(address)
        body = {"request": dict(parse_qsl(parts.query)), "key": self.key}
        response = await self.api.client.post("/api/v1/oauth/authorization", json=body)
        assert response.status_code == 200, response.text
        self.redirected = response.json()["redirect_to"]

    async def wait_for_browser(self) -> AuthorizationCodeResult:
        assert self.redirected.startswith(f"{CALLBACK}?")
        given = {name: values[0] for name, values in parse_qs(urlsplit(self.redirected).query).items()}
        return AuthorizationCodeResult(code=given.get("code", ""), state=given["state"], iss=given["iss"])

    @asynccontextmanager
    async def connecting(self, url: str, *, mode: str = "auto") -> AsyncGenerator[Client]:
        metadata = OAuthClientMetadata(redirect_uris=[AnyUrl(CALLBACK)], client_name="Official client")
        self._auth = auth = OAuthClientProvider(f"{url}/mcp", metadata, self, self.open_browser, self.wait_for_browser)
        async with (
            httpx2.AsyncClient(auth=auth, timeout=20, trust_env=False) as http,
            Client(streamable_http_client(f"{url}/mcp", http_client=http), mode=mode) as connected,
        ):
            yield connected


async def documents_found(client: Client) -> set[str]:
    result = await client.call_tool("search", {"query": "policy approval customers", "top_k": 20})
    assert not result.is_error, result
    return {passage["document"] for passage in result.structured_content["data"]}


async def status_of(url: str, token: str) -> int:
    async with httpx.AsyncClient(headers={"Authorization": f"Bearer {token}", **ACCEPT}) as http:
        return (await http.post(f"{url}/mcp", json=PING)).status_code


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_a_client_connects_calls_refreshes_and_is_revoked(api: RealApi, url: str, mode: str) -> None:
    host = Host(api, {"name": "My client", "toolsets": ["search"], "tags": ["travel"]})
    async with host.connecting(url, mode=mode) as client:
        assert await documents_found(client) == {PUBLIC}
        assert "query_documents" not in {tool.name for tool in (await client.list_tools()).tools}
        first = host.tokens
        assert first is not None
        assert first.scope == "search"
        assert len(host.consents) == 1
        host.expire()
        assert await documents_found(client) == {PUBLIC}
    assert host.tokens is not None
    assert host.tokens.access_token != first.access_token
    assert len(host.consents) == 1  # refreshed without the person

    listed = (await api.client.get("/api/v1/keys")).json()["items"]
    key = next(key for key in listed if key["name"] == "My client" and key["revoked_at"] is None)
    assert key["client_name"] == "Official client"
    token = host.tokens.access_token
    assert await status_of(url, token) == 200
    await api.revoke(key["id"])
    while (status := await status_of(url, token)) == 200:
        pass
    assert status == 401
    assert host.tokens.refresh_token is not None
    form = {"grant_type": "refresh_token", "refresh_token": host.tokens.refresh_token}
    assert host.client is not None
    refused = await api.client.post("/api/v1/oauth/token", data={**form, "client_id": host.client.client_id})
    assert refused.json()["error"] == "invalid_grant"


async def test_a_reused_refresh_token_ends_the_connection(api: RealApi, url: str) -> None:
    host = Host(api, {"name": "Stolen", "toolsets": ["search"]})
    async with host.connecting(url) as client:
        await documents_found(client)
    assert host.tokens is not None
    assert host.client is not None
    form = {"grant_type": "refresh_token", "refresh_token": host.tokens.refresh_token or ""}
    form["client_id"] = host.client.client_id
    renewed = (await api.client.post("/api/v1/oauth/token", data=form)).json()
    assert (await api.client.post("/api/v1/oauth/token", data=form)).json()["error"] == "invalid_grant"
    while (status := await status_of(url, renewed["access_token"])) == 200:
        pass
    assert status == 401


async def test_a_refusal_reaches_the_client(api: RealApi, url: str) -> None:
    host = Host(api, None)
    with pytest.raises(Exception) as caught:  # noqa: PT011 - a group of the SDK's errors
        async with host.connecting(url):
            pass
    assert "authorization code" in json.dumps(repr(caught.value))
    assert "error=access_denied" in host.redirected


async def test_bearer_keys_work_as_before(api: RealApi, url: str) -> None:
    key, _ = await api.key(toolsets=["search"])
    assert await status_of(url, key) == 200


@pytest.mark.needs("Node and the npm packages of mcp/tests/clients")
async def test_the_authorization_server_passes_the_conformance_suite(api: RealApi, url: str, tmp_path: Path) -> None:
    """The suite prints the address to open in a browser, and waits for its redirect."""
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port: int = unused.getsockname()[1]
    client = {"client_name": "Suite", "redirect_uris": [f"http://127.0.0.1:{port}/callback"]}
    registered = (await api.client.post("/api/v1/oauth/register", json=client)).json()
    suite = "node_modules/@modelcontextprotocol/conformance/dist/index.js"
    arguments = ["authorization", "--url", api.url, "--client-id", registered["client_id"], "--port", str(port)]
    arguments += ["--resource", f"{url}/mcp", "--output-dir", str(tmp_path)]
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(require_node(), suite, *arguments, cwd=CLIENTS, stdout=pipe)
    assert process.stdout is not None
    output = ""
    async with asyncio.timeout(60):
        async for line in process.stdout:
            output += line.decode()
            if re.match(rb"http\S+/oauth/authorize\?", line):
                host = Host(api, {"name": "Suite", "toolsets": ["search"]})
                await host.open_browser(line.decode().strip())
                async with httpx.AsyncClient() as browser:
                    assert (await browser.get(host.redirected)).status_code == 200
        assert await process.wait() == 0, output
    assert "Total: 3 passed, 0 failed" in output
