"""Confine a process before it opens an untrusted file; the side of the child."""

import ctypes
import math
import os
import resource
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final

from lectern.extraction.sandbox.landlock import restrict_files
from lectern.extraction.sandbox.seccomp import restrict_calls

MAX_WAIT_FACTOR: Final = 10
"""A time limit of n seconds ends after this many times n seconds, however long the process waited for a processor."""

_PR_SET_PDEATHSIG: Final = 1
_PR_SET_NO_NEW_PRIVS: Final = 38
_OPEN_FILES: Final = 64
_LIBRARIES: Final = (
    "/usr", "/bin", "/lib", "/lib64", "/opt/homebrew",
    "/etc/ld.so.cache", "/etc/fonts", "/etc/localtime", "/etc/mime.types",
    "/dev/null", "/dev/zero", "/dev/urandom",
    "/proc/self", "/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/sys", "/sys/devices/system",
)  # fmt: skip


def take_stdout() -> BinaryIO:
    """Return standard output and redirect prints of libraries to standard error, away from the frames."""
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return output


def die_with_parent(parent_pid: int) -> None:
    """Ask the kernel for SIGKILL when the parent ends. Exit now if it has."""
    if sys.platform == "linux":
        libc = ctypes.CDLL(None)
        libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    if os.getppid() != parent_pid:
        os._exit(1)


def confine(
    *,
    max_memory_bytes: int,
    max_seconds: float | None,
    file: Path | None = None,
    data: tuple[Path, ...] = (),
    may_execute: bool = False,
) -> tuple[bool, bool]:
    """Limit memory, time and open files, and let this process read only `file`, `data` and its own libraries.

    It cannot write files or use the network, and starts programs only with `may_execute`. Call after
    `die_with_parent`. Without `max_seconds` the parent alone keeps the time. Returns whether the kernel enforces
    (files by Landlock, calls by seccomp). The resource limits hold everywhere, so no file grows.
    """
    for kind, limit in (
        (resource.RLIMIT_AS, max_memory_bytes),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_NOFILE, _OPEN_FILES),
    ):
        _lower(kind, limit)
    if max_seconds is not None:
        _lower(resource.RLIMIT_CPU, math.ceil(max_seconds) + 1)
        # The parent keeps the time. This ends an orphan on kernels without a parent-death signal.
        signal.alarm(MAX_WAIT_FACTOR * math.ceil(max_seconds) + 5)
    given = (file, *data) if file else data
    has_files = restrict_files((*given, *_own_folders()), may_execute=may_execute)
    return has_files, restrict_calls(may_execute=may_execute)


def _own_folders() -> Iterator[Path]:
    """Yield the folders of this interpreter and its libraries."""
    yield from map(Path, (sys.prefix, sys.exec_prefix, sys.base_prefix, sys.base_exec_prefix))
    yield from (Path(entry) for entry in sys.path if entry)
    yield from map(Path, _LIBRARIES)


def _lower(kind: int, limit: int) -> None:
    _, hard = resource.getrlimit(kind)
    allowed = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
    resource.setrlimit(kind, (allowed, allowed))
