"""Fixtures of document tests."""

from collections.abc import AsyncGenerator
from dataclasses import replace
from pathlib import Path

import pytest
from benchmarks.throwaway import ThrowawayDatabase, ThrowawayPostgres
from tests.answers.conftest import filled_template
from tests.answers.library import open_library
from tests.api import Api, api_settings, open_api
from tests.documents.bank import Bank

__all__ = ["filled_template"]


@pytest.fixture
async def api(database: ThrowawayDatabase, tmp_path: Path) -> AsyncGenerator[Api]:
    async with open_api(api_settings(database, tmp_path)) as made:
        yield made


@pytest.fixture(scope="module")
async def shared_api(postgres: ThrowawayPostgres, tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Api]:
    """One API for the tests of a file whose requests are refused."""
    with postgres.fresh_database() as database:
        async with open_api(api_settings(database, tmp_path_factory.mktemp("shared"))) as made:
            yield made


@pytest.fixture(scope="module")
async def bank_template(
    postgres: ThrowawayPostgres, filled_template: str, tmp_path_factory: pytest.TempPathFactory
) -> AsyncGenerator[tuple[str, Bank]]:
    """Return the name of a bank's database, to be copied, and the bank."""
    with postgres.fresh_database(template=filled_template) as database:
        async with open_library(database, tmp_path_factory.mktemp("bank")) as api:
            made = await fill_bank(api)
        yield database.name, made


@pytest.fixture
async def bank(postgres: ThrowawayPostgres, bank_template: tuple[str, Bank], tmp_path: Path) -> AsyncGenerator[Bank]:
    name, bank = bank_template
    with postgres.fresh_database(template=name) as database:
        async with open_library(database, tmp_path, is_new=True) as api:  # its people exist already
            yield replace(bank, api=api)


async def fill_bank(api: Api) -> Bank:
    admin, ada, bob = await api.person("admin"), await api.person("editor"), await api.person("editor")
    collection = await api.collection(admin, "Vaults", is_open=False)
    (row,) = await api.sql("SELECT id FROM documents WHERE filename = 'vault.pdf'")
    made = Bank(api, admin, ada, bob, collection, str(row.id))
    await made.send(admin, "PATCH", f"documents/{row.id}", 200, json={"collection": "Vaults"})
    await made.send(admin, "PUT", f"collections/{collection}/members/{ada.id}", 200, json={"can_write": True})
    return made
