"""Threads that compute."""

import os
import sys
import threading


def limit_matrix_threads() -> None:
    """Make NumPy multiply in the calling thread, unless the operator chose a number. Call it before importing NumPy.

    The matrices here are small. Idle threads of OpenBLAS wait in a busy loop, which costs more than they gain.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def lower_priority(niceness: int) -> None:
    """Let other threads go before the calling one. Elsewhere than on Linux it would affect the whole process."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), niceness)
