"""Sessions: the only place that commits, and the only place that sets the scope of a transaction."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import cache, lru_cache
from typing import Any, Final, TypeAlias

import psycopg
from psycopg import sql
from sqlalchemy import TextClause, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, AsyncSession, async_sessionmaker

from lectern.db.driver import begin
from lectern.db.engine import create_engine, measure_pool
from lectern.db.scope import SYSTEM_SCOPE, Scope

Connection: TypeAlias = AsyncConnection
Session: TypeAlias = AsyncSession
"""Types for services, which do not import SQLAlchemy."""

_PRELUDE: Final = "prelude rows"


async def enter_scope(session: AsyncSession, scope: Scope) -> None:
    """Set the scope of the current transaction, in one round trip.

    `role` is a setting like the others. Setting it locally is `SET LOCAL ROLE`.
    """
    settings = {"role": scope.role, **scope.parameters()}
    values = {f"n{i}": name for i, name in enumerate(settings)} | {f"v{i}": v for i, v in enumerate(settings.values())}
    await session.execute(_set_locally(len(settings)), values)


@asynccontextmanager
async def elevated(session: AsyncSession, scope: Scope) -> AsyncGenerator[None]:
    """Lift the limits of `scope` for a few statements. An error must end the transaction."""
    if scope.is_unrestricted:
        yield
        return
    await enter_scope(session, replace(scope, is_unrestricted=True))
    yield
    await enter_scope(session, scope)


@cache
def _set_locally(count: int) -> TextClause:
    return text("SELECT " + ", ".join(f"set_config(:n{i}, :v{i}, true)" for i in range(count)))


@lru_cache(maxsize=512)
def _opening(scope: Scope, *, is_snapshot: bool, prelude_sql: str | None) -> str:
    """Return a script that begins a transaction under a scope, in one round trip."""
    settings = {"role": scope.role, **scope.parameters()}
    calls = [f"set_config({_quoted(name)}, {_quoted(value)}, true)" for name, value in settings.items()]
    begin = "BEGIN ISOLATION LEVEL REPEATABLE READ" if is_snapshot else "BEGIN"
    return "; ".join([begin, f"SELECT {', '.join(calls)}", *([prelude_sql] if prelude_sql else [])])


def _quoted(value: str) -> str:
    return sql.Literal(value).as_string(None)


def prelude_rows(session: AsyncSession) -> list[tuple[Any, ...]]:
    """Return the rows of the session's `prelude_sql`."""
    return session.info[_PRELUDE]


class Database:
    """The engine of a process and its sessions."""

    def __init__(self, engine: AsyncEngine) -> None:
        self.engine = engine
        self._open_sessions = 0
        self._sessions = async_sessionmaker(engine, expire_on_commit=False)

    @asynccontextmanager
    async def session(
        self, scope: Scope, *, is_snapshot: bool = False, prelude_sql: str | None = None
    ) -> AsyncGenerator[AsyncSession]:
        """Open a session with one transaction under `scope`. Commit on success, roll back on any error.

        With `is_snapshot`, all statements see the same snapshot of the database. `prelude_sql` is a statement without
        parameters that runs in the round trip of `BEGIN`. `prelude_rows(session)` returns its rows.
        """
        self._open_sessions += 1
        try:
            async with self._sessions() as session, session.begin():
                session.info[_PRELUDE] = await begin(
                    session, _opening(scope, is_snapshot=is_snapshot, prelude_sql=prelude_sql)
                )
                yield session
        finally:
            self._open_sessions -= 1

    def measure_pool(self) -> dict[str, int]:
        """Return the size of the connection pool, the connections in use, and the sessions that wait for one."""
        size, in_use = measure_pool(self.engine)
        return {"size": size, "in_use": in_use, "waiting": max(0, self._open_sessions - size) if size else 0}

    async def is_ready(self) -> bool:
        """Return true if the database answers and has its tables."""
        try:
            async with self.session(SYSTEM_SCOPE) as session:
                await session.execute(text("SELECT 1 FROM users LIMIT 1"))
        except (SQLAlchemyError, psycopg.Error):
            return False
        return True

    async def dispose(self) -> None:
        """Close every connection."""
        await self.engine.dispose()


@asynccontextmanager
async def open_database(url: str, *, pool_size: int = 1) -> AsyncGenerator[Database]:
    """Open a database for a command."""
    database = Database(create_engine(url, pool_size=pool_size))
    try:
        yield database
    finally:
        await database.dispose()
