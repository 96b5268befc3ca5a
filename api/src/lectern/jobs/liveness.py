"""Proof that a worker lives: an advisory lock that Postgres drops the moment the worker's connection is gone."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Final

import psycopg

from lectern.jobs.entries import WORKER_LOCKS

CHECK_SECONDS: Final = 1.0
# A silent network is noticed as well: by the client in about ten seconds, by the server likewise.
SERVER_KEEPALIVES: Final = "-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3"


class Liveness:
    """A connection that holds the locks of this process' workers and does nothing else."""

    def __init__(self, connection: psycopg.AsyncConnection) -> None:
        self._connection = connection
        self._worker_ids: set[int] = set()

    @classmethod
    @asynccontextmanager
    async def connect(cls, url: str, *, options: str) -> AsyncGenerator["Liveness"]:
        """Connect; the locks are dropped at the end. Raises psycopg.OperationalError."""
        connection = await psycopg.AsyncConnection.connect(
            url,
            autocommit=True,
            options=f"{options} {SERVER_KEEPALIVES}",
            application_name="lectern-liveness",
            connect_timeout=10,
            keepalives_idle=5,
            keepalives_interval=2,
            keepalives_count=3,
            tcp_user_timeout=11_000,
        )
        async with connection:
            yield cls(connection)

    @property
    def worker_ids(self) -> frozenset[int]:
        return frozenset(self._worker_ids)

    @property
    def is_intact(self) -> bool:
        return not self._connection.closed and not self._connection.broken

    async def vouch_for(self, worker_id: int) -> None:
        """Hold the lock of a worker for as long as this connection lives."""
        await self._connection.execute("SELECT pg_advisory_lock(%s, %s)", (WORKER_LOCKS, worker_id))
        self._worker_ids.add(worker_id)

    async def watch(self) -> None:
        """Return when the connection is lost."""
        try:
            while True:
                await self._connection.execute("SELECT 1")
                await asyncio.sleep(CHECK_SECONDS)
        except psycopg.OperationalError:
            return
