"""Turn a file into pages and chunks. Nothing here writes to the database."""

from collections.abc import Awaitable, Callable
from pathlib import Path

from lectern.chunking.types import ChunkedDocument, ChunkingOptions
from lectern.extraction.service import read_document
from lectern.extraction.types import ExtractedDocument, ExtractionLimits, OcrEngine, OcrOptions
from lectern.ingestion.stages.chunking_pool import ChunkingPool
from lectern.settings import ChunkingSettings, ExtractionSettings, OcrSettings

OnPage = Callable[[int, int], Awaitable[None]]


class Reader:
    """Read files, of the library or not. One instance for each process."""

    def __init__(self, *, extraction: ExtractionSettings, ocr: OcrSettings, chunking: ChunkingSettings) -> None:
        self._ocr = ocr
        self._limits = ExtractionLimits(
            max_memory_bytes=extraction.max_memory_bytes,
            max_seconds=extraction.max_seconds,
            max_pages=extraction.max_pages,
            max_characters=extraction.max_characters,
            max_page_characters=extraction.max_page_characters,
        )
        self._chunker = ChunkingPool(max_seconds=extraction.max_seconds, max_memory_bytes=extraction.max_memory_bytes)
        self._chunking = chunking

    async def extract(
        self,
        path: Path,
        content_type: str,
        *,
        language: str | None = None,
        password: str | None = None,
        on_page: OnPage | None = None,
    ) -> ExtractedDocument:
        """Extract a file. `on_page` is awaited with the page number and page count now and then.

        Raises the errors of `extraction.errors`.
        """
        return await read_document(
            path,
            content_type,
            limits=self._limits,
            ocr=self._ocr_options(language),
            password=password,
            on_progress=on_page,
        )

    async def chunk(self, extracted: ExtractedDocument, options: ChunkingOptions) -> ChunkedDocument:
        """Chunk an extracted document. Raises TimedOut, FileTooLarge."""
        return await self._chunker.chunk(extracted, options=options)

    def chunking_options(self, language: str | None) -> ChunkingOptions:
        """Return the sizes in the settings. A language given at upload replaces its detection."""
        return ChunkingOptions(
            target_tokens=self._chunking.target_tokens,
            overlap_tokens=self._chunking.overlap_tokens,
            floor_tokens=self._chunking.floor_tokens,
            languages=tuple(self._chunking.languages),
            language=language,
        )

    async def close(self) -> None:
        """End the idle chunking processes."""
        await self._chunker.close()

    def _ocr_options(self, language: str | None) -> OcrOptions:
        """Recognize text in the language given at upload, else in the configured ones."""
        return OcrOptions(
            engine=OcrEngine(self._ocr.engine),
            languages=(language,) if language else tuple(self._chunking.languages),
            max_pages=self._ocr.max_pages,
            max_seconds=self._ocr.max_seconds,
            max_memory_bytes=self._ocr.max_memory_bytes,
            tessdata=self._ocr.tessdata_dir,
        )
