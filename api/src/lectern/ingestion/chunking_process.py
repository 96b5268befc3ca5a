"""Chunking in processes of their own: it takes a core for seconds, and a text that makes it take for ever is killed.

A child is kept for the next document, because loading the tokenizer takes longer than cutting a short one, and let go
when there was nothing to do for a while. Children end with their parent: their standard input ends.
"""

import asyncio
import os
import pickle
import signal
import struct
import time
from dataclasses import replace
from typing import Final

from lectern.chunking.types import ChunkedDocument, ChunkingOptions
from lectern.extraction.errors import FileTooLarge, TimedOut
from lectern.extraction.sandbox.extraction import end, start_confined
from lectern.extraction.sandbox.time_limit import fair_timeout
from lectern.extraction.sandbox.wire import MALFORMED
from lectern.extraction.types import ExtractedDocument
from lectern.ingestion.chunking_wire import read_chunked

IDLE_SECONDS: Final = 30.0
LARGE_PAGES: Final = 1_000  # afterwards the child is bigger than the next one needs
LENGTH: Final = struct.Struct(">Q")
CHUNKED: Final = b"c"
MEMORY_SPENT: Final = b"m"
ERROR: Final = b"e"
_PARTING_SECONDS: Final = 5.0
# Above a few hundred characters, 38 real and sample files had 7 bytes for a character at most; a table's rows repeat
# its header.
_BYTES_PER_CHARACTER: Final = 400
_ANSWER_BYTES: Final = 16_777_216


class ChunkingFailed(RuntimeError):
    """Chunking raised what it should not; the message is the child's traceback."""


class ChunkingPool:
    """Cuts documents, as many at a time as there are callers."""

    def __init__(self, *, max_seconds: float, max_memory_bytes: int) -> None:
        self._max_seconds = max_seconds
        self._max_memory_bytes = max_memory_bytes
        self._idle: list[_Child] = []
        self._reaping: asyncio.Task[None] | None = None

    async def cut(self, document: ExtractedDocument, *, options: ChunkingOptions) -> ChunkedDocument:
        """What `chunk_document` says; a cancelled call kills its process.

        Raises:
            TimedOut, FileTooLarge: It takes longer, or needs more memory, than reading one file may.
        """
        # Boxes are what a document has most of, and chunking does not look at them.
        slim = replace(document, pages=tuple(replace(page, boxes=b"") for page in document.pages))
        task = await asyncio.to_thread(pickle.dumps, (slim, options))
        child = self._idle.pop() if self._idle else await _Child.start(self._max_memory_bytes)
        try:
            async with fair_timeout(self._max_seconds, child.pid):
                answer = await child.ask(task, most_bytes=_most_bytes(document))
        except TimeoutError as error:
            await child.end()
            message = f"Cutting the text took longer than {self._max_seconds:g} seconds."
            raise TimedOut(message, details={"max_seconds": self._max_seconds}) from error
        except BaseException:
            await child.end()
            raise
        await self._keep(child, is_large=len(document.pages) > LARGE_PAGES)
        return await asyncio.to_thread(read_answer, answer)

    async def close(self) -> None:
        """End the idle children."""
        if self._reaping is not None:
            self._reaping.cancel()
        while self._idle:
            await self._idle.pop().end()

    async def _keep(self, child: "_Child", *, is_large: bool) -> None:
        if is_large:
            await child.end()
            return
        child.idle_since = time.monotonic()
        self._idle.append(child)
        if self._reaping is None or self._reaping.done():
            self._reaping = asyncio.create_task(self._reap(), name="idle children")

    async def _reap(self) -> None:
        """The child used last is used next, so the others grow old."""
        while self._idle:
            await asyncio.sleep(IDLE_SECONDS / 2)
            old = [child for child in self._idle if time.monotonic() - child.idle_since > IDLE_SECONDS]
            for child in old:
                self._idle.remove(child)
                await child.end()


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
        return cls(await start_confined("lectern.ingestion.chunking_child", *arguments))

    async def ask(self, task: bytes, *, most_bytes: int) -> bytes:
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        try:
            stdin.write(LENGTH.pack(len(task)))
            stdin.write(task)
            await stdin.drain()
            (length,) = LENGTH.unpack(await stdout.readexactly(LENGTH.size))
            if length > most_bytes:
                raise FileTooLarge("Cutting the text yields more than the limits allow.")
            return await stdout.readexactly(length)
        except (asyncio.IncompleteReadError, ConnectionError) as error:
            code = await self._process.wait()
            if code in {-signal.SIGKILL, -signal.SIGABRT}:
                raise FileTooLarge("Cutting the text needs more memory than the limit.") from error
            raise ChunkingFailed(f"The process that cuts text ended with {code}.") from error

    async def end(self) -> None:
        async with asyncio.timeout(_PARTING_SECONDS):
            await end(self._process)


def _most_bytes(document: ExtractedDocument) -> int:
    return _ANSWER_BYTES + _BYTES_PER_CHARACTER * sum(len(page.text) for page in document.pages)


def read_answer(answer: bytes) -> ChunkedDocument:
    """What the child answers; it has seen a stranger's text, and nothing that it says is executed here.

    Raises FileTooLarge, CuttingFailed.
    """
    kind, body = answer[:1], answer[1:]
    if kind == MEMORY_SPENT:
        raise FileTooLarge("Cutting the text needs more memory than the limit.")
    if kind == ERROR:
        raise ChunkingFailed(body.decode(errors="replace"))
    try:
        return read_chunked(body)
    except MALFORMED as error:
        raise ChunkingFailed("The process that cuts text answered with what makes no sense.") from error
