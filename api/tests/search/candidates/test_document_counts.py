"""Document counts for searches without a filter are exact and read no documents."""

import asyncio
import random
import uuid
from dataclasses import replace
from datetime import UTC, datetime

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine
from tests.search.library import store_document

from lectern.db import lexical_index
from lectern.db.scope import SYSTEM_SCOPE, IdList, Scope
from lectern.db.session import Database, Session
from lectern.search import repository
from lectern.search.candidates.scope import Overview, SearchFilter
from lectern.search.query.analysis import analyze_query

NAMES = ("documents", "searchable", "processing", "failed", "pages_unreadable", "chunks", "embedded_chunks")
LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)


async def overview(session: Session, documents: SearchFilter, scope: Scope) -> dict[str, int]:
    """Return the document counts that a search reads, without zero chunk counts."""
    known: Overview = (
        await repository.look_up(
            session,
            documents,
            scope=scope,
            analysis=analyze_query("any"),
            exact_chunks=0,
            fingerprints=[],
            ef_search=200,
        )
    ).overview
    return {name: getattr(known, name) for name in NAMES}


async def known_and_counted(database: Database, scope: Scope) -> tuple[dict[str, int], dict[str, int]]:
    """Return the counts without a filter, and with a filter that every document passes."""
    everything = SearchFilter(created_after=LONG_AGO)
    async with database.session(scope) as session:
        return await overview(session, SearchFilter(), scope), await overview(session, everything, scope)


CHANGES = (
    """INSERT INTO documents (id, collection_id, filename, content_type, size_bytes, sha256, status)
    SELECT gen_random_uuid(), (SELECT id FROM collections ORDER BY random() LIMIT 1), 'a.txt', 'text/plain', 1,
           gen_random_uuid()::text, 'queued' FROM generate_series(1, 3)""",
    "UPDATE documents SET status = 'processing' WHERE status = 'queued'",
    """UPDATE documents SET chunk_count = chunk_count + 4, unreadable_page_count = 2, keyword_ready_at = now()
    WHERE random() < .5""",
    "UPDATE documents SET embedded_chunk_count = chunk_count, ready_at = now(), status = 'ready' WHERE random() < .4",
    "UPDATE documents SET status = 'failed' WHERE random() < .1",
    "UPDATE documents SET deleted_at = now() WHERE random() < .2",
    "UPDATE documents SET deleted_at = NULL WHERE random() < .2",
    "UPDATE documents SET collection_id = (SELECT id FROM collections ORDER BY random() LIMIT 1) WHERE random() < .3",
    "UPDATE documents SET title = 'b'",
    "DELETE FROM documents WHERE random() < .2",
    "SELECT lectern_merge_document_counts()",
)


async def test_counts_match_the_documents_after_every_change(engine: AsyncEngine) -> None:
    database = Database(engine)
    collections = [uuid.uuid4() for _ in range(3)]
    async with database.session(SYSTEM_SCOPE) as session:
        for number, collection in enumerate(collections):
            await session.execute(
                text("INSERT INTO collections (id, name) VALUES (:id, :name)"), {"id": collection, "name": str(number)}
            )
    order = random.Random(7)
    scopes = (
        SYSTEM_SCOPE,
        Scope(actor="key:1"),
        Scope(actor="key:2", collections=frozenset(collections[:2])),
        Scope(actor="key:3", tags=frozenset({uuid.uuid4()})),
    )
    seen = 0
    for _ in range(60):
        async with database.session(SYSTEM_SCOPE) as session:
            await session.execute(text("SELECT setseed(:seed)"), {"seed": order.random()})
            await session.execute(text(order.choice(CHANGES)))
            some = (await session.scalars(text("SELECT id FROM documents ORDER BY id LIMIT 5"))).all()
        granted = Scope(actor="user:4", collections=frozenset(collections[:1]), granted=IdList.of(some))
        for scope in (*scopes, granted, replace(granted, collections=None)):
            known, counted = await known_and_counted(database, scope)
            assert known == counted
            seen += known["chunks"]
    assert seen > 0


async def test_key_counts_only_its_collections(engine: AsyncEngine) -> None:
    database = Database(engine)
    own, other = uuid.uuid4(), uuid.uuid4()
    async with database.session(SYSTEM_SCOPE) as session:
        for collection, count in ((own, 2), (other, 5)):
            values = {"id": collection, "name": str(collection), "count": count}
            await session.execute(text("INSERT INTO collections (id, name) VALUES (:id, :name)"), values)
            await session.execute(
                text(
                    "INSERT INTO documents (id, collection_id, filename, content_type, size_bytes, sha256, chunk_count)"
                    " SELECT gen_random_uuid(), :id, 'a.txt', 'text/plain', 1, :name || n, 10"
                    " FROM generate_series(1, :count) AS n"
                ),
                values,
            )
    known, counted = await known_and_counted(database, Scope(actor="key:1", collections=frozenset({own})))
    assert (known["documents"], known["chunks"]) == (2, 20)
    assert known == counted
    nothing, _ = await known_and_counted(database, Scope(actor="key:2", collections=frozenset()))
    assert set(nothing.values()) == {0}


async def test_restricted_key_counts_what_row_level_security_allows(engine: AsyncEngine) -> None:
    database = Database(engine)
    async with database.session(SYSTEM_SCOPE) as session:
        collection = await session.scalar(text("SELECT id FROM collections"))
        ids = [await store_document(session, ["text"] * n, filename=f"{n}", tags=["a"] * (n % 2)) for n in range(1, 9)]
        tag = await session.scalar(text("SELECT id FROM tags"))
        await session.execute(text("UPDATE documents SET deleted_at = now() WHERE id = :id"), {"id": ids[0]})
    assert isinstance(tag, uuid.UUID)
    assert isinstance(collection, uuid.UUID)
    tags, some = frozenset({tag}), frozenset(ids[:4])
    narrow = {
        Scope(actor="key:1", tags=tags): 3,
        Scope(actor="key:2", documents=some): 3,
        Scope(actor="key:3", tags=tags, documents=some): 1,
        Scope(actor="key:4", tags=tags, collections=frozenset({collection})): 3,
        Scope(actor="key:5", tags=tags, collections=frozenset({uuid.uuid4()})): 0,
        Scope(actor="key:6", documents=frozenset()): 0,
    }
    for scope, expected in narrow.items():
        known, counted = await known_and_counted(database, scope)
        async with database.session(scope) as session:
            left = "SELECT count(*), sum(chunk_count) FROM documents WHERE deleted_at IS NULL"
            documents, chunks = (await session.execute(text(left))).one()
        assert known == counted
        assert (known["documents"], known["chunks"]) == (documents, chunks or 0)
        assert documents == expected


async def test_concurrent_document_writers_do_not_block_or_miscount(engine: AsyncEngine) -> None:
    database = Database(engine)
    collection = uuid.uuid4()
    async with database.session(SYSTEM_SCOPE) as session:
        await session.execute(text("INSERT INTO collections (id, name) VALUES (:id, 'a')"), {"id": collection})
    both_are_inside = asyncio.Barrier(2)

    async def write(name: str) -> None:
        async with database.session(SYSTEM_SCOPE) as session:
            await session.execute(
                text(
                    "INSERT INTO documents (id, collection_id, filename, content_type, size_bytes, sha256)"
                    " VALUES (gen_random_uuid(), :id, :name, 'text/plain', 1, :name)"
                ),
                {"id": collection, "name": name},
            )
            await both_are_inside.wait()  # never passes if one blocks the other

    await asyncio.gather(write("a"), write("b"))
    async with database.session(SYSTEM_SCOPE) as session:
        assert await lexical_index.merge_document_counts(session)
        rows = (await session.execute(text("SELECT documents, processing FROM document_counts"))).all()
    assert [tuple(row) for row in rows] == [(2, 2)]
