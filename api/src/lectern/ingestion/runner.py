"""Run delivered jobs, and record how each run ends."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final

from lectern.db.scope import SYSTEM_SCOPE
from lectern.db.session import Session
from lectern.errors import LecternError
from lectern.extraction.errors import NoText
from lectern.ingestion import lease, repository
from lectern.ingestion.errors import GaveUp, Superseded, UnexpectedFault
from lectern.ingestion.lease import JobRun
from lectern.ingestion.pipeline import Pipeline
from lectern.ingestion.retry import MAX_TRIES, find_transient_error
from lectern.jobs.queue import Delivery
from lectern.logs import REQUEST_ID
from lectern.tracing import traced

logger = logging.getLogger(__name__)

LEAVE_SECONDS: Final = 5.0
Stage = Callable[[JobRun], Awaitable[None]]
Leave = Callable[[Session, JobRun], Awaitable[None]]


class Runner:
    """Handlers for the lanes of the queue. They raise only when cancelled."""

    def __init__(self, pipeline: Pipeline) -> None:
        self._pipeline = pipeline
        self._database = pipeline.database

    async def read(self, delivery: Delivery) -> None:
        """Handle a job of a reading lane."""
        await self._run(delivery, self._pipeline.read)

    async def embed(self, delivery: Delivery) -> None:
        """Handle a job of the embedding lane."""
        await self._run(delivery, self._pipeline.embed)

    async def _run(self, delivery: Delivery, stage: Stage) -> None:
        token = REQUEST_ID.set(f"job:{delivery.job_id}")
        run: JobRun | None = None
        try:
            run = await self._claim(delivery)
            if run is not None:
                attributes = {f"lectern.{name}": value for name, value in _ids(run).items()}
                with traced(f"job {delivery.lane}", attributes, cause=run.arguments.traceparent):
                    await stage(run)
        except asyncio.CancelledError:
            await self._leave(run, lease.release)
            raise
        except Superseded:
            logger.info("The run ended: another one owns its job, or its document was deleted", extra=_ids(run))
            await self._leave(run, lease.cancel_if_in_trash)
        except Exception as error:  # noqa: BLE001 - the worker's edge: every error is recorded on the job
            await self._record_error(run, error)
        finally:
            REQUEST_ID.reset(token)

    async def _claim(self, delivery: Delivery) -> JobRun | None:
        """Claim the job, unless the delivery is void or the job belongs to another lane."""
        async with self._database.session(SYSTEM_SCOPE) as session:
            run = await lease.claim(session, delivery)
            if run is None or delivery.lane == run.lane:
                return run
            await lease.release(session, run)
            return None

    async def _leave(self, run: JobRun | None, leave: Leave) -> None:
        """Requeue or cancel the job of a run that ends early. If that fails, the recovery finds it."""
        if run is None:
            return
        try:
            async with asyncio.timeout(LEAVE_SECONDS), self._database.session(SYSTEM_SCOPE) as session:
                await leave(session, run)
        except Superseded:
            logger.info("A job was stopped", extra=_ids(run))
        except Exception as error:  # noqa: BLE001 - the run has ended, and the recovery finds the job
            logger.warning("Could not release a job", extra={**_ids(run), "reason": str(error)})

    async def _record_error(self, run: JobRun | None, error: Exception) -> None:
        """Record an error on the job and the document. If that fails, the recovery finds the job."""
        try:
            await self._retry_or_fail(run, error)
        except Superseded:
            logger.info("The failed run no longer owns its job", extra=_ids(run))
        except Exception as second:
            if find_transient_error(second) is None:
                logger.exception("Could not record the error of a job", extra=_ids(run))
            else:
                logger.warning("Could not record the error of a job", extra={**_ids(run), "reason": str(second)})

    async def _retry_or_fail(self, run: JobRun | None, error: Exception) -> None:
        transient = find_transient_error(error)
        if run is None:
            level = logging.ERROR if transient is None else logging.WARNING
            logger.log(level, "Could not claim a job", exc_info=error if transient is None else None)
        elif transient is not None and run.attempts < MAX_TRIES:
            async with self._database.session(SYSTEM_SCOPE) as session:
                next_try_at = await lease.retry_later(session, run, transient)
            extra = {**_ids(run), "code": transient.code, "reason": transient.log_message, "next_try_at": next_try_at}
            logger.warning("A job will be retried after a transient error", extra=extra)
        elif transient is not None:
            details = {"attempts": run.attempts}
            message = f"Tried {run.attempts} times. {transient.message}"
            await self._fail(run, GaveUp(message, hint=transient.hint, details=details))
        elif isinstance(error, LecternError):
            await self._fail(run, error)
        else:
            logger.error("Ingestion failed", exc_info=error, extra=_ids(run))
            await self._fail(run, UnexpectedFault(f"{UnexpectedFault.__doc__} ({type(error).__name__})"))

    async def _fail(self, run: JobRun, error: LecternError) -> None:
        async with self._database.session(SYSTEM_SCOPE) as session:
            await lease.fail(session, run, error)
            if isinstance(error, NoText) and not run.is_update:
                await repository.store_page_ledger(session, run.document_id, error.details.get("pages", []))
        extra = {**_ids(run), "document_filename": run.filename, "code": error.code, "reason": error.log_message}
        logger.info("A document failed", extra=extra)


def _ids(run: JobRun | None) -> dict[str, str]:
    return {"job_id": str(run.job_id), "document_id": str(run.document_id)} if run else {}
