"""Fixtures of document tests."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
from benchmarks.throwaway import ThrowawayDatabase
from tests.answers.conftest import filled_database, filled_template
from tests.answers.library import open_library
from tests.api import Api, api_settings, open_api
from tests.documents.bank import Bank

__all__ = ["filled_database", "filled_template"]


@pytest.fixture
async def api(database: ThrowawayDatabase, tmp_path: Path) -> AsyncGenerator[Api]:
    async with open_api(api_settings(database, tmp_path)) as made:
        yield made


@pytest.fixture
async def bank(filled_database: ThrowawayDatabase, tmp_path: Path) -> AsyncGenerator[Bank]:
    async with open_library(filled_database, tmp_path) as api:
        admin, ada, bob = await api.person("admin"), await api.person("editor"), await api.person("editor")
        collection = await api.collection(admin, "Vaults", is_open=False)
        (row,) = await api.sql("SELECT id FROM documents WHERE filename = 'vault.pdf'")
        made = Bank(api, admin, ada, bob, collection, str(row.id))
        await made.send(admin, "PATCH", f"documents/{row.id}", 200, json={"collection": "Vaults"})
        await made.send(admin, "PUT", f"collections/{collection}/members/{ada.id}", 200, json={"can_write": True})
        yield made
