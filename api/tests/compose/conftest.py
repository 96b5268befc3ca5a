"""The compose file, started for real: with Docker where it is, else with podman."""

import json
import os
import re
import secrets
import shlex
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.pages import Terminal, read_blocks

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs" / "how-to" / "run-in-containers.md"
SERVICES = ("db", "api", "worker", "mcp", "frontend")
BUILD_SECONDS = 1500
HEALTHY_SECONDS = 240
CONTEXT = ("docker-compose.yml", ".dockerignore", "api", "db", "frontend", "mcp", "test-docs")
OURS = re.compile(r"^(LECTERN_|DATABASE_|MCP_|ADMIN_|JWT_|BACKEND_|OPENAI_|COOKIE_|OIDC_|POSTGRES_)")
ADMIN_EMAIL = "admin@lectern.local"
GET_IT = "needs Docker with its compose plugin, or podman with podman-compose"


@dataclass(frozen=True)
class Engine:
    """The program that runs containers and the one that reads compose files."""

    container: str
    compose: Sequence[str]

    @property
    def is_podman(self) -> bool:
        return self.container == "podman"


def find_engine() -> Engine | None:
    """Docker first; None when neither can run here."""
    if _works("docker", "compose", "version") and _works("docker", "info"):
        return Engine("docker", ("docker", "compose"))
    if shutil.which("podman") and _works("podman", "info"):
        options = "--podman-build-args=--network host --format docker"  # the format that keeps health checks
        if shutil.which("podman-compose"):
            return Engine("podman", ("podman-compose", options))
        if _works(sys.executable, "-m", "podman_compose", "--version"):
            return Engine("podman", (sys.executable, "-m", "podman_compose", options))
    return None


def _works(*command: str) -> bool:
    if shutil.which(command[0]) is None:
        return False
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


class Stack:
    """A started project with its own ports and volumes, in a copy of the clone without `.env`."""

    def __init__(self, engine: Engine, folder: Path, programs: Path) -> None:
        self.engine = engine
        self.folder = folder
        self._programs = programs
        copy_clone(folder)
        self.project = f"lectern-test-{secrets.token_hex(3)}"
        ports = ("MCP_PORT", "LECTERN_UI_PORT")
        subnet = f"10.{secrets.randbelow(200) + 20}.{secrets.randbelow(256)}.0/24"
        self.values = {
            **{name: str(_free_port()) for name in ports},
            "LECTERN_SUBNET": subnet,
            "LECTERN_TRUSTED_PROXIES": subnet,
        }
        self.password = self.mcp_key = self.log_of_first_start = ""
        self.mcp_url = f"http://127.0.0.1:{self.values['MCP_PORT']}/mcp"
        self.ui_url = f"http://127.0.0.1:{self.values['LECTERN_UI_PORT']}"

    def start(self) -> None:
        """Type the first two commands of the page, which start everything and show the first password."""
        build_and_start, show_password = [block.text for block in read_blocks(PAGE) if block.language == "sh"][:2]
        self.type(build_and_start)
        self.wait_until_healthy()
        self.log_of_first_start = self.whole_log("api")
        self.password = self.type(show_password).split()[-1]

    def type(self, command: str) -> str:
        """Return what a command of the page prints. Where there is no Docker, `docker` is podman."""
        if self.engine.is_podman:
            shim = f'#!/bin/sh\n[ "$1" = compose ] && shift\nexec {shlex.join(self.engine.compose)} "$@"\n'
            (self._programs / "docker").write_text(shim)
            (self._programs / "docker").chmod(0o755)
        variables = {**self._environment(), "PATH": f"{self._programs}:{os.environ['PATH']}"}
        terminal = Terminal(["sh", "-ec", command], folder=self.folder, environment=variables)
        try:
            assert terminal.wait(seconds=BUILD_SECONDS) == 0, f"{command}\n{terminal.output[-8000:]}"
        finally:
            terminal.close()
        return terminal.output

    def compose(self, *arguments: str, seconds: int = BUILD_SECONDS) -> None:
        command = [*self.engine.compose, *arguments]
        done = subprocess.run(
            command,
            check=False,
            cwd=self.folder,
            env=self._environment(),
            capture_output=True,
            text=True,
            timeout=seconds,
        )
        assert done.returncode == 0, f"{' '.join(arguments)}\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}"

    def _environment(self) -> dict[str, str]:
        inherited = {name: value for name, value in os.environ.items() if not OURS.match(name)}
        return {**inherited, **self.values, "COMPOSE_PROJECT_NAME": self.project}

    def create_key(self) -> None:
        """Create a key for MCP."""
        key = self.on_container("exec", "api", "lectern", "keys", "create", "tests", "--json")
        self.mcp_key = json.loads(key)["key"]

    def on_container(self, command: str, service: str, *arguments: str) -> str:
        """`kill`, `start`, `exec`, `logs` ... on the container of a service; its standard output."""
        call = [self.engine.container, command, self.container(service), *arguments]
        done = subprocess.run(call, check=False, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, f"{command} {service}: {done.stderr[-2000:]}"
        return done.stdout

    def container(self, service: str) -> str:
        """The id of the service's container."""
        filters = [f"label=com.docker.compose.project={self.project}", f"label=com.docker.compose.service={service}"]
        call = [self.engine.container, "ps", "-aq", *(part for wanted in filters for part in ("--filter", wanted))]
        return subprocess.run(call, capture_output=True, text=True, check=True).stdout.strip()

    def wait_until_healthy(self, *services: str) -> None:
        """Run the containers' own health checks until all pass."""
        until = time.monotonic() + HEALTHY_SECONDS
        waiting = list(services or SERVICES)
        while waiting and time.monotonic() < until:
            waiting = [service for service in waiting if not self._is_healthy(service)]
            if waiting:
                time.sleep(0.5)
        if waiting:
            logs = "\n".join(f"--- {service}\n{self.logs(service)}" for service in waiting)
            pytest.fail(f"Not healthy after {HEALTHY_SECONDS} s: {', '.join(waiting)}\n{logs}")

    def whole_log(self, service: str) -> str:
        call = [self.engine.container, "logs", self.container(service)]
        done = subprocess.run(call, capture_output=True, text=True, check=True, timeout=60)
        return done.stdout + done.stderr

    def logs(self, service: str) -> str:
        call = [self.engine.container, "logs", "--tail", "30", self.container(service)]
        return subprocess.run(call, capture_output=True, text=True, check=False, timeout=60).stderr[-4000:]

    def _is_healthy(self, service: str) -> bool:
        if self.engine.is_podman:  # its own timer needs systemd
            call = ["podman", "healthcheck", "run", self.container(service)]
            return subprocess.run(call, check=False, capture_output=True, timeout=60).returncode == 0
        state = self.on_container("inspect", service, "--format", "{{.State.Health.Status}}")
        return state.strip() == "healthy"


def copy_clone(folder: Path, paths: Sequence[str] = CONTEXT) -> None:
    """Copy what docker compose reads, or other paths of the clone, without files that git ignores."""
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *paths]
    names = subprocess.run(listed, cwd=ROOT, check=True, capture_output=True).stdout.decode().split("\0")
    for name in filter(None, names):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)


def _free_port() -> int:
    """A free port below those of outgoing connections, which would take it while the containers are down."""
    while True:
        port = 20_000 + secrets.randbelow(12_000)
        with socket.socket() as listener:
            if listener.connect_ex(("127.0.0.1", port)) != 0:
                return port


@pytest.fixture(scope="session")
def engine() -> Engine:
    found = find_engine()
    if found is None:
        pytest.skip(GET_IT)
    return found


@pytest.fixture(scope="session")
def stack(engine: Engine, tmp_path_factory: pytest.TempPathFactory) -> Generator[Stack]:
    """The whole of Lectern in containers, healthy."""
    started = Stack(engine, tmp_path_factory.mktemp("clone"), tmp_path_factory.mktemp("programs"))
    try:
        started.start()
        started.create_key()
        yield started
    finally:
        started.compose("down", "-v", seconds=180)


class Library:
    """Requests of a person and an agent to a started Lectern."""

    def __init__(self, stack: Stack) -> None:
        self._stack = stack
        self._http = httpx.Client(base_url=f"{stack.ui_url}/api/v1", timeout=60)

    def sign_in(self) -> None:
        credentials = {"email": ADMIN_EMAIL, "password": self._stack.password, "use_cookies": False}
        token = self._json("POST", "/auth/sign-in", json=credentials)["access_token"]
        self._http.headers["Authorization"] = f"Bearer {token}"

    def close(self) -> None:
        self._http.close()

    def upload(self, file: Path) -> str:
        """The id of the document; it is read in the background."""
        with file.open("rb") as opened:
            answer = self._json("POST", "/documents", files={"files": (file.name, opened)})
        return str(answer["items"][0]["document"]["id"])

    def document(self, document_id: str) -> dict[str, Any]:
        return self._json("GET", f"/documents/{document_id}")

    def wait_until_ready(self, document_id: str, *, seconds: float = 240) -> None:
        """Until all of the document can be found by meaning too."""
        until = time.monotonic() + seconds
        while (document := self.document(document_id))["status"] != "ready":
            if time.monotonic() > until or document["status"] == "failed":
                pytest.fail(f"{document['filename']}: {document['status']} {document['error']} {document['progress']}")
            time.sleep(1)  # an installation as it is delivered allows 120 requests a minute

    def wait_for_gateway(self, *, seconds: float = 20) -> None:
        """Until nginx has looked up the new address of a restarted API."""
        until = time.monotonic() + seconds
        while self._http.get("/documents").status_code in {502, 504}:
            if time.monotonic() > until:
                pytest.fail(f"nginx does not find the API.\n{self._stack.logs('frontend')}")
            time.sleep(1)

    def first_event(self) -> str:
        """The first line of the stream of events, which goes on for ever."""
        with self._http.stream("GET", "/events", headers={"Accept": "text/event-stream"}) as answer:
            assert answer.status_code == 200
            return next(line for line in answer.iter_lines() if line)

    def count(self) -> int:
        return int(self._json("GET", "/documents")["total"])

    def search(self, query: str) -> list[tuple[str, int]]:
        """Documents and pages found over REST."""
        answer = self._json("POST", "/search", json={"query": query})
        return [(hit["document"], hit["page_number"]) for hit in answer["data"]]

    def search_over_mcp(self, query: str, *, url: str | None = None) -> list[tuple[str, int]]:
        """Documents and pages found by an MCP client with the installation's key."""
        headers = {
            "Authorization": f"Bearer {self._stack.mcp_key}",
            "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": "2025-11-25",
        }
        call = {"name": "search", "arguments": {"query": query}}
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
        answer = httpx.post(url or self._stack.mcp_url, json=message, headers=headers, timeout=60)
        assert answer.status_code == 200, answer.text
        result = json.loads(re.findall(r"^data: (\{.+)$", answer.text, re.MULTILINE)[-1])["result"]
        assert not result.get("isError"), result
        return [(hit["document"], hit["page_number"]) for hit in result["structuredContent"]["data"]]

    def _json(self, method: str, path: str, **arguments: Any) -> dict[str, Any]:
        answer = self._http.request(method, path, **arguments)
        assert answer.is_success, f"{method} {path}: {answer.status_code} {answer.text}\n{self._stack.logs('frontend')}"
        return answer.json()


@pytest.fixture
def library(stack: Stack) -> Generator[Library]:
    signed_in = Library(stack)
    signed_in.sign_in()
    yield signed_in
    signed_in.close()
