"""Fixtures of HTTP tests."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
from benchmarks.throwaway import ThrowawayDatabase
from tests.api import Api, api_settings, open_api


@pytest.fixture
async def api(database: ThrowawayDatabase, tmp_path: Path) -> AsyncGenerator[Api]:
    async with open_api(api_settings(database, tmp_path)) as made:
        yield made
