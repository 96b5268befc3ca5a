"""Turn an original in storage into pages and chunks. Nothing here writes to the database."""

from collections.abc import Awaitable, Callable

from lectern.chunking.types import ChunkedDocument, ChunkingOptions
from lectern.extraction.service import read_document
from lectern.extraction.types import ExtractedDocument, ExtractionLimits, OcrEngine, OcrOptions
from lectern.ingestion.lease import JobRun
from lectern.ingestion.stages.chunking_pool import ChunkingPool
from lectern.settings import ChunkingSettings, ExtractionSettings, OcrSettings
from lectern.storage.store import OriginalStore

OnPage = Callable[[int, int], Awaitable[None]]


class Reader:
    """Read originals. One instance for each process."""

    def __init__(
        self,
        originals: OriginalStore,
        *,
        extraction: ExtractionSettings,
        ocr: OcrSettings,
        chunking: ChunkingSettings,
    ) -> None:
        self._originals = originals
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

    async def extract(self, run: JobRun, *, on_page: OnPage) -> ExtractedDocument:
        """Read the original. `on_page` is awaited with the page number and page count now and then.

        Raises the errors of `extraction.errors` and of the storage.
        """
        async with self._originals.as_file(run.sha256) as path:
            return await read_document(
                path,
                run.content_type,
                limits=self._limits,
                ocr=self._ocr_options(run.given_language),
                password=run.arguments.password.get_secret_value() if run.arguments.password else None,
                on_progress=on_page,
            )

    async def chunk(self, run: JobRun, extracted: ExtractedDocument) -> ChunkedDocument:
        """Chunk an extracted document. Raises TimedOut, FileTooLarge."""
        return await self._chunker.chunk(extracted, options=self._chunking_options(run.given_language))

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

    def _chunking_options(self, language: str | None) -> ChunkingOptions:
        return ChunkingOptions(
            target_tokens=self._chunking.target_tokens,
            overlap_tokens=self._chunking.overlap_tokens,
            floor_tokens=self._chunking.floor_tokens,
            languages=tuple(self._chunking.languages),
            language=language,
        )
