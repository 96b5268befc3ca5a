"""Reading a file in a process of its own, so that no file can hang, exhaust or kill the worker."""

import asyncio
import contextlib
import math
import os
import re
import signal
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

from lectern.extraction.errors import Corrupt, ExtractionFailed, FileTooLarge, TimedOut
from lectern.extraction.registry import assemble, get_extractor
from lectern.extraction.sandbox import wire
from lectern.extraction.sandbox.time_limit import fair_timeout
from lectern.extraction.types import DocumentMetadata, ExtractedDocument, ExtractedPage, ExtractionLimits, OcrRequest

OnProgress = Callable[[int, int], Awaitable[None]]
"""Awaited with the page just read and the page count."""

_PROGRESS_SECONDS = 0.2
_WATCH_SECONDS = 0.05
_VM_PEAK = re.compile(r"^VmPeak:\s+(\d+) kB", re.MULTILINE)
_FRAME_OVERHEAD_BYTES = 65_536
_BYTES_PER_CHARACTER = 40
_MEMORY_SHARE = 0.5
_OUT_OF_TIME = {signal.SIGXCPU, signal.SIGALRM}
_GAVE_UP = {signal.SIGABRT, signal.SIGTRAP, signal.SIGILL}
"""How PDFium ends when memory is refused to it; a damaged file ends in SIGSEGV or SIGBUS."""


async def extract_in_child(
    path: Path,
    content_type: str,
    *,
    limits: ExtractionLimits,
    password: str | None = None,
    on_progress: OnProgress | None = None,
) -> ExtractedDocument:
    """Read a file in a fresh process that may use no more than `limits`, and is killed when this call is cancelled.

    `on_progress` is awaited with (page_number, page_count) at most five times a second and for the last page.
    Raises any of `errors.FAILURES`; whatever kills the child becomes one of them.
    """
    pages: list[ExtractedPage] = []
    facts = await read_in_child(
        path, content_type, limits=limits, password=password, on_progress=on_progress, pages=pages
    )
    return assemble(content_type, pages, facts)


async def read_in_child(
    path: Path,
    content_type: str,
    *,
    limits: ExtractionLimits,
    pages: list[ExtractedPage],
    password: str | None = None,
    on_progress: OnProgress | None = None,
    recognition: OcrRequest | None = None,
) -> DocumentMetadata:
    """As `extract_in_child`, but pages are added to `pages` as they come: what was read before a failure stays.

    With a `recognition` only its pages are read, by text recognition.
    """
    get_extractor(content_type)
    process = await start_confined("lectern.extraction.sandbox.extraction_child")
    reading = _Reading(process, limits=limits, on_progress=on_progress, pages=pages)
    own_path = os.path.abspath(path)  # noqa: PTH100, ASYNC240 - reads no disk
    task = wire.Task(own_path, content_type, limits, password, os.getpid(), recognition)
    try:
        async with fair_timeout(limits.max_seconds, process.pid):
            return await reading.run(task)
    except TimeoutError as error:
        raise reading.timed_out() from error
    finally:
        await end(process)


async def start_confined(module: str, *arguments: str) -> asyncio.subprocess.Process:
    """A fresh interpreter that runs `module`, with this one's import path and nothing else of its environment.

    Secrets live there. The module bounds itself (see `confinement`) before it opens anything.
    """
    return await asyncio.create_subprocess_exec(
        sys.executable,
        *("-s", "-P", "-X", "utf8", "-m", module, *arguments),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env={
            "PYTHONPATH": os.pathsep.join(entry for entry in sys.path if entry),
            "OPENBLAS_NUM_THREADS": "1",
            "MALLOC_ARENA_MAX": "2",
        },
        start_new_session=True,
    )


async def end(process: asyncio.subprocess.Process) -> None:
    """Kill the process if it still runs, and wait until it is gone.

    By its number: `process.kill` looks first whether it has ended, and takes its exit code from asyncio if it just did.
    """
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGKILL)
    await process.wait()


class _Reading:
    """What has come from a child so far."""

    def __init__(
        self,
        process: asyncio.subprocess.Process,
        *,
        limits: ExtractionLimits,
        on_progress: OnProgress | None,
        pages: list[ExtractedPage],
    ) -> None:
        self.pages = pages
        self._process = process
        self._limits = limits
        self._on_progress = on_progress
        self._page_count = 0
        self._received = 0
        self._peak_bytes = 0
        self._told_at = -math.inf

    def timed_out(self) -> TimedOut:
        """That the child took too long, with how far it came."""
        seconds, read, count = self._limits.max_seconds, len(self.pages), self._page_count
        reached = f" (read {read} of {count} pages)" if count else ""
        details = {"max_seconds": seconds} | ({"pages_read": read, "page_count": count} if count else {})
        return TimedOut(f"Reading the file took longer than {seconds:g} seconds{reached}.", details=details)

    async def run(self, task: wire.Task) -> DocumentMetadata:
        """Give the child its task and collect pages until it is done; raises what went wrong."""
        watching = asyncio.create_task(self._watch_memory())
        try:
            await self._give(task)
            while True:
                frame = await self._next_frame()
                if frame is None:
                    raise self._death(await self._process.wait())
                facts = await self._take(*frame)
                if facts is not None:
                    return facts
        finally:
            watching.cancel()

    async def _give(self, task: wire.Task) -> None:
        stdin = self._process.stdin
        assert stdin is not None
        try:
            stdin.write(wire.write_task(task))
            await stdin.drain()
        except (BrokenPipeError, ConnectionResetError):
            return  # the child is gone already; how it went is told by its exit
        finally:
            stdin.close()

    async def _next_frame(self) -> tuple[bytes, bytes, bytes] | None:
        stdout = self._process.stdout
        assert stdout is not None
        try:
            kind, head_length, body_length = wire.HEADER.unpack(await stdout.readexactly(wire.HEADER.size))
            self._received += head_length + body_length
            if head_length + body_length > wire.MAX_FRAME_BYTES or self._received > self._most_bytes():
                raise FileTooLarge("Reading the file yields more than the limits allow.")
            return kind, await stdout.readexactly(head_length), await stdout.readexactly(body_length)
        except asyncio.IncompleteReadError:
            return None

    def _most_bytes(self) -> int:
        return self._limits.max_characters * _BYTES_PER_CHARACTER + self._limits.max_pages * _FRAME_OVERHEAD_BYTES

    async def _take(self, kind: bytes, head: bytes, body: bytes) -> DocumentMetadata | None:
        try:
            if kind == wire.FACTS:
                return wire.read_facts(head)
            if kind == wire.FAILURE:
                raise wire.read_failure(head)
            page, self._page_count = wire.read_page(head, body)
        except wire.MALFORMED as error:
            raise Corrupt("Reading the file yielded something that makes no sense.") from error
        self.pages.append(page)
        await self._tell(page.page_number)
        return None

    async def _tell(self, page_number: int) -> None:
        now = asyncio.get_running_loop().time()
        if self._on_progress and (now - self._told_at >= _PROGRESS_SECONDS or page_number == self._page_count):
            self._told_at = now
            await self._on_progress(page_number, self._page_count)

    async def _watch_memory(self) -> None:
        """Note the child's peak address space while it lives: nothing else tells why an aborted process aborted."""
        while (peak := _peak_bytes(self._process.pid)) is not None:
            self._peak_bytes = max(self._peak_bytes, peak)
            await asyncio.sleep(_WATCH_SECONDS)

    def _death(self, code: int) -> ExtractionFailed:
        """What the exit of a child without a result means."""
        page = len(self.pages) + 1
        if -code in _OUT_OF_TIME:
            return self.timed_out()
        ran_out = self._peak_bytes > _MEMORY_SHARE * self._limits.max_memory_bytes
        if code == -signal.SIGKILL or (-code in _GAVE_UP and ran_out):
            limit = self._limits.max_memory_bytes / 1_048_576
            return FileTooLarge(
                f"Reading page {page} needs more memory than the limit of {limit:,.0f} MB.",
                hint="Split the file into smaller ones.",
                details={"page_number": page, "max_memory_bytes": self._limits.max_memory_bytes},
            )
        return Corrupt(f"The file is damaged: its reader crashed on page {page}.")


def _peak_bytes(pid: int) -> int | None:
    """The most address space that a process has had so far; None when it is gone or the system does not tell."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return None
    match = _VM_PEAK.search(status)
    return int(match.group(1)) * 1024 if match else None
