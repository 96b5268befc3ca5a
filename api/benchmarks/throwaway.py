"""A temporary Postgres for tests and benchmarks, with databases cloned from a template."""

import os
import shutil
import subprocess
import tempfile
import time
import uuid
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import psycopg
from psycopg import sql

from lectern.db.migrations.runner import migrate
from lectern.embedded import cluster
from lectern.embedded.binaries import find_binaries
from lectern.embedded.children import Watchdog
from lectern.embedded.data_folder import DataFolder, account_for
from lectern.embedded.postgres import EmbeddedPostgres
from lectern.embedded.tuning import SHARED_MEMORY, tuned_settings

PASSWORD: Final = "throw-away"
TEMPLATE: Final = "lectern_template"
STALE_SECONDS: Final = 3600.0
MEMORY_BYTES: Final = 2 * 1024**3  # a test run uses about 300 MB of it for each worker
# A temporary database need not survive a power failure.
THROWAWAY: Final[Mapping[str, str]] = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "shared_buffers": "64MB",
    "max_wal_size": "256MB",
    "autovacuum": "off",
    "scram_iterations": "1",  # each connection checks a password
    "authentication_timeout": "10s",  # a client that stops in the middle holds up CREATE and DROP DATABASE
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ThrowawayDatabase:
    """The URLs of one database for the schema owner, the services and the superuser."""

    name: str
    owner_url: str
    service_url: str
    superuser_url: str


class ThrowawayPostgres:
    """A running server whose databases are cloned from a template."""

    def __init__(self, server: EmbeddedPostgres) -> None:
        self.server = server
        self._admin_url = server.url(database="postgres")

    def prepare_template(self, prepare: Callable[[str], None]) -> None:
        """Create the template database. `prepare` gets the owner's URL and fills it."""
        # Hash the superuser's password again, with the few iterations of THROWAWAY.
        self._execute(sql.SQL("ALTER USER CURRENT_USER PASSWORD {}").format(PASSWORD))
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
    def fresh_database(self, *, template: str = TEMPLATE) -> Generator[ThrowawayDatabase]:
        """Clone a database without connections. Drop the clone and its connections at the end."""
        name = f"test_{uuid.uuid4().hex[:12]}"
        create = "CREATE DATABASE {} TEMPLATE {} OWNER {} STRATEGY FILE_COPY"
        self._execute(sql.SQL(create).format(*map(sql.Identifier, (name, template, cluster.OWNER))))
        try:
            yield self.database(name)
        finally:
            self._execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))

    def _execute(self, statement: sql.Composed) -> None:
        with psycopg.connect(self._admin_url, autocommit=True) as connection:
            connection.execute(statement)


@contextmanager
def throwaway_postgres(*, is_in_memory: bool = False) -> Generator[ThrowawayPostgres]:
    """Run a server without durability in a temporary folder, and remove both at the end.

    In memory, cloning a database is much faster.
    """
    settings = {**tuned_settings(), **THROWAWAY}
    with (
        temporary_folder(is_in_memory=is_in_memory) as folder,
        _watchdog() as watchdog,
        _running(folder, watchdog, settings) as server,
    ):
        yield ThrowawayPostgres(server)


@contextmanager
def fresh_library() -> Generator[ThrowawayDatabase]:
    """Run a server with one empty library at the newest revision."""
    with throwaway_postgres() as server:
        server.prepare_template(migrate)
        with server.fresh_database() as address:
            yield address


@contextmanager
def standby_of(source: EmbeddedPostgres, *, settings: Mapping[str, str] = THROWAWAY) -> Generator[EmbeddedPostgres]:
    """Run a hot standby of a server from a base backup, and remove it at the end."""
    with temporary_folder() as folder, _watchdog() as watchdog:
        copy = folder.path / "copy"
        program = find_binaries().program("pg_basebackup")
        command = [program, "-D", copy, "-R", "-X", "stream", "-c", "fast", "-d", source.url(database="postgres")]
        subprocess.run(command, check=True, capture_output=True)
        account = account_for(folder.database)  # before the folder exists: the account of a new one
        for path in (copy, *copy.rglob("*")):
            account.own(path, mode=0o700 if path.is_dir() else 0o600)
        copy.rename(folder.database)
        with _running(folder, watchdog, {**tuned_settings(), **settings}) as server:
            yield server


def _has_memory() -> bool:
    """Return true if shared memory has room and may hold programs."""
    if not SHARED_MEMORY.is_dir() or os.statvfs(SHARED_MEMORY).f_flag & os.ST_NOEXEC:
        return False
    remove_stale(SHARED_MEMORY)
    return shutil.disk_usage(SHARED_MEMORY).free >= MEMORY_BYTES


def remove_stale(parent: Path) -> None:
    """Remove the folders of runs that were killed. Only a live run holds the lock of its folder."""
    for base in parent.glob("lectern-*"):
        facts = base.stat()
        is_old = time.time() - facts.st_mtime > STALE_SECONDS
        if facts.st_uid == os.getuid() and is_old and not DataFolder(base / "data").is_in_use():
            shutil.rmtree(base, ignore_errors=True)


@contextmanager
def temporary_folder(*, is_in_memory: bool = False) -> Generator[DataFolder]:
    """Lock a new data folder, and remove it with its parent at the end. Every account may enter both.

    With `is_in_memory`, it is in shared memory if there is room. There, files are removed a hundred times faster.
    """
    base = Path(tempfile.mkdtemp(prefix="lectern-", dir=SHARED_MEMORY if is_in_memory and _has_memory() else None))
    base.chmod(0o711)  # Postgres may run under another account
    try:
        with DataFolder(base / "data") as folder:
            yield folder
    finally:
        shutil.rmtree(base)


@contextmanager
def _watchdog() -> Generator[Watchdog]:
    watchdog = Watchdog()
    try:
        yield watchdog
    finally:
        watchdog.close()


@contextmanager
def _running(folder: DataFolder, watchdog: Watchdog, settings: Mapping[str, str]) -> Generator[EmbeddedPostgres]:
    server = EmbeddedPostgres(
        folder,
        binaries=find_binaries(),
        password=PASSWORD,
        watchdog=watchdog,
        settings=settings,
    )
    server.start()
    try:
        yield server
    finally:
        server.stop()
