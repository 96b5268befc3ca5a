"""A small process that ends its parent's children when the parent is gone, however it went.

The kernel's parent-death signal (see `launch.py`) reaches a child only, once, and only on Linux. The watchdog reaches
whole process groups, insists, and works wherever pipes do: it reads its standard input, which closes with the parent.
Run as a script it imports nothing of Lectern.
"""

import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

GRACE_SECONDS = 6.0


class Watchdog:
    """The parent's end: tell it which process groups to end, and how."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(  # noqa: S603 - this very file
            [sys.executable, "-I", "-S", str(Path(__file__).resolve())],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            start_new_session=True,
            cwd="/",
            text=True,
        )

    @property
    def pid(self) -> int:
        return self._process.pid

    def watch(self, pid: int, *, first: int, last: int) -> None:
        """End the group of `pid` with the signal `first`, and what is left after a while with `last`."""
        self._tell(f"watch {pid} {int(first)} {int(last)}")

    def forget(self, pid: int) -> None:
        """The process has ended; its number may be given to another."""
        self._tell(f"forget {pid}")

    def close(self) -> None:
        """End the watchdog, and whatever it still watches."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        self._process.wait()

    def _tell(self, line: str) -> None:
        if self._process.stdin is not None and not self._process.stdin.closed:
            with contextlib.suppress(BrokenPipeError):  # the watchdog itself was killed: the kernel's signal remains
                self._process.stdin.write(line + "\n")
                self._process.stdin.flush()


def main() -> None:
    """Read orders until the parent is gone, then end what is watched."""
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
        _signal(pid, first)
    deadline = time.monotonic() + GRACE_SECONDS
    while time.monotonic() < deadline and any(_is_alive(pid) for pid in watched):
        time.sleep(0.05)
    for pid, (_, last) in watched.items():
        _signal(pid, last)


def _signal(group: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)


def _is_alive(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except (ProcessLookupError, PermissionError):
        return False
    return True


if __name__ == "__main__":
    main()
