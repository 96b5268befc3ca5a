"""`lectern worker`: run jobs."""

import asyncio
import os
import sys
from typing import Final

from lectern.cli.garbage import loading
from lectern.logs import configure_logging
from lectern.settings import Settings, load_settings
from lectern.tracing import start_tracing, stop_tracing

NICENESS: Final = 10  # a ninth of the share of others; threads and processes that are started later have it too


def worker() -> None:
    """Run jobs against DATABASE_URL until stopped. Any number of workers may run."""
    run_with(load_settings())


def run_with(settings: Settings) -> None:
    """Run jobs with these settings at a low priority."""
    with loading():
        from lectern.worker import run_worker

    configure_logging(settings.logging)
    start_tracing("worker")
    if sys.platform != "win32":
        os.nice(NICENESS)  # searches come first
    try:
        asyncio.run(run_worker(settings))
    finally:
        stop_tracing()
