"""Workers survive a restart of Postgres and resume their jobs."""

import asyncio
import os
import signal
import time
from collections.abc import Generator
from pathlib import Path

import pytest
from benchmarks.throwaway import ThrowawayPostgres, throwaway_postgres
from sqlalchemy import text

from lectern.db.migrations.runner import migrate
from lectern.db.scope import SYSTEM_SCOPE
from lectern.jobs.events import EventHub

from .library import Library, open_library
from .texts import long_text


@pytest.fixture
def own_postgres() -> Generator[ThrowawayPostgres]:
    """A server that the test may kill."""
    with throwaway_postgres(is_in_memory=True) as server:
        server.prepare_template(migrate)
        yield server


async def kill_and_restart(postgres: ThrowawayPostgres) -> None:
    server, deadline = postgres.server, time.monotonic() + 30
    assert server.pid is not None
    os.kill(server.pid, signal.SIGKILL)
    while server.is_running:  # noqa: ASYNC110 - a process that was killed has no event to wait for
        await asyncio.sleep(0.01)
    while not server.poll(deadline=deadline):  # noqa: ASYNC110 - nor has a server that comes up
        await asyncio.sleep(0.05)


async def test_documents_become_ready_although_postgres_is_killed_twice(
    own_postgres: ThrowawayPostgres, tmp_path: Path
) -> None:
    with own_postgres.fresh_database() as urls:
        async with open_library(urls, tmp_path) as library:
            added = [await library.add(long_text(paragraphs=400, seed=seed), filename=f"{seed}.md") for seed in (1, 2)]
            async with library.worker_process() as worker:
                for done in (0, 20):
                    await library.until(lambda done=done: has_embedded(library, more_than=done))
                    await kill_and_restart(own_postgres)
                await library.until_status(*added)
                assert worker.returncode is None, "the worker itself stayed"
            jobs = [await library.job(document_id) for document_id in added]
            assert [job.crashes for job in jobs] == [0, 0], "nobody crashed but the database"
            assert await library.violations() == []


async def has_embedded(library: Library, *, more_than: int) -> bool:
    return await library.value("SELECT count(*) > :n FROM chunk_embeddings_1", n=more_than)


async def test_event_listener_reconnects_and_reports_a_gap(own_postgres: ThrowawayPostgres, tmp_path: Path) -> None:
    with own_postgres.fresh_database() as urls:
        async with open_library(urls, tmp_path) as library:
            hub = EventHub(urls.service_url)
            hub.start()
            with hub.subscribe() as subscription:
                first = await subscription.next(timeout_seconds=10)
                assert first is not None
                assert first.has_gap
                await kill_and_restart(own_postgres)
                second = await subscription.next(timeout_seconds=20)
                assert second is not None
                assert second.has_gap
                document_id = await library.add(b"Words.")
                third = await subscription.next(timeout_seconds=10)
                assert third is not None
                assert third.changed == (document_id,)
            await hub.stop()
            async with library.database.session(SYSTEM_SCOPE) as session:
                await session.execute(text("SELECT 1"))
