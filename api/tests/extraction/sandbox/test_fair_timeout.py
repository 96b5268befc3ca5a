"""A process that waits for a processor is not late; one that takes too long is."""

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
    """A process that may use one processor only."""
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


async def test_a_process_that_sleeps_is_out_of_time_at_the_limit(processor: int) -> None:
    async with process(ASLEEP, processor=processor) as pid:
        began = time.monotonic()
        with pytest.raises(TimeoutError):
            async with fair_timeout(0.5, pid):
                await asyncio.sleep(30)
        assert 0.5 <= time.monotonic() - began < 10


async def test_the_time_that_a_process_waits_for_its_processor_does_not_count(processor: int) -> None:
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


async def test_the_extended_time_limit_has_an_end(processor: int, monkeypatch: pytest.MonkeyPatch) -> None:
    ever_more = itertools.count(step=10**9)
    monkeypatch.setattr(module, "run_queue_seconds", lambda _: next(ever_more))  # pyright: ignore[reportUnknownLambdaType, reportUnknownArgumentType]
    async with process(ASLEEP, processor=processor) as pid:
        began = time.monotonic()
        with pytest.raises(TimeoutError):
            async with fair_timeout(0.1, pid):
                await asyncio.sleep(60)
        assert 1.0 <= time.monotonic() - began < 20


async def test_what_ends_in_time_is_left_alone() -> None:
    async with fair_timeout(0.2, os.getpid()):
        await asyncio.sleep(0)
    await asyncio.sleep(0.4)


def test_a_process_that_is_gone_has_not_waited() -> None:
    assert run_queue_seconds(2**22 + 1) == 0.0
