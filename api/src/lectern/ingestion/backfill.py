"""Create missing embeddings of ready documents: after another model became active, or before it does.

Files are not read again and documents do not change. Interactive jobs go first.
"""

import logging
import time
import uuid
from dataclasses import dataclass, field
from typing import Final

from lectern.db.scope import SYSTEM_SCOPE
from lectern.db.session import Database
from lectern.embeddings import service as embeddings
from lectern.embeddings.active import ActiveProvider
from lectern.embeddings.errors import EmbeddingsRejected, EmbeddingsUnavailable
from lectern.embeddings.generations import Generation
from lectern.embeddings.provider import EmbeddingProvider
from lectern.embeddings.service import BackfillCursor, IncompleteDocument
from lectern.http.metrics import Metrics
from lectern.ingestion.stages.embed import Embedder, MissingChunks
from lectern.jobs import service as jobs

logger = logging.getLogger(__name__)

RUN_SECONDS: Final = 20.0
RESCAN_SECONDS: Final = 3_600.0  # finds documents from the trash and the unfinished work of other workers
RETRY_SECONDS: Final = 60.0
MAX_REJECTIONS: Final = 5  # in one run, so that a model that rejects everything is not sent everything
_SLICE_SECONDS: Final = 2.0  # the longest delay of interactive work
_PAGE_SIZE: Final = 100


@dataclass(slots=True)
class _Scan:
    """The progress of a scan over all documents for one generation. Rejected documents are skipped."""

    cursor: BackfillCursor | None = None
    rejected: set[uuid.UUID] = field(default_factory=set[uuid.UUID])
    not_before: float = 0.0
    started_at: float = field(default_factory=time.monotonic)
    is_finished: bool = False
    has_skipped: bool = False

    @property
    def is_expired(self) -> bool:
        """True if it is time to start again at the first document."""
        wait = RETRY_SECONDS if self.has_skipped else RESCAN_SECONDS
        return self.is_finished and time.monotonic() - self.started_at > wait


class EmbeddingBackfill:
    """Creates missing embeddings in the background. Each process has one, and any number may run."""

    def __init__(self, database: Database, provider: ActiveProvider, metrics: Metrics | None = None) -> None:
        self._database = database
        self._provider = provider
        self._embedder = Embedder(database, provider, metrics)
        self._scans: dict[int, _Scan] = {}

    async def run(self) -> None:
        """Work on missing embeddings for a while, those of the active model first.

        If no configured model is active, the first one becomes active once its embeddings are complete. An unavailable
        model is skipped for a minute, a document that it rejected for an hour.

        Raises:
            EmbeddingsMismatch: A model has no generation. `lectern migrate` creates it.
        """
        deadline = time.monotonic() + RUN_SECONDS
        async with self._database.session(SYSTEM_SCOPE) as session:
            first = await embeddings.follow_active_generation(session, self._provider)
            models = [first, *(model for model in self._provider.models.values() if model is not first)]
            generations = [await embeddings.get_generation(session, model.info) for model in models]
        for model, generation in zip(models, generations, strict=True):
            is_finished = await self._fill(model, generation, deadline=deadline)
            if is_finished and model is first and generation.state != "active":
                await self._activate(model, generation)

    async def _activate(self, model: EmbeddingProvider, generation: Generation) -> None:
        async with self._database.session(SYSTEM_SCOPE) as session:
            if await embeddings.activate_when_complete(session, generation):
                logger.info("The embeddings of another model are complete and active", extra={"model": model.info.id})

    async def _fill(self, model: EmbeddingProvider, generation: Generation, *, deadline: float) -> bool:
        """Continue the scan of a generation. Returns True once it has reached the last document."""
        scan = self._scans.setdefault(generation.id, _Scan())
        if scan.is_expired:
            scan = self._scans[generation.id] = _Scan()
        max_rejected = len(scan.rejected) + MAX_REJECTIONS
        while scan.not_before <= time.monotonic() < deadline and not await self._has_interactive_work():
            async with self._database.session(SYSTEM_SCOPE) as session:
                incomplete, next_cursor = await embeddings.list_incomplete_documents(
                    session, generation, after=scan.cursor, limit=_PAGE_SIZE
                )
            for document in incomplete:
                if document.document_id in scan.rejected:
                    continue
                try:
                    is_done = await self._embed(model, generation, document, scan=scan, deadline=deadline)
                except EmbeddingsUnavailable as error:
                    scan.not_before = time.monotonic() + RETRY_SECONDS
                    extra = {"model": model.info.id, "reason": error.message}
                    logger.warning("An embedding model is unavailable; embeddings are missing meanwhile", extra=extra)
                    return False
                scan.has_skipped |= not is_done
                is_full = len(scan.rejected) >= max_rejected
                if time.monotonic() >= deadline or is_full or await self._has_interactive_work():
                    return False  # the next run starts with the same page
            if next_cursor is None:
                scan.is_finished = True
                return True
            scan.cursor = next_cursor
        return False

    async def _embed(
        self,
        model: EmbeddingProvider,
        generation: Generation,
        document: IncompleteDocument,
        *,
        scan: _Scan,
        deadline: float,
    ) -> bool:
        """Embed a document until the deadline or interactive work. Returns False if chunks are left."""
        chunks, left = MissingChunks(document), 1
        async with self._database.session(SYSTEM_SCOPE) as locked:
            if not await embeddings.try_lock_document(locked, generation, document.document_id):
                return False
            try:
                while left and time.monotonic() < deadline and not await self._has_interactive_work():
                    left = await self._embedder.embed_slice(document, chunks, model=model, seconds=_SLICE_SECONDS)
            except EmbeddingsRejected as error:
                scan.rejected.add(document.document_id)
                left = 0
                extra = {"document_id": str(document.document_id), "reason": error.message}
                logger.warning("A model rejected the text of a document", extra=extra)
            if generation.state == "active":
                await embeddings.update_embedded_counts(locked, generation, [document.document_id])
        return not left

    async def _has_interactive_work(self) -> bool:
        async with self._database.session(SYSTEM_SCOPE) as session:
            return await jobs.has_interactive_work(session)
