"""Sessions: the one place that commits, and the one place that sets a transaction's scope."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from functools import cache, lru_cache
from typing import Any, Final, TypeAlias

from psycopg import sql
from sqlalchemy import TextClause, text
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession, async_sessionmaker

from lectern.db.driver import begin
from lectern.db.scope import Scope

Session: TypeAlias = AsyncSession
"""What services pass on to repositories; they need not know where it comes from."""

_FIRST: Final = "first rows"


async def enter_scope(session: AsyncSession, scope: Scope) -> None:
    """Bind the transaction under way to a scope, until it ends. One round trip.

    `role` is a setting like the others; setting it locally is `SET LOCAL ROLE`.
    """
    settings = {"role": scope.role, **scope.parameters()}
    values = {f"n{i}": name for i, name in enumerate(settings)} | {f"v{i}": v for i, v in enumerate(settings.values())}
    await session.execute(_set_locally(len(settings)), values)


@cache
def _set_locally(count: int) -> TextClause:
    return text("SELECT " + ", ".join(f"set_config(:n{i}, :v{i}, true)" for i in range(count)))


@lru_cache(maxsize=512)
def _opening(scope: Scope, *, is_snapshot: bool, asking: str | None) -> str:
    """The beginning of a transaction under a scope, as one script: what would be two round trips is one."""
    settings = {"role": scope.role, **scope.parameters()}
    calls = [f"set_config({_quoted(name)}, {_quoted(value)}, true)" for name, value in settings.items()]
    begin = "BEGIN ISOLATION LEVEL REPEATABLE READ" if is_snapshot else "BEGIN"
    return "; ".join([begin, f"SELECT {', '.join(calls)}", *([asking] if asking else [])])


def _quoted(value: str) -> str:
    return sql.Literal(value).as_string(None)


def first_rows(session: AsyncSession) -> list[tuple[Any, ...]]:
    """What the statement found that the session was opened `asking`."""
    return session.info[_FIRST]


class Database:
    """The engine of a process and the sessions made from it."""

    def __init__(self, engine: AsyncEngine) -> None:
        self.engine = engine
        self._sessions = async_sessionmaker(engine, expire_on_commit=False)

    @asynccontextmanager
    async def session(
        self, scope: Scope, *, is_snapshot: bool = False, asking: str | None = None
    ) -> AsyncGenerator[AsyncSession]:
        """A session in one transaction under `scope`: committed on success, rolled back on any error.

        With `is_snapshot` all its statements see the database as it was at the first: for reading in several steps
        what somebody may replace meanwhile. `asking` is a first statement without parameters that costs no round trip:
        `first_rows(session)` are its rows.
        """
        async with self._sessions() as session, session.begin():
            session.info[_FIRST] = await begin(session, _opening(scope, is_snapshot=is_snapshot, asking=asking))
            yield session

    async def dispose(self) -> None:
        """Close every connection."""
        await self.engine.dispose()
