"""The workers' side of the queue: the only file that knows procrastinate.

    workers = QueueWorkers(url, lanes={"read": LaneOfWork("read", handle_read), ...}, heartbeat_seconds=30)
    await workers.run(stopping)        # until `stopping` is set, or raises QueueLost

What procrastinate does for us: hand an entry to exactly one worker, highest rank first, wake workers by NOTIFY, tell a
worker to stop what it is doing. What it does not do and is done here and in `ingestion/rescue.py`: survive the loss of
Postgres, find dead workers at once, count their crashes. Handlers settle their job in our own tables and never raise
to say "try again": every entry of the queue is used once and deleted.
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
POLLING_SECONDS: Final = 2.0  # news come by NOTIFY; this is for entries whose time has come, and for lost notices
CONNECT_SECONDS: Final = 10.0
POOL_SECONDS: Final = 5.0
FORGET_WORKER_SECONDS: Final = 604_800.0  # long after the rescue, which looks at who had a job
GRACE_SECONDS: Final = 5.0
GIVE_UP_SECONDS: Final = 30.0


@dataclass(frozen=True, slots=True)
class Delivery:
    """A job that was handed to this worker, by the entry `queue_id` in a lane of the queue."""

    job_id: uuid.UUID
    queue_id: int
    lane: str


Handler = Callable[[Delivery], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class LaneOfWork:
    """Who works on a lane, and on how many jobs at a time."""

    task: str
    handler: Handler
    concurrency: int = 1


class _RegisteringManager(JobManager):
    """Makes each worker provably alive before it takes its first job."""

    def __init__(self, connector: procrastinate.PsycopgConnector, liveness: Liveness) -> None:
        super().__init__(connector)
        self._liveness = liveness

    async def register_worker(self) -> int:
        worker_id = await super().register_worker()
        await self._liveness.vouch_for(worker_id)
        return worker_id


class QueueWorkers:
    """One worker for each lane, on one connection to Postgres that proves that they live."""

    def __init__(self, url: str, *, lanes: Mapping[str, LaneOfWork], heartbeat_seconds: float) -> None:
        self._url = libpq_url(url)
        self._lanes = lanes
        self._heartbeat_seconds = heartbeat_seconds
        self.worker_ids: frozenset[int] = frozenset()

    async def run(self, stopping: asyncio.Event) -> None:
        """Work until `stopping` is set; then finish within a few seconds what is under way, or let it be cancelled.

        Raises:
            QueueLost: Postgres went away. What was under way has been cancelled.
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
        endings: list[asyncio.Task[Any]] = [asyncio.create_task(stopping.wait()), asyncio.create_task(liveness.watch())]
        try:
            await asyncio.wait([*running, *endings], return_when=asyncio.FIRST_COMPLETED)
        finally:
            is_orderly = stopping.is_set() and liveness.is_intact
            self.worker_ids = liveness.worker_ids
            await _stop(workers, running, grace_seconds=GRACE_SECONDS if is_orderly else 0.0)
            for task in endings:
                task.cancel()
            await asyncio.gather(*endings, return_exceptions=True)
        if not stopping.is_set():
            raise QueueLost

    def _worker(self, app: procrastinate.App, name: str, lane: LaneOfWork) -> Worker:
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
            raise QueueLost("An entry of the queue came without its id.")
        await handler(Delivery(uuid.UUID(job_id), context.job.id, context.job.queue))

    return run


async def _stop(workers: list[Worker], running: list[asyncio.Task[None]], *, grace_seconds: float) -> None:
    """Stop taking jobs, wait for those under way, then cancel them; never wait for ever."""
    for worker in workers:
        worker.shutdown_graceful_timeout = grace_seconds
        worker.stop()
    _, late = await asyncio.wait(running, timeout=grace_seconds + GIVE_UP_SECONDS)
    for task in late:
        logger.error("A lane does not end; it is left behind", extra={"lane": task.get_name()})
        task.cancel()
    for task in running:
        with contextlib.suppress(asyncio.CancelledError, asyncio.InvalidStateError):
            if error := task.exception():
                logger.info("A lane ended with an error", extra={"lane": task.get_name(), "reason": _reason(error)})


def _reason(error: BaseException) -> str:
    return str(error.__cause__ or error).strip().split("\n", maxsplit=1)[0]
