"""The database cluster of an installation: its folder, its log, its databases and its roles."""

import os
import shutil
import signal
import tempfile
import time
from pathlib import Path
from typing import IO, Final

import psycopg
from psycopg import sql

from lectern.embedded.binaries import PostgresBinaries
from lectern.embedded.children import POSTGRES_ENVIRONMENT, Watchdog, spawn
from lectern.embedded.data_folder import Account, DataFolder
from lectern.embedded.errors import DataFolderVersionMismatch, DiskFull, PostgresFailed
from lectern.embedded.host import find_process, processes_in

SUPERUSER: Final = "postgres"
OWNER: Final = "lectern_owner"
SERVICE: Final = "lectern_service"
DATABASE: Final = "lectern"
_BOOTSTRAP: Final = Path(__file__).with_name("bootstrap.sql")
_ORPHAN_SECONDS: Final = 30.0
_POLL_SECONDS: Final = 0.03
_PWFILE_PREFIX: Final = "password-"
# Lines of postmaster.pid: process id, folder, start, port, sockets, address, shared memory, status.
_START_LINE: Final = 2
_PORT_LINE: Final = 3
_READY_LINE: Final = 7
_INITDB_OPTIONS: Final = (
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    "--locale-provider=builtin",
    "--locale=C.UTF-8",
    "--no-instructions",
)
_MAX_LOG_BYTES: Final = 10 * 1024 * 1024
_NO_SPACE: Final = "No space left on device"
_ERROR_MARKS: Final = ("FATAL", "PANIC", "error:")


class ServerLog:
    """The log file of Postgres. A file that has grown large is kept once, as `.1`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._start = 0

    def open(self) -> IO[bytes]:
        """Open the file for appending. `read_new` starts at its current end."""
        if self.path.exists() and self.path.stat().st_size > _MAX_LOG_BYTES:
            self.path.replace(self.path.with_name(f"{self.path.name}.1"))
        self.path.touch(mode=0o600)
        file = self.path.open("ab")
        self._start = file.tell()
        return file

    def read_new(self) -> str:
        """Return the text written since the file was last opened."""
        with self.path.open("rb") as file:
            file.seek(self._start)
            return file.read().decode(errors="replace")

    def as_error(self) -> PostgresFailed | DiskFull:
        """Build the error that explains the last log line with an error."""
        written = self.read_new()
        if _NO_SPACE in written:
            return DiskFull(f"The disk of {self.path.parent} is full: Postgres could not write there.")
        lines = written.strip().splitlines()
        errors = [line for line in lines if any(mark in line for mark in _ERROR_MARKS)]
        reason = (errors or lines or ["its log is empty"])[-1]
        return PostgresFailed(
            f"The embedded Postgres did not start: {reason.strip()}", hint=f"See its log: {self.path}"
        )


def create(
    folder: DataFolder,
    *,
    binaries: PostgresBinaries,
    account: Account,
    watchdog: Watchdog,
    password: str,
    is_durable: bool,
) -> None:
    """Run initdb in a temporary folder and rename the result, so that a killed run leaves nothing incomplete.

    Raises:
        DiskFull, PostgresFailed: initdb failed.
    """
    folder.require_space()
    partial = folder.database.with_name("postgres.partial")
    shutil.rmtree(partial, ignore_errors=True)
    for leftover in folder.path.glob(f"{_PWFILE_PREFIX}*"):  # of a run that was killed
        leftover.unlink()
    partial.mkdir()
    account.own(partial, mode=0o700)
    log = ServerLog(folder.postgres_log)
    with tempfile.NamedTemporaryFile("w", dir=folder.path, prefix=_PWFILE_PREFIX) as secret, log.open() as output:
        secret.write(password)
        secret.flush()
        account.own(Path(secret.name), mode=0o600)
        options = [f"--pwfile={secret.name}", *_INITDB_OPTIONS, *(() if is_durable else ("--no-sync",))]
        process = spawn(
            [binaries.program("initdb"), "-D", partial, "-U", SUPERUSER, *options],
            watchdog=watchdog,
            environment=POSTGRES_ENVIRONMENT,
            output=output,
            death_signals=(signal.SIGTERM, signal.SIGKILL),
            user=(account.uid, account.gid),
            folder=folder.path,
        )
        process.wait()
    watchdog.forget(process.pid)
    if process.returncode:
        raise log.as_error()
    partial.rename(folder.database)


def exists(folder: DataFolder) -> bool:
    """Return True if the data folder has a database."""
    return (folder.database / "PG_VERSION").is_file()


def require_version(folder: DataFolder, *, major: int) -> None:
    """Refuse a database of another major version.

    Raises:
        DataFolderVersionMismatch: Names both versions.
    """
    found = (folder.database / "PG_VERSION").read_text().strip()
    if found != str(major):
        raise DataFolderVersionMismatch(
            f"{folder.database} was made by Postgres {found}; this is Postgres {major}.",
            hint=f"Set LECTERN_POSTGRES_BIN_DIR to a Postgres {found}, or choose another folder with --data-dir.",
        )


def cleanup_stale_server(database: Path) -> None:
    """End an orphaned server, or remove a lock file that names an unrelated process.

    This process has the lock of the data folder, so a server that still runs in it is an orphan. The lock file of a
    dead server stays, because Postgres uses it to find backends that are still ending.
    """
    lines = _lock_lines(database)
    facts = find_process(int(lines[0])) if len(lines) > _START_LINE else None
    if facts is None:
        return
    is_server = facts.name in {"postgres", ""} and facts.has_started_about(float(lines[_START_LINE]))
    if is_server and facts.folder in {database, None}:
        _end_orphan(facts.pid)
    elif not processes_in(database):
        (database / "postmaster.pid").unlink()


def is_ready(database: Path, pid: int | None) -> bool:
    """Return True if the server with this process id accepts connections."""
    lines = _lock_lines(database)
    return len(lines) > _READY_LINE and lines[0] == str(pid) and lines[_READY_LINE].strip() == "ready"


def port_of_running(database: Path) -> int | None:
    """Return the port of the server that runs in `database`, or None if no server accepts connections."""
    lines = _lock_lines(database)
    if not lines or find_process(int(lines[0])) is None or not is_ready(database, int(lines[0])):
        return None
    return int(lines[_PORT_LINE])


def read_revision(connection: psycopg.Connection) -> str | None:
    """Return the revision of a database, None for an empty one."""
    if connection.execute("SELECT to_regclass('alembic_version')").fetchone() == (None,):
        return None
    row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    return row[0] if row else None


def create_database(superuser_url: str, name: str = DATABASE) -> None:
    """Create the database `name` on the server of `superuser_url` if it is missing."""
    with psycopg.connect(superuser_url, autocommit=True) as connection:
        if connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", (name,)).fetchone() is None:
            connection.execute(sql.SQL("CREATE DATABASE {} TEMPLATE template0").format(sql.Identifier(name)))


def bootstrap(database_url: str, *, owner_password: str, service_password: str) -> None:
    """Create roles, extensions and everything else that needs a superuser. Safe to repeat."""
    with psycopg.connect(database_url) as connection:
        connection.execute(_BOOTSTRAP.read_bytes())
        for role, password in ((OWNER, owner_password), (SERVICE, service_password)):
            verifier = connection.pgconn.encrypt_password(password.encode(), role.encode(), b"scram-sha-256")
            statement = sql.SQL("ALTER ROLE {} PASSWORD {}")
            connection.execute(statement.format(sql.Identifier(role), sql.Literal(verifier.decode())))


def _lock_lines(database: Path) -> list[str]:
    """Return the lines of postmaster.pid, or none if the file is missing."""
    try:
        return (database / "postmaster.pid").read_text().splitlines()
    except OSError:
        return []


def _end_orphan(pid: int) -> None:
    deadline = time.monotonic() + _ORPHAN_SECONDS
    os.kill(pid, signal.SIGINT)
    while find_process(pid) is not None:
        if time.monotonic() > deadline:
            os.kill(pid, signal.SIGQUIT)
            deadline += _ORPHAN_SECONDS
        time.sleep(_POLL_SECONDS)
