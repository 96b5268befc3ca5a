"""Threads of the libraries that compute."""

import os


def limit_matrix_threads() -> None:
    """Make NumPy multiply in the calling thread, unless the operator chose a number. Call it before importing NumPy.

    The matrices here are small. Idle threads of OpenBLAS wait in a busy loop, which costs more than they gain.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
