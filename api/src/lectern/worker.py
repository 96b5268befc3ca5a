"""The worker: runs the jobs of the queue and the periodic tasks until it stops.

Any number of workers may run on any number of hosts. They share only the database and the storage of originals. A
worker survives the loss of its database: it drops the running jobs and continues when Postgres is back.
"""

import asyncio
import contextlib
import logging
import signal
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import AbstractContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Final

import lectern.schema  # noqa: F401  # pyright: ignore[reportUnusedImport]: SQLAlchemy must know all models
from lectern.answers.history.service import delete_expired
from lectern.composition import open_database, open_provider, open_storage, require_database_url
from lectern.db import lexical_index
from lectern.db.scope import SYSTEM_SCOPE
from lectern.db.session import Database
from lectern.documents.trash.service import purge_expired
from lectern.documents.versions.service import remove_surplus_versions
from lectern.embeddings import service as embeddings
from lectern.embeddings.active import ActiveProvider
from lectern.errors import LecternError
from lectern.extraction.programs import describe_missing_engine
from lectern.extraction.sandbox.self_check import find_confinement
from lectern.extraction.types import OcrEngine
from lectern.http.metrics import Metrics, served_metrics
from lectern.ingestion.backfill import EmbeddingBackfill
from lectern.ingestion.pipeline import Pipeline
from lectern.ingestion.recovery import RECOVERY_SECONDS, delete_stale_work, recover_jobs
from lectern.ingestion.runner import Runner
from lectern.ingestion.stages.embed import Embedder
from lectern.ingestion.stages.reader import Reader
from lectern.jobs.errors import QueueLost
from lectern.jobs.queue import LaneConfig, QueueWorkers
from lectern.jobs.service import Lane
from lectern.library.folders.applying import Watcher
from lectern.library.folders.syncing import scan_due_folders
from lectern.operations.metrics.service import read_conditions
from lectern.settings import HttpSettings, Settings
from lectern.storage.store import OriginalStore
from lectern.tags.service import delete_orphaned_tags
from lectern.webhooks import service as webhooks
from lectern.webhooks.dispatcher import POLLING_SECONDS as WEBHOOKS_SECONDS
from lectern.webhooks.dispatcher import Dispatcher
from lectern.webhooks.sending import Sender

logger = logging.getLogger(__name__)

STATEMENT_SECONDS: Final = 900.0  # a document of 10,000 pages is indexed in one statement
ALERTS_SECONDS: Final = 60.0
COMPACTION_SECONDS: Final = 60.0
RETENTION_SECONDS: Final = 3_600.0
BACKFILL_SECONDS: Final = 5.0
FOLDERS_SECONDS: Final = 2.0  # the delay of a scan that a user requests
UPLOAD_SECONDS: Final = 86_400.0  # no upload takes longer
MIN_WAIT_SECONDS: Final = 0.25
MAX_WAIT_SECONDS: Final = 5.0


@dataclass(frozen=True, slots=True)
class WorkerContext:
    """The resources of one worker process."""

    url: str
    settings: Settings
    database: Database
    originals: OriginalStore
    provider: ActiveProvider
    backfill: EmbeddingBackfill
    webhooks: Dispatcher
    lanes: Mapping[str, LaneConfig]


async def run_worker(settings: Settings, *, stopping: asyncio.Event | None = None) -> None:
    """Work until `stopping` is set, or SIGTERM or SIGINT arrives.

    Raises:
        Misconfigured: DATABASE_URL is not set, or another setting is wrong.
    """
    stop = stopping or asyncio.Event()
    if stopping is None:
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, stop.set)
    # Their errors end the connection, and the reconnect loop logs the reason.
    logging.getLogger("procrastinate").setLevel(logging.CRITICAL)
    logging.getLogger("psycopg.pool").setLevel(logging.ERROR)
    async with _open_context(settings) as context:
        warnings = asyncio.gather(_warn_about_confinement(), _warn_about_text_recognition(settings))
        try:
            await _reconnect_until(stop, context)
        finally:
            await warnings
    logger.info("The worker has stopped")


@asynccontextmanager
async def _open_context(settings: Settings) -> AsyncGenerator[WorkerContext]:
    url = require_database_url(settings)
    originals = open_storage(settings)
    provider = open_provider(settings)
    pool_size = settings.jobs.concurrency + 8  # for the lanes, their progress and the periodic tasks
    database = open_database(settings, pool_size=pool_size, statement_timeout_seconds=STATEMENT_SECONDS)
    metrics = Metrics()
    metrics.watch_pool(database.measure_pool)
    reader = Reader(extraction=settings.extraction, ocr=settings.ocr, chunking=settings.chunking)
    runner = Runner(Pipeline(database, originals, reader, Embedder(database, provider, metrics), metrics))
    lanes = {
        Lane.READ.value: LaneConfig(Lane.READ.task, runner.read, settings.jobs.concurrency),
        Lane.READ_ALONE.value: LaneConfig(Lane.READ_ALONE.task, runner.read),
        Lane.EMBED.value: LaneConfig(Lane.EMBED.task, runner.embed),
    }
    backfill = EmbeddingBackfill(database, provider, metrics)
    dispatcher = Dispatcher(database, Sender(settings))
    try:
        with _serve_metrics(settings.http, metrics):
            yield WorkerContext(url, settings, database, originals, provider, backfill, dispatcher, lanes)
    finally:
        await reader.close()
        await provider.close()
        await database.dispose()


def _serve_metrics(http: HttpSettings, metrics: Metrics) -> AbstractContextManager[object]:
    """Serve metrics if they have a port. Raises Misconfigured."""
    if http.worker_metrics_port is None:
        return contextlib.nullcontext()
    token = http.metrics_token.get_secret_value() if http.metrics_token else None
    return served_metrics(metrics, host=http.host, port=http.worker_metrics_port, token=token)


async def _warn_about_confinement() -> None:
    """Warn if untrusted files are parsed without the full sandbox."""
    found = await asyncio.to_thread(find_confinement)
    missing = found.missing if found else ["the check failed"]
    if missing:
        logger.warning("Files are parsed without parts of the sandbox", extra={"missing": "; ".join(missing)})


async def _warn_about_text_recognition(settings: Settings) -> None:
    """Warn if the chosen engine is not installed, because pages without text stay unreadable."""
    missing = await asyncio.to_thread(
        describe_missing_engine,
        OcrEngine(settings.ocr.engine),
        languages=settings.chunking.languages,
        tessdata=settings.ocr.tessdata_dir,
    )
    if missing:
        logger.warning("Text recognition does not work", extra={"missing": missing})


async def _reconnect_until(stop: asyncio.Event, context: WorkerContext) -> None:
    """Reconnect loop: work while the connection to Postgres lasts, then wait for the database."""
    lost: frozenset[int] = frozenset()
    while not stop.is_set():
        await _wait_for_database(stop, context)
        if not stop.is_set():
            lost |= await _work_while_connected(stop, context, lost)
            await _pause(stop, MIN_WAIT_SECONDS)  # in case the next connection fails at once


async def _work_while_connected(stop: asyncio.Event, context: WorkerContext, lost: frozenset[int]) -> frozenset[int]:
    """Work until a stop or the loss of Postgres. Returns the worker ids of this connection."""
    heartbeat_seconds = context.settings.jobs.heartbeat_seconds
    workers = QueueWorkers(context.url, lanes=context.lanes, heartbeat_seconds=heartbeat_seconds)
    periodic = [
        asyncio.create_task(_every(RECOVERY_SECONDS, lambda: _recover_jobs(context, lost))),
        asyncio.create_task(_every(COMPACTION_SECONDS, lambda: _compact_counters(context))),
        asyncio.create_task(_every(RETENTION_SECONDS, lambda: _run_retention(context))),
        asyncio.create_task(_every(FOLDERS_SECONDS, lambda: _scan_folders(context))),
        asyncio.create_task(_every(BACKFILL_SECONDS, context.backfill.run)),
        asyncio.create_task(_every(ALERTS_SECONDS, lambda: _announce_alerts(context))),
        asyncio.create_task(_every(WEBHOOKS_SECONDS, context.webhooks.run)),
    ]
    logger.info("The worker is running")
    try:
        await workers.run(stop)
    except QueueLost as error:
        logger.warning("The worker lost its database", extra={"reason": error.log_message})
    finally:
        for task in periodic:
            task.cancel()
        await asyncio.gather(*periodic, return_exceptions=True)
    return workers.worker_ids


async def _wait_for_database(stop: asyncio.Event, context: WorkerContext) -> None:
    """Wait until the database is usable or the worker is to stop."""
    wait, logged = MIN_WAIT_SECONDS, ""
    while not stop.is_set():
        reason = await _find_obstacle(context)
        if reason is None:
            return
        if reason != logged:
            logger.warning("The worker waits for its database", extra={"reason": reason})
        logged = reason
        await _pause(stop, wait)
        wait = min(wait * 2, MAX_WAIT_SECONDS)


async def _find_obstacle(context: WorkerContext) -> str | None:
    """Return why the database is not usable: unavailable, not migrated, or without a table for a model."""
    try:
        async with context.database.session(SYSTEM_SCOPE) as session:
            for model in context.provider.models.values():
                await embeddings.get_generation(session, model.info)
    except LecternError as error:
        return error.log_message
    except Exception as error:  # noqa: BLE001 - the worker's edge: it waits, whatever the driver raises
        return str(error).split("\n", maxsplit=1)[0]
    return None


async def _pause(stop: asyncio.Event, seconds: float) -> None:
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(stop.wait(), seconds)


async def _every(seconds: float, task: Callable[[], Awaitable[None]]) -> None:
    while True:
        started = time.monotonic()
        try:
            await task()
        except Exception as error:  # noqa: BLE001 - the worker's edge: a failed task runs again next time
            logger.warning("A periodic task failed", extra={"reason": str(error).split("\n", maxsplit=1)[0]})
        await asyncio.sleep(max(seconds - (time.monotonic() - started), 0.1))


async def _recover_jobs(context: WorkerContext, lost: frozenset[int]) -> None:
    jobs = context.settings.jobs
    await recover_jobs(
        context.database,
        heartbeat_seconds=jobs.heartbeat_seconds,
        max_attempts=jobs.max_attempts,
        lost_workers=lost,
    )


async def _announce_alerts(context: WorkerContext) -> None:
    async with context.database.session(SYSTEM_SCOPE) as session:
        await webhooks.announce_alerts(session, await read_conditions(session, context.originals.folder))


async def _compact_counters(context: WorkerContext) -> None:
    """Merge the counter changes that triggers recorded."""
    async with context.database.session(SYSTEM_SCOPE) as session:
        await lexical_index.merge_lexeme_deltas(session)
        await lexical_index.merge_document_counts(session)
        await lexical_index.merge_library_versions(session)


async def _scan_folders(context: WorkerContext) -> None:
    settings = context.settings
    await scan_due_folders(Watcher(database=context.database, originals=context.originals, settings=settings))


async def _run_retention(context: WorkerContext) -> None:
    """Delete expired data: stale work, orphaned tags, trash, old versions, vectors, answers and broken uploads."""
    settings = context.settings
    async with context.database.session(SYSTEM_SCOPE) as session:
        await delete_stale_work(session)
        await delete_orphaned_tags(session)
    await purge_expired(context.database, context.originals, retention_days=settings.documents.trash_retention_days)
    await remove_surplus_versions(context.database, context.originals, limit=settings.documents.versions_kept)
    if settings.embeddings.cache_vectors:
        await embeddings.evict_cache(context.database, max_vectors=settings.embeddings.cache_vectors)
    await delete_expired(context.database, days=settings.answers.history_days)
    await webhooks.delete_expired(context.database)
    await context.originals.delete_stale_uploads(older_than_seconds=UPLOAD_SECONDS)
