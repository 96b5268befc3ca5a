"""Postgres as a direct child: made once, started, watched, restarted after a crash, stopped.

Our own supervisor, because those that come with packaged Postgres trust every local connection, refuse root, take a
zombie for a running server, or never start again after a crash (docs/adr/0001).
"""

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Final
from urllib.parse import quote

from lectern.embedded.account import account_for
from lectern.embedded.binaries import PostgresBinaries, copy_binaries
from lectern.embedded.children import spawn
from lectern.embedded.errors import DataFolderUnusable, DataFolderVersionMismatch, DiskFull, PostgresFailed
from lectern.embedded.folder import DataFolder
from lectern.embedded.observe import find_process, free_port, processes_in
from lectern.embedded.watchdog import Watchdog

HOST: Final = "127.0.0.1"
SUPERUSER: Final = "postgres"
START_SECONDS: Final = 60.0
STOP_SECONDS: Final = 30.0
POLL_SECONDS: Final = 0.02
RETRY_SECONDS: Final = 0.1
LARGEST_LOG_BYTES: Final = 10 * 1024 * 1024
READY_LINE: Final = 7  # of postmaster.pid: number, folder, start, port, sockets, address, shared memory, status
# What Postgres says when the backends of a killed server have not left yet, or another took the port.
PASSING_FAULTS: Final = ("is still in use", "already exists", "could not bind", "could not create any TCP/IP sockets")
NO_SPACE: Final = "No space left on device"
ENVIRONMENT: Final = {"LC_ALL": "C", "TZ": "UTC", "PATH": os.defpath}


class EmbeddedPostgres:
    """One database server in a data folder that the caller has locked.

    `settings` are server settings by name. `start` and `restart` belong on the main thread (see `children.spawn`).
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
        self._process: subprocess.Popen[bytes] | None = None
        self._log_start = 0

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def url(self, *, database: str, user: str = SUPERUSER, password: str | None = None) -> str:
        """The address of a database on this server for an account; by default the superuser."""
        secret = quote(self._password if password is None else password, safe="")
        return f"postgresql://{user}:{secret}@{HOST}:{self.port}/{database}"

    def start(self) -> None:
        """Make the database if there is none, and start the server; returns when it accepts connections.

        Raises:
            DataFolderVersionMismatch: It was made by another major version.
            DataFolderUnusable: The server's account cannot reach it.
            DiskFull: There is no space left.
            PostgresFailed: The server does not start; the message is its own last words.
        """
        self._require_reach()
        if (self.folder.database / "PG_VERSION").is_file():
            self._require_version()
            self._settle_predecessor()
        else:
            self._initialise()
        self._prepare_sockets()
        self.begin()
        self.wait_until_ready()

    def begin(self) -> None:
        """Start the server without waiting for it; on the port it had before, if it had one."""
        self.port = self.port or free_port()
        self._rotate_log()
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
        with self._open_log() as log:
            self._log_start = log.tell()
            self._process = spawn(
                command,
                watchdog=self._watchdog,
                environment=ENVIRONMENT,
                output=log,
                death_signals=(signal.SIGINT, signal.SIGQUIT),
                account=self._account,
                folder=self.folder.path,
            )

    def wait_until_ready(self) -> None:
        """Return when the server accepts connections, starting it again while a killed predecessor's backends leave."""
        deadline = time.monotonic() + START_SECONDS
        while not self._is_ready():
            if not self.is_running:
                self._forget()
                words = self._last_words()
                if not any(fault in words for fault in PASSING_FAULTS) or time.monotonic() > deadline:
                    raise self._failure(words)
                time.sleep(RETRY_SECONDS)
                self.begin()
            elif time.monotonic() > deadline:
                self.stop()
                raise PostgresFailed(
                    f"The embedded Postgres was not ready after {START_SECONDS:.0f} seconds.", hint=self._log_hint()
                )
            time.sleep(POLL_SECONDS)

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

    def _reachable(self, binaries: PostgresBinaries) -> PostgresBinaries:
        if self._account.can_reach(binaries.folder):
            return binaries
        if self._account.can_reach(self.folder.path):
            return copy_binaries(binaries, self.folder.binaries / binaries.version)
        return binaries

    def _require_reach(self) -> None:
        if not self._account.can_reach(self.folder.path):
            raise DataFolderUnusable(
                f"Postgres does not run as root, and the account it runs as cannot enter {self.folder.path}."
            )

    def _require_version(self) -> None:
        found = (self.folder.database / "PG_VERSION").read_text().strip()
        if found != str(self._binaries.major):
            raise DataFolderVersionMismatch(
                f"{self.folder.database} was made by Postgres {found}; this is Postgres {self._binaries.major}.",
                hint=f"Set LECTERN_POSTGRES_BIN_DIR to a Postgres {found}, or choose another folder with --data-dir.",
            )

    def _initialise(self) -> None:
        """Make the database beside its place and move it there, so that a killed attempt leaves nothing half made."""
        self.folder.require_space()
        partial = self.folder.database.with_name("postgres.partial")
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir()
        self._account.own(partial, mode=0o700)
        with tempfile.NamedTemporaryFile("w", dir=self.folder.path, prefix="password-") as secret:
            secret.write(self._password)
            secret.flush()
            self._account.own(Path(secret.name), mode=0o600)
            self._run_initdb(partial, password_file=Path(secret.name))
        if self.folder.database.is_dir():
            self.folder.database.rmdir()
        partial.rename(self.folder.database)

    def _run_initdb(self, target: Path, *, password_file: Path) -> None:
        options = ["--auth=scram-sha-256", "--encoding=UTF8", "--locale-provider=builtin", "--locale=C.UTF-8"]
        options += ["--no-instructions"] if self._is_durable else ["--no-instructions", "--no-sync"]
        log_start = self.folder.postgres_log.stat().st_size if self.folder.postgres_log.exists() else 0
        with self._open_log() as log:
            process = spawn(
                [
                    self._binaries.program("initdb"),
                    "-D",
                    target,
                    "-U",
                    SUPERUSER,
                    f"--pwfile={password_file}",
                    *options,
                ],
                watchdog=self._watchdog,
                environment=ENVIRONMENT,
                output=log,
                death_signals=(signal.SIGTERM, signal.SIGKILL),
                account=self._account,
                folder=self.folder.path,
            )
            code = process.wait()
        self._watchdog.forget(process.pid)
        if code != 0:
            self._log_start = log_start
            raise self._failure(self._last_words())

    def _settle_predecessor(self) -> None:
        """Deal with what an earlier server left: end it if it lives, remove its lock file if the number is another's.

        The folder is locked by us, so a server that still runs in it is an orphan. The lock file of a dead server
        stays: Postgres itself uses it to find backends that have not left yet.
        """
        lock_file = self.folder.database / "postmaster.pid"
        try:
            lines = lock_file.read_text().splitlines()
        except FileNotFoundError:
            return
        pid, started_at = (int(lines[0]), float(lines[2])) if len(lines) > READY_LINE - 4 else (0, 0.0)
        facts = find_process(pid) if pid > 0 else None
        if facts is None:
            return
        is_server = facts.name in {"postgres", ""} and facts.has_started_about(started_at)
        if is_server and facts.folder in {self.folder.database, None}:
            self._end_orphan(pid)
        elif not processes_in(self.folder.database):
            lock_file.unlink()

    def _end_orphan(self, pid: int) -> None:
        deadline = time.monotonic() + STOP_SECONDS
        os.kill(pid, signal.SIGINT)
        while find_process(pid) is not None:
            if time.monotonic() > deadline:
                os.kill(pid, signal.SIGQUIT)
                deadline += STOP_SECONDS
            time.sleep(POLL_SECONDS)

    def _prepare_sockets(self) -> None:
        sockets = self.folder.sockets
        sockets.mkdir(mode=0o700, exist_ok=True)
        if sockets.is_symlink() or sockets.stat().st_uid not in {os.getuid(), self._account.uid}:
            raise DataFolderUnusable(f"{sockets} is somebody else's; Postgres's socket needs a folder of our own.")
        self._account.own(sockets, mode=0o700)

    def _is_ready(self) -> bool:
        try:
            lines = (self.folder.database / "postmaster.pid").read_text().splitlines()
        except OSError:
            return False
        return len(lines) > READY_LINE and lines[0] == str(self.pid) and lines[READY_LINE].strip() == "ready"

    def _rotate_log(self) -> None:
        log = self.folder.postgres_log
        if log.exists() and log.stat().st_size > LARGEST_LOG_BYTES:
            log.replace(log.with_name("postgres.log.1"))

    def _open_log(self) -> IO[bytes]:
        self.folder.postgres_log.touch(mode=0o600)
        return self.folder.postgres_log.open("ab")

    def _last_words(self) -> str:
        try:
            with self.folder.postgres_log.open("rb") as log:
                log.seek(self._log_start)
                return log.read().decode(errors="replace")
        except FileNotFoundError:
            return ""

    def _log_hint(self) -> str:
        return f"Its log is {self.folder.postgres_log}."

    def _failure(self, words: str) -> PostgresFailed | DiskFull:
        if NO_SPACE in words:
            return DiskFull(f"The disk of {self.folder.path} is full: Postgres could not write there.")
        telling = [line for line in words.splitlines() if "FATAL" in line or "PANIC" in line or "error:" in line]
        reason = (telling or words.strip().splitlines() or ["it said nothing"])[-1].strip()
        return PostgresFailed(f"The embedded Postgres did not start: {reason}", hint=self._log_hint())
