"""Start child processes that end with their parent, whatever ends the parent.

Two mechanisms work together. The kernel signals a child when the thread that started it ends (Linux only). The watchdog
is a small process that reads a pipe. When the pipe closes, it ends the process groups that it watches.

The file is also a script without imports from Lectern: it runs before Lectern's files are known to be readable, and
in place of a `preexec_fn`, which is unsafe with threads.

    python -I -S children.py watch
    python -I -S children.py launch PARENT SIGNAL UID GID PROGRAM ARGUMENT...
"""

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Final

SCRIPT: Final = Path(__file__).resolve()
POSTGRES_ENVIRONMENT: Final = {"LC_ALL": "C", "TZ": "UTC", "PATH": os.defpath}  # none of our variables, no secrets
GRACE_SECONDS: Final = 6.0
_POLL_SECONDS: Final = 0.05
_PR_SET_PDEATHSIG: Final = 1


class Watchdog:
    """Ends the registered process groups when this process is gone."""

    def __init__(self) -> None:
        self._children: dict[int, subprocess.Popen[bytes]] = {}
        self._process = subprocess.Popen(  # noqa: S603 - this very file
            [sys.executable, "-I", "-S", str(SCRIPT), "watch"],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            start_new_session=True,
            cwd="/",
            text=True,
        )

    @property
    def pid(self) -> int:
        return self._process.pid

    def watch(self, child: subprocess.Popen[bytes], *, first: int, last: int) -> None:
        """Register the group of `child`. It gets the signal `first`, and `last` if it is still alive after a while."""
        self._children[child.pid] = child
        self._send(f"watch {child.pid} {int(first)} {int(last)}")

    def forget(self, pid: int) -> None:
        """Unregister a process that has ended. The system may give its id to another."""
        self._children.pop(pid, None)
        self._send(f"forget {pid}")

    def close(self) -> None:
        """End the watchdog and everything it still watches."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        while self._process.poll() is None:
            for child in self._children.values():
                child.poll()  # reaps it: a child that has ended stays in its group until then
            time.sleep(_POLL_SECONDS)

    def _send(self, line: str) -> None:
        if self._process.stdin is not None and not self._process.stdin.closed:
            with contextlib.suppress(BrokenPipeError):  # the watchdog was killed; the kernel's signal remains
                self._process.stdin.write(line + "\n")
                self._process.stdin.flush()


def spawn(
    command: Sequence[str | Path],
    *,
    watchdog: Watchdog,
    environment: Mapping[str, str],
    output: int | IO[bytes],
    death_signals: tuple[int, int],
    user: tuple[int, int] = (-1, -1),
    folder: Path = Path("/"),
) -> subprocess.Popen[bytes]:
    """Start `command` (an absolute path first) with standard output and errors going to `output`.

    When this process dies, the child's group gets the first of `death_signals`, then the second. `user` is the user and
    group id to run as. Call it on the main thread, because the kernel watches the *thread* that started the child.
    """
    launch = [sys.executable, "-I", "-S", str(SCRIPT), "launch", str(os.getpid()), str(int(death_signals[0]))]
    child = subprocess.Popen(  # noqa: S603 - programs that the supervisor names
        [*launch, *map(str, user), *map(str, command)],
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT,
        env=dict(environment),
        cwd=folder,
        start_new_session=True,
    )
    watchdog.watch(child, first=death_signals[0], last=death_signals[1])
    return child


def _launch(arguments: Sequence[str]) -> None:
    """Become PROGRAM under another account, with the kernel's death signal set. The process id stays the same."""
    parent, death_signal, uid, gid = (int(value) for value in arguments[:4])
    program = list(arguments[4:])
    libc = ctypes.CDLL(None)  # load it while its file can be read
    if gid >= 0:
        os.setgroups([])
        os.setgid(gid)
    if uid >= 0:
        os.setuid(uid)
    if sys.platform == "linux":
        libc.prctl(_PR_SET_PDEATHSIG, death_signal, 0, 0, 0)  # after setuid, which would clear it
    if os.getppid() != parent:  # the parent died before the signal was set
        sys.exit(1)
    os.execv(program[0], program)  # noqa: S606 - the parent names the program; there is no shell


def _watch() -> None:
    """Read registrations until the parent is gone, then end what is registered."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    watched: dict[int, tuple[int, int]] = {}
    for line in sys.stdin:
        order, pid, *signals = line.split()
        if order == "watch":
            watched[int(pid)] = (int(signals[0]), int(signals[1]))
        else:
            watched.pop(int(pid), None)
    for pid, (first, _) in watched.items():
        _signal_group(pid, first)
    alive = set(watched)
    deadline = time.monotonic() + GRACE_SECONDS
    while alive and time.monotonic() < deadline:
        time.sleep(_POLL_SECONDS)
        alive = {pid for pid in alive if _is_alive(pid)}
    for pid in alive:  # the system may have given the number of one that ended to another program
        _signal_group(pid, watched[pid][1])


def _signal_group(group: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)


def _is_alive(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except (ProcessLookupError, PermissionError):
        return False
    return True


if __name__ == "__main__":
    if sys.argv[1] == "launch":
        _launch(sys.argv[2:])
    else:
        _watch()
