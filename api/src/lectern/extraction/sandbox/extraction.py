"""Read a file in a confined process, so that no file can hang, exhaust or kill the worker."""

import asyncio
import contextlib
import logging
import math
import os
import re
import signal
from collections.abc import Awaitable, Callable
from pathlib import Path

from lectern.extraction.errors import Corrupt, ExtractionFailed, FileTooLarge, TimedOut
from lectern.extraction.registry import assemble, get_extractor
from lectern.extraction.sandbox import codec
from lectern.extraction.sandbox.extraction_child import TASK, ExtractionTask
from lectern.extraction.sandbox.process import fair_timeout, kill_process, read_frame, send, start_process
from lectern.extraction.types import DocumentMetadata, ExtractedDocument, ExtractedPage, ExtractionLimits, OcrRequest

logger = logging.getLogger(__name__)

OnProgress = Callable[[int, int], Awaitable[None]]
"""Awaited with the page just read and the page count."""

_PROGRESS_SECONDS = 0.2
_MEMORY_POLL_SECONDS = 0.05
_VM_PEAK = re.compile(r"^VmPeak:\s+(\d+) kB", re.MULTILINE)
_FRAME_OVERHEAD_BYTES = 65_536
_BYTES_PER_CHARACTER = 40
_MEMORY_SHARE = 0.5
_OUT_OF_TIME = {signal.SIGXCPU, signal.SIGALRM}
_ABORTED = {signal.SIGABRT, signal.SIGTRAP, signal.SIGILL}
"""How PDFium ends without memory. A damaged file ends in SIGSEGV or SIGBUS."""


async def extract_in_child(
    path: Path,
    content_type: str,
    *,
    limits: ExtractionLimits,
    password: str | None = None,
    on_progress: OnProgress | None = None,
) -> ExtractedDocument:
    """Read a file in a fresh process within `limits`. The process is killed when this call is cancelled.

    `on_progress` is awaited with (page_number, page_count) at most five times a second and for the last page.
    Raises any of `errors.FAILURES`. A crash of the child becomes one of them.
    """
    pages: list[ExtractedPage] = []
    metadata = await read_in_child(
        path, content_type, limits=limits, password=password, on_progress=on_progress, pages=pages
    )
    return assemble(content_type, pages, metadata)


async def read_in_child(
    path: Path,
    content_type: str,
    *,
    limits: ExtractionLimits,
    pages: list[ExtractedPage],
    password: str | None = None,
    on_progress: OnProgress | None = None,
    ocr: OcrRequest | None = None,
) -> DocumentMetadata:
    """Act as `extract_in_child`, but append pages to `pages` as they arrive, so that a failure keeps them.

    With `ocr` only its pages and images are read, by text recognition.
    """
    get_extractor(content_type)
    process = await start_process("lectern.extraction.sandbox.extraction_child")
    receiver = _Receiver(process, limits=limits, on_progress=on_progress, pages=pages)
    absolute_path = os.path.abspath(path)  # noqa: PTH100, ASYNC240 - reads no disk
    task = ExtractionTask(absolute_path, content_type, limits, password, os.getpid(), ocr)
    try:
        async with fair_timeout(limits.max_seconds, process.pid):
            return await receiver.run(task)
    except TimeoutError as error:
        raise receiver.timed_out() from error
    finally:
        await kill_process(process)


class _Receiver:
    """Collect the pages that a child sends."""

    def __init__(
        self,
        process: asyncio.subprocess.Process,
        *,
        limits: ExtractionLimits,
        on_progress: OnProgress | None,
        pages: list[ExtractedPage],
    ) -> None:
        self._pages = pages
        self._process = process
        self._limits = limits
        self._on_progress = on_progress
        self._page_count = 0
        self._received_bytes = 0
        self._peak_bytes = 0
        self._reported_at = -math.inf

    def timed_out(self) -> TimedOut:
        """Return the error of a child that took too long, with its progress."""
        seconds, read, count = self._limits.max_seconds, len(self._pages), self._page_count
        progress = f" (read {read} of {count} pages)" if count else ""
        details = {"max_seconds": seconds} | ({"pages_read": read, "page_count": count} if count else {})
        return TimedOut(f"Reading the file took longer than {seconds:g} seconds{progress}.", details=details)

    async def run(self, task: ExtractionTask) -> DocumentMetadata:
        """Send the task and collect pages until the child is done. Raises `ExtractionFailed`."""
        monitor = asyncio.create_task(self._monitor_memory())
        try:
            await self._send(task)
            while True:
                metadata = await self._receive()
                if metadata is not None:
                    return metadata
        except asyncio.IncompleteReadError as error:
            raise self._crash(await self._process.wait()) from error
        finally:
            monitor.cancel()

    async def _send(self, task: ExtractionTask) -> None:
        assert self._process.stdin is not None
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # its exit code tells more
            await send(self._process, codec.pack_frame(TASK, task))
        self._process.stdin.close()

    async def _receive(self) -> DocumentMetadata | None:
        """Take the next frame; return the metadata when it is the last."""
        room = self._max_bytes() - self._received_bytes
        frame = await read_frame(self._process, max_bytes=min(codec.MAX_FRAME_BYTES, room))
        self._received_bytes += len(frame.head) + len(frame.body)
        try:
            if frame.kind == codec.METADATA:
                return frame.decode(DocumentMetadata)
            if frame.kind == codec.FAILURE:
                raise codec.unpack_failure(frame)
            page, self._page_count = frame.decode(codec.PageOfDocument)
        except codec.MALFORMED as error:
            raise Corrupt("Reading the file yielded a malformed message.") from error
        self._pages.append(page)
        await self._report(page.page_number)
        return None

    def _max_bytes(self) -> int:
        return self._limits.max_characters * _BYTES_PER_CHARACTER + self._limits.max_pages * _FRAME_OVERHEAD_BYTES

    async def _report(self, page_number: int) -> None:
        now = asyncio.get_running_loop().time()
        if self._on_progress and (now - self._reported_at >= _PROGRESS_SECONDS or page_number == self._page_count):
            self._reported_at = now
            await self._on_progress(page_number, self._page_count)

    async def _monitor_memory(self) -> None:
        """Record the peak address space of the child. An exit code does not tell why a process aborted."""
        while (peak := _peak_bytes(self._process.pid)) is not None:
            self._peak_bytes = max(self._peak_bytes, peak)
            await asyncio.sleep(_MEMORY_POLL_SECONDS)

    def _crash(self, code: int) -> ExtractionFailed:
        page = len(self._pages) + 1
        if -code in _OUT_OF_TIME:
            return self.timed_out()
        used_much = self._peak_bytes > _MEMORY_SHARE * self._limits.max_memory_bytes
        if code == -signal.SIGKILL or (-code in _ABORTED and used_much):
            limit = self._limits.max_memory_bytes / 1_048_576
            return FileTooLarge(
                f"Reading page {page} needs more memory than the limit of {limit:,.0f} MB.",
                hint="Split the file into smaller ones.",
                details={"page_number": page, "max_memory_bytes": self._limits.max_memory_bytes},
            )
        logger.warning("The reader of a file crashed", extra={"exit_code": code, "page_number": page})
        return Corrupt(f"The file is damaged: its reader crashed on page {page}.")


def _peak_bytes(pid: int) -> int | None:
    """Return the peak address space of a process; None when unknown."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return None
    match = _VM_PEAK.search(status)
    return int(match.group(1)) * 1024 if match else None
