"""The lexical index has the right terms, weights and counts after every change."""

import asyncio
import uuid

import psycopg
from benchmarks.throwaway import ThrowawayDatabase
from sqlalchemy import delete, text
from sqlalchemy.ext.asyncio import AsyncEngine
from tests.search.library import LIBRARY, Passage, counted, recounted, store_document

from lectern.db import lexical_index
from lectern.db.scope import SYSTEM_SCOPE
from lectern.db.session import Database
from lectern.documents.models import Document


async def test_counts_are_exact_after_adding_removing_and_adding_again(engine: AsyncEngine) -> None:
    database = Database(engine)
    async with database.session(SYSTEM_SCOPE) as session:
        first = await store_document(session, ["apples and pears", "apples again"], title="Fruit")
        second = await store_document(session, [Passage("mele e pere", "it"), "apples"])
        await lexical_index.index_document(session, first)
        counts = await counted(session)
        assert counts == await recounted(session)
        assert counts["appl", "en", LIBRARY] == 3
        assert (counts["", "en", LIBRARY], counts["", "it", LIBRARY]) == (3, 1)
        await lexical_index.remove_document(session, second)
        assert await counted(session) == await recounted(session)
        await lexical_index.remove_document(session, first)
        assert await counted(session) == {}


async def test_purged_document_leaves_no_lexemes(engine: AsyncEngine) -> None:
    database = Database(engine)
    async with database.session(SYSTEM_SCOPE) as session:
        document_id = await store_document(session, ["unmistakable"])
    async with database.session(SYSTEM_SCOPE) as session:
        await session.execute(delete(Document).where(Document.id == document_id))
        assert await lexical_index.merge_lexeme_deltas(session)
    async with database.session(SYSTEM_SCOPE) as session:
        assert (await session.execute(text("SELECT count(*) FROM lexeme_stats"))).scalar_one() == 0
        assert (await session.execute(text("SELECT count(*) FROM lexeme_deltas"))).scalar_one() == 0


async def test_concurrent_writers_do_not_block_or_miscount(engine: AsyncEngine) -> None:
    database = Database(engine)
    both_are_inside = asyncio.Barrier(2)

    async def write(word: str) -> list[uuid.UUID]:
        async with database.session(SYSTEM_SCOPE) as session:
            ids = [await store_document(session, [f"common {word}", "common words"]) for _ in range(3)]
            await both_are_inside.wait()  # never passes if one blocks the other
            await lexical_index.remove_document(session, ids[0])
            return ids

    await asyncio.gather(write("zebra"), write("aardvark"))
    async with database.session(SYSTEM_SCOPE) as session:
        counts = await counted(session)
        assert counts == await recounted(session)
        assert counts["common", "en", LIBRARY] == 8
        assert await lexical_index.merge_lexeme_deltas(session)
        assert (await session.execute(text("SELECT count(*) FROM lexeme_deltas"))).scalar_one() == 0
        assert await counted(session) == counts


async def test_recount_corrects_wrong_counts(engine: AsyncEngine, database: ThrowawayDatabase) -> None:
    service = Database(engine)
    async with service.session(SYSTEM_SCOPE) as session:
        await store_document(session, ["apples and pears", "apples again"])
        right = await counted(session)
    with psycopg.connect(database.owner_url) as owner:
        owner.execute("UPDATE lexeme_stats SET chunk_count = chunk_count + 7")
        owner.execute("INSERT INTO lexeme_deltas VALUES ('ghost', 'en', 1, gen_random_uuid())")
    async with service.session(SYSTEM_SCOPE) as session:
        assert await counted(session) != right
        await session.execute(text("SELECT lectern_recount_lexemes()"))
        assert await counted(session) == right == await recounted(session)
