"""A restore returns every saved row, index, original and answer."""

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import replace
from pathlib import Path

import pytest
from benchmarks.throwaway import ThrowawayPostgres
from tests.ingestion.library import SAMPLES, Library, open_library

from lectern.db.migrations import runner
from lectern.library.backup.restoring import restore_backup
from lectern.library.backup.writing import write_backup

from .installations import FURNITURE, Place, answers, contents, fresh_place, queries_of, run, structure

FILES = ("employee-handbook.md", "avviso-chiusura-ponte.txt", "resi-e-garanzie.pdf")


@pytest.fixture
async def place(postgres: ThrowawayPostgres, tmp_path: Path) -> AsyncGenerator[Place]:
    async with fresh_place(postgres, tmp_path) as made:
        yield made


@pytest.fixture
async def library(postgres: ThrowawayPostgres, tmp_path: Path) -> AsyncGenerator[Library]:
    with postgres.fresh_database() as database:
        async with open_library(database, tmp_path / "library") as made:
            yield made


async def fill(library: Library, names: tuple[str, ...]) -> None:
    documents = [await library.add(SAMPLES / name) for name in names]
    async with library.worker():
        await library.until_status(*documents, seconds=240)
    await run(library.urls.owner_url, FURNITURE)


async def compare(library: Library, place: Place, *, query_count: int) -> None:
    queries = await queries_of(library, query_count)
    assert len(queries) >= min(query_count, 20)
    saved, restored = await contents(library.urls.owner_url), await contents(place.urls.owner_url)
    assert restored == saved
    assert saved["chunks"][0] > 0
    assert saved["chunk_embeddings_1"][0] > 0
    assert await structure(place.urls.owner_url) == await structure(library.urls.owner_url)
    assert await place.originals() == {sha256 async for sha256 in library.originals.list()}
    assert await answers(place.urls, queries) == await answers(library.urls, queries)


async def test_everything_comes_back_row_by_row(library: Library, place: Place, tmp_path: Path) -> None:
    await fill(library, FILES)
    file = tmp_path / "library.backup"

    made = await write_backup(file, owner_url=library.urls.owner_url, originals=library.originals)
    restored = await restore_backup(file, place.target)

    assert (made.document_count, made.original_count, made.missing_originals) == (3, 3, [])
    assert restored.row_count == made.row_count
    assert restored.queued_document_count == 0
    await compare(library, place, query_count=20)
    assert file.stat().st_mode & 0o077 == 0


@pytest.mark.slow
async def test_two_hundred_queries_find_the_same_in_what_was_restored(
    library: Library, place: Place, tmp_path: Path
) -> None:
    await fill(library, tuple(path.name for path in sorted(SAMPLES.iterdir()) if "scansione" not in path.name))
    file = tmp_path / "library.backup"

    await write_backup(file, owner_url=library.urls.owner_url, originals=library.originals)
    await restore_backup(file, place.target)

    await compare(library, place, query_count=200)


async def test_a_backup_made_while_files_are_read_becomes_ready_where_it_is_restored(
    library: Library, place: Place, tmp_path: Path
) -> None:
    documents = [await library.add(SAMPLES / name) for name in (*FILES, "travel-and-expenses-policy.pdf")]
    file = tmp_path / "library.backup"

    async def is_under_way() -> bool:
        return (await library.document(documents[-1])).status != "queued"

    async with library.worker():
        await library.until(is_under_way)
        made = await write_backup(file, owner_url=library.urls.owner_url, originals=library.originals)
        await library.until_status(*documents)
    restored = await restore_backup(file, place.target)

    assert made.unfinished_document_count > 0
    assert restored.queued_document_count == made.unfinished_document_count
    async with open_library(place.urls, place.folder.parent) as there:
        twin = replace(there, originals=place.target.originals, storage=place.folder)
        async with twin.worker():
            await twin.until_status(*documents)
        assert await twin.violations() == []


async def test_an_older_backup_is_brought_to_the_revision_of_the_code(
    library: Library, place: Place, tmp_path: Path
) -> None:
    older = sorted(runner.known_revisions())[-2]
    await run(library.urls.owner_url, FURNITURE)
    await asyncio.to_thread(runner.move_to, library.urls.owner_url, revision=older)
    file = tmp_path / "older.backup"
    newest = (await contents(place.urls.owner_url))["alembic_version"]

    await write_backup(file, owner_url=library.urls.owner_url, originals=library.originals)
    restored = await restore_backup(file, place.target)

    assert restored.revision == older
    found = await contents(place.urls.owner_url)
    assert (found["alembic_version"], found["users"][0]) == (newest, 2)


async def test_an_original_that_is_purged_meanwhile_is_no_part_of_the_backup(
    library: Library, place: Place, tmp_path: Path
) -> None:
    kept, purged = [await library.add(SAMPLES / name) for name in FILES[:2]]
    gone = (await library.document(purged)).sha256
    store = library.originals
    asked: list[str] = []

    class PurgedMeanwhile(type(store)):
        """The store, with a purge that comes between the snapshot and the copy of the file."""

        async def open(self, sha256: str, *, start: int = 0, end: int | None = None):  # noqa: ANN202 - as its parent's
            if sha256 == gone and not asked:
                asked.append(sha256)
                await run(library.urls.owner_url, f"DELETE FROM documents WHERE id = '{purged}'")
                await store.delete(gone)
            return await super().open(sha256, start=start, end=end)

    hasty = PurgedMeanwhile(store._store, folder=store.folder)  # pyright: ignore[reportPrivateUsage]: the same files
    file = tmp_path / "library.backup"

    made = await write_backup(file, owner_url=library.urls.owner_url, originals=hasty)
    await restore_backup(file, place.target)

    assert asked == [gone]
    assert (made.document_count, made.missing_originals) == (1, [])
    assert await place.originals() == {(await library.document(kept)).sha256}
