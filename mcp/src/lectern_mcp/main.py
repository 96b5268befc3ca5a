"""Entry points: `lectern-mcp` serves HTTP, `lectern-mcp --stdio` serves the client that started it.

The server is imported after the settings are read. The SDK takes seconds to load, and a wrong environment should
fail at once.
"""

import argparse
import gc
import tempfile
from typing import TYPE_CHECKING, Any

import anyio
import uvicorn
from starlette.types import ASGIApp

from lectern_mcp.logs import configure_logging
from lectern_mcp.settings import VERSION, McpSettings, count_in, load_settings
from lectern_mcp.tracing import start_tracing

if TYPE_CHECKING:
    from lectern_mcp.server import Service

KEEP_ALIVE_SECONDS = 75
"""Longer than clients and proxies reuse an idle connection, or a request meets one that is being closed."""


def app() -> ASGIApp:
    """Return the application of this process, configured from its environment. Every worker calls it."""
    return create_service(_prepare()).app()


def run() -> None:
    parser = argparse.ArgumentParser("lectern-mcp", description="Lectern's MCP service.")
    parser.add_argument("--stdio", action="store_true", help="serve stdin and stdout, with the key in MCP_API_KEY")
    parser.add_argument("--version", action="version", version=VERSION)
    is_stdio: bool = parser.parse_args().stdio
    settings = _prepare()
    if is_stdio:
        _serve_stdio(settings)
        return
    if settings.backend_api_key is None:
        raise SystemExit("lectern-mcp cannot start: BACKEND_API_KEY is missing, the key of this service for the API.")
    options: dict[str, Any] = {"host": settings.host, "port": settings.port, "workers": settings.workers}
    options |= {"forwarded_allow_ips": settings.trusted_proxies, "timeout_keep_alive": KEEP_ALIVE_SECONDS}
    options |= {"log_config": None, "access_log": False, "server_header": False}
    if settings.workers == 1:
        uvicorn.run("lectern_mcp.main:app", factory=True, **options)
        return
    with tempfile.TemporaryDirectory(prefix="lectern-mcp-metrics-") as folder:
        count_in(folder)
        uvicorn.run("lectern_mcp.main:app", factory=True, **options)


def create_service(settings: McpSettings) -> "Service":
    """Import and create the service without looking for garbage among its objects, which stay until the end."""
    start_tracing()
    gc.disable()
    from lectern_mcp.server import Service

    service = Service(settings)
    gc.freeze()
    gc.enable()
    return service


def _prepare() -> McpSettings:
    settings = load_settings()
    configure_logging(settings.log_level)
    return settings


def _serve_stdio(settings: McpSettings) -> None:
    if settings.mcp_api_key is None:
        raise SystemExit("lectern-mcp cannot start: MCP_API_KEY is missing, the caller's key over stdio.")
    # the caller's own key says all: that of the service could act as anybody
    own = settings.model_copy(update={"backend_api_key": None})
    anyio.run(create_service(own).server.run_stdio_async)
