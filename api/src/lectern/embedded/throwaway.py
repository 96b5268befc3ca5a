"""A temporary Postgres for tests and benchmarks, with databases cloned from a template."""

import shutil
import subprocess
import tempfile
import uuid
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import psycopg
from psycopg import sql

from lectern.embedded import cluster
from lectern.embedded.binaries import find_binaries
from lectern.embedded.children import Watchdog
from lectern.embedded.data_folder import DataFolder, account_for
from lectern.embedded.postgres import EmbeddedPostgres
from lectern.embedded.tuning import THROWAWAY, tuned_settings

PASSWORD: Final = "throw-away"  # noqa: S105 - of a server that lives for one test run
TEMPLATE: Final = "lectern_template"


@dataclass(frozen=True, slots=True, kw_only=True)
class ThrowawayDatabase:
    """The URLs of one database for the schema owner, the services and the superuser."""

    name: str
    owner_url: str
    service_url: str
    superuser_url: str


class ThrowawayPostgres:
    """A running server. `fresh_database` takes about 30 ms."""

    def __init__(self, server: EmbeddedPostgres) -> None:
        self.server = server
        self._admin_url = server.url(database="postgres")

    def prepare_template(self, prepare: Callable[[str], None]) -> None:
        """Create the template database. `prepare` gets the owner's URL and fills it."""
        cluster.create_database(self._admin_url, TEMPLATE)
        template = self.database(TEMPLATE)
        cluster.bootstrap(template.superuser_url, owner_password=PASSWORD, service_password=PASSWORD)
        prepare(template.owner_url)

    def database(self, name: str) -> ThrowawayDatabase:
        """Return the URLs of the database `name`, which may not exist yet."""
        return ThrowawayDatabase(
            name=name,
            owner_url=self.server.url(database=name, user=cluster.OWNER, password=PASSWORD),
            service_url=self.server.url(database=name, user=cluster.SERVICE, password=PASSWORD),
            superuser_url=self.server.url(database=name),
        )

    @contextmanager
    def fresh_database(self) -> Generator[ThrowawayDatabase]:
        """Clone the template. Drop the clone and its connections at the end."""
        name = f"test_{uuid.uuid4().hex[:12]}"
        create = "CREATE DATABASE {} TEMPLATE {} OWNER {} STRATEGY FILE_COPY"
        self._execute(sql.SQL(create).format(*map(sql.Identifier, (name, TEMPLATE, cluster.OWNER))))
        try:
            yield self.database(name)
        finally:
            self._execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))

    def _execute(self, statement: sql.Composed) -> None:
        with psycopg.connect(self._admin_url, autocommit=True) as connection:
            connection.execute(statement)


@contextmanager
def throwaway_postgres() -> Generator[ThrowawayPostgres]:
    """Run a server without durability in a temporary folder, and remove both at the end."""
    settings = {**tuned_settings(), **THROWAWAY}
    with _temporary_folder() as (folder, watchdog), _running(folder, watchdog, settings) as server:
        yield ThrowawayPostgres(server)


@contextmanager
def standby_of(source: EmbeddedPostgres, *, settings: Mapping[str, str] = THROWAWAY) -> Generator[EmbeddedPostgres]:
    """Run a hot standby of a server from a base backup, and remove it at the end."""
    with _temporary_folder() as (folder, watchdog):
        copy = folder.path / "copy"
        program = find_binaries().program("pg_basebackup")
        command = [program, "-D", copy, "-R", "-X", "stream", "-c", "fast", "-d", source.url(database="postgres")]
        subprocess.run(command, check=True, capture_output=True)  # noqa: S603 (ours)
        account = account_for(folder.database)  # before the folder exists: the account of a new one
        for path in (copy, *copy.rglob("*")):
            account.own(path, mode=0o700 if path.is_dir() else 0o600)
        copy.rename(folder.database)
        with _running(folder, watchdog, {**tuned_settings(), **settings}) as server:
            yield server


@contextmanager
def _temporary_folder() -> Generator[tuple[DataFolder, Watchdog]]:
    base = Path(tempfile.mkdtemp(prefix="lectern-"))
    base.chmod(0o711)  # Postgres may run under another account
    watchdog = Watchdog()
    try:
        with DataFolder(base / "data") as folder:
            yield folder, watchdog
    finally:
        watchdog.close()
        shutil.rmtree(base)


@contextmanager
def _running(folder: DataFolder, watchdog: Watchdog, settings: Mapping[str, str]) -> Generator[EmbeddedPostgres]:
    server = EmbeddedPostgres(
        folder,
        binaries=find_binaries(),
        password=PASSWORD,
        watchdog=watchdog,
        settings=settings,
        is_durable=False,
    )
    server.start()
    try:
        yield server
    finally:
        server.stop()
