"""Run Postgres as a child process: create, start, restart after a crash, stop.

The supervisors of packaged Postgres trust every local connection, refuse root, mistake a zombie for a running server,
or never restart after a crash (docs/adr/0001).
"""

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Mapping
from typing import Final
from urllib.parse import quote

from lectern.embedded import cluster
from lectern.embedded.binaries import PostgresBinaries, copy_binaries
from lectern.embedded.children import POSTGRES_ENVIRONMENT, Watchdog, spawn
from lectern.embedded.cluster import ServerLog
from lectern.embedded.data_folder import DataFolder, account_for
from lectern.embedded.errors import DataFolderUnusable
from lectern.embedded.host import free_port

HOST: Final = "127.0.0.1"
START_SECONDS: Final = 60.0
STOP_SECONDS: Final = 30.0
POLL_SECONDS: Final = 0.03
# Log messages while backends of a killed server are still ending, or if another program took the port.
TRANSIENT_ERRORS: Final = ("is still in use", "already exists", "could not create any TCP/IP sockets")


def local_url(port: int, *, database: str, user: str, password: str) -> str:
    """Build the URL of a database on this machine."""
    return f"postgresql://{user}:{quote(password, safe='')}@{HOST}:{port}/{database}"


class EmbeddedPostgres:
    """One database server in a data folder that the caller has locked.

    `settings` are server settings by name. Call `start` and `launch` on the main thread (see `children.spawn`).
    """

    def __init__(
        self,
        folder: DataFolder,
        *,
        binaries: PostgresBinaries,
        password: str,
        watchdog: Watchdog,
        settings: Mapping[str, str],
    ) -> None:
        self.folder = folder
        self.port = 0
        self._account = account_for(folder.database)
        self._binaries = self._reachable_binaries(binaries)
        self._password = password
        self._watchdog = watchdog
        self._settings = dict(settings)
        self._log = ServerLog(folder.postgres_log)
        self._process: subprocess.Popen[bytes] | None = None
        self._was_ready = False

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def url(self, *, database: str, user: str = cluster.SUPERUSER, password: str | None = None) -> str:
        """Build the URL of a database on this server, by default for the superuser."""
        secret = self._password if password is None else password
        return local_url(self.port, database=database, user=user, password=secret)

    def start(self) -> None:
        """Create the database if it is missing, start the server, and return when it accepts connections.

        Raises:
            DataFolderVersionMismatch: Another major version made the database.
            DataFolderUnusable: The server's account cannot reach the folder.
            DiskFull: The disk is full.
            PostgresFailed: The server does not start. The message quotes its last log line.
        """
        if cluster.exists(self.folder):
            cluster.require_version(self.folder, major=self._binaries.major)
            cluster.cleanup_stale_server(self.folder.database)
        else:
            cluster.create(
                self.folder,
                binaries=self._binaries,
                account=self._account,
                watchdog=self._watchdog,
                password=self._password,
                is_durable=self._settings.get("fsync") != "off",
            )
        self._prepare_sockets()
        self.launch()
        deadline = time.monotonic() + START_SECONDS
        while not self.poll(deadline=deadline):
            time.sleep(POLL_SECONDS)

    def launch(self) -> None:
        """Start the server without waiting for it, on its previous port if it had one."""
        self._forget()
        self.port = self.port or free_port()
        options = {
            **self._settings,
            "port": str(self.port),
            "listen_addresses": HOST,
            "unix_socket_directories": str(self.folder.sockets),
            "unix_socket_permissions": "0700",
        }
        command = [self._binaries.program("postgres"), "-D", self.folder.database]
        for name, value in options.items():
            command += ["-c", f"{name}={value}"]
        with self._log.open() as output:
            self._process = spawn(
                command,
                watchdog=self._watchdog,
                environment=POSTGRES_ENVIRONMENT,
                output=output,
                death_signals=(signal.SIGINT, signal.SIGQUIT),
                user=(self._account.uid, self._account.gid),
                folder=self.folder.path,
            )

    def poll(self, *, deadline: float) -> bool:
        """Return True if the server accepts connections. Restart a server that ended, until `deadline` (monotonic).

        A killed server leaves backends behind for a moment, and no new one starts before they end. A running server
        has no time limit, because crash recovery may take minutes.

        Raises:
            PostgresFailed, DiskFull: It ended for a permanent reason, or again after `deadline`.
        """
        if not self.is_running:
            if time.monotonic() > deadline or not self._can_restart():
                raise self._log.as_error()
            if not self._was_ready:
                self.port = 0  # no client knows it yet, and another program may have taken it
            self.launch()
            return False
        is_ready = cluster.is_ready(self.folder.database, self.pid)
        self._was_ready |= is_ready
        return is_ready

    def stop(self) -> None:
        """Stop the server: roll back open transactions, disconnect clients, write all data to disk."""
        if self._process is None:
            return
        for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGKILL):
            if self.is_running:
                self._process.send_signal(number)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(STOP_SECONDS)
                break
        self._forget()

    def _forget(self) -> None:
        if self._process is not None:
            self._watchdog.forget(self._process.pid)
            self._process = None

    def _can_restart(self) -> bool:
        was_killed = self._process is not None and self._process.returncode < 0
        written = self._log.read_new()
        return was_killed or any(message in written for message in TRANSIENT_ERRORS)

    def _reachable_binaries(self, binaries: PostgresBinaries) -> PostgresBinaries:
        if not self._account.can_reach(self.folder.path):
            raise DataFolderUnusable(f"The account that runs Postgres cannot enter {self.folder.path}.")
        if self._account.can_reach(binaries.folder):
            return binaries
        return copy_binaries(binaries, self.folder.binaries / binaries.version)

    def _prepare_sockets(self) -> None:
        sockets = self.folder.sockets
        sockets.mkdir(mode=0o700, exist_ok=True)
        if sockets.is_symlink() or sockets.stat().st_uid not in {os.getuid(), self._account.uid}:
            raise DataFolderUnusable(f"{sockets} belongs to another account; Postgres's socket needs its own folder.")
        self._account.own(sockets, mode=0o700)
