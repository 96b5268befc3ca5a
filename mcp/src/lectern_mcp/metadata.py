"""The service as an OAuth protected resource (RFC 9728), for clients that connect without a key."""

import ipaddress
from urllib.parse import urlsplit

from lectern_mcp.api_models import ProtectedResourceMetadata

PATH = "/mcp"
METADATA_PATH = f"/.well-known/oauth-protected-resource{PATH}"
METADATA_PATHS = frozenset({METADATA_PATH, METADATA_PATH.removesuffix(PATH)})


def describe(document: ProtectedResourceMetadata, *, origin: str, toolsets: list[str]) -> dict[str, object]:
    """Return the API's document with the offered toolsets. On loopback, the resource is what the client called."""
    address = f"{origin}{PATH}"
    is_local = _is_loopback(document.resource) and _is_loopback(address)
    return document.model_copy(
        update={"resource": address if is_local else document.resource, "scopes_supported": toolsets}
    ).model_dump(mode="json")


def _is_loopback(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
