"""`lectern worker`: the jobs."""

import asyncio

from lectern.logs import configure_logging
from lectern.settings import load_settings


def worker() -> None:
    """Run jobs against DATABASE_URL until stopped; any number of workers may run."""
    from lectern.worker import run_worker

    settings = load_settings()
    configure_logging(settings.logging)
    asyncio.run(run_worker(settings))
