"""The process that reads one file: bounded, without secrets, and gone when its parent goes.

Started by `child.extract_in_child` as `python -m lectern.extraction.child_main`; reads a task from standard input,
writes frames (see `wire`) to standard output. Imports are few: this start is paid for every file.
"""

import ctypes
import math
import os
import resource
import signal
import sys
from pathlib import Path
from typing import BinaryIO

from lectern.extraction import wire
from lectern.extraction.errors import ExtractionFailed, FileTooLarge
from lectern.extraction.registry import get_extractor
from lectern.extraction.types import ExtractedPage, ExtractionLimits

_PR_SET_PDEATHSIG = 1
_PR_SET_NO_NEW_PRIVS = 38
_OPEN_FILES = 64


def main() -> None:
    """Read the task, confine this process, read the file, and say what was found or why not."""
    task = wire.read_task(sys.stdin.buffer.read())
    with _private_output() as output:
        _die_with_parent(task.parent_pid)
        _confine(task.limits)
        try:
            _extract(task, output)
        except ExtractionFailed as failure:
            output.write(wire.failure_frame(failure.code, failure.message, failure.hint))
        except MemoryError:
            failure = FileTooLarge("Reading the file needs more memory than the limit allows.")
            output.write(wire.failure_frame(failure.code, failure.message, failure.hint))


def _extract(task: wire.Task, output: BinaryIO) -> None:
    def send(page: ExtractedPage, page_count: int) -> None:
        output.write(wire.page_frame(page, page_count))
        output.flush()

    extract = get_extractor(task.content_type).load()
    facts = extract(Path(task.path), limits=task.limits, password=task.password, on_page=send)
    output.write(wire.facts_frame(facts))


def _private_output() -> BinaryIO:
    """Standard output under another number; what a library prints goes nowhere near the frames."""
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return output


def _die_with_parent(parent_pid: int) -> None:
    """Ask the kernel for SIGKILL when the parent ends, and leave at once if it already has."""
    if sys.platform == "linux":
        libc = ctypes.CDLL(None)
        libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    if os.getppid() != parent_pid:
        os._exit(1)


def _confine(limits: ExtractionLimits) -> None:
    """Limit memory, processor and wall time, file writes and open files; leave no core dump."""
    seconds = math.ceil(limits.max_seconds)
    for kind, limit in (
        (resource.RLIMIT_AS, limits.max_memory_bytes),
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


if __name__ == "__main__":
    main()
