"""A library of this test's own."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
from tests.guarantees.conftest import open_desk
from tests.guarantees.desk import Desk

from lectern.embedded.throwaway import ThrowawayDatabase


@pytest.fixture
async def desk(database: ThrowawayDatabase, tmp_path: Path) -> AsyncGenerator[Desk]:
    async with open_desk(database, tmp_path / "library") as made:
        yield made
