"""Build a release: `python api/tools/release.py [FOLDER]`, by default into `dist/`.

It writes the wheels, a bill of materials for each side and `SHA256SUMS`. The same commit gives the same files.
"""

import argparse
import hashlib
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from lectern.cli.services.ui_build import Node, UiNotBuilt, build_ui, find_node
from lectern.errors import LecternError
from lectern.settings import process_environment
from sbom import describe_locks, stable
from versions import REPOSITORY, VersionError, find_differences, read_version

PROJECTS: Final = {
    "lectern": "api",
    "lectern-mcp": "mcp",
    "lectern-client": "clients/lectern-client",
    "lectern-langchain": "clients/lectern-langchain",
    "lectern-llamaindex": "clients/lectern-llamaindex",
}
LOCKS: Final = ("api/requirements.lock", "mcp/requirements.lock")
CHECKSUMS: Final = "SHA256SUMS"


class NotReleasable(LecternError):
    """This clone cannot be released."""

    code = "not_releasable"


def build_release(folder: Path, *, has_changes: bool = False) -> list[Path]:
    """Build everything into `folder` and return its files.

    Raises:
        NotReleasable: The clone has changes that are not committed, or copies of the version differ.
        UiNotBuilt: The web UI could not be built.
    """
    if not has_changes:
        require_committed()
    if differences := find_differences():
        raise NotReleasable(f"Versions differ from {read_version()}: {', '.join(differences)}.")
    build_ui(REPOSITORY)
    folder.mkdir(parents=True, exist_ok=True)
    for old in (*folder.glob("*.whl"), *folder.glob("*.cdx.json")):
        old.unlink()
    epoch = commit_time()
    for path in PROJECTS.values():
        build_wheel(REPOSITORY / path, folder, epoch=epoch)
    write_bills(folder)
    files = sorted((*folder.glob("*.whl"), *folder.glob("*.cdx.json")))
    lines = [f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in files]
    (folder / CHECKSUMS).write_text("".join(lines), encoding="utf-8")
    return [*files, folder / CHECKSUMS]


def require_committed() -> None:
    """Check that every change is committed.

    Raises:
        NotReleasable: A file has changes.
    """
    changed = _output("git", "status", "--porcelain").splitlines()
    if changed:
        raise NotReleasable(f"{changed[0][3:]} is not committed.", hint="Commit it, or build with --with-changes.")


def commit_time() -> str:
    """Return the time of the commit, for all files in the wheels."""
    return process_environment().get("SOURCE_DATE_EPOCH") or _output("git", "log", "-1", "--format=%ct").strip()


def build_wheel(project: Path, folder: Path, *, epoch: str) -> None:
    """Build the wheel of a project with the packages of this environment."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    environment = {**process_environment(), "SOURCE_DATE_EPOCH": epoch}
    environment.pop("PYTHONPATH", None)
    run = subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True, check=False)  # noqa: S603 - our own project
    if run.returncode != 0:
        raise NotReleasable(f"The wheel of {project.name} could not be built: {_last_line(run.stderr)}")


def write_bills(folder: Path) -> None:
    """Write the bills of materials of the Python packages and of the web UI."""
    bill = describe_locks("lectern", read_version(), [REPOSITORY / lock for lock in LOCKS])
    (folder / "lectern.cdx.json").write_text(bill, encoding="utf-8")
    node = find_node()
    if node is None:
        raise UiNotBuilt("The bill of materials of the web UI needs Node 20.19 or 22.12.")
    (folder / "lectern-ui.cdx.json").write_text(stable(json.loads(_npm_bill(node))), encoding="utf-8")


def _npm_bill(node: Node) -> str:
    options = ("sbom", "--sbom-format", "cyclonedx", "--omit", "dev", "--package-lock-only")
    environment = process_environment()
    environment["PATH"] = f"{node.folder}:{environment.get('PATH', '')}"
    frontend = REPOSITORY / "frontend"
    run = subprocess.run(  # noqa: S603 - npm
        [*node.npm, *options], cwd=frontend, env=environment, capture_output=True, text=True, check=False
    )
    if run.returncode != 0:
        raise NotReleasable(f"npm wrote no bill of materials: {_last_line(run.stderr)}")
    return run.stdout


def _output(*command: str) -> str:
    return subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=True).stdout  # noqa: S603 - git


def _last_line(text: str) -> str:
    return (text.strip().splitlines() or ["no message"])[-1]


def _sizes(files: list[Path]) -> Iterator[str]:
    for file in files:
        yield f"{file.stat().st_size:>10}  {file.name}"


def main() -> int:
    parser = argparse.ArgumentParser("release", description="Build wheels, bills of materials and checksums.")
    parser.add_argument("folder", nargs="?", type=Path, default=REPOSITORY / "dist")
    parser.add_argument(
        "--with-changes", action="store_true", help="Build changes that are not committed, to try them."
    )
    options = parser.parse_args()
    try:
        files = build_release(options.folder.resolve(), has_changes=options.with_changes)
    except VersionError as error:
        print(f"release: {error}", file=sys.stderr)
        return 1
    except LecternError as error:
        print(f"release: {error.message} {error.hint or ''}".strip(), file=sys.stderr)
        return 1
    print(*_sizes(files), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
