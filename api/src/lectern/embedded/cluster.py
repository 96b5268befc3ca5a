"""The database folder (a cluster, to Postgres): made in one piece, vetted and freed of a dead server's traces."""

import os
import shutil
import signal
import tempfile
import time
from pathlib import Path
from typing import Final

from lectern.embedded.account import Account
from lectern.embedded.binaries import PostgresBinaries
from lectern.embedded.children import ENVIRONMENT, spawn
from lectern.embedded.data_folder import DataFolder
from lectern.embedded.errors import DataFolderVersionMismatch
from lectern.embedded.host import find_process, processes_in
from lectern.embedded.server_log import ServerLog
from lectern.embedded.watchdog import Watchdog

SUPERUSER: Final = "postgres"
ORPHAN_SECONDS: Final = 30.0
POLL_SECONDS: Final = 0.03
INITIAL_PREFIX: Final = "password-"
# Lines of postmaster.pid: number, folder, start, port, sockets, address, shared memory, status.
START_LINE: Final = 2
PORT_LINE: Final = 3
READY_LINE: Final = 7
INITDB_OPTIONS: Final = (
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    "--locale-provider=builtin",
    "--locale=C.UTF-8",
    "--no-instructions",
)


def initialise(
    folder: DataFolder,
    *,
    binaries: PostgresBinaries,
    account: Account,
    watchdog: Watchdog,
    password: str,
    is_durable: bool,
) -> None:
    """Make the database beside its place and move it there, so that a killed attempt leaves nothing half made.

    Raises:
        DiskFull, PostgresFailed: initdb did not finish.
    """
    folder.require_space()
    partial = folder.database.with_name("postgres.partial")
    shutil.rmtree(partial, ignore_errors=True)
    for left in folder.path.glob(f"{INITIAL_PREFIX}*"):  # by an attempt that was killed
        left.unlink()
    partial.mkdir()
    account.own(partial, mode=0o700)
    log = ServerLog(folder.postgres_log)
    with tempfile.NamedTemporaryFile("w", dir=folder.path, prefix=INITIAL_PREFIX) as secret, log.open() as output:
        secret.write(password)
        secret.flush()
        account.own(Path(secret.name), mode=0o600)
        options = [f"--pwfile={secret.name}", *INITDB_OPTIONS, *(() if is_durable else ("--no-sync",))]
        process = spawn(
            [binaries.program("initdb"), "-D", partial, "-U", SUPERUSER, *options],
            watchdog=watchdog,
            environment=ENVIRONMENT,
            output=output,
            death_signals=(signal.SIGTERM, signal.SIGKILL),
            account=account,
            folder=folder.path,
        )
        code = process.wait()
    watchdog.forget(process.pid)
    if code != 0:
        raise log.failure()
    partial.rename(folder.database)


def exists(folder: DataFolder) -> bool:
    """Whether the data folder holds a database."""
    return (folder.database / "PG_VERSION").is_file()


def require_version(folder: DataFolder, *, major: int) -> None:
    """Refuse a database that another major version made.

    Raises:
        DataFolderVersionMismatch: Names both versions.
    """
    found = (folder.database / "PG_VERSION").read_text().strip()
    if found != str(major):
        raise DataFolderVersionMismatch(
            f"{folder.database} was made by Postgres {found}; this is Postgres {major}.",
            hint=f"Set LECTERN_POSTGRES_BIN_DIR to a Postgres {found}, or choose another folder with --data-dir.",
        )


def settle_predecessor(database: Path) -> None:
    """Deal with what an earlier server left: end it if it lives, remove its lock file if the number is another's.

    The data folder is locked by us, so a server that still runs in it is an orphan. The lock file of a dead server
    stays: Postgres itself uses it to find backends that have not left yet.
    """
    lines = lock_lines(database)
    facts = find_process(int(lines[0])) if len(lines) > START_LINE else None
    if facts is None:
        return
    is_server = facts.name in {"postgres", ""} and facts.has_started_about(float(lines[START_LINE]))
    if is_server and facts.folder in {database, None}:
        _end_orphan(facts.pid)
    elif not processes_in(database):
        (database / "postmaster.pid").unlink()


def is_ready(database: Path, pid: int | None) -> bool:
    """Whether the server with this process id says that it accepts connections."""
    lines = lock_lines(database)
    return len(lines) > READY_LINE and lines[0] == str(pid) and lines[READY_LINE].strip() == "ready"


def port_of_running(database: Path) -> int | None:
    """The port of the server that runs in `database`, as it wrote it down; None when it does not accept connections."""
    lines = lock_lines(database)
    if not lines or find_process(int(lines[0])) is None or not is_ready(database, int(lines[0])):
        return None
    return int(lines[PORT_LINE])


def lock_lines(database: Path) -> list[str]:
    """What Postgres wrote into postmaster.pid; empty when there is none."""
    try:
        return (database / "postmaster.pid").read_text().splitlines()
    except OSError:
        return []


def _end_orphan(pid: int) -> None:
    deadline = time.monotonic() + ORPHAN_SECONDS
    os.kill(pid, signal.SIGINT)
    while find_process(pid) is not None:
        if time.monotonic() > deadline:
            os.kill(pid, signal.SIGQUIT)
            deadline += ORPHAN_SECONDS
        time.sleep(POLL_SECONDS)
