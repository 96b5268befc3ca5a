"""The whole product on one database and one folder of originals: the API, and workers as a test wants them."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from benchmarks.throwaway import ThrowawayDatabase
from tests.api import api_settings, open_api
from tests.ingestion.library import open_library
from tests.ingestion.model_server import ModelServer, model_server

from lectern.settings import EmbeddingsSettings

from .desk import Desk


@asynccontextmanager
async def open_desk(
    database: ThrowawayDatabase, folder: Path, embeddings: EmbeddingsSettings | None = None
) -> AsyncGenerator[Desk]:
    async with open_library(database, folder, embeddings=embeddings) as library:
        settings = api_settings(database, folder)
        settings.embeddings, settings.storage = library.embeddings, library.settings.storage
        async with open_api(settings) as api:
            yield Desk(api, library, await api.person())


@pytest.fixture
async def desk(database: ThrowawayDatabase, tmp_path: Path) -> AsyncGenerator[Desk]:
    async with open_desk(database, tmp_path) as made:
        yield made


@pytest.fixture
async def model() -> AsyncGenerator[ModelServer]:
    async with model_server() as made:
        yield made


@pytest.fixture
async def held_desk(database: ThrowawayDatabase, tmp_path: Path, model: ModelServer) -> AsyncGenerator[Desk]:
    """Embeddings come when `model` is let answer."""
    async with open_desk(database, tmp_path, model.settings) as made:
        yield made
