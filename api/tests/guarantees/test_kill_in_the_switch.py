"""Whatever is killed while a new version takes the place of the old one, the document is one of the two, whole.

The transaction is stopped at a place that is chosen: a trigger of the test waits there for a lock that the test holds.
"""

import hashlib
import signal
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import pytest
from benchmarks.throwaway import ThrowawayPostgres, throwaway_postgres
from tests.ingestion.test_postgres_lost import kill_and_restart

from lectern.db.migrations.runner import migrate

from .conftest import open_desk
from .desk import Desk
from .test_new_versions import NEW, OLD, seen

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

GATE = 7_100_001
PLACES = {
    "the version's row is changed": "AFTER UPDATE ON document_versions FOR EACH ROW WHEN (NEW.state = 'current')",
    "old chunks go": "AFTER DELETE ON chunks FOR EACH ROW WHEN (true)",
    "embeddings are taken over": "AFTER INSERT ON chunk_embeddings_1 FOR EACH ROW WHEN (true)",
}
COMMIT = "it is committed"
STOP = f"""
CREATE FUNCTION stop_here() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN PERFORM pg_advisory_xact_lock_shared({GATE}); RETURN NULL; END $$
"""
AT_COMMIT = """
CREATE CONSTRAINT TRIGGER stop AFTER UPDATE ON jobs DEFERRABLE INITIALLY DEFERRED
FOR EACH ROW WHEN (NEW.state = 'succeeded') EXECUTE FUNCTION stop_here()
"""
WAITING = f"SELECT count(*) > 0 FROM pg_locks WHERE locktype = 'advisory' AND objid = {GATE} AND NOT granted"
CONTENT = """
SELECT jsonb_build_object(
    'document', (SELECT jsonb_build_array(version, sha256, size_bytes, chunk_count, page_count, ready_at, title)
                 FROM documents WHERE id = :id),
    'pages', (SELECT jsonb_agg(p ORDER BY page_number) FROM pages p WHERE document_id = :id),
    'chunks', (SELECT jsonb_agg(c ORDER BY chunk_index) FROM chunks c WHERE document_id = :id),
    'words', (SELECT jsonb_agg(l::text ORDER BY l.chunk_id) FROM chunk_lexical l
              JOIN chunks c ON c.id = l.chunk_id WHERE c.document_id = :id),
    'embeddings', (SELECT jsonb_agg(e::text ORDER BY e.chunk_id, e.window_number) FROM chunk_embeddings_1 e
                   JOIN chunks c ON c.id = e.chunk_id WHERE c.document_id = :id))::text
"""


@asynccontextmanager
async def gate(desk: Desk, place: str) -> AsyncGenerator[None]:
    """Inside, a transaction that comes to the place waits there; a killed server opens it as well."""
    urls = desk.library.urls
    trigger = AT_COMMIT if place == COMMIT else f"CREATE TRIGGER stop {PLACES[place]} EXECUTE FUNCTION stop_here()"
    table = trigger.split(" ON ")[1].split()[0]
    async with await psycopg.AsyncConnection.connect(urls.owner_url, autocommit=True) as owner:
        await owner.execute(STOP.encode())
        await owner.execute(trigger.encode())
    holder = await psycopg.AsyncConnection.connect(urls.service_url, autocommit=True)
    await holder.execute("SELECT pg_advisory_lock(%s)", (GATE,))
    try:
        yield
    finally:
        await holder.close()
    async with await psycopg.AsyncConnection.connect(urls.owner_url, autocommit=True) as owner:
        await owner.execute(f"DROP TRIGGER stop ON {table}".encode())
        await owner.execute("DROP FUNCTION stop_here()")


async def content_of(desk: Desk, document_id: str) -> str:
    """A digest of everything that is read, found or cited of a document."""
    found = await desk.library.value(CONTENT, id=document_id)
    return hashlib.sha256(found.encode()).hexdigest()


@dataclass
class Book:
    """A document that becomes the one of two contents and then the other; `texts` has the passages of both."""

    desk: Desk
    id: str
    texts: dict[str, list[tuple[Any, ...]]]
    version: int = 1

    @property
    def now(self) -> str:
        return ("marble", "granite")[self.version % 2]

    async def replace(self) -> None:
        """Put the other content in the place of this one."""
        self.version += 1
        await self.desk.put(self.id, {"granite": OLD, "marble": NEW}[self.now])

    async def is_whole(self) -> None:
        """Assert that only the newest version is found and nothing remains of the switch."""
        after = await self.desk.settled(self.id)
        said = [after[name] for name in ("status", "version", "newer_version", "error")]
        assert said == ["ready", self.version, None, None]
        assert await passages(self.desk, self.id) == self.texts[self.now]
        assert seen(await self.desk.search("money", documents=[self.id], top_k=20, context=1)) == {self.now}
        assert await self.desk.library.value("SELECT count(*) FROM staged_embeddings") == 0
        assert await self.desk.library.value("SELECT count(*) FROM job_checkpoints") == 0
        assert await self.desk.library.violations() == []

    async def is_as_before(self, before: str) -> None:
        """Nothing that is read, found or cited has changed."""
        assert await content_of(self.desk, self.id) == before
        text = (await self.desk.get(f"/{self.id}/content", max_characters=1_000_000))["text"]
        found = await self.desk.search("money", documents=[self.id], top_k=20, context=1)
        assert seen(text) == seen(found) == {"granite", "marble"} - {self.now}


async def passages(desk: Desk, document_id: str) -> list[tuple[Any, ...]]:
    chunks = (await desk.get(f"/{document_id}/chunks", limit=200))["items"]
    return [(chunk["chunk_index"], chunk["text"], chunk["section_heading"], chunk["page_number"]) for chunk in chunks]


async def is_waiting(desk: Desk) -> bool:
    return await desk.library.value(WAITING)


async def open_book(desk: Desk) -> Book:
    """A document that is complete, and the passages of what it is and of what it is going to be."""
    admin = await desk.api.person("admin")
    await desk.api.collection(admin, "other")
    book = await desk.add(OLD, filename="book.md")
    model = await desk.add(NEW, filename="book.md", collection="other")
    async with desk.library.worker():
        for document_id in (book, model):
            await desk.settled(document_id)
    return Book(desk, book, {"granite": await passages(desk, book), "marble": await passages(desk, model)})


async def test_a_worker_killed_inside_the_switch_leaves_one_version_whole_and_the_next_one_ends_it(desk: Desk) -> None:
    book = await open_book(desk)
    for place in (*PLACES, COMMIT):
        before = await content_of(desk, book.id)
        async with gate(desk, place):
            process = await desk.library.start_worker_process()
            await book.replace()
            await desk.library.until(lambda: is_waiting(desk))
            process.kill()
            await process.wait()
            await book.is_as_before(before)
        if place != COMMIT:  # a server that was told to commit does so, whether or not anybody waits for it
            await book.is_as_before(before)
        async with desk.library.worker():
            await book.is_whole()


@pytest.fixture
def own_postgres() -> Generator[ThrowawayPostgres]:
    """A server that this test may kill."""
    with throwaway_postgres(is_in_memory=True) as server:
        server.prepare_template(migrate)
        yield server


async def test_postgres_killed_inside_the_switch_leaves_the_old_version_whole_and_the_worker_ends_it(
    own_postgres: ThrowawayPostgres, tmp_path: Path
) -> None:
    with own_postgres.fresh_database() as urls:
        async with open_desk(urls, tmp_path) as desk:
            book = await open_book(desk)
            for place in ("old chunks go", COMMIT):
                before = await content_of(desk, book.id)
                async with gate(desk, place), desk.library.worker_process() as worker:
                    await book.replace()
                    await desk.library.until(lambda: is_waiting(desk))
                    await book.is_as_before(before)
                    worker.send_signal(signal.SIGSTOP)  # it takes the job up again when it was looked at
                    await kill_and_restart(own_postgres)
                    await book.is_as_before(before)
                    worker.send_signal(signal.SIGCONT)
                    await book.is_whole()
                    assert worker.returncode is None, "the worker itself stayed"
