"""Jobs are enqueued, cancelled and retried with the caller's transaction and within its scope."""

import uuid
from collections.abc import Awaitable, Callable

import pytest
from sqlalchemy import text
from sqlalchemy.exc import ProgrammingError

from lectern.db.scope import SYSTEM_SCOPE, Scope
from lectern.db.session import Database
from lectern.jobs import service
from lectern.jobs.errors import JobNotCancellable, JobNotFound, JobNotRetryable

EDITOR = Scope(actor="user:1", can_write=True)
AddDocument = Callable[[], Awaitable[uuid.UUID]]


async def entries(library: Database) -> int:
    async with library.session(SYSTEM_SCOPE) as session:
        return (await session.execute(text("SELECT count(*) FROM queue.procrastinate_jobs"))).scalar_one()


async def enqueue(library: Database, document_id: uuid.UUID, *, scope: Scope = EDITOR) -> uuid.UUID:
    async with library.session(scope) as session:
        return (await service.enqueue(session, document_id=document_id)).id


class ChangedTheirMind(Exception):
    """Rolls a transaction back."""


async def test_a_transaction_that_is_rolled_back_enqueues_nothing(library: Database, add_document: AddDocument) -> None:
    document_id = await add_document()

    async def enqueue_and_think_again() -> None:
        async with library.session(EDITOR) as session:
            await service.enqueue(session, document_id=document_id)
            raise ChangedTheirMind

    with pytest.raises(ChangedTheirMind):
        await enqueue_and_think_again()
    assert await entries(library) == 0
    async with library.session(SYSTEM_SCOPE) as session:
        assert (await session.execute(text("SELECT count(*) FROM jobs"))).scalar_one() == 0


async def test_an_editors_transaction_that_commits_enqueues_one_job(
    library: Database, add_document: AddDocument
) -> None:
    job_id = await enqueue(library, await add_document())
    assert await entries(library) == 1
    async with library.session(EDITOR) as session:
        job = await service.get_job(session, job_id)
    assert (job.state, job.attempts, job.queue_id is not None) == ("queued", 0, True)


async def test_a_document_with_a_job_under_way_is_not_queued_twice(
    library: Database, add_document: AddDocument
) -> None:
    document_id = await add_document()
    assert await enqueue(library, document_id) == await enqueue(library, document_id)
    assert await entries(library) == 1


async def test_a_scope_neither_sees_nor_makes_jobs_of_documents_outside_it(
    library: Database, add_document: AddDocument
) -> None:
    inside, outside = await add_document(), await add_document()
    narrow = Scope(actor="key:1", can_write=True, documents=frozenset({inside}))
    job_id = await enqueue(library, outside)
    async with library.session(narrow) as session:
        with pytest.raises(JobNotFound):
            await service.get_job(session, job_id)
    async with library.session(narrow) as session:
        with pytest.raises(JobNotFound):
            await service.cancel(session, job_id)
    other = await add_document()
    with pytest.raises(ProgrammingError, match="row-level security"):
        await enqueue(library, other, scope=narrow)
    assert await entries(library) == 1


async def test_the_scoped_role_does_not_reach_the_queue_itself(library: Database) -> None:
    with pytest.raises(ProgrammingError, match="permission denied for schema queue"):
        async with library.session(EDITOR) as session:
            await session.execute(text("SELECT count(*) FROM queue.procrastinate_jobs"))


async def test_the_queue_functions_leave_jobs_alone_that_are_queued_already(
    library: Database, add_document: AddDocument
) -> None:
    job_id = await enqueue(library, await add_document())
    outsider = Scope(actor="key:1", documents=frozenset())
    async with library.session(outsider) as session:
        statement = text("SELECT lectern_enqueue_job(:job, 'read', 'read', 0, NULL)")
        assert (await session.execute(statement, {"job": job_id})).scalar_one() is None
        await session.execute(text("SELECT lectern_abort_job(:job)"), {"job": job_id})
    assert await entries(library) == 1


async def test_a_cancelled_job_leaves_the_queue_and_can_be_retried(
    library: Database, add_document: AddDocument
) -> None:
    job_id = await enqueue(library, await add_document())
    async with library.session(EDITOR) as session:
        cancelled = await service.cancel(session, job_id)
        assert cancelled.state == "cancelled"
        assert cancelled.finished_at is not None
    assert await entries(library) == 0
    async with library.session(EDITOR) as session:
        with pytest.raises(JobNotCancellable):
            await service.cancel(session, job_id)
    async with library.session(EDITOR) as session:
        retried = await service.retry(session, job_id)
        assert (retried.state, retried.finished_at, retried.is_cancel_requested) == ("queued", None, False)
    assert await entries(library) == 1


async def test_a_job_under_way_is_not_retried(library: Database, add_document: AddDocument) -> None:
    document_id = await add_document()
    job_id = await enqueue(library, document_id)
    async with library.session(EDITOR) as session:
        with pytest.raises(JobNotRetryable):
            await service.retry(session, job_id)
    async with library.session(EDITOR) as session:
        await service.cancel(session, job_id)
    await enqueue(library, document_id)
    async with library.session(EDITOR) as session:
        with pytest.raises(JobNotRetryable, match="newer job"):
            await service.retry(session, job_id)
