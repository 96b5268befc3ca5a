"""The public addresses of this installation: the API with the web UI, and the MCP service."""

import ipaddress
from dataclasses import dataclass
from typing import Final
from urllib.parse import SplitResult, urlsplit

from lectern.settings import HttpSettings

MCP_PATH: Final = "/mcp"
_ALL_ADDRESSES: Final = {"0.0.0.0", "::"}  # noqa: S104 - a server that listens on all of them is on this one too
_DEFAULT_PORTS: Final = {"http": 80, "https": 443}


def public_address(asked_at: str, *, http: HttpSettings) -> str:
    """Return the address of the API and the web UI, without a slash at the end.

    `asked_at` is the address of the request, which counts on loopback only.
    """
    is_local = is_loopback(urlsplit(asked_at).hostname or "")  # Any other Host header may be made up.
    own = asked_at if is_local else f"http://{bracket_host(http.host)}:{http.port}"
    return (http.public_url or own).rstrip("/")


def mcp_address(asked_at: str, *, http: HttpSettings, mcp_port: int) -> str:
    """Return the address of the MCP service.

    An API that is reached at another port has a web server in front, which serves `/mcp` too.
    """
    configured = http.mcp_public_url
    if configured and not configured.startswith("/"):
        return configured
    base = public_address(asked_at, http=http)
    parts = urlsplit(base)
    if configured or _port(parts) != http.port:
        return base + (configured or MCP_PATH)
    return f"http://{bracket_host(parts.hostname or http.host)}:{mcp_port}{MCP_PATH}"


@dataclass(frozen=True, slots=True)
class McpTarget:
    """Where this server reaches the MCP service, and the Host header of agents, which the service accepts."""

    url: str
    host: str


def find_mcp_target(*, http: HttpSettings, mcp_port: int) -> McpTarget:
    """Return the configured address. That of a request does not count, because its Host header may be made up."""
    public = mcp_address("", http=http, mcp_port=mcp_port)
    parts = urlsplit(http.mcp_internal_url or public)
    if parts.hostname in _ALL_ADDRESSES:
        parts = parts._replace(netloc=f"127.0.0.1:{parts.port}")
        return McpTarget(parts.geturl(), parts.netloc)
    return McpTarget(parts.geturl(), urlsplit(public).netloc)


def is_same_resource(given: str, address: str) -> bool:
    """Return True if both name the same service. Names and ports of loopback are interchangeable."""
    try:
        left, right = urlsplit(given.rstrip("/")), urlsplit(address.rstrip("/"))
    except ValueError:
        return False
    if left.query or left.fragment or "@" in left.netloc:
        return False
    if is_loopback(left.hostname or "") and is_loopback(right.hostname or ""):
        return (left.scheme, left.path) == (right.scheme, right.path)
    return (left.scheme, left.netloc.lower(), left.path) == (right.scheme, right.netloc.lower(), right.path)


def is_loopback(host: str) -> bool:
    """Return True for `localhost` and the loopback addresses."""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def bracket_host(host: str) -> str:
    """Return a host as URLs write it, IPv6 in brackets."""
    return f"[{host}]" if ":" in host else host


def _port(parts: SplitResult) -> int | None:
    return parts.port or _DEFAULT_PORTS.get(parts.scheme)
