"""The API as a server."""

import re
from contextlib import suppress
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, Final
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, SecretStr
from pydantic_core import PydanticCustomError

from lectern.settings.base import Section

_PUBLIC_URL: Final = re.compile(r"^https?://[^\s/?#]+[^\s?#]*$")


def _check_networks(value: str) -> str:
    """Return addresses and networks unchanged. The web server would trust none that it cannot read."""
    for part in value.split(",") if value != "*" else ():
        ip_network(part.strip())
    return value


def _check_public_url(value: str) -> str:
    """Return the address unchanged. Links are its continuation, so that it has no query and no fragment."""
    with suppress(ValueError):  # such as an unclosed bracket, or a port that is no number
        parts = urlsplit(value)
        if _PUBLIC_URL.match(value) and parts.hostname and parts.port != 0:
            return value
    raise PydanticCustomError("address", "write it as https://lectern.example.com")


class HttpSettings(Section):
    host: str = Field(default="127.0.0.1", validation_alias="LECTERN_HOST", description="Address the API listens on.")
    port: int = Field(default=8000, validation_alias="LECTERN_PORT", ge=0, le=65535, description="Port of the API.")
    processes: int = Field(
        default=1,
        validation_alias="LECTERN_API_PROCESSES",
        ge=1,
        le=64,
        description="API processes that share the port. Each uses at most one core and 27 database connections.",
    )
    public_url: Annotated[str, AfterValidator(_check_public_url)] | None = Field(
        default=None,
        validation_alias="LECTERN_PUBLIC_URL",
        description="Address that people use, for links. Empty: http://host:port.",
    )
    mcp_url: str | None = Field(
        default=None,
        validation_alias="LECTERN_MCP_URL",
        pattern=r"^(https?://[^\s/,][^\s,]*|/([^\s/,][^\s,]*)?)?(,https?://[^\s/,][^\s,]*)?$",
        description="MCP address shown to people, or a path of the public address (docker compose: /mcp). Empty: "
        "port MCP_PORT of the public host, or /mcp of the web server in front."
        " After a comma: the address for this server itself, if it is another one.",
    )
    max_upload_bytes: int = Field(
        default=524_288_000,
        validation_alias="LECTERN_MAX_UPLOAD_BYTES",
        ge=1,
        description="Largest upload in bytes.",
    )
    rate_limit_per_minute: int = Field(
        default=600,
        validation_alias="LECTERN_RATE_LIMIT_PER_MINUTE",
        ge=0,
        description="Requests a minute for each user or key, and failed requests a minute without credentials for "
        "each address. 0: no limit.",
    )
    metrics_token: SecretStr | None = Field(
        default=None,
        validation_alias="LECTERN_METRICS_TOKEN",
        min_length=16,
        description="Bearer token for `/metrics`. Empty: only direct requests from this machine get metrics.",
    )
    worker_metrics_port: int | None = Field(
        default=None,
        validation_alias="LECTERN_WORKER_METRICS_PORT",
        ge=0,
        le=65535,
        description="Port of `/metrics` of the worker, at LECTERN_HOST. Empty: the worker listens nowhere.",
    )
    cookie_secure: bool | None = Field(
        default=None,
        validation_alias="COOKIE_SECURE",
        description="Send the session cookie over HTTPS only. Empty: if LECTERN_PUBLIC_URL or the request has HTTPS.",
    )
    allowed_origins: list[str] = Field(
        default=[],
        validation_alias="LECTERN_ALLOWED_ORIGINS",
        description="Other origins that may call the API from a browser (JSON list).",
    )
    trusted_proxies: Annotated[str, AfterValidator(_check_networks)] = Field(
        default="127.0.0.1",
        validation_alias="LECTERN_TRUSTED_PROXIES",
        description="Addresses and networks of proxies whose X-Forwarded-For is trusted. Comma-separated, * for all.",
    )
    ui_dir: Path | None = Field(
        default=None,
        validation_alias="LECTERN_UI_DIR",
        description="Folder of the built web UI. Empty: the one in the package or the clone.",
    )

    @property
    def has_https(self) -> bool:
        """Return True if people use HTTPS."""
        return (self.public_url or "").startswith("https:")

    @property
    def mcp_public_url(self) -> str:
        """Return the MCP address for people, a path, or an empty text."""
        return (self.mcp_url or "").partition(",")[0]

    @property
    def mcp_internal_url(self) -> str:
        """Return the MCP address for this server, or an empty text."""
        return (self.mcp_url or "").partition(",")[2]
