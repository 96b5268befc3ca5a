"""Environment variables that `lectern up` passes to its services."""

import errno
import json
import os
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from pydantic import SecretStr

from lectern.cli.installation import Installation
from lectern.embedded.errors import PortInUse
from lectern.embedded.host import find_bind_error, find_listener
from lectern.errors import Misconfigured
from lectern.http.addresses import bracket_host
from lectern.settings import Settings, process_environment
from lectern.settings.secret_files import FILE_SUFFIX

# Services get what they need, nothing more.
OWNER_ONLY: Final = ("DATABASE_OWNER_URL", "ADMIN_PASSWORD")
_PORTS_FILE: Final = "ports.json"
_CARRIED_MCP: Final = Path(__file__).resolve().parents[2] / "carried" / "mcp"
API_ONLY: Final = ("ADMIN_EMAIL", "ADMIN_PASSWORD", "BACKEND_API_KEY", "MCP_API_KEY")


@dataclass(frozen=True, slots=True, kw_only=True)
class Ports:
    """The ports of the API and the MCP service."""

    api: int
    mcp: int

    def save(self, folder: Path) -> None:
        """Write the ports of the running installation to its data folder."""
        (folder / _PORTS_FILE).write_text(json.dumps(asdict(self)))

    @classmethod
    def load(cls, folder: Path) -> "Ports | None":
        """Read the ports that the last `lectern up` in this data folder used."""
        file = folder / _PORTS_FILE
        return cls(**json.loads(file.read_text())) if file.is_file() else None


def local_host(host: str) -> str:
    """Return an address of this machine that reaches a server listening on `host`."""
    return {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}.get(host, host)  # noqa: S104 - compared, not bound


def public_url(settings: Settings, *, ports: Ports) -> str:
    """Return the address that people use."""
    return settings.http.public_url or f"http://{bracket_host(local_host(settings.http.host))}:{ports.api}"


def mcp_url(settings: Settings, *, ports: Ports) -> str:
    """Return the address that MCP clients on this machine use."""
    return f"http://{bracket_host(local_host(settings.http.host))}:{ports.mcp}/mcp"


def backend_api_key(settings: Settings, installation: Installation) -> str:
    return _secret(settings.accounts.backend_api_key) or installation.secrets.backend_api_key


def mcp_api_key(settings: Settings, installation: Installation) -> str:
    return _secret(settings.accounts.mcp_api_key) or installation.secrets.mcp_api_key


def admin_email(settings: Settings, installation: Installation) -> str:
    return settings.accounts.admin_email or installation.secrets.admin_email


def service_environment(settings: Settings, installation: Installation, *, ports: Ports) -> dict[str, str]:
    """Return the environment of the API and the worker. Missing values come from this installation."""
    folder, secrets = installation.folder, installation.secrets
    inherited = _inherited_without(OWNER_ONLY, files_of=("DATABASE_URL", "JWT_SECRET_KEY", *API_ONLY))
    environment = {
        **inherited,
        "DATABASE_URL": installation.service_url,
        "LECTERN_DATA_DIR": str(folder.path),
        "LECTERN_HOST": settings.http.host,
        "LECTERN_PORT": str(ports.api),
        "MCP_PORT": str(ports.mcp),  # for the address that people give to their agents
        "JWT_SECRET_KEY": _secret(settings.accounts.jwt_secret_key) or secrets.jwt_secret_key,
        "BACKEND_API_KEY": backend_api_key(settings, installation),
        "ADMIN_EMAIL": admin_email(settings, installation),
        "PYTHONUNBUFFERED": "1",
    }
    environment["MCP_API_KEY"] = mcp_api_key(settings, installation)
    password = _secret(settings.accounts.admin_password) or secrets.admin_password
    if password:
        environment["ADMIN_PASSWORD"] = password
    if "format" not in settings.logging.model_fields_set:
        environment["LECTERN_LOG_FORMAT"] = "text"
    return environment


def worker_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of a worker. The signing key decrypts the secrets of webhooks."""
    return {name: value for name, value in environment.items() if name not in API_ONLY}


def migration_environment(installation: Installation) -> dict[str, str]:
    """Return the environment of `lectern migrate`, with the address of the schema's owner."""
    return {
        **_inherited_without((), files_of=("DATABASE_URL", "DATABASE_OWNER_URL")),
        "DATABASE_URL": installation.owner_url,
        "DATABASE_OWNER_URL": installation.owner_url,
    }


def mcp_environment(settings: Settings, installation: Installation, *, ports: Ports) -> dict[str, str]:
    """Return the environment of the MCP service: no database, no secret but the service key."""
    withheld = {*OWNER_ONLY, "DATABASE_URL", "JWT_SECRET_KEY", "OPENAI_API_KEY", "ADMIN_EMAIL", "MCP_API_KEY"}
    inherited = _inherited_without(withheld, files_of=("BACKEND_API_KEY",))
    if _CARRIED_MCP.is_dir():  # an installed package
        paths = [str(_CARRIED_MCP), *filter(None, [inherited.get("PYTHONPATH")])]
        inherited["PYTHONPATH"] = os.pathsep.join(paths)
    return {
        **inherited,
        "LECTERN_API_URL": f"http://{bracket_host(local_host(settings.http.host))}:{ports.api}",
        "BACKEND_API_KEY": backend_api_key(settings, installation),
        "MCP_HOST": settings.http.host,
        "MCP_PORT": str(ports.mcp),
        "PYTHONUNBUFFERED": "1",
    }


def _inherited_without(withheld: Collection[str], *, files_of: Collection[str]) -> dict[str, str]:
    """Return the environment of this process, without the files of secrets that are withheld or passed as values."""
    names = {*withheld, *(name + FILE_SUFFIX for name in (*withheld, *files_of))}
    return {name: value for name, value in process_environment().items() if name not in names}


def _secret(value: SecretStr | None) -> str | None:
    return value.get_secret_value() if value else None


def require_free_port(host: str, port: int, *, hint: str) -> None:
    """Refuse to start if the port cannot be used.

    Raises:
        PortInUse: Names the port, and the process when it can be seen.
        Misconfigured: The address is not one of this machine, or the port needs privileges.
    """
    error = find_bind_error(host, port)
    if error is None:
        return
    if error.errno == errno.EADDRINUSE:
        raise PortInUse(f"Port {port} is in use by {holder_of(port)}.", hint=hint)
    reason = f"Port {port} of {host} cannot be used: {error.strerror}."
    raise Misconfigured(reason, hint="Set LECTERN_HOST to an address of this machine, or choose a port above 1023.")


def holder_of(port: int) -> str:
    """Describe the program that listens on a port."""
    holder = find_listener(port)
    return f"process {holder.pid} ({holder.name})" if holder else "another program"
