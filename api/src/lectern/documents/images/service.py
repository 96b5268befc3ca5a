"""Draw pages of originals: a few at a time, in confined processes, with a cache in front."""

import asyncio
import hashlib
import uuid
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from lectern.db.session import Database
from lectern.documents.errors import (
    ConverterMissing,
    DrawingBusy,
    DrawingTimedOut,
    PageHasNoImage,
    PageImageLocked,
    PageNotFound,
)
from lectern.documents.images.cache import ImageCache, ImageKey
from lectern.documents.images.printed import PrintedPage, PrintedPlace, PrintedText, TextInContext
from lectern.documents.originals import StoredFile, keep_conversion
from lectern.errors import LecternError
from lectern.extraction.errors import Encrypted, ExtractionFailed, TimedOut
from lectern.extraction.sandbox.conversion import (
    CONVERTIBLE_TYPES,
    ConverterStatus,
    convert_to_pdf,
    find_converter,
)
from lectern.extraction.sandbox.drawing import DRAWABLE_TYPES, MAX_SECONDS, PDF, draw_page, renderer_version
from lectern.extraction.sandbox.extraction import read_in_child
from lectern.extraction.types import ExtractedPage, ExtractionLimits, ImageFormat
from lectern.storage.store import OriginalStore

DEFAULT_WIDTH: Final = 800
MIN_WIDTH: Final = 80
MAX_WIDTH: Final = 2_000
_AT_ONCE: Final = 2
_MAX_WAITING: Final = 48
_MAX_WAITING_FOR_CONVERSION: Final = 8
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


class _Slots:
    """Lets a few do the same at once and some more wait."""

    def __init__(self, at_once: int, max_waiting: int) -> None:
        self._slots = asyncio.Semaphore(at_once)
        self._capacity = at_once + max_waiting
        self._occupied = 0

    @asynccontextmanager
    async def take(self) -> AsyncGenerator[None]:
        """Wait for a slot. Raises DrawingBusy."""
        if self._occupied >= self._capacity:
            raise DrawingBusy(details={"retry_after_seconds": _RETRY_SECONDS})
        self._occupied += 1
        try:
            async with self._slots:
                yield
        finally:
            self._occupied -= 1


class PageImageService:
    """Draw pages of originals. One instance for each process."""

    def __init__(
        self,
        originals: OriginalStore,
        database: Database,
        *,
        at_once: int = _AT_ONCE,
        max_waiting: int = _MAX_WAITING,
        max_seconds: float = MAX_SECONDS,
    ) -> None:
        self._originals = originals
        self._database = database
        self._max_seconds = max_seconds
        self._drawing = _Slots(at_once, max_waiting)
        self._converting = _Slots(1, _MAX_WAITING_FOR_CONVERSION)
        self.cache: ImageCache[_DrawnPage] = ImageCache(max_bytes=_CACHE_BYTES, size_of=lambda drawn: len(drawn.image))
        self._printed: ImageCache[PrintedText] = ImageCache(
            max_bytes=_CACHE_BYTES, size_of=lambda printed: printed.size_bytes
        )
        originals.when_deleted(self.cache.drop_original)
        originals.when_deleted(self._printed.drop_original)

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

        Pages of an Office file are those of the PDF made of it: slides have the same numbers, other pages may not.
        Raises ConverterMissing, PageHasNoImage, PageImageLocked, PageNotFound, DrawingBusy, DrawingTimedOut, and what
        the storage raises.
        """
        if original.content_type in CONVERTIBLE_TYPES:
            await self.convert(document_id, original)
        elif original.content_type not in DRAWABLE_TYPES:
            raise PageHasNoImage
        key = ImageKey(document_id, original.sha256, page_number, width_pixels, image_format)
        drawn = self.cache.get(key)
        if drawn is None:
            async with self._drawing.take():
                # Another request may have drawn it while this one waited.
                drawn = self.cache.get(key) or await self._draw(key, original.content_type)
        return drawn.value()

    async def _draw(self, key: ImageKey, content_type: str) -> _DrawnPage:
        if content_type in CONVERTIBLE_TYPES:
            content_type, opened = PDF, self._originals.conversion_as_file(key.sha256, key.document_id)
        else:
            opened = self._originals.as_file(key.sha256)
        async with opened as path:
            drawn = await _drawn(path, content_type, key, max_seconds=self._max_seconds)
        self.cache.put(key, drawn)
        return drawn

    async def convert(self, document_id: uuid.UUID, original: StoredFile) -> None:
        """Have an Office file in storage as PDF too. It is kept until the file is removed.

        Raises ConverterMissing, DocumentNotFound, DrawingBusy, DrawingTimedOut, PageHasNoImage, and what the storage
        raises.
        """
        if original.content_type not in CONVERTIBLE_TYPES:
            raise PageHasNoImage
        if find_converter() is not ConverterStatus.AVAILABLE:
            raise ConverterMissing
        failure = self.cache.get(_conversion_key(document_id, original))
        if failure is not None:
            failure.value()
        if not await self._is_converted(document_id, original):
            async with self._converting.take():
                if not await self._is_converted(document_id, original):
                    await self._convert(document_id, original)

    async def read_pdf(self, document_id: uuid.UUID, original: StoredFile) -> bytes:
        """Return an Office file as PDF. Raises what `convert` raises, and PageHasNoImage for other files."""
        await self.convert(document_id, original)
        async with self._originals.conversion_as_file(original.sha256, document_id) as path:
            return await asyncio.to_thread(path.read_bytes)

    async def find_printed(
        self, document_id: uuid.UUID, original: StoredFile, passages: Sequence[TextInContext]
    ) -> list[list[PrintedPlace]]:
        """Return where each passage of an Office file is printed, empty for those that are not found.

        Raises what `convert` raises, and PageHasNoImage for other files.
        """
        await self.convert(document_id, original)
        key = _conversion_key(document_id, original)
        printed = self._printed.get(key)
        if printed is None:
            async with self._drawing.take(), self._originals.conversion_as_file(original.sha256, document_id) as path:
                printed = await _read_printed(path)
            self._printed.put(key, printed)
        return await asyncio.to_thread(lambda: [printed.find(passage) for passage in passages])

    async def _is_converted(self, document_id: uuid.UUID, original: StoredFile) -> bool:
        return document_id in await self._originals.list_conversions(original.sha256)

    async def _convert(self, document_id: uuid.UUID, original: StoredFile) -> None:
        try:
            async with (
                self._originals.as_file(original.sha256) as path,
                convert_to_pdf(path, original.content_type) as pdf,
            ):
                await keep_conversion(self._database, self._originals, document_id, original.sha256, pdf)
        except ExtractionFailed as error:
            kind = DrawingTimedOut if isinstance(error, TimedOut) else PageHasNoImage
            failure = _DrawnPage(b"", kind(error.message))
            self.cache.put(_conversion_key(document_id, original), failure)
            failure.value()

    def close(self) -> None:
        """Drop the caches."""
        self.cache.clear()
        self._printed.clear()


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


async def _read_printed(path: Path) -> PrintedText:
    pages: list[ExtractedPage] = []
    try:
        await read_in_child(path, PDF, limits=ExtractionLimits(), pages=pages)
    except ExtractionFailed as error:
        raise PageHasNoImage(error.message) from error
    return await asyncio.to_thread(PrintedText, [PrintedPage(page.text, page.boxes) for page in pages])


def _conversion_key(document_id: uuid.UUID, original: StoredFile) -> ImageKey:
    """Return the key of why a file cannot be converted."""
    return ImageKey(document_id, original.sha256, 0, 0)


def entity_tag(original: StoredFile, *, page_number: int, width_pixels: int) -> str:
    """Return a strong ETag of page, original bytes, width and renderer."""
    parts = (original.sha256, str(page_number), str(width_pixels), renderer_version())
    return f'"{hashlib.sha256(":".join(parts).encode()).hexdigest()[:32]}"'
