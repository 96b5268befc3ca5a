"""Start, time, read and kill the confined children; the side of the parent."""

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import AsyncGenerator, Iterator, Mapping
from pathlib import Path
from typing import Final

from lectern.extraction.errors import Corrupt, ExtractionFailed, FileTooLarge, TimedOut
from lectern.extraction.kernel import adopt_orphans
from lectern.extraction.sandbox.codec import FAILURE, HEADER, MALFORMED, MAX_FRAME_BYTES, Frame, unpack_failure
from lectern.extraction.sandbox.confinement import MAX_WAIT_FACTOR

_MIN_SECONDS: Final = 0.05
_OUT_OF_TIME: Final = {signal.SIGXCPU, signal.SIGALRM}
_OUT_OF_MEMORY: Final = {signal.SIGKILL, signal.SIGABRT, signal.SIGTRAP, signal.SIGILL}
_running: Final[set[int]] = set()


async def start_process(
    module: str, *arguments: str, environment: Mapping[str, str] | None = None
) -> asyncio.subprocess.Process:
    """Start a fresh interpreter that runs `module`, with this import path and otherwise only `environment`.

    The environment holds secrets. The module confines itself before it opens anything.
    """
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-s", "-P", "-X", "utf8", "-m", module, *arguments),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env={
            "PYTHONPATH": os.pathsep.join(entry for entry in sys.path if entry),
            "OPENBLAS_NUM_THREADS": "1",
            "MALLOC_ARENA_MAX": "2",
            **(environment or {}),
        },
        start_new_session=True,
    )
    _running.add(process.pid)
    adopt_orphans(is_on=True)
    return process


async def kill_process(process: asyncio.subprocess.Process) -> None:
    """Kill the process and all that it started, and wait for their end.

    `process.kill` polls first, and then takes the exit code away from asyncio. Signal by number instead.
    """
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    await process.wait()
    _running.discard(process.pid)
    # Its group cannot be signalled now, because the number may be taken. What it left behind is a child of ours.
    for survivor in _find_children(session=process.pid):
        os.kill(survivor, signal.SIGKILL)
        await asyncio.to_thread(os.waitpid, survivor, 0)
    if not _running:
        adopt_orphans(is_on=False)


def _find_children(*, session: int) -> Iterator[int]:
    """Yield the children of this process in a session. A confined process cannot leave its session."""
    for thread in Path("/proc/self/task").glob("*"):  # empty where there is no /proc
        for pid in _read_children(thread):
            with contextlib.suppress(ProcessLookupError):
                if os.getsid(pid) == session:
                    yield pid


def _read_children(thread: Path) -> list[int]:
    """Return the children of a thread. One that has ended has none, because the kernel gives them to another thread."""
    try:
        return [int(pid) for pid in (thread / "children").read_text().split()]
    except (FileNotFoundError, ProcessLookupError):
        return []


async def send(process: asyncio.subprocess.Process, *parts: bytes) -> None:
    """Write to the standard input of a child. Raises ConnectionError."""
    assert process.stdin is not None
    for part in parts:
        process.stdin.write(part)
        await process.stdin.drain()


async def read_frame(process: asyncio.subprocess.Process, *, max_bytes: int = MAX_FRAME_BYTES) -> Frame:
    """Read the next frame of a child.

    Raises:
        FileTooLarge: The frame is larger than allowed.
        asyncio.IncompleteReadError: The child ended.
    """
    stdout = process.stdout
    assert stdout is not None
    kind, head_bytes, body_bytes = HEADER.unpack(await stdout.readexactly(HEADER.size))
    if head_bytes + body_bytes > max_bytes:
        raise FileTooLarge("The result is larger than the limits allow.")
    return Frame(kind, await stdout.readexactly(head_bytes), await stdout.readexactly(body_bytes))


async def run_task(
    module: str,
    task: bytes,
    *,
    doing: str,
    max_seconds: float,
    is_fair: bool = False,
    max_bytes: int = MAX_FRAME_BYTES,
    environment: Mapping[str, str] | None = None,
) -> Frame:
    """Send a task to a fresh child and return its answer of one frame. Cancelling the call kills the child.

    `doing` is what errors name, such as "Drawing the page". `is_fair` counts time as `fair_timeout` does.
    Raises any of `errors.FAILURES`. A crash of the child becomes one of them.
    """
    process = await start_process(module, environment=environment)
    try:
        async with fair_timeout(max_seconds, process.pid) if is_fair else asyncio.timeout(max_seconds):
            return await _exchange(process, task, doing=doing, max_bytes=max_bytes)
    except TimeoutError as error:
        message = f"{doing} took longer than {max_seconds:g} seconds."
        raise TimedOut(message, details={"max_seconds": max_seconds}) from error
    finally:
        await kill_process(process)


async def _exchange(process: asyncio.subprocess.Process, task: bytes, *, doing: str, max_bytes: int) -> Frame:
    assert process.stdin is not None
    try:
        await send(process, task)
        process.stdin.close()
        frame = await read_frame(process, max_bytes=max_bytes)
        if frame.kind == FAILURE:
            raise unpack_failure(frame)
    except (asyncio.IncompleteReadError, ConnectionError) as error:
        raise crash(await process.wait(), doing) from error
    except MALFORMED as error:
        raise malformed(doing) from error
    return frame


def malformed(doing: str) -> Corrupt:
    """Return the failure of a child whose answer cannot be read."""
    return Corrupt(f"{doing} yielded a malformed message.")


def crash(code: int, doing: str) -> ExtractionFailed:
    """Return the failure of a child that ended with this code while `doing` something, such as "Drawing the page"."""
    if -code in _OUT_OF_TIME:
        return TimedOut(f"{doing} took too long.")
    if -code in _OUT_OF_MEMORY:
        return FileTooLarge(f"{doing} needs more memory than the limit allows.")
    return Corrupt(f"{doing} failed: the file is damaged and its reader crashed.")


@contextlib.asynccontextmanager
async def fair_timeout(seconds: float, pid: int) -> AsyncGenerator[None]:
    """Act as `asyncio.timeout(seconds)`, but do not count the time in which `pid` waits for a processor.

    Linux reports that time in nanoseconds (`/proc/PID/schedstat`, second number). Elsewhere all time counts.
    Raises TimeoutError.
    """
    loop = asyncio.get_running_loop()
    began, waited_before = loop.time(), run_queue_seconds(pid)
    async with asyncio.timeout(None) as limit:

        def check() -> None:
            nonlocal alarm
            waited = max(0.0, run_queue_seconds(pid) - waited_before)
            until = began + seconds + min(waited, (MAX_WAIT_FACTOR - 1) * seconds)
            if until - loop.time() > _MIN_SECONDS:
                alarm = loop.call_at(until, check)
            else:
                limit.reschedule(loop.time())

        alarm = loop.call_later(seconds, check)
        try:
            yield
        finally:
            alarm.cancel()


def run_queue_seconds(pid: int) -> float:
    """Return how long a process has waited for a processor; 0 when unknown."""
    try:
        return int(Path(f"/proc/{pid}/schedstat").read_text().split()[1]) / 1e9
    except (OSError, IndexError):
        return 0.0
