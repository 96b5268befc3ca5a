"""Ingestion with the built-in model, from end to end."""

from pathlib import Path

import pytest
from benchmarks.throwaway import ThrowawayDatabase

from lectern.settings import EmbeddingsSettings

from .library import SAMPLES, open_library


@pytest.fixture(scope="session")
def model_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("models")


async def test_local_model_embeds_documents(database: ThrowawayDatabase, tmp_path: Path, model_dir: Path) -> None:
    embeddings = EmbeddingsSettings(provider="local", model_dir=model_dir)
    async with open_library(database, tmp_path, embeddings=embeddings) as library:
        document_id = await library.add(SAMPLES / "avviso-chiusura-ponte.txt")
        async with library.worker():
            await library.until_status(document_id, seconds=120)
        lengths = "SELECT min(vector_norm(embedding::vector(384))) > 0.99 FROM chunk_embeddings_1"
        assert await library.value(lengths)
        assert await library.violations() == []
