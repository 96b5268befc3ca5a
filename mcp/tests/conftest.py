from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import httpx
import httpx2
import pytest
from fake_api import SERVICE_KEY, USER_KEY, FakeApi
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from serving import serving

from lectern_mcp.server import Service
from lectern_mcp.settings import Settings

MakeService = Callable[..., Service]


@pytest.fixture
def api() -> FakeApi:
    return FakeApi()


@pytest.fixture(autouse=True)
def _no_environment(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Settings come from the test alone: no variables, no `.env` of the folder pytest was started in."""
    for field in Settings.model_fields.values():
        monkeypatch.delenv(field.alias or "", raising=False)
    monkeypatch.chdir(tmp_path_factory.getbasetemp())


@pytest.fixture
def make_service(api: FakeApi) -> MakeService:
    """A service whose API is the fake one in this process; arguments are settings, `more` further toolsets."""

    def make(*, more: Any = (), **settings: Any) -> Service:
        http = httpx.AsyncClient(transport=httpx.ASGITransport(api.app()), base_url="http://api")
        values: dict[str, Any] = {"backend_api_key": SERVICE_KEY, "mcp_api_key": USER_KEY, **settings}
        return Service(Settings(**values), http=http, more=more)

    return make


@pytest.fixture
async def client(make_service: MakeService) -> AsyncGenerator[Client]:
    """An MCP client in this process; its caller is the one of `MCP_API_KEY`."""
    async with Client(make_service().server) as connected:
        yield connected


@pytest.fixture
def connect() -> Callable[..., AbstractAsyncContextManager[Client]]:
    return connecting


@asynccontextmanager
async def connecting(url: str, *, key: str = USER_KEY, mode: str = "auto") -> AsyncGenerator[Client]:
    """An MCP client over HTTP. `legacy` speaks the handshake revisions, `auto` 2026-07-28."""
    headers = {"Authorization": f"Bearer {key}"}
    async with httpx2.AsyncClient(headers=headers, timeout=20, trust_env=False) as http:
        async with Client(streamable_http_client(f"{url}/mcp", http_client=http), mode=mode) as connected:
            yield connected


@pytest.fixture
async def served(make_service: MakeService) -> AsyncGenerator[str]:
    """The address of the service on a loopback port, without a rate limit."""
    async with serving(make_service(rate_limit_per_minute=0).app()) as url:
        yield url
