"""A purge at any stage removes the document from every table, store, index, statistic and answer."""

import asyncio
import hashlib
import uuid
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg import sql
from tests.ingestion.model_server import ModelServer

from lectern.db.engine import libpq_url
from lectern.db.scope import SYSTEM_SCOPE
from lectern.documents.versions.service import remove_surplus_versions
from lectern.embeddings.service import PostgresCache, evict_cache, get_generation
from lectern.jobs import service as jobs

from .desk import Desk

SHARED = "Both documents speak of the harbour and its lights in the same words."
SECRET = "The password of the vault is zanzibar, and nobody else speaks of it."
CHANGED = "The password of the vault is kilimanjaro now, and that is a secret too."

# Every table but those that are to remember: the log of deeds, who uses the API how often, that something changed.
TABLES = """
SELECT format('%I.%I', n.nspname, c.relname) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind = 'r' AND n.nspname IN ('public', 'queue')
  AND c.relname NOT IN ('audit_events', 'rate_buckets', 'sessions', 'lexeme_stats', 'lexeme_deltas', 'document_counts',
                        'library_version_tokens', 'procrastinate_workers', 'procrastinate_periodic_defers', 'users')
  AND has_table_privilege(c.oid, 'SELECT') ORDER BY 1
"""
STATISTICS = """
SELECT coalesce(string_agg(lexeme || '/' || language || '/' || chunk_count, ' ' ORDER BY lexeme, language), '') FROM (
    SELECT lexeme, language, sum(chunk_count) AS chunk_count FROM (
        SELECT * FROM lexeme_stats UNION ALL SELECT * FROM lexeme_deltas) AS every
    GROUP BY lexeme, language HAVING sum(chunk_count) <> 0) AS counted
"""
COUNTS = """
SELECT coalesce(string_agg(t::text, ' ' ORDER BY t::text), '') FROM (
    SELECT collection_id, sum(documents), sum(searchable), sum(processing), sum(failed), sum(pages_unreadable),
           sum(chunks), sum(embedded_chunks)
    FROM document_counts GROUP BY collection_id HAVING sum(documents) <> 0 OR sum(chunks) <> 0) AS t
"""

Stage = Callable[[Desk, ModelServer], Awaitable[str]]


async def state_of(desk: Desk) -> dict[str, Any]:
    """Return all stored rows by table, with statistics and originals."""
    tables = [row[0] for row in await desk.api.sql(TABLES)]
    assert len(tables) > 15
    rows = "SELECT coalesce(string_agg(t::text, '|' ORDER BY t::text), '') FROM {} t"
    state: dict[str, Any] = {
        name: hashlib.sha256((await desk.library.value(rows.format(name))).encode()).hexdigest() for name in tables
    }
    state["statistics"] = await desk.library.value(STATISTICS)
    state["counts"] = await desk.library.value(COUNTS)
    state["originals"] = {sha256 async for sha256 in desk.api.app.state.originals.list()}
    return state


async def hold(model: ModelServer) -> None:
    model.may_answer.clear()
    model.is_requested.clear()


async def queued(desk: Desk, _: ModelServer) -> str:
    return await desk.add(f"{SHARED}\n\n{SECRET}".encode(), filename="vault.txt", tags=["kept"])


async def being_embedded(desk: Desk, model: ModelServer) -> str:
    await hold(model)
    document_id = await desk.add(f"{SECRET}\n\n{SHARED}".encode(), filename="vault.txt", tags=["kept"])
    await asyncio.wait_for(model.is_requested.wait(), 30)
    return document_id


async def ready(desk: Desk, model: ModelServer) -> str:
    model.may_answer.set()
    document_id = await desk.add(SHARED.encode(), filename="vault.txt", tags=["kept"], collection="other")
    await desk.settled(document_id)
    return document_id


async def failed(desk: Desk, _: ModelServer) -> str:
    document_id = await desk.add(b"%PDF-1.7\nbroken", filename="vault.pdf")
    await desk.settled(document_id)
    return document_id


async def replaced(desk: Desk, model: ModelServer) -> str:
    """With a version behind it, one that failed, and in the trash."""
    document_id = await ready(desk, model)
    for content in (SECRET.encode(), b"%PDF-1.7\nbroken"):
        await desk.put(document_id, content)
        await desk.settled(document_id)
    await desk.send("DELETE", f"/{document_id}")
    return document_id


async def being_replaced(desk: Desk, model: ModelServer) -> str:
    document_id = await ready(desk, model)
    await desk.put(document_id, SECRET.encode())
    await desk.settled(document_id)
    await hold(model)
    await desk.put(document_id, CHANGED.encode())
    await asyncio.wait_for(model.is_requested.wait(), 30)
    return document_id


STAGES: tuple[Stage, ...] = (queued, failed, being_embedded, ready, replaced, being_replaced)


async def test_a_document_that_is_purged_at_any_stage_leaves_everything_as_if_it_had_never_been(
    held_desk: Desk, model: ModelServer
) -> None:
    desk = held_desk
    admin = await desk.api.person("admin")
    await desk.api.collection(admin, "other")
    model.may_answer.set()
    async with desk.library.worker():
        reference = await desk.add(SHARED.encode(), filename="witness.txt", tags=["kept"])
        await desk.settled(reference)
        await desk.library.until(desk.library.is_queue_empty)
        before = await state_of(desk)
        for stage in STAGES:
            document_id = await stage(desk, model)
            assert await state_of(desk) != before
            response = await desk.send("DELETE", f"/{document_id}", params={"purge": True})
            receipt = response.json()
            assert receipt["document_ids"] == [document_id], stage.__name__
            assert receipt["rows"]["documents"] == 1
            assert receipt["rows"]["jobs"] >= 1
            model.may_answer.set()
            await desk.library.until(desk.library.is_queue_empty)
            after = await state_of(desk)
            different = [name for name in after if after[name] != before.get(name)]
            assert different == [], stage.__name__
            await nothing_is_found(desk, document_id)
        assert {hit["document_id"] for hit in await desk.search("harbour lights")} == {reference}
    assert await desk.library.violations() == []


async def nothing_is_found(desk: Desk, document_id: str) -> None:
    for word in ("zanzibar", "kilimanjaro"):
        for hybrid in (True, False):
            hits = await desk.search(word, hybrid=hybrid)
            assert document_id not in {hit["document_id"] for hit in hits}
            assert all(word not in hit["text"] for hit in hits)
    for path in ("", "/original", "/versions", "/versions/1/original", "/content", "/pages", "/chunks", "/find?q=the"):
        assert (await desk.send("GET", f"/{document_id}{path}")).status_code == 404, path


EVERY_TABLE = """
SELECT format('%I.%I', n.nspname, c.relname) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind = 'r' AND n.nspname NOT IN ('pg_catalog', 'information_schema') ORDER BY 1
"""
CANARY = "zanzibarcanary"


async def tables_with_canary(desk: Desk) -> list[str]:
    """Return every table with a row that has the canary in any column, as the owner of the cluster sees it."""
    found: list[str] = []
    with psycopg.connect(libpq_url(desk.library.urls.superuser_url)) as connection:
        for (name,) in connection.execute(EVERY_TABLE).fetchall():
            rows = sql.SQL("SELECT count(*) FROM {} AS t WHERE t::text ILIKE %(word)s OR t::text ILIKE %(hex)s")
            values = {"word": f"%{CANARY}%", "hex": f"%{CANARY.encode().hex()}%"}
            if connection.execute(rows.format(sql.SQL(name)), values).fetchone() != (0,):
                found.append(name)
    return found


async def test_a_canary_is_in_no_table_file_or_log_after_a_purge(
    desk: Desk, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    desk.person = await desk.api.person("admin")
    text = f"The code of the {CANARY} is secret. Nobody knows the {CANARY}."
    document_id = await desk.add(text.encode(), filename=f"{CANARY}.txt", tags=[f"tag-{CANARY}"])
    async with desk.library.worker():
        await desk.settled(document_id)
        await desk.put(document_id, f"Second version. {text}".encode(), filename=f"new-{CANARY}.txt")
        await desk.settled(document_id)
        await desk.send("PATCH", f"/{document_id}", json={"title": f"Title {CANARY}"})
        bulk = {"action": "tag", "ids": [document_id], "tags": [f"more-{CANARY}"]}
        assert (await desk.send("POST", "/bulk", json=bulk)).json()["changed"] == 1
        bulk = {"action": "tag", "filter": {"q": CANARY, "tags": [f"more-{CANARY}"]}, "tags": [f"third-{CANARY}"]}
        assert (await desk.send("POST", "/bulk", json=bulk)).json()["changed"] == 1
        hit, *_ = await desk.search(CANARY)
        answer = {"question": f"What is the code of the {CANARY}?"}
        post = desk.api.client.post
        assert (await post("/api/v1/answers", json=answer, headers=desk.person.headers)).status_code == 200
        golden = {"query": f"code {CANARY}", "document": document_id, "page_number": hit["page_number"]}
        assert (await post("/api/v1/evaluations/golden", json=golden, headers=desk.person.headers)).status_code == 201
        assert {"public.audit_events", "public.chunks", "public.tags"} <= set(await tables_with_canary(desk))
        receipt = (await desk.send("DELETE", f"/{document_id}", params={"purge": True})).json()
        await desk.library.until(desk.library.is_queue_empty)
    assert receipt["blanked_event_count"] >= 3
    assert receipt["rows"]["tags"] == 3
    assert await tables_with_canary(desk) == []
    files = [path for path in tmp_path.rglob("*") if path.is_file()]  # noqa: ASYNC240 - a test
    assert [path for path in files if CANARY in path.name or CANARY.encode() in path.read_bytes()] == []
    assert CANARY not in "".join(capfd.readouterr())


async def test_a_worker_that_is_late_keeps_nothing_of_a_purged_document_in_the_cache(desk: Desk) -> None:
    document_id = await desk.add(SECRET.encode(), filename="vault.txt")
    async with desk.library.worker():
        await desk.settled(document_id)
    cache = PostgresCache(desk.api.database, uuid.UUID(document_id))
    known = "SELECT content_hash FROM embedding_cache"
    ((content_hash,),) = await desk.api.sql(known)
    vectors = await cache.get_many(await fingerprint(desk), [content_hash])
    await desk.send("DELETE", f"/{document_id}", params={"purge": True})
    await cache.put_many(await fingerprint(desk), vectors)
    assert await desk.api.sql(known) == []


async def test_no_other_document_makes_embedding_faster(held_desk: Desk, model: ModelServer) -> None:
    desk = held_desk
    model.may_answer.set()
    await desk.api.collection(await desk.api.person("admin"), "other")
    async with desk.library.worker():
        first = await desk.add(SECRET.encode(), filename="vault.txt")
        await desk.settled(first)
        model.is_requested.clear()
        second = await desk.add(SECRET.encode(), filename="vault.txt", collection="other")
        await desk.settled(second)
        assert model.is_requested.is_set(), "the model embedded the same text again"
        model.is_requested.clear()
        await desk.send("POST", f"/{second}/ingest")
        await desk.settled(second)
        assert not model.is_requested.is_set(), "its own text was in the cache"


async def fingerprint(desk: Desk) -> str:
    return await desk.library.value("SELECT fingerprint FROM embedding_generations WHERE state = 'active'")


async def test_stale_queue_entries_of_a_purged_document_are_removed(desk: Desk) -> None:
    document_id = await desk.add(SECRET.encode(), filename="vault.txt")
    await desk.api.sql("UPDATE queue.procrastinate_jobs SET status = 'doing'")
    await desk.send("DELETE", f"/{document_id}", params={"purge": True})
    async with desk.api.database.session(SYSTEM_SCOPE) as session:
        await jobs.delete_orphaned_entries(session)
    assert await desk.library.is_queue_empty()


async def test_the_cache_of_embeddings_keeps_those_used_last(desk: Desk) -> None:
    texts = [f"Sentence {number} of the book." for number in range(5)]
    added = [await desk.add(text.encode(), filename=f"{at}.txt") for at, text in enumerate(texts)]
    async with desk.library.worker():
        await desk.library.until_status(*map(uuid.UUID, added))
    oldest = (
        "UPDATE embedding_cache SET used_at = now() - interval '1 day' * row FROM ({}) AS o WHERE o.h = content_hash"
    )
    numbered = "SELECT content_hash AS h, row_number() OVER (ORDER BY content_hash) AS row FROM embedding_cache"
    await desk.api.sql(oldest.format(numbered))
    rows = await desk.api.sql("SELECT content_hash, document_id FROM embedding_cache ORDER BY used_at")
    hashes = [row[0] for row in rows]
    async with desk.api.database.session(SYSTEM_SCOPE) as session:
        generation = await get_generation(session, desk.api.app.state.process.provider.info)
    found = await PostgresCache(desk.api.database, rows[0][1]).get_many(generation.fingerprint, hashes[:1])
    assert len(found) == 1
    assert await evict_cache(desk.api.database, max_vectors=2) == 3
    left = {row[0] for row in await desk.api.sql("SELECT content_hash FROM embedding_cache")}
    assert left == {hashes[0], hashes[-1]}, "the one just asked for, and the one used last before it"
    assert await evict_cache(desk.api.database, max_vectors=2) == 0


async def test_versions_beyond_those_to_keep_are_forgotten_with_their_files(desk: Desk) -> None:
    document_id = await desk.add(b"Version 1.", filename="a.txt")
    async with desk.library.worker():
        for number in range(2, 5):
            await desk.put(document_id, f"Version {number}.".encode())
            await desk.settled(document_id)
    originals = desk.api.app.state.originals
    assert await remove_surplus_versions(desk.api.database, originals, limit=0) == 0
    assert await remove_surplus_versions(desk.api.database, originals, limit=2) == 2
    listed = await desk.get(f"/{document_id}/versions")
    assert [version["number"] for version in listed["items"]] == [4, 3]
    assert len([key async for key in originals.list()]) == 2
