"""Extract and chunk a file, continuing from the checkpoints of an earlier run."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Final

from lectern.chunking.types import ChunkedDocument
from lectern.db.scope import SYSTEM_SCOPE
from lectern.db.session import Database
from lectern.extraction.types import ExtractedDocument
from lectern.ingestion import checkpoints, repository
from lectern.ingestion.lease import PROGRESS, JobRun, heartbeat
from lectern.ingestion.stages.reader import Reader
from lectern.storage.store import OriginalStore

PROGRESS_SECONDS: Final = 0.25


class ReadStage:
    """The stages `extract` and `chunk`."""

    def __init__(self, database: Database, originals: OriginalStore, reader: Reader) -> None:
        self._database = database
        self._originals = originals
        self._reader = reader

    async def extract(self, run: JobRun) -> ExtractedDocument:
        """Return the extracted document from its checkpoint, or extract it and save the checkpoint.

        Raises the errors of `extraction.errors` and of the storage.
        """
        saved = await asyncio.to_thread(checkpoints.unpack_extracted, await self._enter(run, checkpoints.EXTRACT))
        if saved is not None:
            return saved
        async with self._originals.as_file(run.sha256) as path:
            extracted = await self._reader.extract(
                path,
                run.content_type,
                language=run.given_language,
                password=run.arguments.password.get_secret_value() if run.arguments.password else None,
                on_page=self._progress_callback(run),
            )
        await self._save(run, checkpoints.EXTRACT, await asyncio.to_thread(checkpoints.pack_extracted, extracted))
        return extracted

    async def chunk(self, run: JobRun, extracted: ExtractedDocument) -> ChunkedDocument:
        """Return the chunked document from its checkpoint, or chunk it and save the checkpoint."""
        saved = await asyncio.to_thread(checkpoints.unpack_chunked, await self._enter(run, checkpoints.CHUNK))
        if saved is not None:
            return saved
        chunked = await self._reader.chunk(extracted, self._reader.chunking_options(run.given_language))
        await self._save(run, checkpoints.CHUNK, await asyncio.to_thread(checkpoints.pack_chunked, chunked))
        return chunked

    async def _enter(self, run: JobRun, stage: str) -> bytes | None:
        """Record the start of a stage and load its checkpoint."""
        async with self._database.session(SYSTEM_SCOPE) as session:
            await heartbeat(session, run, {"stage": stage})
            return await repository.find_checkpoint(session, run.job_id, stage)

    async def _save(self, run: JobRun, stage: str, data: bytes) -> None:
        async with self._database.session(SYSTEM_SCOPE) as session:
            await heartbeat(session, run, PROGRESS)
            await repository.save_checkpoint(session, run.job_id, stage, data, is_required=run.is_update)

    def _progress_callback(self, run: JobRun) -> Callable[[int, int], Awaitable[None]]:
        reported_at = -PROGRESS_SECONDS

        async def report(page: int, page_count: int) -> None:
            nonlocal reported_at
            if time.monotonic() - reported_at < PROGRESS_SECONDS and page < page_count:
                return
            reported_at = time.monotonic()
            async with self._database.session(SYSTEM_SCOPE) as session:
                await heartbeat(session, run, {"page": page, "page_count": page_count})

        return report
