"""Engines: one pool for each process, with the settings that search needs."""

import select
from typing import Final, Protocol

import psycopg
from pydantic_core import from_json
from sqlalchemy import event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DisconnectionError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from lectern.db.scope import SYSTEM_ROLE
from lectern.errors import Misconfigured

# What a statement raises when Postgres is away, ends, is full, or takes too long: nothing that the request did.
FAULTS: Final[tuple[type[Exception], ...]] = (OperationalError, InterfaceError, PoolTimeout, psycopg.OperationalError)

_PATIENT: Final = {"connect_timeout": 10}
_HASTY: Final = {"connect_timeout": 2, "tcp_user_timeout": 2_000}


def database_url(value: str, *, variable: str = "DATABASE_URL") -> URL:
    """Parse a Postgres URL in any of its usual spellings into one for psycopg 3. `variable` is where it stands.

    Raises:
        Misconfigured: The URL is not one of Postgres, or none.
    """
    try:
        url = make_url(value)
    except (ArgumentError, ValueError):  # its message may hold the password
        raise Misconfigured(
            f"{variable} is not an address.", hint="It looks like postgresql://account:password@host:5432/lectern."
        ) from None
    if url.get_backend_name() not in {"postgresql", "postgres"}:
        raise Misconfigured(f"{variable} names {url.get_backend_name()!r}; Lectern needs Postgres.")
    return url.set(drivername="postgresql+psycopg")


def libpq_url(value: str) -> str:
    """The same address for psycopg itself, password included."""
    return database_url(value).set(drivername="postgresql").render_as_string(hide_password=False)


def create_engine(
    url: str, *, pool_size: int = 10, statement_timeout_seconds: float = 30, is_dispensable: bool = False
) -> AsyncEngine:
    """An engine whose connections never keep a stale plan.

    Cached generic plans stick to the shape of the first filter, so plans are made for each statement;
    JIT costs more than these short statements take. A dispensable server is not waited for: a network that says nothing
    for two seconds is a fault.
    """
    options = (
        f"-c statement_timeout={int(statement_timeout_seconds * 1000)}"
        " -c plan_cache_mode=force_custom_plan -c jit=off -c timezone=UTC"
    )
    engine = create_async_engine(
        database_url(url),
        pool_size=pool_size,
        max_overflow=pool_size,
        pool_pre_ping=False,
        pool_recycle=1800,
        json_deserializer=from_json,
        connect_args={"options": options, "application_name": "lectern", **(_HASTY if is_dispensable else _PATIENT)},
    )
    event.listen(engine.sync_engine, "checkout", _refuse_closed)
    return engine


def create_system_engine(engine: AsyncEngine, *, pool_size: int = 2) -> AsyncEngine:
    """An engine on the same database for single statements that see everything: no scope to enter, no transaction.

    For what each request asks before it has a scope, where five round trips instead of one are felt.
    """
    options = f"-c role={SYSTEM_ROLE} -c statement_timeout=10000 -c jit=off -c timezone=UTC"
    door = create_async_engine(
        engine.url,
        isolation_level="AUTOCOMMIT",
        pool_size=pool_size,
        max_overflow=pool_size * 2,
        pool_recycle=1800,
        connect_args={"options": options, "application_name": "lectern-door", "connect_timeout": 10},
    )
    event.listen(door.sync_engine, "checkout", _refuse_closed)
    return door


class _Driver(Protocol):
    def fileno(self) -> int: ...


class _Connection(Protocol):
    driver_connection: _Driver


def _refuse_closed(connection: _Connection, *_: object) -> None:
    """Let the pool connect anew where Postgres has closed a connection meanwhile: a restart is no error of a request.

    A server has nothing to say to a connection that nobody uses; what is there to be read is its end. Microseconds
    instead of the round trip of a ping.
    """
    poll = select.poll()
    poll.register(connection.driver_connection.fileno(), select.POLLIN)
    if poll.poll(0):
        raise DisconnectionError("Postgres closed the connection.")
