"""A migrated database of a server of its own, both gone afterwards: what most benchmarks run on."""

from collections.abc import Generator
from contextlib import contextmanager

from lectern.db.migrations.runner import migrate
from lectern.embedded.throwaway import ThrowawayDatabase, throwaway_postgres


@contextmanager
def fresh_library() -> Generator[ThrowawayDatabase]:
    """An empty library at the newest revision."""
    with throwaway_postgres() as server:
        server.prepare_template(migrate)
        with server.fresh_database() as address:
            yield address
