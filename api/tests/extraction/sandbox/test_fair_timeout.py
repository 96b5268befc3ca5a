"""Waiting for a processor does not count towards the timeout. Running does."""

import asyncio
import itertools
import os
import sys
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest

from lectern.extraction.sandbox import process as module
from lectern.extraction.sandbox.process import fair_timeout, run_queue_seconds

BUSY = "while True: pass"
ASLEEP = "import time; time.sleep(60)"


@asynccontextmanager
async def process(code: str, *, processor: int) -> AsyncGenerator[int]:
    """A process limited to one processor."""
    text = f"import os; os.sched_setaffinity(0, {{{processor}}})\nprint('ready', flush=True)\n{code}"
    made = await asyncio.create_subprocess_exec(sys.executable, "-c", text, stdout=asyncio.subprocess.PIPE)
    try:
        assert made.stdout is not None
        await made.stdout.readline()
        yield made.pid
    finally:
        made.kill()
        await made.wait()


@pytest.fixture
def processor() -> int:
    if not hasattr(os, "sched_getaffinity"):
        pytest.skip("needs Linux: binds processes to a processor")
    return min(os.sched_getaffinity(0))


async def test_sleeping_process_times_out_at_the_limit(processor: int) -> None:
    async with process(ASLEEP, processor=processor) as pid:
        began = time.monotonic()
        with pytest.raises(TimeoutError):
            async with fair_timeout(0.5, pid):
                await asyncio.sleep(30)
        assert 0.5 <= time.monotonic() - began < 10


async def test_time_waiting_for_a_processor_does_not_count(processor: int) -> None:
    async with (
        process(BUSY, processor=processor),
        process(BUSY, processor=processor),
        process(BUSY, processor=processor) as pid,
    ):
        before, began = run_queue_seconds(pid), time.monotonic()
        with pytest.raises(TimeoutError):
            async with fair_timeout(1.0, pid):
                await asyncio.sleep(60)
        waited = run_queue_seconds(pid) - before
        assert waited > 0.5, "three share one processor: each waits two thirds of the time"
        assert time.monotonic() - began > 1.0 + 0.8 * waited


async def test_extended_time_limit_is_bounded(processor: int, monkeypatch: pytest.MonkeyPatch) -> None:
    ever_more = itertools.count(step=10**9)
    monkeypatch.setattr(module, "run_queue_seconds", lambda _: next(ever_more))  # pyright: ignore[reportUnknownLambdaType, reportUnknownArgumentType]
    async with process(ASLEEP, processor=processor) as pid:
        began = time.monotonic()
        with pytest.raises(TimeoutError):
            async with fair_timeout(0.1, pid):
                await asyncio.sleep(60)
        assert 1.0 <= time.monotonic() - began < 20


async def test_process_that_ends_in_time_is_not_killed() -> None:
    async with fair_timeout(0.2, os.getpid()):
        await asyncio.sleep(0)
    await asyncio.sleep(0.4)


def test_ended_process_has_no_waiting_time() -> None:
    assert run_queue_seconds(2**22 + 1) == 0.0
