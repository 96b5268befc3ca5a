"""What is learned about an upload while it streams past: its hash, its size, its first bytes, how it broke."""

import asyncio
import hashlib
from collections.abc import AsyncIterator, Generator
from contextlib import contextmanager
from typing import Final

from lectern.storage.errors import OriginalTooLarge

HEAD_BYTES: Final = 4096


class Reading:
    """Counts, hashes and caps a stream while it passes."""

    def __init__(self, stream: AsyncIterator[bytes], *, max_bytes: int) -> None:
        self._stream = stream
        self._max_bytes = max_bytes
        self.digest = hashlib.sha256()
        self.size_bytes = 0
        self.head = bytearray()
        self._failure: BaseException | None = None
        self._waiting: asyncio.Task[object] | None = None
        self._is_cancelled = False

    @contextmanager
    def failure_first(self) -> Generator[None]:
        """When the stream itself broke, that is what is raised, not what the store made of it."""
        try:
            yield
        except BaseException:
            if self._failure is not None:
                raise self._failure from None
            raise

    def cancel(self) -> None:
        """Let the store meet a failed stream, wherever it is in it."""
        self._is_cancelled = True
        if self._waiting is not None:
            self._waiting.cancel()

    async def parts(self) -> AsyncIterator[bytes]:
        """The stream's parts; each is asked for by a task of the store's own."""
        try:
            self._waiting = asyncio.current_task()
            async for part in self._stream:
                self._waiting = None
                self._count(part)
                if part:
                    yield part
                self._check_cancelled()
                self._waiting = asyncio.current_task()
        except GeneratorExit:  # the store gave up, not the stream
            raise
        except BaseException as error:
            self._failure = error
            raise
        finally:
            self._waiting = None

    def _check_cancelled(self) -> None:
        if self._is_cancelled:
            raise asyncio.CancelledError

    def _count(self, part: bytes) -> None:
        self.size_bytes += len(part)
        if self.size_bytes > self._max_bytes:
            message = f"The file is larger than {self._max_bytes:,} bytes."
            raise OriginalTooLarge(message, details={"max_bytes": self._max_bytes})
        self.digest.update(part)
        if len(self.head) < HEAD_BYTES:
            self.head += part[: HEAD_BYTES - len(self.head)]
