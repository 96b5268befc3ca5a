"""All settings of the MCP service, read from the environment and `.env` in this one place."""

import os
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, SecretStr, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import PydanticCustomError
from pydantic_settings import BaseSettings, EnvSettingsSource, PydanticBaseSettingsSource, SettingsConfigDict

from lectern_mcp.text import describe_faults

VERSION = "0.1.0"
SECRETS = ("BACKEND_API_KEY", "MCP_API_KEY", "LECTERN_METRICS_TOKEN")
GENERATED = Path("/run/lectern/mcp")  # the volume in which the API's `migrate` writes the key of this service


class _SecretFiles(EnvSettingsSource):
    """Reads a secret from the file that `NAME_FILE` names, or from the file that containers share."""

    def get_field_value(self, field: FieldInfo, field_name: str) -> tuple[Any, str, bool]:
        """Return the content of the file, or None. Ends the process if the variable is set too."""
        name = field.alias or field_name
        if name not in SECRETS:
            return None, name, False
        path = self.env_vars.get(f"{name}_FILE".lower())
        if path and self.env_vars.get(name.lower()):
            raise SystemExit(f"lectern-mcp cannot start: {name} and {name}_FILE are both set. Remove one of them.")
        if not path and not (GENERATED / name.lower()).is_file():
            return None, name, False
        return _read(Path(path) if path else GENERATED / name.lower(), name), name, False


def _read(path: Path, name: str) -> str:
    try:
        return path.read_text(encoding="utf-8").rstrip("\r\n")
    except (OSError, UnicodeDecodeError):
        raise SystemExit(f"lectern-mcp cannot start: the file {path} of {name} cannot be read.") from None


def _check_address(address: str) -> str:
    """Return the address unchanged. The error does not quote it: it may have a password."""
    with suppress(ValueError):  # such as an unclosed bracket, or a port that is no number
        parts = urlsplit(address)
        if parts.scheme in ("http", "https") and parts.hostname and parts.port != 0:
            return address
    raise PydanticCustomError("address", "write it as https://lectern.example.com")


Address = Annotated[str, AfterValidator(_check_address)]


class McpSettings(BaseSettings):
    # the prefix keeps PORT or HOST of other programs from being taken for fields of those names
    model_config = SettingsConfigDict(
        env_file=".env",
        env_ignore_empty=True,
        env_prefix="MCP__FIELD__",
        extra="ignore",
        populate_by_name=True,
        frozen=True,
    )

    api_url: Address = Field("http://127.0.0.1:8000", alias="LECTERN_API_URL", description="Address of the API.")
    backend_api_key: Annotated[SecretStr, Field(min_length=32)] | None = Field(
        None,
        alias="BACKEND_API_KEY",
        description="Required over HTTP: key of this service for the API. At least 32 characters.",
    )
    mcp_api_key: SecretStr | None = Field(
        None, alias="MCP_API_KEY", description="Key of the caller over standard input and output. Not used over HTTP."
    )
    host: str = Field("127.0.0.1", alias="MCP_HOST", description="Address to listen on.")
    port: int = Field(8001, alias="MCP_PORT", ge=0, le=65535, description="Port to listen on.")
    trusted_proxies: str = Field(
        "127.0.0.1",
        alias="LECTERN_TRUSTED_PROXIES",
        description="Proxies whose X-Forwarded-For is trusted. Comma-separated, * for all.",
    )
    workers: int = Field(1, alias="MCP_WORKERS", ge=1, le=64, description="Processes that share the port.")
    public_url: Address | None = Field(
        None, alias="LECTERN_PUBLIC_URL", description="Address that people use. Its host and origin are accepted."
    )
    metrics_token: Annotated[SecretStr, Field(min_length=16)] | None = Field(
        None,
        alias="LECTERN_METRICS_TOKEN",
        description="Bearer token for `/metrics`. Empty: only direct requests from this machine get metrics.",
    )
    allowed_hosts: list[str] = Field(
        ["127.0.0.1", "localhost", "[::1]"],
        alias="MCP_ALLOWED_HOSTS",
        description="Accepted Host headers (JSON list), on any port unless one is given.",
    )
    allowed_origins: list[str] = Field(
        ["http://127.0.0.1", "http://localhost", "http://[::1]"],
        alias="MCP_ALLOWED_ORIGINS",
        description="Accepted Origin headers (JSON list), on any port unless one is given.",
    )
    toolsets: list[Literal["search", "answers", "library", "extract", "connector"]] = Field(
        ["search", "answers", "library", "extract", "connector"],
        alias="MCP_TOOLSETS",
        min_length=1,
        description="Toolsets to offer at most (JSON list). A key sees those that it has.",
    )
    rate_limit_per_minute: int = Field(
        60,
        alias="MCP_RATE_LIMIT_PER_MINUTE",
        ge=0,
        description="Tool calls and resource reads a minute of a key. All keys together have 5 times as many. 0: off.",
    )
    rate_limit_burst: int = Field(
        60, alias="MCP_RATE_LIMIT_BURST", ge=1, description="Tool calls and resource reads of a key at once."
    )
    key_cache_seconds: float = Field(
        45, alias="MCP_KEY_CACHE_SECONDS", gt=0, le=60, description="Seconds that a validated key is cached."
    )
    tool_timeout_seconds: float = Field(
        30, alias="MCP_TOOL_TIMEOUT_SECONDS", gt=0, description="Time limit in seconds for a tool or a resource."
    )
    introspect_timeout_seconds: float = Field(
        5, alias="MCP_INTROSPECT_TIMEOUT_SECONDS", gt=0, description="Time limit in seconds to validate a key."
    )
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = Field(
        "INFO", alias="LECTERN_LOG_LEVEL", description="Lowest level to log: DEBUG, INFO, WARNING or ERROR."
    )

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - not used
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Return where values come from, the strongest source first."""
        return init_settings, env_settings, dotenv_settings, _SecretFiles(settings_cls)

    @property
    def hosts(self) -> list[str]:
        """Return the accepted Host headers, that of the public address included."""
        public = urlsplit(self.public_url or "")
        return [*self.allowed_hosts, *([public.netloc, public.hostname] if public.hostname else [])]

    @property
    def origins(self) -> list[str]:
        """Return the accepted Origin headers, that of the public address included."""
        public = urlsplit(self.public_url or "")
        return [*self.allowed_origins, *([f"{public.scheme}://{public.netloc}"] if public.hostname else [])]


def count_in(folder: str) -> None:
    """Make the processes that this one starts count metrics in files of a folder."""
    os.putenv("PROMETHEUS_MULTIPROC_DIR", folder)  # the name is prometheus_client's


def has_trace_endpoint() -> bool:
    """Return true if the variables of OpenTelemetry name an address for traces."""
    return bool(os.environ.get("OTEL_EXPORTER_OTLP_ENDPOINT") or os.environ.get("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"))


def load_settings() -> McpSettings:
    """Return the settings of this process. A wrong environment ends it with one line that names the variables."""
    try:
        return McpSettings()  # pyright: ignore[reportCallIssue]  # the environment supplies the values
    except ValidationError as error:
        problems = describe_faults(error)
    except (OSError, UnicodeDecodeError):
        problems = f"the file {Path('.env').absolute()} cannot be read"
    except ValueError as error:  # a list that is not JSON
        problems = str(error)
    raise SystemExit(f"lectern-mcp cannot start: {problems} (see docs/reference/mcp-tools.md)")
