"""Statements of the hot path, handed to the driver: what SQLAlchemy does around a cursor is felt where there are many.

    rows = await fetch(session, "SELECT id FROM documents WHERE id = ANY (:ids)", {"ids": ids})

They run in the session's transaction, under its scope, like any other statement of it; those of a plain connection in
its own.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final, cast

from psycopg import AsyncConnection
from psycopg.rows import dict_row
from sqlalchemy.ext.asyncio import AsyncConnection as Connection
from sqlalchemy.ext.asyncio import AsyncSession

_DRIVER: Final = "driver"
_PARAMETER: Final = re.compile(r"(?<![:\w\\]):(\w+)")


async def fetch(on: AsyncSession | Connection, sql: str, parameters: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The rows of a statement whose parameters are written `:name`, each by column name.

    Raises:
        psycopg.Error: The database refuses, or is gone.
    """
    driver = await _driver_of(on) if isinstance(on, AsyncSession) else await _driver(on)
    async with driver.cursor(row_factory=dict_row) as cursor:
        await cursor.execute(_driver_sql(sql), parameters)
        return await cursor.fetchall()


async def begin(session: AsyncSession, script: str) -> list[tuple[Any, ...]]:
    """Open a transaction by a script of statements without parameters, in one round trip; the rows of the last one.

    The session is for this transaction only: its driver is not asked for again, each time by a switch of contexts.
    """
    # The driver is not to begin by itself: the script does. The transaction's end is SQLAlchemy's.
    connection = await session.connection(execution_options={"isolation_level": "AUTOCOMMIT"})
    driver = session.info[_DRIVER] = await _driver(connection)
    async with driver.cursor() as cursor:
        await cursor.execute(script.encode(), prepare=False)
        while cursor.nextset():
            pass
        return await cursor.fetchall()


async def _driver_of(session: AsyncSession) -> AsyncConnection[Any]:
    return session.info.get(_DRIVER) or await _driver(await session.connection())


async def _driver(connection: Connection) -> AsyncConnection[Any]:
    driver: object = (await connection.get_raw_connection()).driver_connection
    assert isinstance(driver, AsyncConnection)
    return cast("AsyncConnection[Any]", driver)


@lru_cache(maxsize=512)
def _driver_sql(sql: str) -> bytes:
    """The statement in the driver's own notation for parameters."""
    return _PARAMETER.sub(r"%(\1)s", sql.replace("%", "%%")).replace("\\:", ":").encode()
