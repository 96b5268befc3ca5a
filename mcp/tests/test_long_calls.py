"""Test long calls: they report progress, and a disconnected client cancels its request to the API."""

import asyncio
from collections.abc import AsyncGenerator

import httpx
import pytest
from mcp import Client
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from fake_api import SERVICE_KEY, USER_KEY, key_record
from harness import connecting
from lectern_mcp import protocol
from lectern_mcp.server import Service
from lectern_mcp.settings import McpSettings
from serving import serving


class SlowApi:
    """An API that never answers a search, and notices when nobody waits for it any more."""

    def __init__(self) -> None:
        self.asked = asyncio.Event()
        self.left = asyncio.Event()

    def app(self) -> Starlette:
        return Starlette(
            routes=[
                Route("/api/v1/keys/introspect", self._introspect, methods=["POST"]),
                Route("/api/v1/search", self._search, methods=["POST"]),
            ]
        )

    async def _introspect(self, _request: Request) -> Response:
        return JSONResponse(key_record())

    async def _search(self, request: Request) -> Response:
        await request.body()
        self.asked.set()
        assert (await request.receive())["type"] == "http.disconnect"
        self.left.set()
        return Response()


@pytest.fixture
async def slow() -> AsyncGenerator[tuple[SlowApi, Service]]:
    api = SlowApi()
    async with serving(api.app()) as url:
        values = {"backend_api_key": SERVICE_KEY, "mcp_api_key": USER_KEY, "api_url": url, "tool_timeout_seconds": 20}
        yield api, Service(McpSettings.model_validate(values))


async def test_a_client_that_asked_for_progress_is_told_that_work_goes_on(
    slow: tuple[SlowApi, Service], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(protocol, "PROGRESS_SECONDS", 0.02)
    told = asyncio.Event()
    api, service = slow

    async def on_progress(progress: float, total: float | None, message: str | None) -> None:
        assert (0 < progress < 20, total, message) == (True, 20, "Working.")
        told.set()

    async with Client(service.server) as client:
        call = asyncio.create_task(client.call_tool("search", {"query": "x"}, progress_callback=on_progress))
        async with asyncio.timeout(10):
            await told.wait()
        call.cancel()
        async with asyncio.timeout(10):
            await api.left.wait()


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_a_client_that_leaves_over_http_ends_the_request_to_the_api(
    slow: tuple[SlowApi, Service], mode: str
) -> None:
    api, service = slow
    async with serving(service.app()) as url:
        async with connecting(url, mode=mode) as client:
            call = asyncio.create_task(client.call_tool("search", {"query": "x"}))
            async with asyncio.timeout(10):
                await api.asked.wait()
            call.cancel()
            await asyncio.gather(call, return_exceptions=True)
        async with asyncio.timeout(10):
            await api.left.wait()


async def test_a_connection_that_is_cut_ends_the_request_to_the_api(slow: tuple[SlowApi, Service]) -> None:
    api, service = slow
    body = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "search", "arguments": {"query": "x"}},
    }
    headers = {"Authorization": f"Bearer {USER_KEY}", "Accept": "application/json, text/event-stream"}
    async with serving(service.app()) as url:
        async with httpx.AsyncClient(headers=headers) as http:
            call = asyncio.create_task(http.post(f"{url}/mcp", json=body))
            async with asyncio.timeout(10):
                await api.asked.wait()
            call.cancel()
            await asyncio.gather(call, return_exceptions=True)
        async with asyncio.timeout(10):
            await api.left.wait()
