"""Chunk in child processes: chunking takes a core for seconds, and a text on which it never ends must be stopped.

A child is reused, because loading the tokenizer takes longer than chunking a short document. Idle children end after a
while, and all end with their parent.
"""

import asyncio
import os
import signal
import time
from dataclasses import replace
from typing import Final

from lectern.chunking.types import ChunkedDocument, ChunkingOptions
from lectern.extraction.errors import FileTooLarge, TimedOut
from lectern.extraction.sandbox import codec
from lectern.extraction.sandbox.process import fair_timeout, kill_process, read_frame, send, start_process
from lectern.extraction.types import ExtractedDocument
from lectern.ingestion.stages.chunking_frames import ERROR, OPTIONS, OUT_OF_MEMORY

IDLE_SECONDS: Final = 30.0
LARGE_PAGES: Final = 1_000  # a child that has read so many pages is larger than the next document needs
_KILL_SECONDS: Final = 5.0
# Above a few hundred characters, 38 real and sample files had 7 bytes a character at most. Split tables repeat headers.
_BYTES_PER_CHARACTER: Final = 400
_MIN_ANSWER_BYTES: Final = 16_777_216
_NO_MEMORY: Final = "Chunking the text needs more memory than the limit."


class ChunkingFailed(RuntimeError):
    """Chunking raised an unexpected error; the message is the traceback of the child."""


class ChunkingPool:
    """Chunk documents, one child for each concurrent call."""

    def __init__(self, *, max_seconds: float, max_memory_bytes: int) -> None:
        self._max_seconds = max_seconds
        self._max_memory_bytes = max_memory_bytes
        self._idle: list[_Child] = []
        self._reaper: asyncio.Task[None] | None = None

    async def chunk(self, document: ExtractedDocument, *, options: ChunkingOptions) -> ChunkedDocument:
        """Return what `chunk_document` returns. A cancelled call kills its process.

        Raises:
            TimedOut, FileTooLarge: It takes longer, or needs more memory, than reading one file may.
            ChunkingFailed: The chunker has a bug.
        """
        task = await asyncio.to_thread(_pack_task, document, options)
        child = self._idle.pop() if self._idle else await _Child.start(self._max_memory_bytes)
        try:
            async with fair_timeout(self._max_seconds, child.pid):
                answer = await child.ask(task, max_bytes=_max_answer_bytes(document))
        except TimeoutError as error:
            await child.kill()
            message = f"Chunking the text took longer than {self._max_seconds:g} seconds."
            raise TimedOut(message, details={"max_seconds": self._max_seconds}) from error
        except BaseException:
            await child.kill()
            raise
        await self._release(child, is_large=len(document.pages) > LARGE_PAGES)
        return await asyncio.to_thread(read_answer, answer)

    async def close(self) -> None:
        """End the idle children."""
        if self._reaper is not None:
            self._reaper.cancel()
        while self._idle:
            await self._idle.pop().kill()

    async def _release(self, child: "_Child", *, is_large: bool) -> None:
        if is_large:
            await child.kill()
            return
        child.idle_since = time.monotonic()
        self._idle.append(child)
        if self._reaper is None or self._reaper.done():
            self._reaper = asyncio.create_task(self._reap(), name="idle children")

    async def _reap(self) -> None:
        """End children that were idle for long. The one used last is used next, so the others grow old."""
        while self._idle:
            await asyncio.sleep(IDLE_SECONDS / 2)
            expired = [child for child in self._idle if time.monotonic() - child.idle_since > IDLE_SECONDS]
            for child in expired:
                self._idle.remove(child)
                await child.kill()


class _Child:
    """A process that answers one task at a time."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self.idle_since = 0.0

    @property
    def pid(self) -> int:
        return self._process.pid

    @classmethod
    async def start(cls, max_memory_bytes: int) -> "_Child":
        arguments = (str(max_memory_bytes), str(os.getpid()))
        return cls(await start_process("lectern.ingestion.stages.chunking_child", *arguments))

    async def ask(self, task: list[bytes], *, max_bytes: int) -> codec.Frame:
        """Send a task and return its answer. Raises `FileTooLarge`, `ChunkingFailed`."""
        try:
            await send(self._process, *task)
            return await read_frame(self._process, max_bytes=max_bytes)
        except (asyncio.IncompleteReadError, ConnectionError) as error:
            code = await self._process.wait()
            if code in {-signal.SIGKILL, -signal.SIGABRT}:
                raise FileTooLarge(_NO_MEMORY) from error
            raise ChunkingFailed(f"The chunking process ended with {code}.") from error

    async def kill(self) -> None:
        async with asyncio.timeout(_KILL_SECONDS):
            await kill_process(self._process)


def _pack_task(document: ExtractedDocument, options: ChunkingOptions) -> list[bytes]:
    """Encode options and document. Word boxes are most of a document, and chunking does not use them."""
    pages = tuple(replace(page, boxes=b"") for page in document.pages)
    return [codec.pack_frame(OPTIONS, options), *codec.pack_document(replace(document, pages=pages))]


def _max_answer_bytes(document: ExtractedDocument) -> int:
    return _MIN_ANSWER_BYTES + _BYTES_PER_CHARACTER * sum(len(page.text) for page in document.pages)


def read_answer(answer: codec.Frame) -> ChunkedDocument:
    """Decode the answer of a child, which has seen untrusted text. Nothing in it is executed.

    Raises FileTooLarge, ChunkingFailed.
    """
    if answer.kind == OUT_OF_MEMORY:
        raise FileTooLarge(_NO_MEMORY)
    try:
        if answer.kind == ERROR:
            raise ChunkingFailed(answer.decode(str))
        return answer.decode(ChunkedDocument)
    except codec.MALFORMED as error:
        raise ChunkingFailed("The chunking process sent a malformed answer.") from error
