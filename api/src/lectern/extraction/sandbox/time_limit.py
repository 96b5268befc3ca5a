"""A limit on the time a child process takes, in which it does not pay for the others' work on a busy machine."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

MAX_WAIT_FACTOR: Final = 10
"""A limit of n seconds ends after this many times n seconds, however long the process had to wait."""
_LEAST_SECONDS: Final = 0.05


@asynccontextmanager
async def fair_timeout(seconds: float, pid: int) -> AsyncGenerator[None]:
    """As `asyncio.timeout(seconds)`, but the time in which `pid` was ready to run and got no processor does not count.

    Linux tells that time in nanoseconds (`/proc/PID/schedstat`, the second figure); elsewhere all time counts.
    Raises TimeoutError.
    """
    loop = asyncio.get_running_loop()
    began, waited_before = loop.time(), run_queue_seconds(pid)
    async with asyncio.timeout(None) as limit:

        def look() -> None:
            nonlocal alarm
            waited = max(0.0, run_queue_seconds(pid) - waited_before)
            until = began + seconds + min(waited, (MAX_WAIT_FACTOR - 1) * seconds)
            if until - loop.time() > _LEAST_SECONDS:
                alarm = loop.call_at(until, look)
            else:
                limit.reschedule(loop.time())

        alarm = loop.call_later(seconds, look)
        try:
            yield
        finally:
            alarm.cancel()


def run_queue_seconds(pid: int) -> float:
    """How long a process has waited for a processor; 0 when it is gone or the system does not tell."""
    try:
        return int(Path(f"/proc/{pid}/schedstat").read_text().split()[1]) / 1e9
    except (OSError, IndexError):
        return 0.0
