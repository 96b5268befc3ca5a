"""Changing the embedding model creates new embeddings in the background and loses nothing."""

import asyncio
from pathlib import Path
from random import Random

import pytest
from benchmarks.throwaway import ThrowawayDatabase
from sqlalchemy import text, update

from lectern import worker
from lectern.db.scope import SYSTEM_SCOPE
from lectern.documents.models import Document
from lectern.embeddings.active import ActiveProvider
from lectern.embeddings.registry import create_models
from lectern.embeddings.service import switch_generation
from lectern.ingestion import backfill
from lectern.ingestion.backfill import EmbeddingBackfill
from lectern.jobs import service as jobs
from lectern.settings import EmbeddingsSettings

from .library import Library, open_library
from .model_server import DIMENSIONS, ModelServer, model_server
from .texts import sentence

STATES = "SELECT state FROM embedding_generations ORDER BY id"
ATTEMPTS = 6  # of the model client for one request
BOTH = EmbeddingsSettings(provider="hash:32", next_provider="hash:48")


async def states(library: Library) -> list[str]:
    async with library.database.session(SYSTEM_SCOPE) as session:
        return list((await session.execute(text(STATES))).scalars())


def beside(model: ModelServer) -> EmbeddingsSettings:
    """The small model is active, and the model of the server is filled."""
    return EmbeddingsSettings.model_validate(
        {
            "provider": "hash:32",
            "next_provider": model.settings.provider,
            "dimensions": DIMENSIONS,
            "next_api_key": "key",
        }
    )


async def with_fees(library: Library, count: int) -> None:
    """Ingest this many short documents."""
    added = [await library.add(f"The fee is {n} euro.\n".encode(), filename=f"{n}.txt") for n in range(count)]
    async with library.worker():
        await library.until_status(*added)


async def test_new_model_is_activated_when_every_document_is_embedded(
    database: ThrowawayDatabase, tmp_path: Path
) -> None:
    async with open_library(database, tmp_path) as library:
        await with_fees(library, 3)
        before = await library.value("SELECT array_agg(id ORDER BY id) FROM chunks")
        assert await states(library) == ["active"]

    async with open_library(database, tmp_path, embeddings=EmbeddingsSettings(provider="hash:48")) as library:
        assert await states(library) == ["active", "filling"]

        async def has_taken_over() -> bool:
            return await states(library) == ["retired", "active"]

        async with library.worker():
            await library.until(has_taken_over)
        assert await library.value("SELECT array_agg(id ORDER BY id) FROM chunks") == before
        assert await library.value("SELECT count(*) FROM chunk_embeddings_2") == len(before)
        assert await library.value("SELECT count(*) FROM documents WHERE status = 'ready'") == 3
        assert await library.violations() == []


async def counts(library: Library) -> tuple[int, int]:
    """Return the chunks with an embedding of the first and of the second model."""
    numbers = [await library.value(f"SELECT count(DISTINCT chunk_id) FROM chunk_embeddings_{n}") for n in (1, 2)]
    return numbers[0], numbers[1]


async def use(library: Library, generation: int, *, is_incomplete: bool = False) -> None:
    models = create_models(library.embeddings, model_dir=library.folder)
    async with library.database.session(SYSTEM_SCOPE) as session:
        own = [model.info.fingerprint for model in models]
        await switch_generation(session, generation, fingerprints=own, is_incomplete=is_incomplete)


async def until_both_have(library: Library, chunks: int, *, seconds: float = 60) -> None:
    async def have() -> bool:
        return await counts(library) == (chunks, chunks)

    await library.until(have, seconds=seconds)


def long_text(seed: int, sentences: int = 2_000) -> bytes:
    random = Random(seed)
    return "\n".join(sentence(random) for _ in range(sentences)).encode()


async def test_next_model_is_filled_and_waits_for_activation(database: ThrowawayDatabase, tmp_path: Path) -> None:
    async with open_library(database, tmp_path) as library:
        await with_fees(library, 3)

    async with open_library(database, tmp_path, embeddings=BOTH) as library, library.worker():
        await until_both_have(library, 3)
        jobs_before = await library.value("SELECT count(*) FROM jobs")
        new = await library.add(b"A file that comes later.\n", filename="later.txt")
        await library.until_status(new)
        await until_both_have(library, 4)
        assert await states(library) == ["active", "filling"]  # the new model was not activated
        assert await library.value("SELECT count(*) FROM jobs") == jobs_before + 1  # no file is extracted again

        await use(library, 2)
        newest = await library.add(b"A file after the switch.\n", filename="newest.txt")
        await library.until_status(newest)
        assert (await counts(library))[1] == 5  # ready means embedded by the active model
        await until_both_have(library, 5)  # switching back loses nothing
        await use(library, 1)
        assert await states(library) == ["active", "retired"]
        assert await library.violations() == []


async def test_restored_document_has_its_embeddings(database: ThrowawayDatabase, tmp_path: Path) -> None:
    async with open_library(database, tmp_path) as library:
        added = await library.add(b"Thrown away by mistake.\n")
        async with library.worker():
            await library.until_status(added)
        async with library.database.session(SYSTEM_SCOPE) as session:
            await session.execute(update(Document).values(deleted_at=text("now()")))

    async with open_library(database, tmp_path, embeddings=BOTH) as library, library.worker():
        await until_both_have(library, 1)


async def test_worker_killed_while_filling_leaves_nothing_incomplete(
    database: ThrowawayDatabase, tmp_path: Path
) -> None:
    async with open_library(database, tmp_path) as library:
        added = await library.add(long_text(1), filename="long.txt")
        async with library.worker():
            await library.until_status(added)
        chunks = (await library.document(added)).chunk_count
    assert chunks > 20

    async with model_server() as model:
        later = model.settings
        settings = EmbeddingsSettings.model_validate(
            {"provider": "hash:32", "next_provider": later.provider, "dimensions": DIMENSIONS, "openai_api_key": "key"}
        )
        async with open_library(database, tmp_path, embeddings=settings) as library:
            library.environment = {"LECTERN_EMBEDDINGS_DIMENSIONS": str(DIMENSIONS), "OPENAI_API_KEY": "key"}
            process = await library.start_worker_process()
            await asyncio.wait_for(model.is_requested.wait(), 60)
            process.kill()
            await process.wait()
            model.may_answer.set()
            async with library.worker_process(), library.worker_process():  # the claim of the dead worker is released
                await until_both_have(library, chunks)
            assert await library.violations() == []


async def test_document_rejected_by_the_model_blocks_no_other(database: ThrowawayDatabase, tmp_path: Path) -> None:
    async with open_library(database, tmp_path) as library:
        await with_fees(library, 3)

    async with model_server() as model:
        model.refusals[:] = [400]
        model.may_answer.set()
        settings = beside(model)
        async with open_library(database, tmp_path, embeddings=settings) as library, library.worker():

            async def others_have_it() -> bool:
                return await counts(library) == (3, 2)

            await library.until(others_have_it)
            assert await states(library) == ["active", "filling"]
            await use(library, 2, is_incomplete=True)
            assert await library.value("SELECT sum(embedded_chunk_count) FROM documents") == 2


async def test_rejecting_model_is_tried_a_few_times_and_unreachable_one_later(
    database: ThrowawayDatabase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backfill, "RETRY_SECONDS", 0.5)
    monkeypatch.setattr(worker, "BACKFILL_SECONDS", 0.5)
    async with open_library(database, tmp_path) as library:
        await with_fees(library, 12)

    async with model_server() as model:
        model.refusals[:] = [401] * 7
        settings = beside(model)
        async with open_library(database, tmp_path, embeddings=settings) as library:
            models = ActiveProvider(create_models(settings, model_dir=tmp_path))
            fives = EmbeddingBackfill(library.database, models)
            model.may_answer.set()
            await fives.run()
            assert len(model.refusals) == 2  # one batch of five
            assert await counts(library) == (12, 0)
            await fives.run()  # rejected documents do not block the others
            assert await counts(library) == (12, 5)
            await models.close()
            model.refusals[:] = [503] * 50
            async with library.worker():  # another process does not know of the rejections

                async def was_away() -> bool:
                    return len(model.refusals) < 50

                await library.until(was_away)
                model.refusals.clear()
                await until_both_have(library, 12)


async def test_unreachable_model_is_skipped_and_filled_when_it_is_back(
    database: ThrowawayDatabase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_library(database, tmp_path) as library:
        await with_fees(library, 6)

    async with model_server() as model:
        model.may_answer.set()
        settings = beside(model)
        async with open_library(database, tmp_path, embeddings=settings) as library:
            models = ActiveProvider(create_models(settings, model_dir=tmp_path))
            filling = EmbeddingBackfill(library.database, models)
            monkeypatch.setattr(backfill, "RETRY_SECONDS", 1.0)
            model.refusals[:] = [503] * 50
            await filling.run()
            left = len(model.refusals)
            assert 0 < 50 - left <= ATTEMPTS  # one document
            await filling.run()  # still within the waiting time
            assert len(model.refusals) == left
            model.refusals.clear()
            await asyncio.sleep(1.1)
            await filling.run()
            assert await counts(library) == (6, 6)
            await models.close()


async def test_interactive_work_excludes_postponed_and_bulk_jobs(database: ThrowawayDatabase, tmp_path: Path) -> None:
    async with open_library(database, tmp_path) as library:
        added = await library.add(b"The fee is one euro.\n")
        async with library.worker():
            await library.until_status(added)
        waits = await library.add(b"Somebody waits for this.\n", filename="waits.txt")
        async with library.database.session(SYSTEM_SCOPE) as session:
            assert await jobs.has_interactive_work(session)
            later = "UPDATE jobs SET next_try_at = now() + interval '1 hour' WHERE document_id = :id"
            await session.execute(text(later), {"id": waits})
            assert not await jobs.has_interactive_work(session)
            bulk = "UPDATE jobs SET next_try_at = NULL, priority = :priority WHERE document_id = :id"
            await session.execute(text(bulk), {"id": waits, "priority": jobs.BULK})
            assert not await jobs.has_interactive_work(session)
