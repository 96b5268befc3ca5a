"""Run statements of the hot path directly on psycopg, without the overhead of SQLAlchemy.

    rows = await fetch(session, "SELECT id FROM documents WHERE id = ANY (:ids)", {"ids": ids})

They run in the transaction of the session and under its scope.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, TypeVar, cast

from psycopg import AsyncConnection
from psycopg.rows import AsyncRowFactory, dict_row
from sqlalchemy.ext.asyncio import AsyncConnection as Connection
from sqlalchemy.ext.asyncio import AsyncSession

R = TypeVar("R")

_DRIVER: Final = "driver"
_PARAMETER: Final = re.compile(r"(?<![:\w\\]):(\w+)")


async def fetch(on: AsyncSession | Connection, sql: str, parameters: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the rows of a statement with `:name` parameters, each as a dict.

    Raises:
        psycopg.Error: The statement failed, or the database is unavailable.
    """
    return await _fetch(on, sql, parameters, dict_row)


async def fetch_rows(
    on: AsyncSession | Connection, sql: str, parameters: Mapping[str, Any], make: Callable[[Sequence[Any]], R]
) -> list[R]:
    """Return what `make` returns for each row's values. Raises what `fetch` raises."""
    return await _fetch(on, sql, parameters, lambda _: make)


async def _fetch(
    on: AsyncSession | Connection, sql: str, parameters: Mapping[str, Any], row_factory: AsyncRowFactory[R]
) -> list[R]:
    driver = await _driver_of(on) if isinstance(on, AsyncSession) else await _driver(on)
    try:
        # Numbers and ids are read faster in Postgres' binary format.
        async with driver.cursor(binary=True, row_factory=row_factory) as cursor:
            await cursor.execute(_driver_sql(sql), parameters)
            return await cursor.fetchall()
    except BaseException:
        # psycopg closes a connection if a cancellation interrupts it twice. SQLAlchemy did not run the statement, so
        # its pool would roll back the closed connection.
        if driver.closed and isinstance(on, Connection):
            await on.invalidate()
        raise


async def begin(session: AsyncSession, script: str) -> list[tuple[Any, ...]]:
    """Open a transaction with a script of statements without parameters, in one round trip.

    Returns the rows of the last statement. The session must be used for this transaction only, because it caches the
    driver's connection.
    """
    # The script begins the transaction, so the driver must not. SQLAlchemy ends it.
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
    """Translate `:name` parameters to those of psycopg."""
    return _PARAMETER.sub(r"%(\1)s", sql.replace("%", "%%")).replace("\\:", ":").encode()
