"""Confine a process before it opens an untrusted file; the side of the child."""

import math
import os
import resource
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple

from lectern.extraction.kernel import (
    PR_SET_PDEATHSIG,
    Enforcement,
    drop_capabilities,
    forbid_new_privileges,
    lower_limit,
    prctl,
)
from lectern.extraction.programs import find_loader
from lectern.extraction.sandbox.landlock import restrict_files
from lectern.extraction.sandbox.seccomp import restrict_calls

MAX_WAIT_FACTOR: Final = 10
"""A time limit of n seconds ends after this many times n seconds, however long the process waited for a processor."""

_OPEN_FILES: Final = 64
_OPEN_FILES_WHILE_WRITING: Final = 512
_LIBRARIES: Final = (
    "/usr/lib", "/usr/lib64", "/usr/share", "/usr/local/lib", "/usr/local/share", "/lib", "/lib64",
    "/etc/ld.so.cache", "/etc/fonts", "/etc/localtime", "/etc/mime.types",
    "/dev/null", "/dev/zero", "/dev/urandom",
    "/proc/self", "/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/sys", "/sys/devices/system",
)  # fmt: skip


class Layers(NamedTuple):
    """The layers of the sandbox that the kernel enforces for this process."""

    landlock: Enforcement
    seccomp: Enforcement
    capabilities: Enforcement


def take_stdout() -> BinaryIO:
    """Return standard output and redirect prints of libraries to standard error, away from the frames."""
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return output


def die_with_parent(parent_pid: int) -> None:
    """Ask the kernel for SIGKILL when the parent ends. Exit now if it has."""
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    forbid_new_privileges()
    if os.getppid() != parent_pid:
        os._exit(1)


def confine(
    *,
    max_memory_bytes: int,
    max_seconds: float | None,
    file: Path | None = None,
    data: tuple[Path, ...] = (),
    may_thread: bool = False,
    program: Path | None = None,
    scratch: Path | None = None,
    max_file_bytes: int = 0,
) -> Layers:
    """Limit memory, time and open files, and let this process read only `file`, `data` and its own libraries.

    It cannot use the network or reach other processes. It starts threads with `may_thread`, and no program but
    `program`. It writes no files but those below `scratch`, of at most `max_file_bytes` each. Call after
    `die_with_parent`. Without `max_seconds` the parent alone keeps the time. The resource limits hold everywhere, so
    without `max_file_bytes` no file grows.
    """
    _limit_resources(
        max_memory_bytes, max_seconds, may_start=may_thread or program is not None, max_file_bytes=max_file_bytes
    )
    readable = (*((file, *data) if file else data), *_own_folders())
    executable = (program, find_loader(program)) if program else ()
    landlock = restrict_files(readable, executable=filter(None, executable), writable=(scratch,) if scratch else ())
    may_read_all = landlock is Enforcement.ENFORCED and _needs_to_read_all(readable)
    capabilities = drop_capabilities(may_read_all=may_read_all)
    seccomp = restrict_calls(may_thread=may_thread, may_execute=program is not None, may_write=scratch is not None)
    return Layers(landlock, seccomp, capabilities)


def _needs_to_read_all(readable: tuple[Path, ...]) -> bool:
    """Return whether root needs its capability for files of other accounts. Landlock then decides on reading."""
    folders = {folder for path in readable for folder in (path, *path.parents)}
    return os.geteuid() == 0 and any(folder.exists() and folder.stat().st_uid != 0 for folder in folders)


def _limit_resources(max_memory_bytes: int, max_seconds: float | None, *, may_start: bool, max_file_bytes: int) -> None:
    for kind, limit in (
        (resource.RLIMIT_AS, max_memory_bytes),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, max_file_bytes),
        (resource.RLIMIT_NOFILE, _OPEN_FILES_WHILE_WRITING if max_file_bytes else _OPEN_FILES),
    ):
        lower_limit(kind, limit)
    if not may_start and sys.platform == "linux":
        lower_limit(resource.RLIMIT_NPROC, 0)  # the kernel exempts root
    if max_seconds is not None:
        lower_limit(resource.RLIMIT_CPU, math.ceil(max_seconds) + 1)
        # The parent keeps the time. This ends an orphan on kernels without a parent-death signal.
        signal.alarm(MAX_WAIT_FACTOR * math.ceil(max_seconds) + 5)


def _own_folders() -> Iterator[Path]:
    """Yield the libraries of this interpreter and of the system, without the folders of programs."""
    for prefix in (sys.prefix, sys.exec_prefix, sys.base_prefix, sys.base_exec_prefix):
        yield from (Path(prefix, name) for name in ("lib", "lib64", "share"))
    yield from (Path(entry) for entry in sys.path if entry)
    yield from map(Path, _LIBRARIES)
