"""Supervise the processes of `lectern up`: start in order, restart after a crash, stop together."""

import asyncio
import logging
import os
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final, cast

from lectern.embedded.children import Watchdog, spawn
from lectern.embedded.errors import ServiceFailed
from lectern.embedded.postgres import START_SECONDS, EmbeddedPostgres

logger = logging.getLogger(__name__)

POLL_SECONDS: Final = 0.2
FIRST_POLL_SECONDS: Final = 0.05
MIN_BACKOFF_SECONDS: Final = 0.5
MAX_BACKOFF_SECONDS: Final = 30.0
STEADY_SECONDS: Final = 60.0  # a crash after this long resets the backoff
READY_SECONDS: Final = 120.0
STOP_SECONDS: Final = 15.0
OUTPUT_SECONDS: Final = 5.0  # a process outside the group may hold the pipe open
TRIES_BEFORE_READY: Final = 3
REMEMBERED_LINES: Final = 20

WriteLine = Callable[[str, str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceConfig:
    """A program to keep running. `health` (host, port, path) is a page that answers 200 once it is ready."""

    name: str
    command: Sequence[str]
    environment: Mapping[str, str]
    health: tuple[str, int, str] | None = None


class RunningService:
    """A service and its current process. Its output goes to `write_line(service, line)`."""

    def __init__(self, service: ServiceConfig, *, watchdog: Watchdog, write_line: WriteLine) -> None:
        self.service = service
        self.restarts = 0
        self._watchdog = watchdog
        self._write_line = write_line
        self._process: subprocess.Popen[bytes] | None = None
        self._reader: threading.Thread | None = None
        self._started_at = 0.0
        self._last_lines: deque[str] = deque(maxlen=REMEMBERED_LINES)

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @property
    def last_line(self) -> str:
        """The last line of output that is not empty."""
        line = next((line for line in reversed(self._last_lines) if line.strip()), "it wrote nothing")
        return line.removeprefix("lectern: ")

    def start(self) -> None:
        self._started_at = time.monotonic()
        self._process = spawn(
            self.service.command,
            watchdog=self._watchdog,
            environment=self.service.environment,
            output=subprocess.PIPE,
            death_signals=(signal.SIGTERM, signal.SIGKILL),
            folder=Path.cwd(),
        )
        if self._process.stdout is not None:
            self._reader = threading.Thread(target=self._pump, args=(self._process.stdout,), daemon=True)
            self._reader.start()

    def reap(self) -> int:
        """Kill the rest of its process group, write what is left of its output and return the exit code."""
        if self._process is None:
            return 0
        self._signal(signal.SIGKILL)
        self._watchdog.forget(self._process.pid)
        code = self._process.wait()
        if self._reader is not None:
            self._reader.join(OUTPUT_SECONDS)
        return code

    def backoff_seconds(self) -> float:
        """Return the delay before the next start."""
        if time.monotonic() - self._started_at > STEADY_SECONDS:
            self.restarts = 0
        self.restarts += 1
        return float(min(MIN_BACKOFF_SECONDS * 2 ** (self.restarts - 1), MAX_BACKOFF_SECONDS))

    def terminate(self) -> None:
        """Send SIGTERM."""
        if self.is_running and self._process is not None:
            self._process.terminate()

    async def wait_stopped(self) -> None:
        """Wait for its end after `terminate`, and kill it if it takes too long."""
        deadline = time.monotonic() + STOP_SECONDS
        while self.is_running and time.monotonic() < deadline:  # noqa: ASYNC110 - no asyncio event exists
            await asyncio.sleep(FIRST_POLL_SECONDS)
        self.reap()

    def kill(self) -> None:
        """Kill it and its process group."""
        self._signal(signal.SIGKILL)

    def _signal(self, number: int) -> None:
        if self._process is not None:
            try:
                os.killpg(self._process.pid, number)
            except ProcessLookupError:
                return

    def _pump(self, output: IO[bytes]) -> None:
        with output:
            for raw in output:
                line = raw.decode(errors="replace").rstrip("\n")
                self._last_lines.append(line)
                self._write_line(self.service.name, line)


class Supervisor:
    """Keeps a database server and services running until a stop is requested.

    Run it on the main thread. Signal handlers may call `request_stop`. A second call kills the services.
    """

    def __init__(self, *, postgres: EmbeddedPostgres | None, watchdog: Watchdog, write_line: WriteLine) -> None:
        self.services: list[RunningService] = []
        self._postgres = postgres
        self._watchdog = watchdog
        self._write_line = write_line
        self._stop = asyncio.Event()

    def request_stop(self) -> None:
        if self._stop.is_set():
            for service in self.services:
                service.kill()
        self._stop.set()

    async def run(self, services: Sequence[ServiceConfig], *, on_ready: Callable[[], Awaitable[None]]) -> None:
        """Start the services, call `on_ready` when all answer, and keep them running until a stop is requested.

        Raises:
            ServiceFailed: A service ends repeatedly before it is ready.
            PostgresFailed, DiskFull: The database server ended and does not restart.
        """
        self.services = [
            RunningService(service, watchdog=self._watchdog, write_line=self._write_line) for service in services
        ]
        try:
            await self._until_stopped(self._work(on_ready))
        finally:
            await self._stop_services()

    async def _work(self, on_ready: Callable[[], Awaitable[None]]) -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(self._watch_postgres())
            interactive = [service for service in self.services if service.service.health]
            background = [service for service in self.services if not service.service.health]
            for batch in (interactive, background):  # users wait for the first: give it the processor
                await asyncio.gather(*(self._first_start(service) for service in batch))
            for service in self.services:
                group.create_task(self._watch(service))
            await on_ready()

    async def _until_stopped(self, work: Awaitable[None]) -> None:
        task, stop = asyncio.ensure_future(work), asyncio.ensure_future(self._stop.wait())
        await asyncio.wait({task, stop}, return_when=asyncio.FIRST_COMPLETED)
        for pending in (task, stop):
            pending.cancel()
        (result, _) = await asyncio.gather(task, stop, return_exceptions=True)
        if isinstance(result, ExceptionGroup):  # of a task group: the first error cancelled the rest
            raise next(iter(cast("ExceptionGroup[Exception]", result).exceptions))
        if isinstance(result, Exception):
            raise result

    async def _first_start(self, running: RunningService) -> None:
        """Start the service and wait until it answers."""
        running.start()
        deadline = time.monotonic() + READY_SECONDS
        while not await _answers(running):
            if not running.is_running:
                code = running.reap()
                if running.restarts + 1 >= TRIES_BEFORE_READY:
                    raise ServiceFailed(
                        f"The {running.service.name} service does not start (exit code {code}): {running.last_line}"
                    )
                await asyncio.sleep(running.backoff_seconds())
                running.start()
            elif time.monotonic() > deadline:
                raise ServiceFailed(
                    f"The {running.service.name} service was not ready after {READY_SECONDS:.0f} seconds."
                )
            await asyncio.sleep(FIRST_POLL_SECONDS)

    async def _watch(self, running: RunningService) -> None:
        while True:
            await asyncio.sleep(POLL_SECONDS)
            if not running.is_running:
                code = running.reap()
                delay = running.backoff_seconds()
                self._log(f"the {running.service.name} service ended with {code}; restarting in {delay:g} s")
                await asyncio.sleep(delay)
                running.start()

    async def _watch_postgres(self) -> None:
        while self._postgres is not None:
            await asyncio.sleep(POLL_SECONDS)
            if not self._postgres.is_running:
                self._log("Postgres ended; restarting it")
                self._postgres.launch()
                deadline = time.monotonic() + START_SECONDS
                while not self._postgres.poll(deadline=deadline):  # noqa: ASYNC110 - no asyncio event exists
                    await asyncio.sleep(FIRST_POLL_SECONDS)
                self._log("Postgres is running again")

    async def _stop_services(self) -> None:
        for service in self.services:
            service.terminate()
        await asyncio.gather(*(service.wait_stopped() for service in self.services))

    def _log(self, line: str) -> None:
        self._write_line("lectern", line)


async def _answers(running: RunningService) -> bool:
    """Return True if the health page answers 200. A service without one is ready while it runs."""
    if running.service.health is None or not running.is_running:
        return running.is_running
    host, port, path = running.service.health
    try:
        async with asyncio.timeout(2):
            reader, writer = await asyncio.open_connection(host, port)
            try:
                writer.write(f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nConnection: close\r\n\r\n".encode())
                status = await reader.readline()
            finally:
                writer.close()
    except (OSError, TimeoutError):
        return False
    return b" 200 " in status
