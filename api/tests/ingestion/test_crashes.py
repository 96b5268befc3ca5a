"""Killing a worker at any moment loses and duplicates nothing."""

import asyncio
import uuid
from random import Random

import pytest
from sqlalchemy import text

from lectern.db.scope import SYSTEM_SCOPE
from lectern.ingestion.recovery import recover_jobs
from lectern.jobs.liveness import WORKER_LOCKS

from .library import SAMPLES, Library
from .texts import long_text


async def until_stage(library: Library, document_id: uuid.UUID, stage: str) -> None:
    async def is_there() -> bool:
        job = await library.job(document_id)
        return job.state == "running" and job.stage == stage

    await library.until(is_there)


async def kill(process: asyncio.subprocess.Process) -> None:
    process.kill()
    await process.wait()


async def test_document_of_a_killed_worker_becomes_ready(library: Library) -> None:
    document_id = await library.add(long_text(paragraphs=800), filename="long.md")
    process = await library.start_worker_process()
    await until_stage(library, document_id, "embed")
    await kill(process)
    assert (await library.document(document_id)).status == "processing"
    async with library.worker():
        await library.until_status(document_id)
    assert (await library.job(document_id)).crashes == 0, "progress was made after the crash"
    assert await library.violations() == []


@pytest.mark.slow
async def test_random_kills_lose_and_duplicate_nothing(library: Library) -> None:
    random = Random(7)
    added = [await library.add(long_text(paragraphs=150, seed=number), filename=f"{number}.md") for number in range(4)]
    added.append(await library.add(SAMPLES / "annual-report-2025.pdf"))
    for _ in range(2):  # a document that ends three workers fails
        process = await library.start_worker_process()
        await library.until(lambda: has_live_worker(library))
        await asyncio.sleep(random.uniform(0.0, 1.5))  # a random moment for the kill
        await kill(process)
    async with library.worker_process():
        await library.until_status(*added)
    assert await library.violations() == []


async def has_live_worker(library: Library) -> bool:
    statement = (
        "SELECT count(*) > 0 FROM pg_locks WHERE locktype = 'advisory' AND classid = CAST(:locks AS bigint)::oid"
    )
    return await library.value(statement, locks=WORKER_LOCKS)


async def claim_as_a_dead_worker(library: Library, document_id: uuid.UUID) -> None:
    """Create the state of a worker that claimed a job and was killed."""
    async with library.database.session(SYSTEM_SCOPE) as session:
        await session.execute(
            text(
                "WITH dead AS (INSERT INTO queue.procrastinate_workers DEFAULT VALUES RETURNING id)"
                " UPDATE queue.procrastinate_jobs SET status = 'doing', worker_id = dead.id FROM dead"
                " WHERE procrastinate_jobs.id = (SELECT queue_id FROM jobs WHERE document_id = :id)"
            ),
            {"id": document_id},
        )


async def test_file_that_crashes_three_workers_fails_with_crashed_worker(library: Library) -> None:
    document_id = await library.add(b"Words.")
    for crash in (1, 2, 3):
        await claim_as_a_dead_worker(library, document_id)
        assert len(await recover_jobs(library.database, heartbeat_seconds=30)) == 1
        assert (await library.job(document_id)).crashes == crash
    document, job = await library.document(document_id), await library.job(document_id)
    assert (document.status, document.error_code, job.state) == ("failed", "crashed_worker", "failed")
    assert await library.value("SELECT count(*) FROM queue.procrastinate_jobs") == 0
    assert await recover_jobs(library.database, heartbeat_seconds=30) == []
    assert await library.violations() == []


async def test_job_of_a_live_worker_is_not_recovered(library: Library) -> None:
    document_id = await library.add(long_text(paragraphs=600), filename="long.md")
    async with library.worker_process():
        await until_stage(library, document_id, "embed")
        assert await recover_jobs(library.database, heartbeat_seconds=30) == []
        await library.until_status(document_id)


async def test_job_without_heartbeat_is_recovered_despite_an_open_connection(library: Library) -> None:
    document_id = await library.add(b"Words.")
    await claim_as_a_dead_worker(library, document_id)
    worker_id = await library.value("SELECT CAST(max(id) AS int) FROM queue.procrastinate_workers")
    async with library.database.engine.connect() as connection:
        values = {"locks": WORKER_LOCKS, "id": worker_id}
        await connection.execute(text("SELECT pg_advisory_lock(:locks, :id)"), values)
        assert await recover_jobs(library.database, heartbeat_seconds=30) == []
        await library.value(
            "UPDATE queue.procrastinate_workers SET last_heartbeat = now() - interval '31 seconds' RETURNING id"
        )
        assert len(await recover_jobs(library.database, heartbeat_seconds=30)) == 1
        await connection.execute(text("SELECT pg_advisory_unlock_all()"))


async def test_job_missing_from_the_queue_is_requeued(library: Library) -> None:
    document_id = await library.add(b"Words.")
    async with library.database.session(SYSTEM_SCOPE) as session:
        await session.execute(text("DELETE FROM queue.procrastinate_jobs"))
    assert await library.violations() != []
    async with library.worker():
        await library.until_status(document_id)
    assert (await library.job(document_id)).crashes == 0


async def test_duplicate_queue_entry_is_harmless(library: Library) -> None:
    document_id = await library.add(b"Words that are found once.")
    async with library.database.session(SYSTEM_SCOPE) as session:
        again = (
            "INSERT INTO queue.procrastinate_jobs (queue_name, task_name, args)"
            " SELECT lane, task, args FROM queue.procrastinate_jobs,"
            " (VALUES ('read', 'read'), ('embed', 'embed'), ('read_alone', 'read')) AS lanes (lane, task)"
        )
        await session.execute(text("SET LOCAL search_path = queue"))
        await session.execute(text(again))
    async with library.worker():
        await library.until_status(document_id)
        await library.until(library.is_queue_empty)
    assert (await library.job(document_id)).state == "succeeded"
    assert await library.violations() == []
