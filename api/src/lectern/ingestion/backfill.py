"""Embeddings that documents which are ready lack: those of a model that came later, or after one took over.

The file is not read again, and the document stays as it is: only embeddings are added. What people wait for goes first.
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
from lectern.ingestion.stages.embed import Embedder, MissingChunks
from lectern.jobs import service as jobs

logger = logging.getLogger(__name__)

TICK_SECONDS: Final = 20.0
LOOK_AGAIN_SECONDS: Final = 3_600.0  # at everything: what came out of the trash, what another worker left
RETRY_SECONDS: Final = 60.0
MOST_REFUSALS: Final = 5  # in one go: a model that refuses everything is not asked about everything at once
_SLICE_SECONDS: Final = 2.0  # how long people wait for it at most
_AT_A_TIME: Final = 100


@dataclass(slots=True)
class _Round:
    """How far the documents have been gone through for a generation. `refused`: by its model, not asked again."""

    place: BackfillCursor | None = None
    refused: set[uuid.UUID] = field(default_factory=set[uuid.UUID])
    not_before: float = 0.0
    begun_at: float = field(default_factory=time.monotonic)
    is_over: bool = False
    has_left_some: bool = False

    @property
    def is_due_again(self) -> bool:
        """Whether to begin at the first document anew."""
        wait = RETRY_SECONDS if self.has_left_some else LOOK_AGAIN_SECONDS
        return self.is_over and time.monotonic() - self.begun_at > wait


class Filler:
    """Makes missing embeddings in the background; one for each process, any number of processes."""

    def __init__(self, database: Database, provider: ActiveProvider) -> None:
        self._database = database
        self._provider = provider
        self._embedder = Embedder(database, provider)
        self._rounds: dict[int, _Round] = {}

    async def work(self) -> None:
        """Go on for a while with what is missing, that of the model in use first.

        Where none of the models of the settings is in use, the first takes over as soon as nothing is missing.
        A model that cannot be reached is left alone for a minute, what it refused for an hour.

        Raises:
            EmbeddingsMismatch: A model has no generation: `lectern migrate` makes it.
        """
        until = time.monotonic() + TICK_SECONDS
        async with self._database.session(SYSTEM_SCOPE) as session:
            first = await embeddings.follow_active_generation(session, self._provider)
            models = [first, *(model for model in self._provider.models.values() if model is not first)]
            generations = [await embeddings.get_generation(session, model.info) for model in models]
        for model, generation in zip(models, generations, strict=True):
            is_whole = await self._fill(model, generation, until=until)
            if is_whole and model is first and generation.state != "active":
                await self._take_over(model, generation)

    async def _take_over(self, model: EmbeddingProvider, generation: Generation) -> None:
        async with self._database.session(SYSTEM_SCOPE) as session:
            if await embeddings.activate_when_complete(session, generation):
                logger.info(
                    "The embeddings of another model are complete and searched now", extra={"model": model.info.id}
                )

    async def _fill(self, model: EmbeddingProvider, generation: Generation, *, until: float) -> bool:
        """Whether all documents have been gone through."""
        done = self._rounds.setdefault(generation.id, _Round())
        if done.is_due_again:
            done = self._rounds[generation.id] = _Round()
        most = len(done.refused) + MOST_REFUSALS
        while done.not_before <= time.monotonic() < until and not await self._do_people_wait():
            async with self._database.session(SYSTEM_SCOPE) as session:
                found, end = await embeddings.list_incomplete_documents(
                    session, generation, after=done.place, limit=_AT_A_TIME
                )
            for document in found:
                if document.document_id in done.refused:
                    continue
                try:
                    done.has_left_some |= not await self._complete(model, generation, document, done=done, until=until)
                except EmbeddingsUnavailable as error:
                    done.not_before = time.monotonic() + RETRY_SECONDS
                    extra = {"model": model.info.id, "reason": error.message}
                    logger.warning("A model cannot be reached; embeddings are missing meanwhile", extra=extra)
                    return False
                if time.monotonic() >= until or len(done.refused) >= most or await self._do_people_wait():
                    return False  # the next time begins at the same place
            if end is None:
                done.is_over = True
                return True
            done.place = end
        return False

    async def _complete(
        self,
        model: EmbeddingProvider,
        generation: Generation,
        document: IncompleteDocument,
        *,
        done: _Round,
        until: float,
    ) -> bool:
        """Work on a document until time is up or people wait; false where it is to be looked at again soon."""
        chunks, left = MissingChunks(document), 1
        async with self._database.session(SYSTEM_SCOPE) as claim:
            if not await embeddings.try_lock_document(claim, generation, document.document_id):
                return False
            try:
                while left and time.monotonic() < until and not await self._do_people_wait():
                    left = await self._embedder.embed_slice(document, chunks, model=model, seconds=_SLICE_SECONDS)
            except EmbeddingsRejected as error:
                done.refused.add(document.document_id)
                left = 0
                extra = {"document_id": str(document.document_id), "reason": error.message}
                logger.warning("A model refused to embed a document", extra=extra)
            if generation.state == "active":
                await embeddings.update_embedded_counts(claim, generation, [document.document_id])
        return not left

    async def _do_people_wait(self) -> bool:
        async with self._database.session(SYSTEM_SCOPE) as session:
            return await jobs.do_people_wait(session)
