"""Postgres as a direct child: made once, started, watched, restarted after a crash, stopped.

Our own supervisor, because those that come with packaged Postgres trust every local connection, refuse root, take a
zombie for a running server, or never start again after a crash (docs/adr/0001).
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
from lectern.embedded.account import account_for
from lectern.embedded.binaries import PostgresBinaries, copy_binaries
from lectern.embedded.children import ENVIRONMENT, spawn
from lectern.embedded.data_folder import DataFolder
from lectern.embedded.errors import DataFolderUnusable
from lectern.embedded.host import free_port
from lectern.embedded.server_log import ServerLog
from lectern.embedded.watchdog import Watchdog

HOST: Final = "127.0.0.1"
START_SECONDS: Final = 60.0
STOP_SECONDS: Final = 30.0
POLL_SECONDS: Final = 0.03
# What Postgres says when the backends of a killed server have not left yet, or another program took the port.
PASSING_FAULTS: Final = ("is still in use", "already exists", "could not create any TCP/IP sockets")


def local_url(port: int, *, database: str, user: str, password: str) -> str:
    """The address of a database on this machine."""
    return f"postgresql://{user}:{quote(password, safe='')}@{HOST}:{port}/{database}"


class EmbeddedPostgres:
    """One database server in a data folder that the caller has locked.

    `settings` are server settings by name. `start` and `begin` belong on the main thread (see `children.spawn`).
    """

    def __init__(
        self,
        folder: DataFolder,
        *,
        binaries: PostgresBinaries,
        password: str,
        watchdog: Watchdog,
        settings: Mapping[str, str],
        is_durable: bool = True,
    ) -> None:
        self.folder = folder
        self.port = 0
        self._account = account_for(folder.database)
        self._binaries = self._reachable(binaries)
        self._password = password
        self._watchdog = watchdog
        self._settings = dict(settings)
        self._is_durable = is_durable
        self._log = ServerLog(folder.postgres_log)
        self._process: subprocess.Popen[bytes] | None = None
        self._has_served = False

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def url(self, *, database: str, user: str = cluster.SUPERUSER, password: str | None = None) -> str:
        """The address of a database on this server for an account; by default the superuser."""
        secret = self._password if password is None else password
        return local_url(self.port, database=database, user=user, password=secret)

    def start(self) -> None:
        """Make the database if there is none, and start the server; returns when it accepts connections.

        Raises:
            DataFolderVersionMismatch: It was made by another major version.
            DataFolderUnusable: The server's account cannot reach it.
            DiskFull: There is no space left.
            PostgresFailed: The server does not start; the message is its own last words.
        """
        if cluster.exists(self.folder):
            cluster.require_version(self.folder, major=self._binaries.major)
            cluster.settle_predecessor(self.folder.database)
        else:
            cluster.initialise(
                self.folder,
                binaries=self._binaries,
                account=self._account,
                watchdog=self._watchdog,
                password=self._password,
                is_durable=self._is_durable,
            )
        self._prepare_sockets()
        self.begin()
        deadline = time.monotonic() + START_SECONDS
        while not self.poll(deadline=deadline):
            time.sleep(POLL_SECONDS)

    def begin(self) -> None:
        """Start the server without waiting for it; on the port it had before, if it had one."""
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
                environment=ENVIRONMENT,
                output=output,
                death_signals=(signal.SIGINT, signal.SIGQUIT),
                account=self._account,
                folder=self.folder.path,
            )

    def poll(self, *, deadline: float) -> bool:
        """Whether the server accepts connections now; one that ended is started again until `deadline` (monotonic).

        A server that was killed leaves backends behind for a moment, and no other starts before they have left. One
        that runs is waited for as long as it takes: making good a crash may take minutes, and it ends if it cannot.

        Raises:
            PostgresFailed, DiskFull: It ended for a reason that does not pass, or once more after `deadline`.
        """
        if not self.is_running:
            if time.monotonic() > deadline or not self._may_start_again():
                raise self._log.failure()
            if not self._has_served:
                self.port = 0  # nobody knows it yet, and another program may have taken it
            self.begin()
            return False
        is_ready = cluster.is_ready(self.folder.database, self.pid)
        self._has_served |= is_ready
        return is_ready

    def stop(self) -> None:
        """End the server: open transactions are rolled back, clients are cut off, the data are written out."""
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

    def _may_start_again(self) -> bool:
        was_killed = self._process is not None and self._process.returncode < 0
        words = self._log.words()
        return was_killed or any(fault in words for fault in PASSING_FAULTS)

    def _reachable(self, binaries: PostgresBinaries) -> PostgresBinaries:
        if not self._account.can_reach(self.folder.path):
            raise DataFolderUnusable(
                f"Postgres does not run as root, and the account it runs as cannot enter {self.folder.path}."
            )
        if self._account.can_reach(binaries.folder):
            return binaries
        return copy_binaries(binaries, self.folder.binaries / binaries.version)

    def _prepare_sockets(self) -> None:
        sockets = self.folder.sockets
        sockets.mkdir(mode=0o700, exist_ok=True)
        if sockets.is_symlink() or sockets.stat().st_uid not in {os.getuid(), self._account.uid}:
            raise DataFolderUnusable(f"{sockets} is somebody else's; Postgres's socket needs a folder of our own.")
        self._account.own(sockets, mode=0o700)
