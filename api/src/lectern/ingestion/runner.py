"""The worker's edge: takes a delivered job, runs its stage, and settles whatever comes of it."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final

from lectern.db.scope import SYSTEM_SCOPE
from lectern.errors import LecternError
from lectern.extraction.errors import NoText
from lectern.ingestion import lease, repository
from lectern.ingestion.errors import GaveUp, Superseded, UnexpectedFault
from lectern.ingestion.lease import Assignment
from lectern.ingestion.pipeline import Pipeline
from lectern.ingestion.retry import MAX_TRIES, find_passing_fault
from lectern.jobs.queue import Delivery
from lectern.logs import REQUEST_ID

logger = logging.getLogger(__name__)

HAND_BACK_SECONDS: Final = 5.0
Stage = Callable[[Assignment], Awaitable[None]]


class Runner:
    """Handlers for the lanes of the queue. They never raise but when they are cancelled."""

    def __init__(self, pipeline: Pipeline) -> None:
        self._pipeline = pipeline
        self._database = pipeline.database

    async def read(self, delivery: Delivery) -> None:
        """Handle a job in one of the reading lanes."""
        await self._run(delivery, self._pipeline.read)

    async def embed(self, delivery: Delivery) -> None:
        """Handle a job in the embedding lane."""
        await self._run(delivery, self._pipeline.embed)

    async def _run(self, delivery: Delivery, stage: Stage) -> None:
        token = REQUEST_ID.set(f"job:{delivery.job_id}")
        run: Assignment | None = None
        try:
            run = await self._claim(delivery)
            if run is not None:
                await stage(run)
        except asyncio.CancelledError:
            await self._hand_back(run)
            raise
        except Superseded:
            logger.info("Work on a job ended: it is no longer this worker's", extra=_names(run))
        except Exception as error:  # noqa: BLE001 - the worker's edge: whatever happens is written on the job
            await self._settle(run, error)
        finally:
            REQUEST_ID.reset(token)

    async def _claim(self, delivery: Delivery) -> Assignment | None:
        """The job, unless this delivery is void or belongs into another lane."""
        async with self._database.session(SYSTEM_SCOPE) as session:
            run = await lease.claim(session, delivery)
            if run is None or delivery.lane == lease.lane_of_run(run):
                return run
            await lease.hand_back(session, run)
            return None

    async def _hand_back(self, run: Assignment | None) -> None:
        """Let another worker go on. When that cannot be written, the rescue finds the job."""
        if run is None:
            return
        try:
            async with asyncio.timeout(HAND_BACK_SECONDS), self._database.session(SYSTEM_SCOPE) as session:
                await lease.hand_back(session, run)
        except Superseded:
            logger.info("A job was stopped", extra=_names(run))
        except Exception as error:  # noqa: BLE001 - on the way out there is nobody left to tell
            logger.warning("A job could not be handed back", extra={**_names(run), "reason": str(error)})

    async def _settle(self, run: Assignment | None, error: Exception) -> None:
        """Write on the job and the document what went wrong. When that cannot be written, the rescue finds the job."""
        try:
            await self._write(run, error)
        except Superseded:
            logger.info("A failed job is no longer this worker's", extra=_names(run))
        except Exception as second:
            if find_passing_fault(second) is None:
                logger.exception("A job could not be settled", extra=_names(run))
            else:
                logger.warning("A job could not be settled", extra={**_names(run), "reason": str(second)})

    async def _write(self, run: Assignment | None, error: Exception) -> None:
        fault = find_passing_fault(error)
        if run is None:
            level = logging.ERROR if fault is None else logging.WARNING
            logger.log(level, "A job could not be taken on", exc_info=error if fault is None else None)
        elif fault is not None and run.attempts < MAX_TRIES:
            async with self._database.session(SYSTEM_SCOPE) as session:
                next_try_at = await lease.retry_later(session, run, fault)
            extra = {**_names(run), "code": fault.code, "reason": fault.message, "next_try_at": next_try_at}
            logger.warning("A job waits for a fault to pass", extra=extra)
        elif fault is not None:
            details = {"attempts": run.attempts}
            error = GaveUp(f"Tried {run.attempts} times. {fault.message}", hint=fault.hint, details=details)
            await self._fail(run, error)
        elif isinstance(error, LecternError):
            await self._fail(run, error)
        else:
            logger.error("Ingestion failed", exc_info=error, extra=_names(run))
            await self._fail(run, UnexpectedFault(f"{UnexpectedFault.__doc__} ({type(error).__name__})"))

    async def _fail(self, run: Assignment, error: LecternError) -> None:
        async with self._database.session(SYSTEM_SCOPE) as session:
            await lease.fail(session, run, error)
            if isinstance(error, NoText) and not run.is_update:
                await repository.store_ledger(session, run.document_id, error.details.get("pages", []))
        extra = {**_names(run), "document_filename": run.filename, "code": error.code, "reason": error.message}
        logger.info("A document failed", extra=extra)


def _names(run: Assignment | None) -> dict[str, str]:
    return {"job_id": str(run.job_id), "document_id": str(run.document_id)} if run else {}
