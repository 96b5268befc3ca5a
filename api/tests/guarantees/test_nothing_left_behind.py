"""A purge at any stage removes the document from every table, store, index, statistic and answer."""

import asyncio
import hashlib
import uuid
from collections.abc import Awaitable, Callable
from typing import Any

from tests.ingestion.library import Library
from tests.ingestion.model_server import ModelServer

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


async def is_queue_empty(library: Library) -> bool:
    return await library.value("SELECT count(*) = 0 FROM queue.procrastinate_jobs")


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
        await desk.library.until(lambda: is_queue_empty(desk.library))
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
            await desk.library.until(lambda: is_queue_empty(desk.library))
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


async def test_a_worker_that_is_late_keeps_nothing_of_a_purged_document_in_the_cache(desk: Desk) -> None:
    document_id = await desk.add(SECRET.encode(), filename="vault.txt")
    async with desk.library.worker():
        await desk.settled(document_id)
    cache = PostgresCache(desk.api.database, document_id=uuid.UUID(document_id))
    known = "SELECT content_hash FROM embedding_cache"
    ((content_hash,),) = await desk.api.sql(known)
    vectors = await cache.get_many(await fingerprint(desk), [content_hash])
    await desk.send("DELETE", f"/{document_id}", params={"purge": True})
    await cache.put_many(await fingerprint(desk), vectors)
    assert await desk.api.sql(known) == []
    assert await desk.api.sql("SELECT 1 FROM embedding_cache_uses") == []


async def fingerprint(desk: Desk) -> str:
    return await desk.library.value("SELECT fingerprint FROM embedding_generations WHERE state = 'active'")


async def test_stale_queue_entries_of_a_purged_document_are_removed(desk: Desk) -> None:
    document_id = await desk.add(SECRET.encode(), filename="vault.txt")
    await desk.api.sql("UPDATE queue.procrastinate_jobs SET status = 'doing'")
    await desk.send("DELETE", f"/{document_id}", params={"purge": True})
    async with desk.api.database.session(SYSTEM_SCOPE) as session:
        await jobs.delete_orphaned_entries(session)
    assert await is_queue_empty(desk.library)


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
    hashes = [row[0] for row in await desk.api.sql("SELECT content_hash FROM embedding_cache ORDER BY used_at")]
    async with desk.api.database.session(SYSTEM_SCOPE) as session:
        generation = await get_generation(session, desk.api.app.state.process.provider.info)
    found = await PostgresCache(desk.api.database).get_many(generation.fingerprint, hashes[:1])
    assert len(found) == 1
    assert await evict_cache(desk.api.database, max_vectors=2) == 3
    left = {row[0] for row in await desk.api.sql("SELECT content_hash FROM embedding_cache")}
    assert left == {hashes[0], hashes[-1]}, "the one just asked for, and the one used last before it"
    assert {row[0] for row in await desk.api.sql("SELECT content_hash FROM embedding_cache_uses")} == left
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
