"""Draw pages of originals: a few at a time, in confined processes, with a cache in front."""

import asyncio
import hashlib
import uuid
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from lectern.documents.errors import DrawingBusy, DrawingTimedOut, PageHasNoImage, PageImageLocked, PageNotFound
from lectern.documents.images.cache import ImageCache, ImageKey
from lectern.documents.originals import StoredFile
from lectern.errors import LecternError
from lectern.extraction.errors import Encrypted, ExtractionFailed, TimedOut
from lectern.extraction.sandbox.drawing import DRAWABLE_TYPES, MAX_SECONDS, draw_page, renderer_version
from lectern.extraction.types import ImageFormat
from lectern.storage.store import OriginalStore

DEFAULT_WIDTH: Final = 800
MIN_WIDTH: Final = 80
MAX_WIDTH: Final = 2_000
_AT_ONCE: Final = 2
_MAX_WAITING: Final = 48
_CACHE_BYTES: Final = 67_108_864
_RETRY_SECONDS: Final = 2


@dataclass(frozen=True, slots=True)
class _DrawnPage:
    """An image or the error of drawing it. Errors are cached too, because failing may take seconds."""

    image: bytes
    error: LecternError | None = None

    def value(self) -> bytes:
        if self.error is not None:
            raise type(self.error)(self.error.message, hint=self.error.hint)
        return self.image


class PageImageService:
    """Draw pages of originals. One instance for each process."""

    def __init__(
        self,
        originals: OriginalStore,
        *,
        at_once: int = _AT_ONCE,
        max_waiting: int = _MAX_WAITING,
        max_seconds: float = MAX_SECONDS,
    ) -> None:
        self._originals = originals
        self._max_seconds = max_seconds
        self._slots = asyncio.Semaphore(at_once)
        self._capacity = at_once + max_waiting
        self._occupied = 0
        self.cache: ImageCache[_DrawnPage] = ImageCache(max_bytes=_CACHE_BYTES, size_of=lambda drawn: len(drawn.image))
        originals.when_deleted(self.cache.drop_original)

    async def draw(
        self,
        document_id: uuid.UUID,
        original: StoredFile,
        *,
        page_number: int,
        width_pixels: int,
        image_format: ImageFormat = "webp",
    ) -> bytes:
        """Return the page as an image. The caller has checked access.

        Raises PageHasNoImage, PageImageLocked, PageNotFound, DrawingBusy, DrawingTimedOut, and what the storage raises.
        """
        if original.content_type not in DRAWABLE_TYPES:
            raise PageHasNoImage
        key = ImageKey(document_id, original.sha256, page_number, width_pixels, image_format)
        drawn = self.cache.get(key)
        if drawn is None:
            async with self._slot():
                # Another request may have drawn it while this one waited.
                drawn = self.cache.get(key) or await self._draw(key, original.content_type)
        return drawn.value()

    @asynccontextmanager
    async def _slot(self) -> AsyncGenerator[None]:
        if self._occupied >= self._capacity:
            raise DrawingBusy(details={"retry_after_seconds": _RETRY_SECONDS})
        self._occupied += 1
        try:
            async with self._slots:
                yield
        finally:
            self._occupied -= 1

    async def _draw(self, key: ImageKey, content_type: str) -> _DrawnPage:
        async with self._originals.as_file(key.sha256) as path:
            drawn = await _drawn(path, content_type, key, max_seconds=self._max_seconds)
        self.cache.put(key, drawn)
        return drawn

    def close(self) -> None:
        """Drop the cache."""
        self.cache.clear()


async def _drawn(path: Path, content_type: str, key: ImageKey, *, max_seconds: float) -> _DrawnPage:
    try:
        image = await draw_page(
            path,
            content_type,
            page_number=key.page_number,
            width_pixels=key.width_pixels,
            image_format=key.image_format,
            max_seconds=max_seconds,
        )
    except Encrypted:
        return _DrawnPage(b"", PageImageLocked())
    except TimedOut as error:
        # Not cached: a retry on a less busy machine may succeed.
        raise DrawingTimedOut(error.message) from error
    except ExtractionFailed as error:
        return _DrawnPage(b"", PageHasNoImage(error.message))
    return _DrawnPage(b"", PageNotFound()) if image is None else _DrawnPage(image)


def entity_tag(original: StoredFile, *, page_number: int, width_pixels: int) -> str:
    """Return a strong ETag of page, original bytes, width and renderer."""
    parts = (original.sha256, str(page_number), str(width_pixels), renderer_version())
    return f'"{hashlib.sha256(":".join(parts).encode()).hexdigest()[:32]}"'
