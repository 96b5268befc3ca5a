"""Shared fixtures: a real Postgres, and databases built by the real migrations.

- `postgres`: the server of the whole run.
- `database`: an empty, migrated database of this test's own (about 30 ms); commit at will.
- `shared_database` and `connection`: one migrated database for the run and a transaction in it that is rolled back.
"""

import gc
from collections.abc import AsyncGenerator, Generator

import pytest
from benchmarks.throwaway import ThrowawayDatabase, ThrowawayPostgres, throwaway_postgres
from hypothesis import settings
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from tests.scheduling import SharedFixtureScheduling
from xdist.remote import Producer

from lectern.db.engine import create_engine
from lectern.db.migrations.runner import migrate

# A busy machine is no wrong result: examples have no deadline of their own, the run has one.
settings.register_profile("lectern", deadline=None)
settings.load_profile("lectern")
# Importing the tests makes many objects and hardly any garbage.
gc.disable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put files with slow tests first: at the end one of them would run alone, and the other processes would wait."""
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.path not in slow)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> SharedFixtureScheduling | None:
    """Keep files with an expensive fixture in common in one process."""
    return SharedFixtureScheduling(config, log) if config.getoption("dist") == "loadfile" else None


def pytest_collection_finish() -> None:
    """Spare the garbage collector the modules and tests, which stay until the end. Let it look less often."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
    gc.enable()


@pytest.fixture(scope="session")
def postgres() -> Generator[ThrowawayPostgres]:
    """A real Postgres for the run, with a template database at the newest revision."""
    with throwaway_postgres(is_in_memory=True) as server:
        server.prepare_template(migrate)
        yield server


@pytest.fixture
def database(postgres: ThrowawayPostgres) -> Generator[ThrowawayDatabase]:
    """A database of this test's own, at the newest revision and empty."""
    with postgres.fresh_database() as fresh:
        yield fresh


@pytest.fixture
async def engine(database: ThrowawayDatabase) -> AsyncGenerator[AsyncEngine]:
    """An engine on the test's own database, signed in as the services are."""
    made = create_engine(database.service_url, pool_size=5)
    yield made
    await made.dispose()


@pytest.fixture(scope="session")
def shared_database(postgres: ThrowawayPostgres) -> Generator[ThrowawayDatabase]:
    """A migrated database for all tests that roll back what they do."""
    with postgres.fresh_database() as shared:
        yield shared


@pytest.fixture(scope="session")
async def shared_engine(shared_database: ThrowawayDatabase) -> AsyncGenerator[AsyncEngine]:
    """An engine on the shared database, signed in as the services are."""
    made = create_engine(shared_database.service_url, pool_size=5)
    yield made
    await made.dispose()


@pytest.fixture
async def connection(shared_engine: AsyncEngine) -> AsyncGenerator[AsyncConnection]:
    """A connection whose transaction is rolled back; bind a session to it with `create_savepoint`."""
    async with shared_engine.connect() as made:
        transaction = await made.begin()
        yield made
        await transaction.rollback()
