"""Composition: the MCP server over an API client, and its ASGI application."""

import re
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from httpx import AsyncBaseTransport, AsyncHTTPTransport, Limits
from mcp.server.mcpserver import MCPServer
from mcp.server.transport_security import TransportSecuritySettings
from mcp.types import LATEST_PROTOCOL_VERSION
from pydantic import SecretStr
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp

from lectern_mcp.api_client import ApiClient
from lectern_mcp.completion import add_completion
from lectern_mcp.errors import Failure
from lectern_mcp.guard import MAX_BODY_BYTES, Guard, origin_of
from lectern_mcp.limits import CallLimits
from lectern_mcp.metadata import METADATA_PATHS, PATH, describe
from lectern_mcp.metrics import PATH as METRICS_PATH
from lectern_mcp.metrics import CallMetrics, respond
from lectern_mcp.principal import Caller, Principals
from lectern_mcp.prompts import add_prompts
from lectern_mcp.protocol import LecternServer, Toolset
from lectern_mcp.resources import add_resources
from lectern_mcp.settings import VERSION, McpSettings
from lectern_mcp.tools import NAMES_OF, SECONDS_OF, TOOLSETS
from lectern_mcp.tracing import stop_tracing

KEEP_ALIVE_SECONDS = 3.0
"""Shorter than the API, or a proxy before it, keeps an idle connection open."""


class Service:
    """The parts of one process. `transport` leads to the API, closes with the server. `more` adds toolsets for tests.

    Without `backend_api_key` it serves one caller, and asks the API with `mcp_api_key`.
    """

    def __init__(
        self, settings: McpSettings, transport: AsyncBaseTransport | None = None, more: tuple[Toolset, ...] = ()
    ) -> None:
        self._settings = settings
        limits = Limits(max_connections=100, max_keepalive_connections=20, keepalive_expiry=KEEP_ALIVE_SECONDS)
        self._transport = transport or AsyncHTTPTransport(limits=limits, trust_env=False)
        key = settings.backend_api_key or settings.mcp_api_key or SecretStr("")
        is_service, seconds = settings.backend_api_key is not None, settings.introspect_timeout_seconds
        self._api = ApiClient(
            self._transport, settings.api_url, key=key, is_service=is_service, introspect_seconds=seconds
        )
        self.principals = Principals(self._api.introspect, accepted_seconds=settings.key_cache_seconds)
        most_seconds = settings.tool_timeout_seconds
        self._offered = tuple(
            Toolset(name, TOOLSETS[name](self._api), most_seconds, SECONDS_OF.get(name, {}), NAMES_OF.get(name, {}))
            for name in settings.toolsets
        )
        self._metrics = CallMetrics()
        rates = CallLimits(per_minute=settings.rate_limit_per_minute, burst=settings.rate_limit_burst)
        self.server = LecternServer(
            (*self._offered, *more), self._identify, limits=rates, metrics=self._metrics, lifespan=self._lifespan
        )
        add_resources(self.server, self._api)
        add_prompts(self.server)
        add_completion(self.server, self._api)

    def app(self) -> ASGIApp:
        """Return the ASGI application: CORS, the guard, then probes and the SDK's stateless transport."""
        self.server.custom_route("/health", methods=["GET"])(self._health)
        self.server.custom_route("/ready", methods=["GET"])(self._ready)
        self.server.custom_route("/info", methods=["GET"])(self._info)
        self.server.custom_route(METRICS_PATH, methods=["GET"])(self._show_metrics)
        for path in METADATA_PATHS:
            self.server.custom_route(path, methods=["GET"])(self._metadata)
        transport = self.server.streamable_http_app(
            streamable_http_path=PATH,
            stateless_http=True,
            max_request_body_size=MAX_BODY_BYTES,
            transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),  # the guard's work
        )
        return CORSMiddleware(
            Guard(transport, self._settings, self.principals, metrics=self._metrics),
            allow_origin_regex=rf"(?i:{'|'.join(map(re.escape, self._settings.origins))})(:\d+)?",
            allow_methods=["GET", "POST"],
            allow_headers=["*"],
            expose_headers=["WWW-Authenticate", "X-Request-ID"],
        )

    async def _health(self, _request: Request) -> JSONResponse:
        return JSONResponse({"status": "ok", "version": VERSION})

    async def _ready(self, _request: Request) -> JSONResponse:
        is_ready = await self._api.is_ready()
        return JSONResponse({"status": "ready" if is_ready else "unavailable"}, 200 if is_ready else 503)

    async def _info(self, _request: Request) -> JSONResponse:
        toolsets = {toolset.name: [tool.name for tool in toolset.tools] for toolset in self._offered}
        transports = {"streamable-http": PATH, "stdio": "lectern-mcp --stdio"}
        about = {"name": "lectern", "version": VERSION, "protocol_version": LATEST_PROTOCOL_VERSION}
        return JSONResponse(about | {"transports": transports, "toolsets": toolsets})

    async def _show_metrics(self, request: Request) -> Response:
        return respond(self._metrics, request, self._settings.metrics_token)

    async def _metadata(self, request: Request) -> JSONResponse:
        try:
            document = await self._api.get_protected_resource()
        except Failure as failure:
            return JSONResponse(failure.as_dict(), 503, {"Retry-After": "5"})
        return JSONResponse(describe(document, origin=origin_of(request.scope), toolsets=[*self._settings.toolsets]))

    @asynccontextmanager
    async def _lifespan(self, _server: MCPServer[None]) -> AsyncGenerator[None]:
        async with self._transport:
            yield
        stop_tracing()

    async def _identify(self) -> Caller:
        if self._settings.mcp_api_key is None:
            raise Failure("UNAUTHORIZED", "There is no key.", hint="Set MCP_API_KEY.")
        return await self.principals.resolve(self._settings.mcp_api_key)
