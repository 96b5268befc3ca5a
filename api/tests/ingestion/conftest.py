"""A library on a real Postgres with real originals, and workers that ingest them."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from lectern.embedded.throwaway import ThrowawayDatabase

from .library import Library, open_library


@pytest.fixture
async def library(database: ThrowawayDatabase, tmp_path: Path) -> AsyncGenerator[Library]:
    async with open_library(database, tmp_path) as made:
        yield made
