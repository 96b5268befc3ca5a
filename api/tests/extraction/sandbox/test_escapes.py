"""Every attempt to escape is refused in a confined child, and works outside, as root and as an ordinary account."""

import json
import os
import pwd
import shutil
import socket
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

import pytest
from tests.extraction.sandbox.escapes import ATTEMPTS

from lectern.extraction.sandbox.process import kill_process, read_frame, start_process

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the sandbox is of Linux")
NOBODY = pwd.getpwnam("nobody").pw_uid
ACCOUNTS = {"root": 0, "nobody": NOBODY} if os.geteuid() == 0 else {"this account": os.geteuid()}
OF_ROOT = {
    *("load BPF", "join a namespace", "open a file system", "mount", "change the root", "change the owner"),
    *("open by handle", "watch the file system", "move pages"),
}
OF_SETTINGS = {
    *("set up io_uring", "handle page faults", "measure", "make a namespace", "trace", "read memory", "write memory"),
    *("take a descriptor", "load BPF", "set an attribute", "set inode flags", "open a tree"),
}
"""Attempts that many kernels refuse by their age, settings or file system."""
ALLOWED = {
    "parsing": set[str](),
    "recognition": {"fork", "start a thread", "start a program", "read a program"},
    "conversion": {"start a thread", "write into the scratch folder"},
}


@cache
def outcomes(kind: str, uid: int) -> dict[str, str]:
    """Return the outcomes of all attempts of a child of an account."""
    folder = Path(tempfile.mkdtemp(prefix="lectern-escapes-", dir="/tmp"))
    folder.chmod(0o755)
    for name in ("given", "other", "spare"):
        (folder / name).write_text(name)
        os.chown(folder / name, uid, -1)
    (folder / "scratch").mkdir()
    (folder / "scratch" / "moved").touch()
    for path in (folder, folder / "scratch", folder / "scratch" / "moved"):
        os.chown(path, uid, -1)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as datagrams:
        datagrams.bind(str(folder / "datagrams"))
        (folder / "datagrams").chmod(0o777)
        is_root = os.geteuid() == 0
        victim = subprocess.Popen(
            ["/bin/sleep", "60"],
            user=uid if is_root else None,
            group=uid if is_root else None,
            extra_groups=[] if is_root else None,
        )
        try:
            return attempt_all(kind, folder, victim.pid, uid)
        finally:
            victim.kill()
            victim.wait()
            shutil.rmtree(folder)


def attempt_all(kind: str, folder: Path, victim: int, uid: int) -> dict[str, str]:
    stack = next(line for line in Path(f"/proc/{victim}/maps").read_text().splitlines() if line.endswith("[stack]"))
    address = int(stack.partition("-")[0], 16)
    done = subprocess.run(
        [sys.executable, "-sPm", "tests.extraction.sandbox.escapes", kind, folder, *map(str, (victim, address, uid))],
        env={"PYTHONPATH": os.pathsep.join(entry for entry in sys.path if entry)},
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr.decode()
    return json.loads(done.stdout)


@pytest.mark.parametrize("name", ATTEMPTS)
@pytest.mark.parametrize("kind", ALLOWED)
@pytest.mark.parametrize("account", ACCOUNTS)
def test_an_attempt_is_refused_in_the_sandbox_only(account: str, kind: str, name: str) -> None:
    outside, inside = outcomes("free", ACCOUNTS[account])[name], outcomes(kind, ACCOUNTS[account])[name]
    if name in ALLOWED[kind]:
        assert inside == "done"
    else:
        assert inside in {"EPERM", "EACCES", "ENOSYS"}
    # The kernel refuses some attempts to everybody or to ordinary accounts, outside the sandbox too.
    is_refused_anyway = name in OF_SETTINGS or (name in OF_ROOT and ACCOUNTS[account] != 0)
    assert outside == "done" or is_refused_anyway


def test_the_child_of_root_has_no_capability(tmp_path: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("an ordinary account has none")
    code = "from lectern.extraction.sandbox.confinement import *; die_with_parent(os.getppid()); "
    code += "confine(max_memory_bytes=2**31, max_seconds=5, file=Path(sys.argv[1])); "
    code += "print(open('/proc/self/status').read())"
    (tmp_path / "own").touch()
    (tmp_path / "foreign").touch(mode=0o600)
    os.chown(tmp_path / "foreign", NOBODY, NOBODY)
    for name, expected in (("own", 0), ("foreign", 1 << 2)):
        done = subprocess.run([sys.executable, "-c", code, tmp_path / name], capture_output=True, check=True)
        status = dict(line.split(":\t") for line in done.stdout.decode().splitlines() if ":\t" in line)
        sets = {int(status[f"Cap{kind}"], 16) for kind in ("Eff", "Prm", "Bnd")}
        assert sets == {expected}, "the capability to read, which Landlock bounds, for a file of another account"
        assert (int(status["CapInh"], 16), int(status["CapAmb"], 16), status["NoNewPrivs"]) == (0, 0, "1")


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.parametrize("ending", ["stays", "leaves"])
async def test_a_process_that_a_child_leaves_behind_is_killed(ending: str) -> None:
    process = await start_process("tests.extraction.sandbox.leaving_child", ending)
    survivor = int((await read_frame(process)).head)
    if ending == "leaves":
        await process.wait()
    assert is_running(survivor)
    await kill_process(process)
    assert not is_running(survivor)
