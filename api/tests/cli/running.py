"""Run Lectern as a user does: commands, and installations under `lectern up`."""

import json
import os
import pty
import re
import signal
import stat
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from tests.cli.prefork import run_forked

from lectern.embedded.host import free_port

LIMIT_SECONDS = 120.0
RESTART_SECONDS = 20.0
READY = "Ctrl-C stops everything."
# Ignore the machine's own settings. The small model makes these installations fast.
READ_AT_START = ("PYTHON", "OTEL_")
OURS = re.compile(r"^(LECTERN_|DATABASE_|MCP_|ADMIN_|JWT_|BACKEND_|OPENAI_|COOKIE_)")


def clean_environment(**changes: str) -> dict[str, str]:
    """Return the environment without Lectern's variables, plus `changes`."""
    inherited = {name: value for name, value in os.environ.items() if not OURS.match(name)}
    ours = {"LECTERN_EMBEDDINGS": "hash:64", "LECTERN_UI_DIR": "/nonexistent", "COLUMNS": "200"}  # nothing is built
    return {**inherited, **ours, **changes}


def lectern(
    *arguments: str, environment: Mapping[str, str] | None = None, stdin: str = ""
) -> subprocess.CompletedProcess[str]:
    """Run a command to its end.

    It is forked from a process that has imported it, unless a variable has a meaning when Python starts.
    """
    changes = environment or {}
    command, variables = [sys.executable, "-m", "lectern", *arguments], clean_environment(**changes)
    if not any(name.startswith(READ_AT_START) for name in changes):
        return subprocess.CompletedProcess(
            command, *run_forked(arguments, environment=variables, stdin=stdin, seconds=LIMIT_SECONDS)
        )
    return subprocess.run(
        command, env=variables, input=stdin, capture_output=True, text=True, timeout=LIMIT_SECONDS, check=False
    )


class Up:
    """A `lectern up` started by a test."""

    def __init__(
        self,
        data: Path,
        *,
        environment: Mapping[str, str] | None = None,
        arguments: tuple[str, ...] = (),
        has_terminal: bool = False,
        program: tuple[str, ...] = (sys.executable, "-m", "lectern"),
        folder: Path | None = None,
    ) -> None:
        self.data = data
        self.port, self.mcp_port = free_port(), free_port()
        self._output, output = pty.openpty() if has_terminal else os.pipe()
        ports = ("--port", str(self.port), "--mcp-port", str(self.mcp_port))
        self.process = subprocess.Popen(
            [*program, "up", "--data-dir", str(data), *ports, *arguments],
            cwd=folder,
            env=clean_environment(**(environment or {})),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        os.close(output)
        self.lines: list[str] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    @property
    def output(self) -> str:
        return "\n".join(self.lines)

    @property
    def mcp_client(self) -> Any:
        """The configuration for MCP clients, from the file that the output names."""
        return json.loads(self._named_file("MCP client  ").read_text())

    @property
    def first_sign_in(self) -> tuple[str, str]:
        """The first administrator's email, and the password from the file that the output names."""
        shown = re.search(r"Sign-in +(\S+), with the password in ", self.output)
        assert shown is not None, self.output
        return shown[1], self._named_file("with the password in ").read_text().strip()

    def _named_file(self, before: str) -> Path:
        shown = re.search(rf"{before}(.+)", self.output)
        assert shown is not None, self.output
        path = Path(shown[1])
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        return path

    def wait_for(self, text: str, *, seconds: float = LIMIT_SECONDS) -> None:
        """Wait until a line contains `text`."""
        is_over = wait_until(lambda: text in self.output or self.process.poll() is not None, seconds=seconds)
        assert is_over, self.output
        assert text in self.output, self.output

    def get(self, path: str) -> int:
        """Return the status of a GET to the API, or 0 without a response."""
        return status_of(urllib.request.Request(f"http://127.0.0.1:{self.port}{path}"))

    def pid_of(self, service: str) -> int:
        """Return the process id of a service, found by its command line. One that restarts has some seconds."""
        wait_until(lambda: self._find(service) is not None, seconds=RESTART_SECONDS)
        found = self._find(service)
        if found is None:
            seen = [f"{pid} of {parent_of(pid)}: {command_of(pid)}" for pid in self.children()]
            raise AssertionError("\n".join([f"no {service} runs below {self.process.pid}", *seen, self.output]))
        return found

    def _find(self, service: str) -> int | None:
        for pid in self.children():
            if parent_of(pid) == self.process.pid and re.search(rf"[ /]{service} ", f"{command_of(pid)} "):
                return pid
        return None

    def has(self, service: str, *, other_than: int) -> bool:
        """Return true if a service runs in another process."""
        return self._find(service) not in {None, other_than}

    def children(self) -> list[int]:
        """Return every process below the supervisor."""
        by_parent: dict[int, list[int]] = {}
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                by_parent.setdefault(parent_of(int(entry.name)), []).append(int(entry.name))
        below = by_parent.get(self.process.pid, [])
        for pid in below:  # it grows by the children of each
            below.extend(by_parent.get(pid, []))
        return sorted(below)

    def stop(self) -> int:
        """Press Ctrl-C and return the exit code."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        code = self.process.wait(LIMIT_SECONDS)
        self._close()
        return code

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        self._close()

    def _close(self) -> None:
        self._reader.join(LIMIT_SECONDS)

    def _read(self) -> None:
        with os.fdopen(self._output, errors="replace") as lines, suppress(OSError):  # how a terminal ends
            for line in lines:
                self.lines.append(line.rstrip("\n"))


StartUp = Callable[..., Up]


def parent_of(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0


def command_of(pid: int) -> str:
    """Return the command line of a process, or nothing if it has ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except OSError:
        return ""


def wait_until(condition: Callable[[], bool], *, seconds: float = LIMIT_SECONDS) -> bool:
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def status_of(request: urllib.request.Request) -> int:
    try:
        with urllib.request.urlopen(request, timeout=5) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        error.close()
        return error.code
    except OSError:
        return 0


def read_json(text: str) -> Any:
    """Return the one JSON value in `text`. Text around it is ignored."""
    start = text.index("{")
    return json.JSONDecoder().raw_decode(text[start:])[0]
