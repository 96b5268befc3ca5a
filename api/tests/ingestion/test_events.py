"""Document events reach only subscribers with access to the document."""

import asyncio
import json
import time
import uuid
from collections.abc import AsyncGenerator, Collection
from contextlib import aclosing
from functools import partial
from typing import Any

import psycopg
import pytest
from benchmarks.throwaway import ThrowawayPostgres
from sqlalchemy import text

from lectern.db.engine import libpq_url
from lectern.db.scope import SYSTEM_SCOPE, Scope
from lectern.db.session import Session
from lectern.ingestion import service
from lectern.ingestion.event_stream import stream_events
from lectern.jobs.events import MAX_PENDING, MIN_RECONNECT_SECONDS, EventHub, Subscription
from lectern.jobs.models import Job

from .library import Library

Event = tuple[str, dict[str, Any]]
_END_LISTENERS = """
SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE application_name = 'lectern-events' AND datname = current_database()
"""


@pytest.fixture
async def hub(library: Library) -> AsyncGenerator[EventHub]:
    made = EventHub(library.urls.service_url)
    made.start()
    with made.subscribe() as subscription:  # the gap event confirms that it listens
        await subscription.next(timeout_seconds=10)
    yield made
    await made.stop()


async def is_current() -> bool:
    return True


open_stream = partial(stream_events, is_current=is_current)


def parse(block: str) -> Event:
    fields = dict(line.split(": ", 1) for line in block.strip().splitlines())
    return fields["event"], json.loads(fields["data"])


async def next_event(stream: AsyncGenerator[str], *names: str) -> Event:
    async with asyncio.timeout(20):
        async for block in stream:
            event = parse(block)
            if event[0] in names:
                return event
    raise AssertionError("the stream ended")


async def test_subscriber_gets_refetch_first_and_then_events(library: Library, hub: EventHub) -> None:
    async with aclosing(open_stream(hub, library.database, Scope(actor="user:1"))) as stream:
        assert (await next_event(stream, "refetch", "document"))[0] == "refetch"
        document_id = await library.add(b"Words.")
        _, queued = await next_event(stream, "document")
        assert queued["document_id"] == str(document_id)
        assert queued["job"]["state"] == "queued"
        async with library.worker():
            event = queued
            while event["status"] != "ready":
                assert event["job"]["progress"] < 1
                _, event = await next_event(stream, "document")
        assert event["job"]["progress"] == 1
        assert event["keyword_ready_at"]
        assert "arguments" not in event["job"]
    assert hub.subscriber_count == 0, "a subscriber that leaves is forgotten"


async def test_event_has_document_and_job_from_one_snapshot(
    library: Library, hub: EventHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The document can become ready between the reads of its row and of its job."""
    document_id = await library.add(b"Words.")
    read_jobs = service.jobs.find_latest_jobs

    async def after_it_became_ready(session: Session, document_ids: Collection[uuid.UUID]) -> dict[uuid.UUID, Job]:
        async with library.worker():
            await library.until_status(document_id)
        return await read_jobs(session, document_ids)

    async with aclosing(open_stream(hub, library.database, SYSTEM_SCOPE)) as stream:
        await next_event(stream, "refetch")
        with monkeypatch.context() as patched:
            patched.setattr(service.jobs, "find_latest_jobs", after_it_became_ready)
            await rename(library, document_id)
            _, event = await next_event(stream, "document")
        assert (event["status"], event["job"]["state"], event["job"]["progress"]) == ("queued", "queued", 0)
        while event["status"] != "ready":
            _, event = await next_event(stream, "document")
        assert event["job"]["progress"] == 1


async def test_restricted_scope_gets_no_events_of_other_documents(library: Library, hub: EventHub) -> None:
    mine = await library.add(b"Mine.")
    theirs = await library.add(b"Theirs.")
    narrow = Scope(actor="key:1", documents=frozenset({mine}))
    async with aclosing(open_stream(hub, library.database, narrow)) as stream:
        await next_event(stream, "refetch")
        for document_id in (theirs, mine):
            await rename(library, document_id)
        _, event = await next_event(stream, "document", "document_gone")
        assert event["document_id"] == str(mine)
        await purge(library, theirs)
        await rename(library, mine)
        name, event = await next_event(stream, "document", "document_gone")
        assert (name, event["document_id"]) == ("document", str(mine))
        await purge(library, mine)
        assert await next_event(stream, "document", "document_gone") == ("document_gone", {"document_id": str(mine)})


async def rename(library: Library, document_id: uuid.UUID) -> None:
    async with library.database.session(SYSTEM_SCOPE) as session:
        statement = "UPDATE documents SET filename = filename || 'x' WHERE id = :id"
        await session.execute(text(statement), {"id": document_id})


async def purge(library: Library, document_id: uuid.UUID) -> None:
    async with library.database.session(SYSTEM_SCOPE) as session:
        await session.execute(text("DELETE FROM documents WHERE id = :id"), {"id": document_id})


async def test_document_stream_has_no_events_of_other_documents(library: Library, hub: EventHub) -> None:
    one, other = await library.add(b"One."), await library.add(b"Other.")
    async with aclosing(open_stream(hub, library.database, SYSTEM_SCOPE, document_id=one)) as stream:
        await next_event(stream, "refetch")
        await rename(library, other)
        await rename(library, one)
        _, event = await next_event(stream, "document")
        assert event["document_id"] == str(one)


async def test_rapid_changes_are_merged_into_one_event(library: Library, hub: EventHub) -> None:
    document_id = await library.add(b"Words.")
    with hub.subscribe() as subscription:
        for _ in range(20):
            await rename(library, document_id)
        await asyncio.wait_for(until_quiet(library, hub), 10)
        event = await subscription.next(timeout_seconds=1)
        assert event is not None
        assert event.changed == (document_id,)
        assert await subscription.next(timeout_seconds=0.05) is None


async def until_quiet(library: Library, hub: EventHub) -> None:
    """Wait until all earlier notifications have arrived. They arrive in order."""
    with hub.subscribe() as marker:
        last = uuid.uuid4()
        async with library.database.session(SYSTEM_SCOPE) as session:
            await session.execute(
                text("SELECT pg_notify('lectern_events', 'gone ' || CAST(:id AS text))"), {"id": last}
            )
        while last not in ((await marker.next(timeout_seconds=5)) or pytest.fail("no event")).removed:
            pass


async def test_idle_stream_sends_keepalives_and_ends_in_time(library: Library, hub: EventHub) -> None:
    stream = open_stream(hub, library.database, SYSTEM_SCOPE, seconds=0.5, heartbeat_seconds=0.1)
    blocks = [block async for block in stream]
    assert blocks[0].startswith("retry: ")
    assert ("alive", {}) in [parse(block) for block in blocks[1:]]


async def test_slow_subscriber_is_notified_of_a_gap() -> None:
    subscription = Subscription()
    for _ in range(MAX_PENDING + 1):
        subscription.add(uuid.uuid4(), is_removed=False)
    event = await subscription.next(timeout_seconds=1)
    assert event is not None
    assert event.has_gap
    assert event.changed == ()


async def test_hub_that_stops_at_any_moment_leaves_no_connection(postgres: ThrowawayPostgres) -> None:
    for turns in range(40):
        with postgres.fresh_database() as database:
            hub = EventHub(database.service_url)
            hub.start()
            for _ in range(turns):
                await asyncio.sleep(0)
            await hub.stop()
            began = time.monotonic()
        # While a connection is half-open, Postgres drops no database.
        assert time.monotonic() - began < 5, turns


async def test_hub_reconnects_as_fast_after_each_lost_connection(
    library: Library, hub: EventHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []
    sleep = asyncio.sleep

    async def record(seconds: float) -> None:
        if (task := asyncio.current_task()) and task.get_name() == "events":
            waits.append(seconds)
        await sleep(seconds)

    monkeypatch.setattr(asyncio, "sleep", record)
    with hub.subscribe() as subscription:
        for _ in range(2):
            async with await psycopg.AsyncConnection.connect(libpq_url(library.urls.service_url)) as connection:
                await connection.execute(_END_LISTENERS)
            assert await subscription.next(timeout_seconds=10)
    assert waits == [MIN_RECONNECT_SECONDS] * 2
