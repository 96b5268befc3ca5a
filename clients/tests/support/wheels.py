"""Build the wheels of the packages and run programs with them, beside the frameworks of `mcp/tests/clients`."""

import json
import os
import shutil
import subprocess
import sys
import venv
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from install import is_installed, python_of

CLIENTS = Path(__file__).parents[2]
PACKAGES = ("lectern-client", "lectern-langchain", "lectern-llamaindex")
REMEDY = "run: python mcp/tests/clients/install.py"


@dataclass
class Installed:
    """An environment that has the wheels only."""

    python: Path
    wheels: list[Path]

    def variables(self) -> dict[str, str]:
        """Return an environment whose programs see the frameworks too."""
        code = "import sysconfig; print(sysconfig.get_path('purelib'))"
        return plain_environment() | {"PYTHONPATH": run(python_of("retrievers"), "-c", code).strip()}


@dataclass
class Retriever:
    """A retriever of one framework in a process of its own."""

    framework: str
    process: subprocess.Popen[str]

    def run(self, call: dict[str, Any]) -> list[dict[str, Any]]:
        """Return the synchronous and the asynchronous outcome of a call."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(call) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        assert line, "The retriever's process ended; its error is above."
        return json.loads(line)


@contextmanager
def start_retriever(installed: Installed, framework: str) -> Generator[Retriever]:
    """Start the process, which ends with the block."""
    command = [installed.python, CLIENTS / "tests" / "support" / "retrieve.py", framework]
    pipe, variables = subprocess.PIPE, installed.variables()
    with subprocess.Popen(command, env=variables, stdin=pipe, stdout=pipe, text=True) as process:
        yield Retriever(framework, process)


def install_wheels(folder: Path) -> Installed:
    """Build every package and install the wheels into an empty environment, without any index."""
    if not is_installed("retrievers"):
        if os.environ.get("CI", "").lower() == "true":
            pytest.fail(f"LangChain and LlamaIndex must be here in CI; {REMEDY}")
        pytest.skip(f"needs LangChain and LlamaIndex; {REMEDY}")
    wheels = [_build(folder / "sources" / name, name) for name in PACKAGES]
    venv.create(folder / "venv", with_pip=False)
    python = folder / "venv" / "bin" / "python"
    pip = (sys.executable, "-m", "pip", "--python", python, "install", "--no-index", "--no-deps", "--quiet")
    run(*pip, *wheels)
    return Installed(python, wheels)


def _build(sources: Path, name: str) -> Path:
    shutil.copytree(CLIENTS / name, sources, ignore=shutil.ignore_patterns("__pycache__", "dist"))
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", cwd=sources)
    (wheel,) = (sources / "dist").glob("*.whl")
    return wheel


def plain_environment() -> dict[str, str]:
    """Return the variables that every program needs."""
    return {name: os.environ.get(name, "") for name in ("PATH", "HOME")}


def run(*command: str | Path, cwd: Path | None = None) -> str:
    """Return the output of a program that has succeeded."""
    done = subprocess.run(command, cwd=cwd, env=plain_environment(), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-4_000:]
    return done.stdout
