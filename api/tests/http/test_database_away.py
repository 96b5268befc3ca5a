"""Requests without a database get a 503 with a retry time."""

import logging

import pytest
from benchmarks.throwaway import ThrowawayDatabase
from sqlalchemy import text
from tests.api import Api

from lectern.db.engine import create_engine

END_ALL = """
SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name LIKE 'lectern%'
    AND usename = current_user
"""


async def test_a_request_without_its_database_is_a_503_that_passes(
    api: Api, database: ThrowawayDatabase, caplog: pytest.LogCaptureFixture
) -> None:
    reader = await api.person("reader")
    owner, service = create_engine(database.owner_url), create_engine(database.service_url)
    async with owner.connect() as connection, service.connect() as other:
        await connection.execution_options(isolation_level="AUTOCOMMIT")
        name = (await connection.execute(text("SELECT quote_ident(current_database())"))).scalar_one()
        await connection.execute(text(f"ALTER DATABASE {name} CONNECTION LIMIT 0"))
        await other.execute(text(END_ALL))
        away = await api.client.get("/api/v1/documents", headers=reader.headers)
        await connection.execute(text(f"ALTER DATABASE {name} CONNECTION LIMIT -1"))
    back = await api.client.get("/api/v1/documents", headers=reader.headers)
    await owner.dispose()
    await service.dispose()

    assert (away.status_code, away.json()["code"]) == (503, "database_unavailable")
    assert away.headers["Retry-After"] == "5"
    assert back.status_code == 200
    logged = [record for record in caplog.records if record.name == "lectern.http.problems"]
    assert [(record.levelno, record.exc_info) for record in logged] == [(logging.WARNING, None)]
    assert "connection failed" in logged[0].getMessage()
    assert "\n" not in logged[0].getMessage()
