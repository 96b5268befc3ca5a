"""Cache drawn pages in memory: bounded in bytes and time, dropped with their original."""

import asyncio
import uuid
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Generic, NamedTuple, TypeVar

from lectern.extraction.types import ImageFormat

T = TypeVar("T")

TTL_SECONDS: Final = 300.0
_OVERHEAD_BYTES: Final = 512


class ImageKey(NamedTuple):
    """Identify a drawn page of a document. Documents with the same file share no images."""

    document_id: uuid.UUID
    sha256: str
    page_number: int
    width_pixels: int
    image_format: ImageFormat = "webp"


@dataclass(slots=True)
class _CacheEntry(Generic[T]):
    value: T
    size_bytes: int
    expiry: asyncio.TimerHandle


class ImageCache(Generic[T]):
    """Least-recently-used cache of `max_bytes`. Each entry expires after `ttl_seconds`."""

    def __init__(self, *, max_bytes: int, size_of: Callable[[T], int], ttl_seconds: float = TTL_SECONDS) -> None:
        self._max_bytes = max_bytes
        self._size_of = size_of
        self._ttl_seconds = ttl_seconds
        self._entries: OrderedDict[ImageKey, _CacheEntry[T]] = OrderedDict()
        self.size_bytes = 0

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, key: ImageKey) -> T | None:
        """Return the cached value, if any."""
        entry = self._entries.get(key)
        if entry is None:
            return None
        self._entries.move_to_end(key)
        return entry.value

    def put(self, key: ImageKey, value: T) -> None:
        """Store a value and evict the least recently used ones beyond the limit."""
        self._drop(key)
        expiry = asyncio.get_running_loop().call_later(self._ttl_seconds, self._drop, key)
        entry = _CacheEntry(value, self._size_of(value) + _OVERHEAD_BYTES, expiry)
        self._entries[key] = entry
        self.size_bytes += entry.size_bytes
        while self.size_bytes > self._max_bytes:
            self._drop(next(iter(self._entries)))

    def drop_original(self, sha256: str) -> None:
        """Drop every page of an original."""
        for key in [key for key in self._entries if key.sha256 == sha256]:
            self._drop(key)

    def clear(self) -> None:
        """Drop everything."""
        for key in list(self._entries):
            self._drop(key)

    def _drop(self, key: ImageKey) -> None:
        entry = self._entries.pop(key, None)
        if entry is not None:
            entry.expiry.cancel()
            self.size_bytes -= entry.size_bytes
