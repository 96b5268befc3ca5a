"""Spare the garbage collector what a process loads when it starts."""

import gc
from collections.abc import Generator
from contextlib import contextmanager


@contextmanager
def loading() -> Generator[None]:
    """Import modules without looking for garbage among their objects, which stay until the end."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
