"""Hash, count and cap an upload while it is stored."""

import asyncio
import hashlib
from collections.abc import AsyncIterator, Generator
from contextlib import contextmanager
from typing import Final

from lectern.storage.errors import OriginalTooLarge

HEAD_BYTES: Final = 4096


class HashingStream:
    """A stream that records its hash, its size and its first bytes."""

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
    def own_error_first(self) -> Generator[None]:
        """Raise the error of the stream itself, if there is one, instead of the error of the store."""
        try:
            yield
        except BaseException:
            if self._failure is not None:
                raise self._failure from None
            raise

    def cancel(self) -> None:
        """Make the stream fail at its next part, so that the store aborts the upload."""
        self._is_cancelled = True
        if self._waiting is not None:
            self._waiting.cancel()

    async def parts(self) -> AsyncIterator[bytes]:
        """Yield the parts of the stream. The store requests each one in a task of its own."""
        try:
            self._waiting = asyncio.current_task()
            async for part in self._stream:
                self._waiting = None
                self._count(part)
                if part:
                    yield part
                self._check_cancelled()
                self._waiting = asyncio.current_task()
        except GeneratorExit:  # the store stopped reading
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
