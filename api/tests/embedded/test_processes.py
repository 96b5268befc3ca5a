"""The processes of `lectern up`: restarted when they crash, stopped together."""

import asyncio
import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest

from lectern.embedded.children import Watchdog
from lectern.embedded.errors import ServiceFailed
from lectern.embedded.host import find_process, free_port
from lectern.embedded.postgres import EmbeddedPostgres
from lectern.embedded.supervisor import ServiceConfig, Supervisor

LIMIT_SECONDS = 30.0
LOGS_AND_SLEEPS = "import os, time; print('started as', os.getpid(), flush=True); time.sleep(600)"
IGNORES_THE_POLITE_SIGNAL = f"import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); {LOGS_AND_SLEEPS}"
PRINTS_A_TRACEBACK = "print('a line\\n' * 300 + 'the last line'); raise SystemExit(1)"
ENDS_AT_ONCE = "print('there is no model'); raise SystemExit(3)"


def service(name: str, code: str, *, health: tuple[str, int, str] | None = None) -> ServiceConfig:
    return ServiceConfig(name=name, command=[sys.executable, "-c", code], environment=dict(os.environ), health=health)


class Lines:
    """The lines that services wrote, in order."""

    def __init__(self) -> None:
        self.lines: list[tuple[str, str]] = []

    def __call__(self, name: str, line: str) -> None:
        self.lines.append((name, line))

    def of(self, name: str) -> list[str]:
        return [line for written_by, line in self.lines if written_by == name]


async def wait_until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(LIMIT_SECONDS):
        while not condition():  # noqa: ASYNC110 - what other processes do is no asyncio event
            await asyncio.sleep(0.02)


@pytest.fixture
def lines() -> Lines:
    return Lines()


@pytest.fixture
def supervisor(watchdog: Watchdog, lines: Lines) -> Supervisor:
    return Supervisor(postgres=None, watchdog=watchdog, write_line=lines)


async def nothing() -> None:
    """For runs that need not know when all is ready."""


async def test_a_service_that_was_killed_is_started_again(supervisor: Supervisor, lines: Lines) -> None:
    run = asyncio.ensure_future(supervisor.run([service("worker", LOGS_AND_SLEEPS)], on_ready=nothing))
    await wait_until(lambda: len(lines.of("worker")) == 1)
    first = supervisor.services[0].pid
    assert first is not None

    os.kill(first, signal.SIGKILL)
    await wait_until(lambda: len(lines.of("worker")) == 2)

    assert lines.of("worker")[1] == f"started as {supervisor.services[0].pid}"
    assert lines.of("lectern") == ["the worker service ended with -9; restarting in 0.5 s"]
    supervisor.request_stop()
    await run


async def test_a_stop_ends_every_service(supervisor: Supervisor, lines: Lines) -> None:
    run = asyncio.ensure_future(
        supervisor.run([service("api", LOGS_AND_SLEEPS), service("worker", LOGS_AND_SLEEPS)], on_ready=nothing)
    )
    await wait_until(lambda: len(lines.lines) == 2)
    pids = [running.pid for running in supervisor.services]

    supervisor.request_stop()
    await run

    assert [find_process(pid) for pid in pids if pid] == [None, None]


async def test_a_second_request_kills_what_did_not_stop_at_the_first(supervisor: Supervisor, lines: Lines) -> None:
    run = asyncio.ensure_future(supervisor.run([service("api", IGNORES_THE_POLITE_SIGNAL)], on_ready=nothing))
    await wait_until(lambda: len(lines.lines) == 1)
    supervisor.request_stop()
    await asyncio.sleep(0.2)
    assert not run.done()

    supervisor.request_stop()

    async with asyncio.timeout(5):  # well before it would have been killed anyway
        await run


async def test_a_service_that_never_starts_ends_the_run_with_its_last_line(
    supervisor: Supervisor, lines: Lines
) -> None:
    never = service("mcp", ENDS_AT_ONCE, health=("127.0.0.1", free_port(), "/health"))

    with pytest.raises(ServiceFailed, match=r"mcp service does not start \(exit code 3\): there is no model"):
        await supervisor.run([service("worker", LOGS_AND_SLEEPS), never], on_ready=nothing)

    assert len(lines.of("mcp")) == 3
    assert not supervisor.services[0].is_running


async def test_a_service_that_never_starts_has_all_its_lines_before_the_error(watchdog: Watchdog) -> None:
    shown: list[str] = []

    def write_slowly(_name: str, line: str) -> None:
        time.sleep(0.002)
        shown.append(line)

    never = service("mcp", PRINTS_A_TRACEBACK, health=("127.0.0.1", free_port(), "/health"))
    with pytest.raises(ServiceFailed, match="the last line"):
        await Supervisor(postgres=None, watchdog=watchdog, write_line=write_slowly).run([never], on_ready=nothing)

    assert shown == [*["a line"] * 300, "the last line"] * 3


async def test_all_is_ready_when_every_health_page_answers(
    supervisor: Supervisor, lines: Lines, tmp_path: Path
) -> None:
    port = free_port()
    (tmp_path / "health").write_text("fine")
    command = [sys.executable, "-m", "http.server", str(port), "--bind", "127.0.0.1", "--directory", str(tmp_path)]
    api = ServiceConfig(
        name="api", command=command, environment=dict(os.environ), health=("127.0.0.1", port, "/health")
    )
    was_answering: list[bool] = []

    async def on_ready() -> None:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.close()
        was_answering.append(True)
        supervisor.request_stop()

    await supervisor.run([api], on_ready=on_ready)

    assert was_answering == [True]


async def test_a_database_server_that_was_killed_is_started_again_on_its_port(
    server: EmbeddedPostgres, watchdog: Watchdog, lines: Lines
) -> None:
    supervisor = Supervisor(postgres=server, watchdog=watchdog, write_line=lines)
    run = asyncio.ensure_future(supervisor.run([], on_ready=nothing))
    url = server.url(database="postgres")
    assert server.pid is not None

    os.kill(server.pid, signal.SIGKILL)
    await wait_until(lambda: "Postgres is running again" in lines.of("lectern"))

    with psycopg.connect(url) as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)
    supervisor.request_stop()
    await run
