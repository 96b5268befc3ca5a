"""One container with everything: no settings, no privileges, a read-only system, and data that outlive it."""

import json
import secrets
import socket
import subprocess
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from .conftest import BUILD_SECONDS, Engine, Library

ROOT = Path(__file__).parents[3]
POLICY = ROOT / "test-docs" / "documents" / "travel-and-expenses-policy.pdf"
QUESTION, ANSWER = "hotel limit per night in London", ("travel-and-expenses-policy.pdf", 3)
START_SECONDS = 420
HARDENED = ("--read-only", "--tmpfs", "/tmp", "--cap-drop", "ALL", "--security-opt", "no-new-privileges")
pytestmark = [
    pytest.mark.serial,
    pytest.mark.slow,
    pytest.mark.needs("Docker with its compose plugin, or podman with podman-compose"),
    pytest.mark.timeout(2400),
]


class OneContainer:
    """A started container with a volume of its own. It has what `Library` wants to know of a stack."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.name = f"lectern-test-{secrets.token_hex(3)}"
        self.password = self.mcp_key = ""
        ports = [_free_port(), _free_port()]
        self.ui_url, self.mcp_url = f"http://127.0.0.1:{ports[0]}", f"http://127.0.0.1:{ports[1]}/mcp"
        self._published = [f"127.0.0.1:{port}:{inner}" for port, inner in zip(ports, (8000, 8001), strict=True)]

    def build(self) -> None:
        options = ["--network", "host", "--format", "docker"] if self.engine.is_podman else []
        self.run("build", "-q", *options, "-f", "deploy/Dockerfile", "-t", f"localhost/{self.name}", ".")

    def start(self) -> None:
        ports = [part for port in self._published for part in ("-p", port)]
        self.run(
            "run", "-d", "--name", self.name, *HARDENED, *ports, "-v", f"{self.name}:/data", f"localhost/{self.name}"
        )
        self.wait_until_healthy()
        self.password = self.execute("lectern", "first-password").strip()
        client = json.loads(self.execute("cat", "/data/mcp-client.json"))["mcpServers"]["lectern"]
        self.mcp_key = client["headers"]["Authorization"].removeprefix("Bearer ")

    def remove(self) -> None:
        for command in (("rm", "-f", self.name), ("volume", "rm", "-f", self.name)):
            subprocess.run([self.engine.container, *command], capture_output=True, check=False, timeout=120)

    def remove_image(self) -> None:
        command = [self.engine.container, "rmi", "-f", f"localhost/{self.name}"]
        subprocess.run(command, capture_output=True, check=False, timeout=120)

    def run(self, *arguments: str) -> str:
        command = [self.engine.container, *arguments]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=BUILD_SECONDS)
        assert done.returncode == 0, f"{' '.join(arguments)}: {done.stderr[-4000:]}\n{self.logs()}"
        return done.stdout

    def execute(self, *command: str) -> str:
        return self.run("exec", self.name, *command)

    def wait_until_healthy(self) -> None:
        until = time.monotonic() + START_SECONDS
        while not self._is_healthy():
            assert time.monotonic() < until, self.logs()
            time.sleep(1)

    def logs(self, _service: str = "") -> str:
        call = [self.engine.container, "logs", "--tail", "40", self.name]
        done = subprocess.run(call, capture_output=True, text=True, check=False, timeout=60)
        return (done.stdout + done.stderr)[-4000:]

    def _is_healthy(self) -> bool:
        if self.engine.is_podman:  # its own timer needs systemd
            call = ["podman", "healthcheck", "run", self.name]
            return subprocess.run(call, check=False, capture_output=True, timeout=60).returncode == 0
        return self.run("inspect", self.name, "--format", "{{.State.Health.Status}}").strip() == "healthy"


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


@pytest.fixture(scope="module")
def container(engine: Engine) -> Generator[OneContainer]:
    made = OneContainer(engine)
    try:
        made.build()
        made.start()
        yield made
    finally:
        made.remove()
        made.remove_image()


@contextmanager
def signed_in(container: Any) -> Generator[Library]:
    library = Library(container)
    try:
        library.sign_in()
        yield library
    finally:
        library.close()


def test_a_document_is_found_over_rest_and_mcp_and_again_after_a_restart(container: OneContainer) -> None:
    with signed_in(container) as library:
        library.wait_until_ready(library.upload(POLICY))
        assert library.search(QUESTION)[0] == ANSWER

    container.run("stop", "-t", "60", container.name)
    assert container.run("inspect", container.name, "--format", "{{.State.ExitCode}}").strip() == "0"
    container.run("start", container.name)
    container.wait_until_healthy()

    with signed_in(container) as library:
        assert (library.count(), library.search(QUESTION)[0]) == (1, ANSWER)
        assert library.search_over_mcp(QUESTION)[0] == ANSWER


def test_it_runs_without_privileges_and_its_command_is_on_the_path(container: OneContainer) -> None:
    assert container.execute("id", "-u").strip() == "10001"
    assert "CapEff:\t0000000000000000" in container.execute("cat", "/proc/1/status")
    assert container.execute("lectern", "keys", "list").strip()
