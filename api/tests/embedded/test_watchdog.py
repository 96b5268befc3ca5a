"""Nothing outlives the supervisor, however it went."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from lectern.embedded.children import GRACE_SECONDS, Watchdog, spawn
from lectern.embedded.host import find_process

LIMIT_SECONDS = 30.0

# Starts a database server and a service that has a child of its own and ignores SIGTERM; prints their numbers.
SUPERVISOR = """
import json, os, pathlib, signal, subprocess, sys
from lectern.embedded.binaries import find_binaries
from lectern.embedded.children import spawn
from lectern.embedded.data_folder import DataFolder
from lectern.embedded.postgres import EmbeddedPostgres
from lectern.embedded.children import Watchdog

STUBBORN = '''
import signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)  # children inherit it
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
print(child.pid, flush=True)
time.sleep(600)
'''
watchdog = Watchdog()
with DataFolder(pathlib.Path(sys.argv[1])) as folder:
    server = EmbeddedPostgres(
        folder, binaries=find_binaries(), password="x", watchdog=watchdog, settings={"fsync": "off"}
    )
    server.start()
    service = spawn(
        [sys.executable, "-c", STUBBORN],
        watchdog=watchdog,
        environment=dict(os.environ),
        output=subprocess.PIPE,
        death_signals=(signal.SIGTERM, signal.SIGKILL),
    )
    grandchild = int(service.stdout.readline())
    pids = {"postgres": server.pid, "service": service.pid, "grandchild": grandchild, "watchdog": watchdog.pid}
    print(json.dumps(pids), flush=True)
    sys.stdin.read()
"""


def wait_until(condition: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + LIMIT_SECONDS
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.02)
    return condition()


def start_supervisor(data: Path) -> tuple[subprocess.Popen[str], dict[str, int]]:
    supervisor = subprocess.Popen(
        [sys.executable, "-c", SUPERVISOR, str(data)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert supervisor.stdout is not None
    pids: dict[str, int] = json.loads(supervisor.stdout.readline())
    assert all(find_process(pid) for pid in pids.values())
    return supervisor, pids


def kill(supervisor: subprocess.Popen[str]) -> None:
    supervisor.kill()
    supervisor.wait()
    for pipe in (supervisor.stdin, supervisor.stdout):
        assert pipe is not None
        pipe.close()


def test_a_killed_supervisor_leaves_nothing_running_not_even_what_ignores_a_polite_signal(reachable: Path) -> None:
    supervisor, pids = start_supervisor(reachable / "data")

    kill(supervisor)

    assert wait_until(lambda: not any(find_process(pid) for pid in pids.values())), pids


@pytest.mark.skipif(sys.platform != "linux", reason="needs Linux: the kernel's parent-death signal")
def test_the_kernel_ends_the_database_server_when_the_watchdog_is_gone_too(reachable: Path) -> None:
    supervisor, pids = start_supervisor(reachable / "data")
    os.kill(pids["watchdog"], signal.SIGKILL)

    kill(supervisor)

    assert wait_until(lambda: find_process(pids["postgres"]) is None)
    for name in ("service", "grandchild"):  # these ignore the polite signal, and nothing is left that would insist
        os.kill(pids[name], signal.SIGKILL)


def test_closing_it_waits_for_no_child_that_has_ended() -> None:
    watchdog = Watchdog()
    child = spawn(
        [sys.executable, "-c", "import time; time.sleep(600)"],
        watchdog=watchdog,
        environment={},
        output=subprocess.DEVNULL,
        death_signals=(signal.SIGTERM, signal.SIGKILL),
    )
    began_at = time.monotonic()

    watchdog.close()

    assert child.poll() == -signal.SIGTERM
    assert time.monotonic() - began_at < GRACE_SECONDS
