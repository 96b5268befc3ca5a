"""Where agents reach the MCP service, seen from where a person reaches the API."""

from typing import Final
from urllib.parse import SplitResult, urlsplit

from lectern.settings import HttpSettings

_PATH: Final = "/mcp"
_DEFAULT_PORTS: Final = {"http": 80, "https": 443}


def mcp_address(asked_at: str, *, http: HttpSettings, mcp_port: int) -> str:
    """The address to give to agents; `asked_at` is the API's own, as the request named it.

    An API that is reached at another port than its own has a web server in front, which passes `/mcp` on too.
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
