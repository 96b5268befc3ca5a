"""Engines replace connections that Postgres has closed, and refuse wrong URLs."""

import logging

import anyio
import pytest
from benchmarks.throwaway import ThrowawayDatabase
from pydantic import SecretStr
from sqlalchemy import text
from sqlalchemy.exc import OperationalError
from sqlalchemy.ext.asyncio import AsyncEngine

from lectern.composition import open_replica
from lectern.db.driver import fetch
from lectern.db.engine import create_engine, create_system_engine, measure_pool
from lectern.db.errors import find_transient_database_error
from lectern.db.scope import SYSTEM_SCOPE
from lectern.db.session import Database
from lectern.errors import Misconfigured
from lectern.settings import DatabaseSettings, Settings

END_ALL = """
SELECT count(pg_terminate_backend(pid, 5000)) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name LIKE 'lectern%'
"""


@pytest.fixture
async def sessions(database: ThrowawayDatabase) -> Database:
    return Database(create_engine(database.service_url, pool_size=3))


async def ended(other: AsyncEngine) -> int:
    """Terminate every other connection to this database and return their number."""
    async with other.connect() as connection:
        return (await connection.execute(text(END_ALL))).scalar_one()


async def test_requests_after_a_restart_of_postgres_do_not_fail(
    sessions: Database, database: ThrowawayDatabase
) -> None:
    other = create_engine(database.service_url)
    system = create_system_engine(sessions.engine)
    for _ in range(2):
        async with (
            sessions.session(SYSTEM_SCOPE) as first,
            sessions.session(SYSTEM_SCOPE) as second,
            system.connect() as third,
        ):
            for connection in (first, second, third):
                assert (await connection.execute(text("SELECT 1"))).scalar_one() == 1
        assert await ended(other) == 3
    for engine in (other, system, sessions.engine):
        await engine.dispose()


async def test_a_cancelled_statement_leaves_no_error_and_no_closed_connection(
    sessions: Database, caplog: pytest.LogCaptureFixture
) -> None:
    system = create_system_engine(sessions.engine)
    for _ in range(3):
        # anyio cancels again until the block ends, as it does when a client leaves a stream
        with anyio.move_on_after(0.05) as cancelled:
            async with system.connect() as connection:
                await fetch(connection, "SELECT 1 FROM pg_sleep(60)", {})
        assert cancelled.cancelled_caught
        with anyio.move_on_after(0.05) as cancelled:
            async with sessions.session(SYSTEM_SCOPE) as session:
                await fetch(session, "SELECT 1 FROM pg_sleep(60)", {})
        assert cancelled.cancelled_caught
        async with system.connect() as connection, sessions.session(SYSTEM_SCOPE) as session:
            assert await fetch(connection, "SELECT 1 AS one", {}) == await fetch(session, "SELECT 1 AS one", {})
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []
    assert [measure_pool(engine)[1] for engine in (system, sessions.engine)] == [0, 0]
    for engine in (system, sessions.engine):
        await engine.dispose()


async def test_the_address_of_an_unreachable_database_is_in_the_log_only() -> None:
    engine = create_engine("postgresql://me:zanzibar@127.0.0.1:1/x")
    with pytest.raises(OperationalError) as raised:
        await engine.connect()

    problem = find_transient_database_error(raised.value)

    assert problem is not None
    assert "127.0.0.1" in problem.log_message
    assert "127.0.0.1" not in problem.message
    assert "zanzibar" not in problem.log_message


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("mysql://me:zanzibar@host/x", "DATABASE_REPLICA_URL names 'mysql'; Lectern needs Postgres."),
        ("zanzibar", "DATABASE_REPLICA_URL is not a database URL."),
        ("postgresql://me:zanzibar@host:port/x", "DATABASE_REPLICA_URL is not a database URL."),
    ],
)
def test_a_wrong_database_url_is_named_by_its_variable_and_not_shown(url: str, message: str) -> None:
    database = DatabaseSettings.model_validate({"replica_url": SecretStr(url)}, by_name=True)
    with pytest.raises(Misconfigured) as raised:
        open_replica(Settings(database=database))
    assert raised.value.message == message
    assert "zanzibar" not in f"{raised.value!r} {raised.value.hint}"
