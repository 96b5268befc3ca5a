"""Which model's embeddings are searched is said by the database, changed at once, and changed back the same way."""

from pathlib import Path

import pytest
from benchmarks.throwaway import ThrowawayDatabase
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from lectern.db.engine import create_engine
from lectern.db.scope import SYSTEM_SCOPE
from lectern.db.session import Database
from lectern.embeddings.active import ActiveProvider
from lectern.embeddings.errors import GenerationActive, GenerationIncomplete, GenerationNotFound, ModelNotSet
from lectern.embeddings.generations import Generation, drop_generation, prepare_generation
from lectern.embeddings.providers.hash import HashProvider
from lectern.embeddings.registry import create_models
from lectern.embeddings.service import (
    PostgresCache,
    count_embedded,
    find_active_generation,
    follow_active_generation,
    switch_generation,
    update_embedded_counts,
)
from lectern.settings import EmbeddingsSettings

from .test_generations import add_document, store

FIRST, SECOND = HashProvider(16), HashProvider(24)
BOTH = [FIRST.info.fingerprint, SECOND.info.fingerprint]


@pytest.fixture
def library(engine: AsyncEngine) -> Database:
    return Database(engine)


@pytest.fixture
def generations(database: ThrowawayDatabase) -> tuple[Generation, Generation]:
    return prepare_generation(database.owner_url, FIRST.info), prepare_generation(database.owner_url, SECOND.info)


async def active(library: Database) -> int | None:
    async with library.session(SYSTEM_SCOPE) as session:
        found = await find_active_generation(session)
        return found.id if found else None


async def test_another_model_is_used_when_it_has_everything_and_back_again(
    library: Database, generations: tuple[Generation, Generation]
) -> None:
    first, second = generations
    async with library.session(SYSTEM_SCOPE) as session:
        _, *chunk_ids = await add_document(session)
        for generation in generations:
            await store(session, generation, chunk_ids)

        document_id, *thrown_away = await add_document(session)
        await store(session, second, thrown_away, windows=2)
        assert await count_embedded(session, second) == 4
        await session.execute(text("UPDATE documents SET deleted_at = now() WHERE id = :id"), {"id": document_id})
        assert [await count_embedded(session, each) for each in generations] == [2, 2]

    for wanted, before in ((second, first), (first, second), (first, first)):
        async with library.session(SYSTEM_SCOPE) as session:
            assert (await switch_generation(session, wanted.id, fingerprints=BOTH)).id == before.id
        assert await active(library) == wanted.id


async def test_nothing_that_is_found_by_meaning_is_lost_by_a_switch(
    library: Database, generations: tuple[Generation, Generation]
) -> None:
    first, second = generations
    async with library.session(SYSTEM_SCOPE) as session:
        _, *ready = await add_document(session)
        _, *under_way = await add_document(session, status="processing")
        await add_document(session, status="failed")
        await store(session, first, [*ready, *under_way])

    async with library.session(SYSTEM_SCOPE) as session:
        with pytest.raises(GenerationIncomplete, match="1 documents have no embeddings of this model yet") as refused:
            await switch_generation(session, second.id, fingerprints=BOTH)
        assert refused.value.details == {"document_count": 1}
        await store(session, second, ready)
        with pytest.raises(GenerationIncomplete, match="1 documents in progress"):
            await switch_generation(session, second.id, fingerprints=BOTH)
        await store(session, second, under_way)
        await switch_generation(session, second.id, fingerprints=BOTH)
    assert await active(library) == second.id


async def test_forced_switch_reports_missing_embeddings(
    library: Database, generations: tuple[Generation, Generation]
) -> None:
    first, second = generations
    counts = "SELECT embedded_chunk_count FROM documents ORDER BY created_at, id"
    async with library.session(SYSTEM_SCOPE) as session:
        whole, *ready = await add_document(session)
        refused, *missing = await add_document(session)
        under_way, *_ = await add_document(session, status="processing")
        await session.execute(text("UPDATE documents SET embedded_chunk_count = 2"))
        for each, count in ((whole, 1), (refused, 2), (under_way, 3)):
            order = "UPDATE documents SET created_at = now() + :n * interval '1 minute' WHERE id = :id"
            await session.execute(text(order), {"id": each, "n": count})
        await store(session, first, [*ready, *missing])
        await store(session, second, ready)
        await switch_generation(session, second.id, fingerprints=BOTH, is_incomplete=True)
        assert list(await session.scalars(text(counts))) == [2, 0, 2]  # what is under way tells of itself
        await store(session, second, missing)
        await update_embedded_counts(session, second, [refused])
        assert list(await session.scalars(text(counts))) == [2, 2, 2]
    assert await active(library) == second.id


async def test_only_a_model_that_runs_here_is_used(
    library: Database, generations: tuple[Generation, Generation]
) -> None:
    _, second = generations
    async with library.session(SYSTEM_SCOPE) as session:
        with pytest.raises(ModelNotSet):
            await switch_generation(session, second.id, fingerprints=[FIRST.info.fingerprint])
        with pytest.raises(GenerationNotFound):
            await switch_generation(session, 77, fingerprints=BOTH)


async def test_a_process_follows_what_the_database_says(
    library: Database, generations: tuple[Generation, Generation]
) -> None:
    models = ActiveProvider([SECOND, FIRST])
    assert models.info == SECOND.info
    async with library.session(SYSTEM_SCOPE) as session:
        assert await follow_active_generation(session, models) is FIRST
        assert models.info == FIRST.info
        await switch_generation(session, generations[1].id, fingerprints=BOTH)
        assert await follow_active_generation(session, models) is SECOND
        assert await follow_active_generation(session, ActiveProvider([FIRST])) is FIRST  # nothing of it is searched


def test_the_next_model_is_described_by_its_own_settings_and_else_by_those_of_the_first() -> None:
    settings = EmbeddingsSettings.model_validate(
        {
            "provider": "openai",
            "model": "small",
            "dimensions": 8,
            "openai_api_key": "first",
            "next_provider": "openai:http://127.0.0.1:9/v1",
            "next_model": "large",
        }
    )
    following = settings.next
    assert following is not None
    assert (following.model, following.dimensions, following.max_tokens) == ("large", 8, settings.max_tokens)
    assert following.openai_api_key == settings.openai_api_key
    assert following.next is None
    same = EmbeddingsSettings(provider="hash:8", next_provider=" hash:8 ")
    assert [model.info.dimensions for model in create_models(same, model_dir=Path())] == [8]  # one model, not two
    assert EmbeddingsSettings(provider="hash:8").next is None


async def test_the_embeddings_of_a_model_that_is_gone_are_removed_with_their_cache(
    database: ThrowawayDatabase, library: Database, generations: tuple[Generation, Generation]
) -> None:
    first, second = generations
    async with library.session(SYSTEM_SCOPE) as session:
        document_id, *chunk_ids = await add_document(session)
        await store(session, second, chunk_ids)
    cache = PostgresCache(library, document_id)
    for model in (FIRST, SECOND):
        (vector,) = await model.embed_documents(["text"])
        await cache.put_many(model.info.fingerprint, {b"text": vector, model.info.fingerprint.encode(): vector})

    owner = create_engine(database.owner_url, pool_size=1)
    async with owner.begin() as connection:
        with pytest.raises(GenerationActive):
            await connection.run_sync(drop_generation, first.id)
        with pytest.raises(GenerationNotFound):
            await connection.run_sync(drop_generation, 77)
        assert await connection.run_sync(drop_generation, second.id) == SECOND.info.fingerprint
    await owner.dispose()

    async with library.session(SYSTEM_SCOPE) as session:
        kept = "SELECT array_agg(DISTINCT fingerprint) FROM embedding_cache"
        assert (await session.execute(text(kept))).scalar_one() == [FIRST.info.fingerprint]
        table = "SELECT to_regclass(:name)"
        assert (await session.execute(text(table), {"name": second.table_name})).scalar_one() is None
    again = prepare_generation(database.owner_url, SECOND.info)
    assert (again.state, again.id > second.id) == ("filling", True)
