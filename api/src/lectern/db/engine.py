"""Create the engines: one connection pool per process, with the settings that search needs."""

import logging
import select
from collections.abc import Generator
from contextlib import contextmanager
from typing import Final, Protocol, TypeAlias

import psycopg
from pydantic_core import from_json
from sqlalchemy import Connection, event
from sqlalchemy import create_engine as create_sync_engine
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DisconnectionError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import NullPool, QueuePool

from lectern.db.scope import SYSTEM_ROLE
from lectern.errors import Misconfigured

# Errors of statements when Postgres is unavailable, stops, is full or takes too long.
DATABASE_ERRORS: Final[tuple[type[Exception], ...]] = (
    OperationalError,
    InterfaceError,
    PoolTimeout,
    psycopg.OperationalError,
)

Engine: TypeAlias = AsyncEngine
"""The type of engines for services, which do not import SQLAlchemy."""

_REQUIRED: Final = {"connect_timeout": 10}
_OPTIONAL: Final = {"connect_timeout": 2, "tcp_user_timeout": 2_000}


def database_url(value: str, *, variable: str = "DATABASE_URL") -> URL:
    """Parse a Postgres URL in any usual form into one for psycopg 3. `variable` names its setting in errors.

    Raises:
        Misconfigured: It is not a URL of Postgres.
    """
    try:
        url = make_url(value)
    except (ArgumentError, ValueError):  # its message may hold the password
        raise Misconfigured(
            f"{variable} is not a database URL.", hint="Use the form postgresql://account:password@host:5432/lectern."
        ) from None
    if url.get_backend_name() not in {"postgresql", "postgres"}:
        raise Misconfigured(f"{variable} names {url.get_backend_name()!r}; Lectern needs Postgres.")
    return url.set(drivername="postgresql+psycopg")


def libpq_url(value: str) -> str:
    """Return the URL for psycopg itself, with its password."""
    return database_url(value).set(drivername="postgresql").render_as_string(hide_password=False)


def create_engine(
    url: str, *, pool_size: int = 10, statement_timeout_seconds: float = 30, is_optional: bool = False
) -> AsyncEngine:
    """Create an engine that plans each statement anew, because the best plan depends on the filter.

    JIT is off: it takes longer than these short statements. Connections to an optional server fail after two seconds.
    """
    options = (
        f"-c statement_timeout={int(statement_timeout_seconds * 1000)}"
        " -c plan_cache_mode=force_custom_plan -c jit=off -c timezone=UTC"
    )
    engine = create_async_engine(
        database_url(url),
        pool_size=pool_size,
        max_overflow=pool_size,  # measure_pool() counts on twice the size
        pool_pre_ping=False,
        pool_recycle=1800,
        json_deserializer=from_json,
        connect_args={"options": options, "application_name": "lectern", **(_OPTIONAL if is_optional else _REQUIRED)},
    )
    event.listen(engine.sync_engine, "checkout", _refuse_closed)
    logging.getLogger("psycopg").addFilter(_is_no_cancelled_query)
    return engine


def _is_no_cancelled_query(record: logging.LogRecord) -> bool:
    """Drop the warning for a client that leaves during a query. Its connection is closed and replaced as intended."""
    return record.getMessage() != "query cancellation interrupted (CancelledError): closing connection"


def measure_pool(engine: AsyncEngine) -> tuple[int, int]:
    """Return the most connections that the pool may open, and those in use."""
    pool = engine.pool
    return (2 * pool.size(), pool.checkedout()) if isinstance(pool, QueuePool) else (0, 0)


@contextmanager
def owner_transaction(owner_url: str) -> Generator[Connection]:
    """Open a transaction as the owner of the tables, on a connection that is closed at the end."""
    engine = create_sync_engine(database_url(owner_url), poolclass=NullPool)
    with engine.begin() as connection:
        yield connection


def create_system_engine(engine: AsyncEngine) -> AsyncEngine:
    """Create an engine for single statements as the system role, without a scope or a transaction.

    Requests are authenticated with it, before they have a scope, in one round trip.
    """
    options = f"-c role={SYSTEM_ROLE} -c statement_timeout=10000 -c jit=off -c timezone=UTC"
    system = create_async_engine(
        engine.url,
        isolation_level="AUTOCOMMIT",
        pool_size=2,
        max_overflow=4,
        pool_recycle=1800,
        connect_args={"options": options, "application_name": "lectern-system", "connect_timeout": 10},
    )
    event.listen(system.sync_engine, "checkout", _refuse_closed)
    return system


class _Driver(Protocol):
    def fileno(self) -> int: ...


class _Connection(Protocol):
    driver_connection: _Driver


def _refuse_closed(connection: _Connection, *_: object) -> None:
    """Make the pool replace a connection that Postgres has closed.

    Postgres sends nothing on an idle connection, so readable data means that it is closed. This takes microseconds,
    a ping takes a round trip.
    """
    poll = select.poll()
    poll.register(connection.driver_connection.fileno(), select.POLLIN)
    if poll.poll(0):
        raise DisconnectionError("Postgres closed the connection.")
