"""Connections that Postgres closed while nobody used them are replaced before a request meets them."""

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from lectern.db.engine import create_engine, create_system_engine
from lectern.db.scope import SYSTEM_SCOPE
from lectern.db.session import Database
from lectern.embedded.throwaway import ThrowawayDatabase

END_ALL = """
SELECT count(pg_terminate_backend(pid, 5000)) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name LIKE 'lectern%'
"""


@pytest.fixture
async def sessions(database: ThrowawayDatabase) -> Database:
    return Database(create_engine(database.service_url, pool_size=3))


async def ended(other: AsyncEngine) -> int:
    """Close every connection to this database but this one from Postgres' side; how many there were."""
    async with other.connect() as connection:
        return (await connection.execute(text(END_ALL))).scalar_one()


async def test_requests_after_a_restart_of_postgres_do_not_fail(
    sessions: Database, database: ThrowawayDatabase
) -> None:
    other = create_engine(database.service_url)
    door = create_system_engine(sessions.engine)
    for _ in range(2):
        async with (
            sessions.session(SYSTEM_SCOPE) as first,
            sessions.session(SYSTEM_SCOPE) as second,
            door.connect() as third,
        ):
            for connection in (first, second, third):
                assert (await connection.execute(text("SELECT 1"))).scalar_one() == 1
        assert await ended(other) == 3
    for engine in (other, door, sessions.engine):
        await engine.dispose()
