"""The process that chunks documents: a task on standard input, its answer on standard output, until the input ends."""

import ctypes
import os
import pickle
import resource
import signal
import sys
import traceback
from typing import Any, BinaryIO, Final

from lectern.chunking.chunker import chunk_document
from lectern.ingestion.cutting import LENGTH

_PR_SET_PDEATHSIG: Final = 1


def main() -> None:
    """Answer tasks one after the other."""
    max_memory_bytes, parent_pid = map(int, sys.argv[1:3])
    _die_with_parent(parent_pid)
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (max_memory_bytes, hard))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    tasks = sys.stdin.buffer
    with os.fdopen(os.dup(1), "wb") as answers:
        os.dup2(2, 1)  # what a library prints goes nowhere near the answers
        while header := tasks.read(LENGTH.size):
            answer = pickle.dumps(_answer(tasks, *LENGTH.unpack(header)))
            answers.write(LENGTH.pack(len(answer)))
            answers.write(answer)
            answers.flush()


def _die_with_parent(parent_pid: int) -> None:
    """A text that takes for ever must not outlive the parent that would have ended it."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent_pid:
        os._exit(1)


def _answer(tasks: BinaryIO, length: int) -> tuple[str, Any]:
    try:
        document, options = pickle.loads(tasks.read(length))  # noqa: S301 - written by our parent
        return "chunked", chunk_document(document, options=options)
    except MemoryError:
        return "memory", None
    except Exception:  # noqa: BLE001 - handed to the parent, which logs it and fails the document
        return "error", traceback.format_exc()


if __name__ == "__main__":
    main()
