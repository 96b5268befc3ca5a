"""Making a service and connecting to it, as the fixtures and a few tests do."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, TypeVar, get_args

import httpx
import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from fake_api import SERVICE_KEY, USER_KEY, FakeApi
from lectern_mcp.protocol import Toolset
from lectern_mcp.server import Service
from lectern_mcp.settings import McpSettings
from serving import serving

T = TypeVar("T")
ALL_TOOLSETS: tuple[str, ...] = get_args(get_args(McpSettings.model_fields["toolsets"].annotation)[0])


class MakeService:
    """A service whose API is the fake one in this process; arguments are settings, `more` further toolsets."""

    def __init__(self, api: FakeApi) -> None:
        self._api = api

    def __call__(self, *, more: tuple[Toolset, ...] = (), **settings: Any) -> Service:
        transport = httpx.ASGITransport(self._api.app())
        values: dict[str, Any] = {"backend_api_key": SERVICE_KEY, "mcp_api_key": USER_KEY, **settings}
        return Service(McpSettings(**values), transport, more=more)


@asynccontextmanager
async def serving_all_toolsets(api_url: str) -> AsyncGenerator[str]:
    """Serve every toolset of an API without a rate limit. Yields the address."""
    settings = {"api_url": api_url, "rate_limit_per_minute": 0, "toolsets": ALL_TOOLSETS}
    service = Service(McpSettings.model_validate({"backend_api_key": SERVICE_KEY, **settings}))
    async with serving(service.app()) as address:
        yield address


@asynccontextmanager
async def connecting(url: str, *, key: str = USER_KEY, mode: str = "auto") -> AsyncGenerator[Client]:
    """An MCP client over HTTP; `legacy` speaks the handshake revisions, `auto` 2026-07-28."""
    headers = {"Authorization": f"Bearer {key}"}
    async with (
        # To load the certificates takes 20 ms, and none is needed on a loopback port.
        httpx2.AsyncClient(headers=headers, timeout=20, trust_env=False, verify=False) as http,
        Client(streamable_http_client(f"{url}/mcp", http_client=http), mode=mode) as connected,
    ):
        yield connected


async def call(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    """Call a tool, which must not fail. Return its structured content."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result
    return result.structured_content


@asynccontextmanager
async def held(context: AbstractAsyncContextManager[T]) -> AsyncGenerator[T]:
    """The context, entered and left in a task of its own: a fixture's two halves may run in different tasks."""
    entered: asyncio.Future[T] = asyncio.get_running_loop().create_future()
    release = asyncio.Event()

    async def hold() -> None:
        async with context as value:
            entered.set_result(value)
            await release.wait()

    task = asyncio.create_task(hold())
    await asyncio.wait({task, entered}, return_when=asyncio.FIRST_COMPLETED)
    if task.done():
        task.result()
    try:
        yield entered.result()
    finally:
        release.set()
        await task
