"""Drawn pages in memory: bounded, for a short while, and gone when their original goes."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Generic, NamedTuple, TypeVar

from lectern.extraction.sandbox.drawing_task import PictureFormat

T = TypeVar("T")

KEPT_SECONDS: Final = 300.0
_OVERHEAD_BYTES: Final = 512


class ImageKey(NamedTuple):
    """What a picture is of."""

    sha256: str
    page_number: int
    width_pixels: int
    picture_format: PictureFormat = "webp"


@dataclass(slots=True)
class _Kept(Generic[T]):
    value: T
    size_bytes: int
    ending: asyncio.TimerHandle


class ImageCache(Generic[T]):
    """The values used last, up to `max_bytes`; each for `kept_seconds` at most, also when nobody asks for it again."""

    def __init__(self, *, max_bytes: int, size_of: Callable[[T], int], kept_seconds: float = KEPT_SECONDS) -> None:
        self._max_bytes = max_bytes
        self._size_of = size_of
        self._kept_seconds = kept_seconds
        self._entries: OrderedDict[ImageKey, _Kept[T]] = OrderedDict()
        self.size_bytes = 0

    def __len__(self) -> int:
        return len(self._entries)

    def find(self, key: ImageKey) -> T | None:
        """The value, if it is kept."""
        entry = self._entries.get(key)
        if entry is None:
            return None
        self._entries.move_to_end(key)
        return entry.value

    def keep(self, key: ImageKey, value: T) -> None:
        """Keep a value, and let go of those used longest ago when that is too much."""
        self._drop(key)
        ending = asyncio.get_running_loop().call_later(self._kept_seconds, self._drop, key)
        entry = _Kept(value, self._size_of(value) + _OVERHEAD_BYTES, ending)
        self._entries[key] = entry
        self.size_bytes += entry.size_bytes
        while self.size_bytes > self._max_bytes:
            self._drop(next(iter(self._entries)))

    def forget(self, sha256: str) -> None:
        """Drop every picture of an original."""
        for key in [key for key in self._entries if key.sha256 == sha256]:
            self._drop(key)

    def clear(self) -> None:
        """Drop everything."""
        for key in list(self._entries):
            self._drop(key)

    def _drop(self, key: ImageKey) -> None:
        entry = self._entries.pop(key, None)
        if entry is not None:
            entry.ending.cancel()
            self.size_bytes -= entry.size_bytes
