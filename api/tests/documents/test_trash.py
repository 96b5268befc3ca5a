"""Trashed documents can be restored. Purged documents leave nothing behind."""

import asyncio
import uuid
from typing import Any

from benchmarks.throwaway import ThrowawayDatabase
from tests.api import LIBRARY, Api, Person

from lectern.db.scope import SYSTEM_SCOPE
from lectern.documents.originals import remove_unreferenced
from lectern.documents.trash.service import purge_expired
from lectern.embeddings.cache import content_hash, embed_with_cache
from lectern.embeddings.generations import prepare_generation
from lectern.embeddings.providers.hash import HashProvider
from lectern.embeddings.service import PostgresCache, get_generation, replace_embeddings

from .shelves import add_document

DOCUMENTS = "/api/v1/documents"


async def ready(api: Api, person: Person, content: bytes, **more: Any) -> str:
    """Store a document with pages, chunks and an original."""
    item = await api.upload(person.headers, content, **more)
    return item["document"]["id"]


async def stored(api: Api) -> set[str]:
    return {sha256 async for sha256 in api.app.state.originals.list()}


async def total(api: Api, person: Person, **parameters: Any) -> int:
    return (await api.client.get(DOCUMENTS, params=parameters, headers=person.headers)).json()["total"]


async def traces(api: Api, document_id: str) -> list[str]:
    """Return the tables, in any schema, that contain the id of a document or of one of its jobs."""
    tables = await api.sql(
        "SELECT format('%I.%I', n.nspname, c.relname) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
        " WHERE c.relkind = 'r' AND n.nspname IN ('public', 'queue') AND c.relname <> 'audit_events'"
        " AND has_table_privilege(c.oid, 'SELECT')"
    )
    assert len(tables) > 12
    query = "SELECT count(*) FROM {} t WHERE t::text LIKE '%' || :id || '%'"
    return [name for (name,) in tables if (await api.sql(query.format(name), id=document_id))[0][0]]


async def test_document_is_trashed_and_restored(api: Api) -> None:
    editor = await api.person()
    document_id = await ready(api, editor, b"text", tags=["a"])
    address = f"{DOCUMENTS}/{document_id}"
    assert (await api.client.delete(address, headers=editor.headers)).status_code == 204
    assert (await api.client.delete(address, headers=editor.headers)).status_code == 204
    assert (await total(api, editor), await total(api, editor, is_deleted=True)) == (0, 1)
    assert (await api.client.get(address, headers=editor.headers)).json()["deleted_at"]
    changed = await api.client.patch(address, json={"title": "x"}, headers=editor.headers)
    assert changed.json()["code"] == "document_in_trash"
    restored = await api.client.post(f"{address}/restore", headers=editor.headers)
    assert (restored.json()["deleted_at"], restored.json()["tags"]) == (None, ["a"])
    assert await total(api, editor) == 1


async def test_trash_is_listed_by_time_of_deletion(api: Api) -> None:
    editor = await api.person()
    ids = [await ready(api, editor, content) for content in (b"one", b"two", b"three")]
    for document_id in (ids[1], ids[2], ids[0]):
        await api.client.delete(f"{DOCUMENTS}/{document_id}", headers=editor.headers)
    first = {"is_deleted": True, "sort": "-deleted_at", "limit": 2}
    page = (await api.client.get(DOCUMENTS, params=first, headers=editor.headers)).json()
    assert [item["id"] for item in page["items"]] == [ids[0], ids[2]]
    rest = {**first, "cursor": page["next_cursor"]}
    page = (await api.client.get(DOCUMENTS, params=rest, headers=editor.headers)).json()
    assert [item["id"] for item in page["items"]] == [ids[1]]


async def test_restoring_resumes_processing_cancelled_by_the_trash(api: Api) -> None:
    editor = await api.person()
    document_id = await ready(api, editor, b"text")
    await api.client.delete(f"{DOCUMENTS}/{document_id}", headers=editor.headers)
    await api.sql("UPDATE jobs SET state = 'cancelled'")
    await api.sql("UPDATE documents SET status = 'failed', error_code = 'cancelled'")
    restored = await api.client.post(f"{DOCUMENTS}/{document_id}/restore", headers=editor.headers)
    assert (restored.json()["status"], restored.json()["error"]) == ("queued", None)
    assert len(await api.sql("SELECT id FROM jobs WHERE state = 'queued'")) == 1


async def test_document_is_not_restored_next_to_its_copy(api: Api) -> None:
    editor = await api.person()
    first = await ready(api, editor, b"same")
    await api.sql("UPDATE documents SET deleted_at = now(), sha256 = 'x'")
    await ready(api, editor, b"same")
    await api.sql("UPDATE documents SET sha256 = (SELECT max(sha256) FROM documents WHERE sha256 <> 'x')")
    response = await api.client.post(f"{DOCUMENTS}/{first}/restore", headers=editor.headers)
    assert (response.status_code, response.json()["code"]) == (409, "document_already_there")
    bulk = {"action": "restore", "ids": [first]}
    done = (await api.client.post(f"{DOCUMENTS}/bulk", json=bulk, headers=editor.headers)).json()
    assert (done["matched"], done["changed"], done["skipped"]) == (1, 0, 1)


async def embed(api: Api, document_id: str) -> None:
    """Embed and cache all chunks like a worker."""
    provider = HashProvider(dimensions=8)
    cache = PostgresCache(api.database, uuid.UUID(document_id))
    chunks = await api.sql("SELECT id, text FROM chunks WHERE document_id = :id", id=document_id)
    texts = [text for _, text in chunks]
    vectors = await embed_with_cache(provider, cache, texts)
    async with api.database.session(SYSTEM_SCOPE) as session:
        generation = await get_generation(session, provider.info)
        await replace_embeddings(
            session,
            generation,
            chunk_ids=[chunk_id for chunk_id, _ in chunks],
            window_numbers=[1] * len(chunks),
            vectors=vectors,
            hashes=[content_hash(text) for text in texts],
        )


ANSWER_OF_SOMEBODY_ELSE = """
WITH thread AS (
    INSERT INTO answer_threads (id, actor, title, scope) VALUES (gen_random_uuid(), 'user:else', 'Private', '{}')
    RETURNING id
)
INSERT INTO saved_answers (id, thread_id, actor, question, response, document_ids)
SELECT gen_random_uuid(), id, 'user:else', 'Private?', '{}', ARRAY[CAST(:id AS uuid)] FROM thread
"""


async def test_purge_leaves_only_a_receipt(api: Api, database: ThrowawayDatabase) -> None:
    prepare_generation(database.owner_url, HashProvider(dimensions=8).info)
    editor = await api.person()
    document_id = await ready(api, editor, b"secret text", tags=["a"])
    async with api.database.session(SYSTEM_SCOPE) as session:
        other = await add_document(session, collection_id=LIBRARY)
    await api.sql("UPDATE pages SET document_id = :new WHERE document_id = :old", new=document_id, old=other)
    await api.sql("UPDATE chunk_lexical SET document_id = :new WHERE document_id = :old", new=document_id, old=other)
    await api.sql("UPDATE chunks SET document_id = :new WHERE document_id = :old", new=document_id, old=other)
    await embed(api, document_id)
    assert set(await traces(api, document_id)) >= {"public.documents", "public.chunks", "public.jobs"}
    await api.sql(ANSWER_OF_SOMEBODY_ELSE, id=document_id)
    job = (await api.sql("SELECT id FROM jobs WHERE document_id = :id", id=document_id))[0][0]
    response = await api.client.delete(f"{DOCUMENTS}/{document_id}", params={"purge": True}, headers=editor.headers)
    receipt = response.json()
    assert (response.status_code, receipt["document_ids"]) == (200, [document_id])
    assert receipt["rows"] == {
        "documents": 1,
        "pages": 2,
        "chunks": 2,
        "chunk_lexical": 2,
        "document_tags": 1,
        "jobs": 1,
        "chunk_embeddings_1": 2,
        "embedding_cache": 2,
        "tags": 1,
    }
    assert await api.sql("SELECT 1 FROM embedding_cache") == []
    assert await api.sql("SELECT 1 FROM saved_answers") == []
    assert (receipt["original_count"], receipt["original_bytes"]) == (1, 11)
    assert receipt["blanked_event_count"] == 1
    assert receipt["retained_in"] == ["database_files", "write_ahead_log", "backups"]
    assert receipt["bytes"].keys() == receipt["rows"].keys() | {"originals"}
    assert await traces(api, document_id) == []
    assert await traces(api, str(job)) == []
    assert await stored(api) == set()
    assert (await api.client.get(f"{DOCUMENTS}/{document_id}", headers=editor.headers)).status_code == 404
    assert await api.sql("SELECT lexeme FROM lexeme_stats WHERE lexeme = 'secret'") == []


async def test_original_is_retained_while_another_document_uses_it(api: Api) -> None:
    admin = await api.person("admin")
    await api.collection(admin, "shelf")
    one, two = await ready(api, admin, b"same"), await ready(api, admin, b"same", collection="shelf")
    for document_id, left in ((one, 1), (two, 0)):
        parameters = {"purge": True}
        receipt = await api.client.delete(f"{DOCUMENTS}/{document_id}", params=parameters, headers=admin.headers)
        assert receipt.json()["original_count"] == 1 - left
        assert len(await stored(api)) == left


async def test_trash_can_be_emptied(api: Api) -> None:
    editor = await api.person()
    for number in range(4):
        await ready(api, editor, str(number).encode())
    for action, wanted in (("delete", {"q": "note"}), ("purge", {"is_deleted": True})):
        body = {"action": action, "filter": wanted}
        done = (await api.client.post(f"{DOCUMENTS}/bulk", json=body, headers=editor.headers)).json()
        assert (done["matched"], done["changed"]) == (4, 4)
    assert done["receipt"]["original_count"] == 4
    assert await stored(api) == set()


async def test_expired_trash_is_purged(api: Api) -> None:
    editor = await api.person()
    old, new = await ready(api, editor, b"old"), await ready(api, editor, b"new")
    await ready(api, editor, b"kept")
    for document_id, days in ((old, 31), (new, 29)):
        statement = "UPDATE documents SET deleted_at = now() - make_interval(days => :days) WHERE id = :id"
        await api.sql(statement, days=days, id=document_id)
    originals = api.app.state.originals
    nothing = await purge_expired(api.database, originals, retention_days=0)
    assert nothing.document_ids == []
    receipt = await purge_expired(api.database, originals, retention_days=30)
    assert receipt.document_ids == [uuid.UUID(old)]
    assert len(await stored(api)) == 2


async def test_concurrent_upload_and_purge_never_lose_an_original(api: Api) -> None:
    editor = await api.person()
    for _ in range(8):
        document_id = await ready(api, editor, b"same")

        async def purge(address: str) -> None:
            await api.client.delete(address, params={"purge": True}, headers=editor.headers)

        async def upload() -> int:
            headers = {**editor.headers, "Content-Type": "text/plain"}
            response = await api.client.post(DOCUMENTS, content=b"same", headers=headers)
            return response.status_code

        _, status = await asyncio.gather(purge(f"{DOCUMENTS}/{document_id}"), upload())
        assert status in {202, 503}
        needed = {row[0] for row in await api.sql("SELECT sha256 FROM documents")}
        assert needed == await stored(api)


async def test_cleanup_removes_only_unreferenced_originals(api: Api) -> None:
    editor = await api.person()
    await ready(api, editor, b"kept")
    (original,) = await stored(api)
    removed = await remove_unreferenced(api.database, api.app.state.originals, [original, "f" * 64])
    assert removed.originals == []
    assert await stored(api) == {original}
