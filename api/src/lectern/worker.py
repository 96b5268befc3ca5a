"""The worker: composes what ingestion needs and works on the queue until it is told to stop.

Any number of workers run on any number of hosts; all they share is the database and the storage of originals. A worker
outlives its database: when Postgres goes away, what is under way is dropped, and taken up again when it is back.
"""

import asyncio
import contextlib
import logging
import signal
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final

import lectern.schema  # noqa: F401  # pyright: ignore[reportUnusedImport]: SQLAlchemy must know all models
from lectern.answers.history.service import delete_expired
from lectern.db import lexical_index
from lectern.db.engine import create_engine
from lectern.db.scope import SYSTEM_SCOPE
from lectern.db.session import Database
from lectern.documents.trash.service import purge_expired
from lectern.documents.versions.service import remove_surplus_versions
from lectern.embedded.data_folder import DataFolder, default_data_folder
from lectern.embeddings import service as embeddings
from lectern.embeddings.active import ActiveProvider
from lectern.embeddings.registry import create_models
from lectern.errors import LecternError, Misconfigured
from lectern.extraction.sandbox.self_check import find_confinement
from lectern.ingestion import checkpoints
from lectern.ingestion.backfill import Filler
from lectern.ingestion.pipeline import Pipeline
from lectern.ingestion.reading import Reader
from lectern.ingestion.recovery import RESCUE_SECONDS, rescue_jobs
from lectern.ingestion.runner import Runner
from lectern.ingestion.stages.embed import Embedder
from lectern.jobs import entries
from lectern.jobs.errors import QueueLost
from lectern.jobs.queue import LaneOfWork, QueueWorkers
from lectern.jobs.service import Lane
from lectern.library.folders.syncing import Watcher, scan_due_folders
from lectern.settings import Settings
from lectern.storage.store import OriginalStore, open_originals

logger = logging.getLogger(__name__)

STATEMENT_SECONDS: Final = 900.0  # a document of 10,000 pages is indexed in one statement
SETTLE_SECONDS: Final = 60.0
SWEEP_SECONDS: Final = 3_600.0
REFILL_SECONDS: Final = 5.0
FOLDERS_SECONDS: Final = 2.0  # how soon a scan that somebody asked for begins
UPLOAD_SECONDS: Final = 86_400.0  # no upload takes longer
FIRST_WAIT_SECONDS: Final = 0.25
LONGEST_WAIT_SECONDS: Final = 5.0


@dataclass(frozen=True, slots=True)
class _Workshop:
    """What is made once for each process."""

    url: str
    settings: Settings
    database: Database
    originals: OriginalStore
    provider: ActiveProvider
    filler: Filler
    lanes: Mapping[str, LaneOfWork]


async def run_worker(settings: Settings, *, stopping: asyncio.Event | None = None) -> None:
    """Work until `stopping` is set, or SIGTERM or SIGINT arrives.

    Raises:
        Misconfigured: DATABASE_URL is not set, or another setting is wrong.
    """
    stop = stopping or asyncio.Event()
    if stopping is None:
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, stop.set)
    # What breaks in there ends the spell of work, and is said with its reason here.
    logging.getLogger("procrastinate").setLevel(logging.CRITICAL)
    logging.getLogger("psycopg.pool").setLevel(logging.ERROR)
    async with _open(settings) as workshop:
        told = asyncio.create_task(_tell_confinement())
        try:
            await _work_until(stop, workshop)
        finally:
            await told
    logger.info("The worker has stopped")


async def _tell_confinement() -> None:
    """Say it loudly when strangers' files are read with less than the full confinement."""
    found = await asyncio.to_thread(find_confinement)
    missing = found.missing if found else ["it could not be found out"]
    if missing:
        logger.warning("Files are read without some of the confinement", extra={"missing": "; ".join(missing)})


@asynccontextmanager
async def _open(settings: Settings) -> AsyncGenerator[_Workshop]:
    if settings.database.url is None:
        raise Misconfigured("DATABASE_URL is not set.", hint="Set it, or use `lectern up`, which brings a database.")
    url = settings.database.url.get_secret_value()
    folder = DataFolder(settings.embedded.data_dir or default_data_folder(None))
    originals = open_originals(settings.storage.url, default_folder=folder.originals)
    model_dir = settings.embeddings.model_dir or folder.models
    provider = ActiveProvider(create_models(settings.embeddings, model_dir=model_dir))
    pool_size = settings.jobs.concurrency + 8  # the lanes, their progress, the chores
    database = Database(create_engine(url, pool_size=pool_size, statement_timeout_seconds=STATEMENT_SECONDS))
    reader = Reader(originals, extraction=settings.extraction, ocr=settings.ocr, chunking=settings.chunking)
    runner = Runner(Pipeline(database, reader, Embedder(database, provider)))
    lanes = {
        Lane.READ.value: LaneOfWork(Lane.READ.task, runner.read, settings.jobs.concurrency),
        Lane.READ_ALONE.value: LaneOfWork(Lane.READ_ALONE.task, runner.read),
        Lane.EMBED.value: LaneOfWork(Lane.EMBED.task, runner.embed),
    }
    try:
        yield _Workshop(url, settings, database, originals, provider, Filler(database, provider), lanes)
    finally:
        await reader.close()
        await provider.close()
        await database.dispose()


async def _work_until(stop: asyncio.Event, workshop: _Workshop) -> None:
    """Work in spells: each lasts as long as its connection to Postgres."""
    lost: frozenset[int] = frozenset()
    while not stop.is_set():
        await _wait_for_database(stop, workshop)
        if not stop.is_set():
            lost |= await _work_a_spell(stop, workshop, lost)
            await _pause(stop, FIRST_WAIT_SECONDS)  # should the next one end at once, too


async def _work_a_spell(stop: asyncio.Event, workshop: _Workshop, lost: frozenset[int]) -> frozenset[int]:
    """Work until told to stop or until Postgres goes away; returns the ids under which the queue knew this spell."""
    heartbeat_seconds = workshop.settings.jobs.heartbeat_seconds
    workers = QueueWorkers(workshop.url, lanes=workshop.lanes, heartbeat_seconds=heartbeat_seconds)
    chores = [
        asyncio.create_task(_every(RESCUE_SECONDS, lambda: _rescue(workshop, lost))),
        asyncio.create_task(_every(SETTLE_SECONDS, lambda: _settle_counts(workshop))),
        asyncio.create_task(_every(SWEEP_SECONDS, lambda: _sweep(workshop))),
        asyncio.create_task(_every(FOLDERS_SECONDS, lambda: _scan_folders(workshop))),
        asyncio.create_task(_every(REFILL_SECONDS, workshop.filler.work)),
    ]
    logger.info("The worker is at work")
    try:
        await workers.run(stop)
    except QueueLost as error:
        logger.warning("The worker lost its database", extra={"reason": error.message})
    finally:
        for chore in chores:
            chore.cancel()
        await asyncio.gather(*chores, return_exceptions=True)
    return workers.worker_ids


async def _wait_for_database(stop: asyncio.Event, workshop: _Workshop) -> None:
    """Return when the database can be worked with, or the worker is to stop."""
    wait, told = FIRST_WAIT_SECONDS, ""
    while not stop.is_set():
        reason = await _find_obstacle(workshop)
        if reason is None:
            return
        if reason != told:
            logger.warning("The worker waits for its database", extra={"reason": reason})
        told = reason
        await _pause(stop, wait)
        wait = min(wait * 2, LONGEST_WAIT_SECONDS)


async def _pause(stop: asyncio.Event, seconds: float) -> None:
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(stop.wait(), seconds)


async def _find_obstacle(workshop: _Workshop) -> str | None:
    """Why the database cannot be worked with: it is away, not migrated, or has no table for this embedding model."""
    try:
        async with workshop.database.session(SYSTEM_SCOPE) as session:
            for model in workshop.provider.models.values():
                await embeddings.get_generation(session, model.info)
    except LecternError as error:
        return error.message
    except Exception as error:  # noqa: BLE001 - the worker's edge: it waits, whatever the driver says
        return str(error).split("\n", maxsplit=1)[0]
    return None


async def _every(seconds: float, chore: Callable[[], Awaitable[None]]) -> None:
    while True:
        started = time.monotonic()
        try:
            await chore()
        except Exception as error:  # noqa: BLE001 - the worker's edge: a chore that fails is done the next time
            logger.warning("A chore failed", extra={"reason": str(error).split("\n", maxsplit=1)[0]})
        await asyncio.sleep(max(seconds - (time.monotonic() - started), 0.1))


async def _rescue(workshop: _Workshop, lost: frozenset[int]) -> None:
    jobs = workshop.settings.jobs
    await rescue_jobs(
        workshop.database,
        heartbeat_seconds=jobs.heartbeat_seconds,
        max_attempts=jobs.max_attempts,
        lost_workers=lost,
    )


async def _settle_counts(workshop: _Workshop) -> None:
    async with workshop.database.session(SYSTEM_SCOPE) as session:
        await lexical_index.merge_lexeme_deltas(session)
        await lexical_index.merge_document_counts(session)
        await lexical_index.merge_library_versions(session)


async def _scan_folders(workshop: _Workshop) -> None:
    settings = workshop.settings
    await scan_due_folders(Watcher(database=workshop.database, originals=workshop.originals, settings=settings))


async def _sweep(workshop: _Workshop) -> None:
    """Remove what nobody will ask for: old trash and versions, broken uploads, half-made work, old embeddings."""
    async with workshop.database.session(SYSTEM_SCOPE) as session:
        await checkpoints.forget_ended(session)
        await entries.remove_orphans(session)
    days = workshop.settings.documents.trash_retention_days
    await purge_expired(workshop.database, workshop.originals, retention_days=days)
    kept = workshop.settings.documents.versions_kept
    await remove_surplus_versions(workshop.database, workshop.originals, kept=kept)
    if workshop.settings.embeddings.cache_vectors:
        await embeddings.evict_cache(workshop.database, max_vectors=workshop.settings.embeddings.cache_vectors)
    await delete_expired(workshop.database, days=workshop.settings.answers.history_days)
    await workshop.originals.sweep_uploads(older_than_seconds=UPLOAD_SECONDS)
