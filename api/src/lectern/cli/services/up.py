"""`lectern up`: Postgres, API, worker and MCP service on this machine under one supervisor."""

import asyncio
import json
import signal
import sys
import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from http.client import HTTPConnection, HTTPException
from typing import Annotated, Final

import typer

from lectern.cli.chat_endpoint import recorded
from lectern.cli.console import notes, results, show_service_line
from lectern.cli.installation import StartedInstallation, data_folder, home, started
from lectern.cli.options import DataDir
from lectern.cli.services.environment import (
    Ports,
    admin_email,
    local_host,
    mcp_api_key,
    mcp_environment,
    mcp_url,
    public_url,
    require_free_port,
    service_environment,
    worker_environment,
)
from lectern.cli.services.migrate import ensure_schema
from lectern.cli.services.ui_build import ensure_ui
from lectern.documents.uploads.manifest import find_samples
from lectern.embedded import cluster
from lectern.embedded import secrets as secret_file
from lectern.embedded.permissions import public_files, write_private
from lectern.embedded.supervisor import ServiceConfig, Supervisor
from lectern.errors import InvalidRequest
from lectern.settings import Settings, load_settings

PYTHON: Final = (sys.executable, "-P", "-m")  # without modules of the folder that it is started in
CLIENT_FILE: Final = "mcp-client.json"
READY_SECONDS: Final = 10.0  # a check takes up to five


def up(
    is_demo: Annotated[bool, typer.Option("--demo", help="Load the sample documents.")] = False,
    data_dir: DataDir = None,
    port: Annotated[
        int | None,
        typer.Option(min=1, max=65_535, help="Port of the API and the browser UI. Default: LECTERN_PORT, then 8000."),
    ] = None,
    mcp_port: Annotated[
        int | None, typer.Option(min=1, max=65_535, help="Port of the MCP service. Default: MCP_PORT, then 8001.")
    ] = None,
) -> None:
    """Start Postgres, the API, a worker and the MCP service. Ctrl-C stops everything."""
    began_at = time.monotonic()
    settings = load_settings()
    ports = Ports(api=port or settings.http.port, mcp=mcp_port or settings.embedded.mcp_port)
    if ports.api == ports.mcp:
        reason = f"The API and the MCP service cannot both use port {ports.api}."
        raise InvalidRequest(reason, hint="Choose another port with --port or --mcp-port.")
    require_free_port(settings.http.host, ports.api, hint="Stop it, or choose another port with --port.")
    require_free_port(settings.http.host, ports.mcp, hint="Stop it, or choose another port with --mcp-port.")
    with public_files():  # another account may start the clone that this one built
        ensure_ui(settings.http.ui_dir, clone=home())
    folder = data_folder(settings, data_dir)
    if not cluster.exists(folder) and settings.database.url is None:
        notes.print("lectern: creating the database (first start)")
    with started(settings, folder) as installation, recorded(settings.answers, folder):
        ensure_schema(settings, installation)
        run = _Run(settings=settings, installation=installation, ports=ports, is_demo=is_demo, began_at=began_at)
        asyncio.run(run.until_stopped())
    notes.print("lectern: stopped")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Run:
    settings: Settings
    installation: StartedInstallation
    ports: Ports
    is_demo: bool
    began_at: float

    async def until_stopped(self) -> None:
        supervisor = Supervisor(
            postgres=self.installation.postgres, watchdog=self.installation.watchdog, write_line=show_service_line
        )
        self.ports.save(self.installation.folder.path)
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(number, supervisor.request_stop)
        await supervisor.run(self._services(), on_ready=self._announce)

    def _services(self) -> list[ServiceConfig]:
        environment = service_environment(self.settings, self.installation, ports=self.ports)
        host = local_host(self.settings.http.host)
        return [
            ServiceConfig(
                name="api",
                command=[*PYTHON, "lectern", "serve"],
                environment=environment,
                health=(host, self.ports.api, "/health"),
            ),
            ServiceConfig(
                name="worker", command=[*PYTHON, "lectern", "worker"], environment=worker_environment(environment)
            ),
            ServiceConfig(
                name="mcp",
                command=[*PYTHON, "lectern_mcp"],
                environment=mcp_environment(self.settings, self.installation, ports=self.ports),
                health=(host, self.ports.mcp, "/health"),
            ),
        ]

    async def _announce(self) -> None:
        """Print the addresses, then load the sample documents if asked to."""
        failed = await asyncio.to_thread(_failed_checks, local_host(self.settings.http.host), self.ports.api)
        self._show_summary(failed)
        if self.is_demo:
            await self._load_demo()

    def _show_summary(self, failed: list[str]) -> None:
        settings, installation = self.settings, self.installation
        url = public_url(settings, ports=self.ports)
        lines = [
            "",
            _describe_readiness(failed, seconds=time.monotonic() - self.began_at),
            f"  Address     {url}",
            f"  REST        {url}/docs",
            f"  MCP         {mcp_url(settings, ports=self.ports)}",
            f"  Sign-in     {self._sign_in()}",
            f"  Data        {installation.folder.path}",
            *self._client_lines(),
            "Ctrl-C stops everything.",
            *(
                ["The embedding model is not loaded yet: search finds words, not meanings."]
                if failed == ["model"]
                else []
            ),
            "",
        ]
        results.print("\n".join(lines), markup=False)
        self._save_secrets()

    def _save_secrets(self) -> None:
        """Forget the displayed password, and previous signing keys now that the API has replaced them everywhere."""
        path = self.installation.folder.secrets
        stored, _ = secret_file.load_or_create(path)
        overlap = timedelta(days=self.settings.accounts.refresh_token_days)
        remaining = stored.after_start(datetime.now(UTC), overlap=overlap)
        if remaining != stored:
            secret_file.save(path, remaining)

    def _sign_in(self) -> str:
        email = admin_email(self.settings, self.installation)
        if self.settings.accounts.admin_password is not None:
            return f"{email}, with the password from the environment"
        if self.installation.secrets.admin_password is None:
            return f"{email}, with the password of the first start (new one: `{self._set_password()}`)"
        if sys.stdout.isatty():
            return f"{email}   {self.installation.secrets.admin_password}   (shown once)"
        path = self.installation.folder.first_password
        write_private(path, f"{self.installation.secrets.admin_password}\n")
        return f"{email}, with the password in {path}"

    def _client_lines(self) -> list[str]:
        """Return the configuration of an MCP client. A log gets the path of a file: the key is a secret."""
        key = mcp_api_key(self.settings, self.installation)
        snippet = client_snippet(mcp_url(self.settings, ports=self.ports), key)
        if sys.stdout.isatty():
            return ["  For an MCP client:", snippet]
        path = self.installation.folder.path / CLIENT_FILE
        write_private(path, f"{snippet}\n")
        return [f"  MCP client  {path}"]

    def _set_password(self) -> str:
        """Return the command that sets a password in this installation."""
        folder = self.installation.folder.path
        is_default = folder == data_folder(self.settings).path
        return f"lectern users set-password {admin_email(self.settings, self.installation)}" + (
            "" if is_default else f" --data-dir {folder}"
        )

    async def _load_demo(self) -> None:
        samples = find_samples(self.settings.documents.samples_dir)
        if samples is None:
            notes.print("lectern: no sample documents found; clone the repository to get them")
            return
        environment = service_environment(self.settings, self.installation, ports=self.ports)
        command = [*PYTHON, "lectern", "demo", str(samples)]
        child = await asyncio.create_subprocess_exec(*command, env=environment)
        try:
            await child.wait()
        finally:
            if child.returncode is None:
                child.terminate()
                await child.wait()


def _failed_checks(host: str, port: int) -> list[str]:
    """Return the names of the failed checks of `/ready`."""
    connection = HTTPConnection(host, port, timeout=READY_SECONDS)
    try:
        connection.request("GET", "/ready")
        checks: dict[str, str] = json.loads(connection.getresponse().read())["checks"]
    except (OSError, HTTPException, ValueError):
        return ["api"]
    finally:
        connection.close()
    return [name for name, result in checks.items() if result != "ok"]


def _describe_readiness(failed: list[str], *, seconds: float) -> str:
    """Name what is not ready. After the first start the model may still be loading, which is no fault."""
    if set(failed) <= {"model"}:
        return f"Lectern is ready after {seconds:.1f} s."
    return f"Lectern is running after {seconds:.1f} s, but not ready: {', '.join(failed)}. The log says why."


def client_snippet(url: str, key: str) -> str:
    """Return the configuration that most MCP clients accept, with a working key."""
    server = {"type": "http", "url": url, "headers": {"Authorization": f"Bearer {key}"}}
    return json.dumps({"mcpServers": {"lectern": server}}, indent=2)
