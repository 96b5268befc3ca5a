"""A pair of worlds for all tests of this folder."""

import os
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
from benchmarks.throwaway import ThrowawayPostgres

from .worlds import Worlds, open_worlds

SEED = int(os.environ.get("LECTERN_LEAK_SEED", "7"))


@pytest.fixture(scope="package")
async def worlds(postgres: ThrowawayPostgres, tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Worlds]:
    folder: Path = tmp_path_factory.mktemp("worlds")
    async with open_worlds(postgres, folder, seed=SEED) as made:
        yield made
