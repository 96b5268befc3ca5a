"""Prove that a worker is alive: Postgres drops its advisory lock as soon as its connection is gone."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Final

import psycopg

WORKER_LOCKS: Final = 1_279_611_476  # first key of the advisory locks of live workers; any number unused elsewhere
CHECK_SECONDS: Final = 1.0
# Client and server both detect a silent network in about ten seconds.
SERVER_KEEPALIVES: Final = "-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3"


class Liveness:
    """A connection for the locks of this process's workers."""

    def __init__(self, connection: psycopg.AsyncConnection) -> None:
        self._connection = connection
        self._worker_ids: set[int] = set()

    @classmethod
    @asynccontextmanager
    async def connect(cls, url: str, *, options: str) -> AsyncGenerator["Liveness"]:
        """Connect, and drop the locks at the end. Raises psycopg.OperationalError."""
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

    async def lock_worker(self, worker_id: int) -> None:
        """Take the lock of a worker until this connection ends."""
        await self._connection.execute("SELECT pg_advisory_lock(%s, %s)", (WORKER_LOCKS, worker_id))
        self._worker_ids.add(worker_id)

    async def watch(self) -> None:
        """Wait until the connection is lost."""
        try:
            while True:
                await self._connection.execute("SELECT 1")
                await asyncio.sleep(CHECK_SECONDS)
        except psycopg.OperationalError:
            return
