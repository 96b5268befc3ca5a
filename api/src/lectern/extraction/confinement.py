"""What a process that opens a stranger's file does first: bound itself, keep its output, end with its parent."""

import ctypes
import math
import os
import resource
import signal
import sys
from typing import BinaryIO, Final

_PR_SET_PDEATHSIG: Final = 1
_PR_SET_NO_NEW_PRIVS: Final = 38
_OPEN_FILES: Final = 64


def private_output() -> BinaryIO:
    """Standard output under another number; what a library prints goes nowhere near the frames."""
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return output


def die_with_parent(parent_pid: int) -> None:
    """Ask the kernel for SIGKILL when the parent ends, and leave at once if it already has."""
    if sys.platform == "linux":
        libc = ctypes.CDLL(None)
        libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    if os.getppid() != parent_pid:
        os._exit(1)


def confine(*, max_memory_bytes: int, max_seconds: float) -> None:
    """Limit memory, processor and wall time, file writes and open files; leave no core dump."""
    seconds = math.ceil(max_seconds)
    for kind, limit in (
        (resource.RLIMIT_AS, max_memory_bytes),
        (resource.RLIMIT_CPU, seconds + 1),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_NOFILE, _OPEN_FILES),
    ):
        _lower(kind, limit)
    # the parent keeps the time; this ends an orphan where the kernel offers no parent-death signal
    signal.alarm(seconds + 5)


def _lower(kind: int, limit: int) -> None:
    _, hard = resource.getrlimit(kind)
    allowed = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
    resource.setrlimit(kind, (allowed, allowed))
