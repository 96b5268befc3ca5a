"""Composition: the MCP server over an API client, and its ASGI application."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from httpx import AsyncClient, Timeout
from mcp.server.mcpserver import MCPServer
from mcp.server.transport_security import TransportSecuritySettings
from starlette.requests import Request
from starlette.responses import JSONResponse

from lectern_mcp.api_client import ApiClient
from lectern_mcp.completion import add_completion
from lectern_mcp.errors import Failure
from lectern_mcp.guard import MAX_BODY_BYTES, PATH, Guard
from lectern_mcp.principal import Caller, Principals
from lectern_mcp.prompts import add_prompts
from lectern_mcp.protocol import LecternServer, Toolset
from lectern_mcp.resources import add_resources
from lectern_mcp.settings import VERSION, McpSettings
from lectern_mcp.tools import SECONDS_OF, TOOLSETS


class Service:
    """The parts of one process. `http` leads to the API and closes with the server; `more` adds toolsets for tests."""

    def __init__(self, settings: McpSettings, http: AsyncClient | None = None, more: tuple[Toolset, ...] = ()) -> None:
        self._settings, seconds = settings, settings.introspect_timeout_seconds
        timeout = Timeout(None, connect=seconds)
        self._http = http or AsyncClient(base_url=settings.api_url, timeout=timeout, trust_env=False)
        self._api = ApiClient(self._http, service_key=settings.backend_api_key, introspect_seconds=seconds)
        self.principals = Principals(self._api.introspect, accepted_seconds=settings.key_cache_seconds)
        offered = tuple(
            Toolset(name, TOOLSETS[name](self._api), settings.tool_timeout_seconds, SECONDS_OF.get(name, {}))
            for name in settings.toolsets
        )
        self.server = LecternServer((*offered, *more), self._identify, lifespan=self._lifespan)
        add_resources(self.server, self._api)
        add_prompts(self.server)
        add_completion(self.server, self._api)

    def app(self) -> Guard:
        """Return the ASGI application: the guard, then probes and the SDK's stateless transport."""
        self.server.custom_route("/health", methods=["GET"])(self._health)
        self.server.custom_route("/ready", methods=["GET"])(self._ready)
        transport = self.server.streamable_http_app(
            streamable_http_path=PATH,
            stateless_http=True,
            max_request_body_size=MAX_BODY_BYTES,
            transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),  # the guard's work
        )
        return Guard(transport, self._settings, self.principals)

    async def _health(self, _request: Request) -> JSONResponse:
        return JSONResponse({"status": "ok", "version": VERSION})

    async def _ready(self, _request: Request) -> JSONResponse:
        is_ready = await self._api.is_ready()
        return JSONResponse({"status": "ready" if is_ready else "unavailable"}, 200 if is_ready else 503)

    @asynccontextmanager
    async def _lifespan(self, _server: MCPServer[None]) -> AsyncGenerator[None]:
        async with self._http:
            yield

    async def _identify(self) -> Caller:
        if self._settings.mcp_api_key is None:
            raise Failure("UNAUTHORIZED", "There is no key.", hint="Set MCP_API_KEY.")
        return await self.principals.resolve(self._settings.mcp_api_key)
