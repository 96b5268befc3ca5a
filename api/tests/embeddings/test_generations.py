"""Each model has its own table in Postgres, protected like the documents."""

import uuid
from collections.abc import Sequence

import numpy as np
import pytest
from benchmarks.throwaway import ThrowawayDatabase
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from lectern.db.scope import SYSTEM_SCOPE, Scope
from lectern.db.session import Database, Session
from lectern.embeddings.errors import EmbeddingsMismatch
from lectern.embeddings.generations import Generation, prepare_generation
from lectern.embeddings.providers.hash import HashProvider
from lectern.embeddings.service import (
    activate_when_complete,
    count_embedded,
    find_active_generation,
    get_generation,
    list_unembedded_chunks,
    replace_embeddings,
)

LIBRARY = uuid.UUID("00000000-0000-4000-8000-000000000001")
MODEL, OTHER_MODEL = HashProvider(16), HashProvider(4000)


@pytest.fixture
def library(engine: AsyncEngine) -> Database:
    return Database(engine)


@pytest.fixture
def generation(database: ThrowawayDatabase) -> Generation:
    return prepare_generation(database.owner_url, MODEL.info)


async def add_document(session: Session, *, chunk_count: int = 2, status: str = "ready") -> list[uuid.UUID]:
    """The ids of the new document and of its chunks."""
    document_id, *chunk_ids = (uuid.uuid4() for _ in range(chunk_count + 1))
    await session.execute(
        text(
            "INSERT INTO documents (id, collection_id, filename, content_type, size_bytes, sha256, status)"
            " VALUES (:id, :collection, 'a.pdf', 'application/pdf', 1, :sha256, :status)"
        ),
        {"id": document_id, "collection": LIBRARY, "sha256": document_id.hex, "status": status},
    )
    for index, chunk_id in enumerate(chunk_ids):
        await session.execute(
            text(
                "INSERT INTO chunks (id, document_id, chunk_index, page_number, last_page_number, char_start, char_end,"
                " token_count, content_type, importance, language, content_hash, text)"
                " VALUES (:id, :document, :index, 1, 1, 0, 1, 1, 'text', 1, 'en', '', '')"
            ),
            {"id": chunk_id, "document": document_id, "index": index},
        )
    return [document_id, *chunk_ids]


async def store(session: Session, generation: Generation, chunk_ids: Sequence[uuid.UUID], *, windows: int = 1) -> int:
    ids = [chunk_id for chunk_id in chunk_ids for _ in range(windows)]
    vectors = np.eye(generation.dimensions, dtype=np.float32)[: len(ids)]
    numbers = [number for _ in chunk_ids for number in range(1, windows + 1)]
    return await replace_embeddings(session, generation, chunk_ids=ids, window_numbers=numbers, vectors=vectors)


async def rows(session: Session, generation: Generation) -> list[tuple[uuid.UUID, int]]:
    found = await session.execute(
        text(f"SELECT chunk_id, window_number FROM {generation.table_name} ORDER BY window_number")
    )
    return [(row.chunk_id, row.window_number) for row in found]


async def test_the_first_model_is_active_and_preparing_it_again_changes_nothing(
    database: ThrowawayDatabase, library: Database, generation: Generation
) -> None:
    again = prepare_generation(database.owner_url, MODEL.info)

    async with library.session(SYSTEM_SCOPE) as session:
        assert await find_active_generation(session) == generation == again


async def test_another_model_gets_a_table_of_its_own_and_takes_over_when_it_is_complete(
    database: ThrowawayDatabase, library: Database, generation: Generation
) -> None:
    second = prepare_generation(database.owner_url, OTHER_MODEL.info)
    assert second.state == "filling"
    assert second.table_name != generation.table_name

    async with library.session(SYSTEM_SCOPE) as session:
        _, *chunk_ids = await add_document(session)
        await add_document(session, status="failed")
        assert not await activate_when_complete(session, second)
        await store(session, second, chunk_ids)
        assert await activate_when_complete(session, second)
        active = await find_active_generation(session)
        assert active is not None
        assert active.fingerprint == OTHER_MODEL.info.fingerprint


async def test_a_model_without_a_table_is_refused_by_name(library: Database, generation: Generation) -> None:
    async with library.session(SYSTEM_SCOPE) as session:
        assert await get_generation(session, MODEL.info) == generation
        with pytest.raises(EmbeddingsMismatch, match="hash-1:4000, only of hash-1:16"):
            await get_generation(session, OTHER_MODEL.info)


async def test_vectors_of_another_length_are_refused(library: Database, generation: Generation) -> None:
    async with library.session(SYSTEM_SCOPE) as session:
        _, *chunk_ids = await add_document(session)
        with pytest.raises(EmbeddingsMismatch):
            await replace_embeddings(
                session, generation, chunk_ids=chunk_ids, window_numbers=[1, 1], vectors=np.ones((2, 8), np.float32)
            )


async def test_a_chunk_has_the_windows_it_was_given_last(library: Database, generation: Generation) -> None:
    async with library.session(SYSTEM_SCOPE) as session:
        document_id, first, second = await add_document(session)
        assert await list_unembedded_chunks(session, generation, document_id) == [first, second]

        assert await store(session, generation, [first], windows=3) == 3
        assert await store(session, generation, [first], windows=2) == 2

        assert await rows(session, generation) == [(first, 1), (first, 2)]
        assert await list_unembedded_chunks(session, generation, document_id) == [second]
        assert await count_embedded(session, generation) == 1


async def test_embeddings_of_a_chunk_that_is_gone_are_left_out(library: Database, generation: Generation) -> None:
    async with library.session(SYSTEM_SCOPE) as session:
        _, first, second = await add_document(session)
        await session.execute(text("DELETE FROM chunks WHERE id = :id"), {"id": first})

        assert await store(session, generation, [first, second]) == 1

        assert await rows(session, generation) == [(second, 1)]


async def test_embeddings_go_with_their_document(library: Database, generation: Generation) -> None:
    async with library.session(SYSTEM_SCOPE) as session:
        document_id, *chunk_ids = await add_document(session)
        await store(session, generation, chunk_ids)
        await session.execute(text("DELETE FROM documents WHERE id = :id"), {"id": document_id})

        assert await rows(session, generation) == []


async def test_a_scope_sees_the_embeddings_of_its_documents_only(library: Database, generation: Generation) -> None:
    async with library.session(SYSTEM_SCOPE) as session:
        mine, my_chunk = await add_document(session, chunk_count=1)
        _, other_chunk = await add_document(session, chunk_count=1)
        await store(session, generation, [my_chunk, other_chunk])

    async with library.session(Scope(actor="key:1", documents=frozenset({mine}))) as session:
        assert await rows(session, generation) == [(my_chunk, 1)]
    async with library.session(Scope(actor="key:1", documents=frozenset())) as session:
        assert await rows(session, generation) == []


async def test_the_longest_vectors_an_index_takes_are_stored(database: ThrowawayDatabase, library: Database) -> None:
    generation = prepare_generation(database.owner_url, OTHER_MODEL.info)
    async with library.session(SYSTEM_SCOPE) as session:
        _, *chunk_ids = await add_document(session)
        assert await store(session, generation, chunk_ids) == 2
        nearest = await session.execute(
            text(
                f"SELECT chunk_id FROM {generation.table_name} ORDER BY embedding <=> CAST(:query AS halfvec) LIMIT 1"
            ),
            {"query": str([0.0, 1.0] + [0.0] * 3998)},
        )
        assert nearest.scalar_one() == chunk_ids[1]
