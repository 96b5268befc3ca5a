"""Run the workers of the queue. The only file that imports procrastinate.

    workers = QueueWorkers(url, lanes={"read": LaneConfig("read", handle_read), ...}, heartbeat_seconds=30)
    await workers.run(stopping)        # until `stopping` is set; raises QueueLost

Procrastinate delivers an entry to exactly one worker, highest rank first, wakes workers by NOTIFY, and aborts jobs.
This file and `ingestion/recovery.py` survive the loss of Postgres, detect dead workers at once and count crashes.
Handlers record results in our own tables and never raise to request a retry. Every queue entry is used once.
"""

import asyncio
import contextlib
import logging
import uuid
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import procrastinate
import psycopg
from procrastinate.exceptions import ConnectorException
from procrastinate.job_context import JobContext
from procrastinate.manager import JobManager
from procrastinate.worker import Worker

from lectern.db.engine import libpq_url
from lectern.db.scope import SYSTEM_ROLE
from lectern.jobs.errors import QueueLost
from lectern.jobs.liveness import Liveness

logger = logging.getLogger(__name__)

OPTIONS: Final = f"-c role={SYSTEM_ROLE} -c search_path=queue,public -c timezone=UTC"
POLLING_SECONDS: Final = 2.0  # for delayed entries and lost notifications
CONNECT_SECONDS: Final = 10.0
POOL_SECONDS: Final = 5.0
FORGET_WORKER_SECONDS: Final = 604_800.0  # long after the recovery, which checks who had a job
GRACE_SECONDS: Final = 5.0
STOP_SECONDS: Final = 30.0


@dataclass(frozen=True, slots=True)
class Delivery:
    """A job delivered to this worker by the entry `queue_id` of a lane."""

    job_id: uuid.UUID
    queue_id: int
    lane: str


Handler = Callable[[Delivery], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class LaneConfig:
    """The handler of a lane, and the number of jobs it runs at a time."""

    task: str
    handler: Handler
    concurrency: int = 1


class _RegisteringManager(JobManager):
    """Locks each worker as alive before it takes its first job."""

    def __init__(self, connector: procrastinate.PsycopgConnector, liveness: Liveness) -> None:
        super().__init__(connector)
        self._liveness = liveness

    async def register_worker(self) -> int:
        worker_id = await super().register_worker()
        await self._liveness.lock_worker(worker_id)
        return worker_id


class QueueWorkers:
    """One worker for each lane, with one connection that proves that they are alive."""

    def __init__(self, url: str, *, lanes: Mapping[str, LaneConfig], heartbeat_seconds: float) -> None:
        self._url = libpq_url(url)
        self._lanes = lanes
        self._heartbeat_seconds = heartbeat_seconds
        self.worker_ids: frozenset[int] = frozenset()

    async def run(self, stopping: asyncio.Event) -> None:
        """Work until `stopping` is set. Running jobs get a few seconds to finish before they are cancelled.

        Raises:
            QueueLost: Postgres went away. Running jobs have been cancelled.
        """
        try:
            async with Liveness.connect(self._url, options=OPTIONS) as liveness:
                app = self._app(liveness)
                async with app.open_async():
                    await self._work(app, liveness, stopping)
        except (ConnectorException, psycopg.OperationalError) as error:
            raise QueueLost(f"The connection to the queue broke: {_reason(error)}") from error

    def _app(self, liveness: Liveness) -> procrastinate.App:
        connector = procrastinate.PsycopgConnector(
            conninfo=self._url,
            kwargs={"options": OPTIONS, "application_name": "lectern-queue", "connect_timeout": int(CONNECT_SECONDS)},
            min_size=1,
            max_size=len(self._lanes) + 2,
            timeout=POOL_SECONDS,
        )
        app = procrastinate.App(connector=connector)
        app.job_manager = _RegisteringManager(connector, liveness)
        for task, handler in {lane.task: lane.handler for lane in self._lanes.values()}.items():
            app.task(name=task, pass_context=True)(_as_task(handler))
        return app

    async def _work(self, app: procrastinate.App, liveness: Liveness, stopping: asyncio.Event) -> None:
        workers = [self._worker(app, name, lane) for name, lane in self._lanes.items()]
        running = [asyncio.create_task(worker.run(), name=f"lane {worker.worker_name}") for worker in workers]
        watchers: list[asyncio.Task[Any]] = [
            asyncio.create_task(stopping.wait()),
            asyncio.create_task(liveness.watch()),
        ]
        try:
            await asyncio.wait([*running, *watchers], return_when=asyncio.FIRST_COMPLETED)
        finally:
            is_graceful = stopping.is_set() and liveness.is_intact
            self.worker_ids = liveness.worker_ids
            await _stop(workers, running, grace_seconds=GRACE_SECONDS if is_graceful else 0.0)
            for task in watchers:
                task.cancel()
            await asyncio.gather(*watchers, return_exceptions=True)
        if not stopping.is_set():
            raise QueueLost

    def _worker(self, app: procrastinate.App, name: str, lane: LaneConfig) -> Worker:
        return Worker(
            app,
            queues=[name],
            name=name,
            concurrency=lane.concurrency,
            fetch_job_polling_interval=POLLING_SECONDS,
            abort_job_polling_interval=POLLING_SECONDS,
            shutdown_graceful_timeout=GRACE_SECONDS,
            delete_jobs="always",
            install_signal_handlers=False,
            update_heartbeat_interval=self._heartbeat_seconds / 3,
            stalled_worker_timeout=FORGET_WORKER_SECONDS,
        )


def _as_task(handler: Handler) -> Callable[..., Awaitable[None]]:
    async def run(context: JobContext, *, job_id: str) -> None:
        if context.job.id is None:
            raise QueueLost("A queue entry has no id.")
        await handler(Delivery(uuid.UUID(job_id), context.job.id, context.job.queue))

    return run


async def _stop(workers: list[Worker], running: list[asyncio.Task[None]], *, grace_seconds: float) -> None:
    """Stop taking jobs, wait for running ones, then cancel them. The wait is limited."""
    for worker in workers:
        worker.shutdown_graceful_timeout = grace_seconds
        worker.stop()
    _, late = await asyncio.wait(running, timeout=grace_seconds + STOP_SECONDS)
    for task in late:
        logger.error("A lane does not stop and is abandoned", extra={"lane": task.get_name()})
        task.cancel()
    for task in running:
        with contextlib.suppress(asyncio.CancelledError, asyncio.InvalidStateError):
            if error := task.exception():
                logger.info("A lane ended with an error", extra={"lane": task.get_name(), "reason": _reason(error)})


def _reason(error: BaseException) -> str:
    return str(error.__cause__ or error).strip().split("\n", maxsplit=1)[0]
