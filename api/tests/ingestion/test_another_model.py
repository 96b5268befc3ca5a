"""A library that changes its embedding model fills the new generation by itself and loses nothing meanwhile."""

from pathlib import Path

from sqlalchemy import text

from lectern.db.scope import SYSTEM_SCOPE
from lectern.embedded.throwaway import ThrowawayDatabase
from lectern.settings import EmbeddingsSettings

from .library import Library, open_library

STATES = "SELECT state FROM embedding_generations ORDER BY id"


async def states(library: Library) -> list[str]:
    async with library.database.session(SYSTEM_SCOPE) as session:
        return list((await session.execute(text(STATES))).scalars())


async def test_another_model_takes_over_when_every_document_is_embedded_with_it(
    database: ThrowawayDatabase, tmp_path: Path
) -> None:
    async with open_library(database, tmp_path) as library:
        added = [await library.add(f"The fee is {n} euro.\n".encode(), filename=f"{n}.txt") for n in range(3)]
        async with library.worker():
            await library.until_status(*added)
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
        assert await library.value("SELECT count(*) FROM documents WHERE status = 'ready'") == len(added)
        assert await library.violations() == []
