"""The address of the MCP service for agents."""

from typing import Final
from urllib.parse import SplitResult, urlsplit

from lectern.settings import HttpSettings

_PATH: Final = "/mcp"
_DEFAULT_PORTS: Final = {"http": 80, "https": 443}


def mcp_address(asked_at: str, *, http: HttpSettings, mcp_port: int) -> str:
    """Return the address of the MCP service. `asked_at` is the API's own address, from the request.

    An API that is reached at another port has a web server in front, which serves `/mcp` too.
    """
    configured = http.mcp_url or ""
    if configured and not configured.startswith("/"):
        return configured
    base = (http.public_url or asked_at).rstrip("/")
    parts = urlsplit(base)
    if configured or _port(parts) != http.port:
        return base + (configured or _PATH)
    host = parts.hostname or http.host
    return f"http://{f'[{host}]' if ':' in host else host}:{mcp_port}{_PATH}"


def _port(parts: SplitResult) -> int | None:
    return parts.port or _DEFAULT_PORTS.get(parts.scheme)
