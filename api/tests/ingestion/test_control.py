"""Job control: cancel, retry, stop, priorities and temporary failures."""

import asyncio
import os
import time
import uuid
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
from benchmarks.throwaway import ThrowawayDatabase
from pydantic import SecretStr
from sqlalchemy import text

from lectern.db.scope import SYSTEM_SCOPE, Scope
from lectern.ingestion.service import cancel_ingestion, retry_ingestion
from lectern.jobs.models import Job
from lectern.jobs.schemas import progress_of
from lectern.jobs.service import BULK, INTERACTIVE

from .library import Library, open_library
from .model_server import ModelServer, model_server
from .texts import long_text

EDITOR = Scope(actor="user:1", can_write=True)
MOVE_TO_TRASH = "UPDATE documents SET deleted_at = now() WHERE id = :id"


@pytest.fixture
async def model() -> AsyncGenerator[ModelServer]:
    async with model_server() as made:
        yield made


@pytest.fixture
async def waiting_library(database: ThrowawayDatabase, tmp_path: Path, model: ModelServer) -> AsyncGenerator[Library]:
    """A library that gets its embeddings when `model` may respond."""
    async with open_library(database, tmp_path, embeddings=model.settings) as made:
        yield made


async def cancel(library: Library, document_id: uuid.UUID) -> None:
    job = await library.job(document_id)
    async with library.database.session(EDITOR) as session:
        await cancel_ingestion(session, job.id)


async def retry(library: Library, document_id: uuid.UUID) -> Job:
    job = await library.job(document_id)
    async with library.database.session(EDITOR) as session:
        return await retry_ingestion(session, job.id)


async def test_queued_ingestion_is_cancelled_and_retried(library: Library) -> None:
    document_id = await library.add(b"Words.")
    await cancel(library, document_id)
    document, job = await library.document(document_id), await library.job(document_id)
    assert (document.status, document.error_code, job.state) == ("failed", "cancelled", "cancelled")
    assert await library.violations() == []
    assert (await retry(library, document_id)).state == "queued"
    assert (await library.document(document_id)).error_code is None
    async with library.worker():
        await library.until_status(document_id)
    assert await library.violations() == []


async def test_cancelling_an_embedding_stops_the_worker_within_a_second(
    waiting_library: Library, model: ModelServer
) -> None:
    document_id = await waiting_library.add(b"Words.")
    async with waiting_library.worker():
        await asyncio.wait_for(model.is_requested.wait(), 30)
        began = time.monotonic()
        await cancel(waiting_library, document_id)
        await asyncio.wait_for(model.has_lost_client.wait(), 10)
        assert time.monotonic() - began < 5, "one second, and four for a busy machine; the model would never answer"
        document = await waiting_library.document(document_id)
        assert (document.status, document.error_code) == ("failed", "cancelled")
        assert document.keyword_ready_at is not None, "it was found by keyword already, and still is"
        assert await waiting_library.violations() == []
        model.may_answer.set()
        await retry(waiting_library, document_id)
        await waiting_library.until_status(document_id)
    assert await waiting_library.violations() == []


async def test_cancelling_an_extraction_kills_its_process(library: Library, slow_pdf: Path) -> None:
    document_id = await library.add(slow_pdf)
    async with library.worker_process() as worker:
        await library.until(lambda: is_read(library, document_id))
        assert children(worker.pid)
        await cancel(library, document_id)
        began = time.monotonic()
        while children(worker.pid):
            assert time.monotonic() - began < 5
            await asyncio.sleep(0.02)  # the end of another process sends no event
    assert (await library.document(document_id)).error_code == "cancelled"
    assert await library.value("SELECT count(*) FROM chunks") == 0
    assert await library.violations() == []


async def is_read(library: Library, document_id: uuid.UUID) -> bool:
    return bool((await library.job(document_id)).page)


def children(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/task/{pid}/children").read_text().split()


async def test_cancelled_reingestion_leaves_the_document_ready(waiting_library: Library, model: ModelServer) -> None:
    document_id = await waiting_library.add(b"Words.")
    model.may_answer.set()
    async with waiting_library.worker():
        await waiting_library.until_status(document_id)
    await waiting_library.reingest(document_id)
    await cancel(waiting_library, document_id)
    assert (await waiting_library.document(document_id)).status == "ready"
    assert await waiting_library.violations() == []


async def test_stopped_worker_releases_its_job_without_an_attempt(waiting_library: Library, model: ModelServer) -> None:
    document_id = await waiting_library.add(b"Words.")
    async with waiting_library.worker():
        await asyncio.wait_for(model.is_requested.wait(), 30)
    job = await waiting_library.job(document_id)
    assert (job.state, job.stage, job.attempts, job.crashes) == ("queued", "embed", 0, 0)
    assert await waiting_library.violations() == []
    model.may_answer.set()
    async with waiting_library.worker():
        await waiting_library.until_status(document_id)


async def test_temporary_failure_is_retried_at_a_reported_time(waiting_library: Library, model: ModelServer) -> None:
    document_id = await waiting_library.add(b"Words.")
    model.refusals += [503] * 6  # the automatic retries of the provider, and one more
    model.may_answer.set()
    async with waiting_library.worker():
        await waiting_library.until(lambda: waits_for_another_try(waiting_library, document_id))
        job = await waiting_library.job(document_id)
        assert (job.state, job.error_code) == ("queued", "embeddings_unavailable")
        assert job.next_try_at is not None
        assert progress_of(job) < 1
        assert (await waiting_library.document(document_id)).status == "processing"
        await waiting_library.until_status(document_id)
    job = await waiting_library.job(document_id)
    assert (job.state, job.error_code, job.next_try_at) == ("succeeded", None, None)
    assert await waiting_library.violations() == []


async def waits_for_another_try(library: Library, document_id: uuid.UUID) -> bool:
    return (await library.job(document_id)).next_try_at is not None


async def test_permanent_failure_fails_the_document_but_keywords_still_match(
    waiting_library: Library, model: ModelServer
) -> None:
    document_id = await waiting_library.add(b"Words.")
    model.refusals += [401]
    async with waiting_library.worker():
        await waiting_library.until_status(document_id, status="failed")
    document = await waiting_library.document(document_id)
    assert document.error_code == "embeddings_rejected"
    assert document.keyword_ready_at is not None
    assert await waiting_library.violations() == []


async def test_all_documents_are_indexed_before_the_first_is_embedded(
    waiting_library: Library, model: ModelServer
) -> None:
    added = [await waiting_library.add(long_text(paragraphs=20, seed=seed), filename=f"{seed}.md") for seed in range(4)]
    async with waiting_library.worker():

        async def all_indexed() -> bool:
            documents = [await waiting_library.document(document_id) for document_id in added]
            return all(document.keyword_ready_at for document in documents)

        await waiting_library.until(all_indexed)
        assert [(await waiting_library.document(document_id)).status for document_id in added] == ["processing"] * 4
        jobs = [await waiting_library.job(document_id) for document_id in added]
        assert max(progress_of(job) for job in jobs) < 0.5
        model.may_answer.set()
        await waiting_library.until_status(*added)


async def test_short_and_interactive_documents_are_embedded_first(library: Library) -> None:
    bulk_long = await library.add(long_text(paragraphs=120, seed=1), filename="1.md", priority=BULK)
    bulk_short = await library.add(long_text(paragraphs=4, seed=2), filename="2.md", priority=BULK)
    interactive_long = await library.add(long_text(paragraphs=120, seed=3), filename="3.md", priority=INTERACTIVE)
    interactive_short = await library.add(long_text(paragraphs=4, seed=4), filename="4.md", priority=INTERACTIVE)
    wanted = [interactive_short, interactive_long, bulk_short, bulk_long]
    async with library.worker():
        await library.until_status(*wanted)
    ranked = "SELECT array_agg(document_id::text ORDER BY first) FROM ({}) AS t"
    order = await library.value(
        ranked.format(
            "SELECT document_id, ready_at AS first FROM (SELECT id AS document_id, ready_at FROM documents) d"
        )
    )
    assert sorted(order) == sorted(map(str, wanted))
    assert order.index(str(interactive_short)) < order.index(str(bulk_long))


async def test_ingestion_of_a_purged_document_stops_without_error(
    waiting_library: Library, model: ModelServer, caplog: pytest.LogCaptureFixture
) -> None:
    await change_while_embedding(waiting_library, model, "DELETE FROM documents WHERE id = :id")
    assert [record.message for record in caplog.records if record.levelname == "ERROR"] == []
    assert await waiting_library.value("SELECT count(*) FROM chunk_embeddings_1") == 0
    assert await waiting_library.violations() == []


async def change_while_embedding(library: Library, model: ModelServer, statement: str) -> uuid.UUID:
    """Change a document while its embeddings are requested. Returns its id once its job has left the queue."""
    document_id = await library.add(b"Words.")
    async with library.worker():
        await asyncio.wait_for(model.is_requested.wait(), 30)
        async with library.database.session(SYSTEM_SCOPE) as session:
            await session.execute(text(statement), {"id": document_id})
        model.may_answer.set()
        await library.until(library.is_queue_empty)
    return document_id


async def test_ingestion_of_a_trashed_document_is_cancelled(library: Library) -> None:
    document_id = await library.add(b"Words.")
    async with library.database.session(SYSTEM_SCOPE) as session:
        await session.execute(text(MOVE_TO_TRASH), {"id": document_id})
    async with library.worker():
        await library.until(library.is_queue_empty)
    assert (await library.job(document_id)).state == "cancelled"
    assert (await library.document(document_id)).error_code == "cancelled"


async def test_job_ends_when_its_document_is_deleted_while_it_is_embedded(
    waiting_library: Library, model: ModelServer, caplog: pytest.LogCaptureFixture
) -> None:
    document_id = await change_while_embedding(waiting_library, model, MOVE_TO_TRASH)
    job = await waiting_library.job(document_id)
    assert (job.state, job.error_code, job.crashes) == ("cancelled", "cancelled", 0)
    assert "Recovered a stalled job" not in caplog.messages
    assert await waiting_library.violations() == []


async def test_retry_password_opens_a_protected_file_and_is_not_stored(library: Library, protected_pdf: Path) -> None:
    document_id = await library.add(protected_pdf)
    async with library.worker():
        await library.until_status(document_id, status="failed")
        assert (await library.document(document_id)).error_code == "encrypted"
        job = await library.job(document_id)
        async with library.database.session(EDITOR) as session:
            await retry_ingestion(session, job.id, password=SecretStr("open sesame"))
        await library.until_status(document_id)
    assert (await library.job(document_id)).arguments == {}
    assert (await library.document(document_id)).page_images == "locked"
    assert await library.violations() == []


async def test_worker_processes_run_at_low_priority(library: Library, slow_pdf: Path) -> None:
    own = os.getpriority(os.PRIO_PROCESS, 0)
    document_id = await library.add(slow_pdf)
    async with library.worker_process() as worker:
        await library.until(lambda: is_read(library, document_id))
        niceness = [os.getpriority(os.PRIO_PROCESS, pid) for pid in (worker.pid, *map(int, children(worker.pid)))]
        await cancel(library, document_id)
    assert len(niceness) > 1
    assert niceness == [own + 10] * len(niceness)
