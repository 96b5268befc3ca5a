"""Check that the sandbox holds on this machine: start a confined child that tries to break out.

Kernel and container decide what can be enforced, so the check tries each restriction. The attempts change nothing
where they succeed.
"""

import ctypes
import errno
import json
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from lectern.extraction.kernel import Enforcement, libc
from lectern.extraction.programs import find_tesseract
from lectern.extraction.sandbox.confinement import confine, die_with_parent
from lectern.extraction.types import OcrEngine

_MAX_MEMORY_BYTES: Final = 1_073_741_824
_MAX_SECONDS: Final = 20.0
_GIVEN, _OTHER = "given", "other"
_SHELL: Final = "/bin/sh"
_NEW_USER_NAMESPACE: Final = 0x10000000
_IO_URING_SETUP, _FSOPEN, _PIDFD_OPEN = 425, 430, 434
MEANINGS: Final = {
    "network": "no network",
    "writing": "no file is written, changed or removed",
    "reading": "no file is read but the one given and the interpreter's own",
    "programs": "no program is started",
    "processes": "no process is started, signalled, traced or limited",
    "kernel": "no shared memory, namespaces, mounts or other kernel interfaces",
    "privileges": "no capabilities",
}


@dataclass(frozen=True, slots=True)
class Confinement:
    """The restrictions that hold for a child with an untrusted file, besides memory and time limits.

    `landlock` and `seccomp` are the answers of the kernel to the two layers behind most of them.
    """

    network: bool = False
    writing: bool = False
    reading: bool = False
    programs: bool = False
    processes: bool = False
    kernel: bool = False
    privileges: bool = False
    landlock: Enforcement = Enforcement.UNSUPPORTED
    seccomp: Enforcement = Enforcement.UNSUPPORTED

    @property
    def missing(self) -> list[str]:
        """Return the restrictions that do not hold, in words."""
        return [meaning for name, meaning in MEANINGS.items() if not getattr(self, name)]


def find_confinement() -> Confinement | None:
    """Return what holds on this machine; None when the check cannot run (no temporary folder, timeout)."""
    try:
        return check_confinement()
    except (OSError, subprocess.SubprocessError, ValueError):
        return None


@cache
def check_confinement() -> Confinement:
    """Start confined children that try each restriction. The result is cached for this process.

    Raises OSError, subprocess.SubprocessError, ValueError.
    """
    with tempfile.TemporaryDirectory(prefix="lectern-") as folder:
        for name in (_GIVEN, _OTHER):
            Path(folder, name).write_text(name)
        found = _run_child(folder, "parsing")
        if sorted(os.listdir(folder)) != [_GIVEN, _OTHER]:  # noqa: PTH208 - names are wanted
            found["writing"] = False
        if find_tesseract(OcrEngine.AUTO) and not _run_child(folder, "recognition").get("programs"):
            found["programs"] = False
    found |= {name: Enforcement(found[name]) for name in ("landlock", "seccomp") if name in found}
    return Confinement(**found)


def _run_child(folder: str, kind: str) -> dict[str, Any]:
    done = subprocess.run(  # noqa: S603 - this interpreter
        [sys.executable, "-s", "-P", "-m", __name__, kind, folder, str(os.getpid())],
        env={"PYTHONPATH": os.pathsep.join(entry for entry in sys.path if entry)},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        timeout=_MAX_SECONDS,
        check=False,
    )
    return json.loads(done.stdout) if done.returncode == 0 else {}


def main() -> None:
    """Confine this process, and report which attempts were refused; the child."""
    kind, folder, parent_pid = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
    is_recognition = kind == "recognition"
    die_with_parent(parent_pid)
    layers = confine(
        max_memory_bytes=_MAX_MEMORY_BYTES,
        max_seconds=_MAX_SECONDS,
        file=folder / _GIVEN,
        may_thread=is_recognition,
        program=find_tesseract(OcrEngine.AUTO) if is_recognition else None,
    )
    (folder / _GIVEN).read_bytes()  # this one is allowed
    attempts = {"programs": (_start_shell,)} if is_recognition else _attempts(folder, parent_pid)
    refused = {name: all(_is_refused(attempt) for attempt in tried) for name, tried in attempts.items()}
    sys.stdout.write(json.dumps(refused | {"landlock": layers.landlock, "seccomp": layers.seccomp}))


def _attempts(folder: Path, parent_pid: int) -> dict[str, tuple[Callable[[], object], ...]]:
    given, other = folder / _GIVEN, folder / _OTHER
    return {
        "network": (
            lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM),
            lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM),
            lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM),
        ),
        "writing": (
            (folder / "new").touch,
            given.unlink,
            lambda: given.rename(folder / "moved"),
            lambda: os.truncate(given, 0),
        ),
        "reading": (other.read_bytes, lambda: list(folder.iterdir())),
        "programs": (_start_shell,),
        "processes": (
            _fork,
            lambda: os.kill(parent_pid, 0),
            lambda: os.setpriority(os.PRIO_PROCESS, parent_pid, os.getpriority(os.PRIO_PROCESS, parent_pid)),
            lambda: os.sched_setaffinity(parent_pid, os.sched_getaffinity(parent_pid)),
            lambda: _call("prlimit", parent_pid, 7, None, ctypes.byref((ctypes.c_uint64 * 2)())),
            lambda: _call("syscall", _PIDFD_OPEN, parent_pid, 0),
        ),
        "kernel": (
            lambda: _call("shmctl", _call("shmget", 0, 4096, 0o600), 0, None),
            lambda: _call("unshare", _NEW_USER_NAMESPACE),
            lambda: _call("syscall", _IO_URING_SETUP, 1, ctypes.byref((ctypes.c_uint32 * 30)())),
            lambda: _call("syscall", _FSOPEN, b"tmpfs", 0),
            lambda: _call("inotify_init1", 0),
            lambda: _call("memfd_create", b"lectern", 0),
        ),
        "privileges": (_use_capability,),
    }


def _call(name: str, *arguments: object) -> int:
    """Call a function of the C library. Raises OSError."""
    result = getattr(libc(), name)(*arguments)
    if result == -1:
        raise OSError(ctypes.get_errno(), name)
    return result


def _start_shell() -> None:
    os.waitpid(os.posix_spawn(_SHELL, [_SHELL, "-c", ":"], {}), 0)


def _fork() -> None:
    if os.fork() == 0:
        os._exit(0)


def _use_capability() -> None:
    status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    if not int(status["CapEff"], 16) & ~(1 << 2):  # the one to read files, which Landlock bounds, may be left
        raise PermissionError


def _is_refused(attempt: Callable[[], object]) -> bool:
    try:
        attempt()
    except OSError as error:
        return isinstance(error, PermissionError) or error.errno == errno.ENOSYS
    return False


if __name__ == "__main__":
    main()
