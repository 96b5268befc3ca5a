"""`lectern serve` in several processes that share the port."""

import gc
import json
import os
import re
import signal
import urllib.request
from collections.abc import Generator
from datetime import datetime
from pathlib import Path

import pytest
from tests.cli.running import READY, Up, command_of, lectern, parent_of, wait_until

from lectern.cli.services.serve import GARBAGE_OBJECTS, HEALTH_SECONDS, collect_less_garbage
from lectern.embedded.host import find_process, free_port

linux_only = pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs /proc: looks at other processes")
ANSWERED = re.compile(r'^lectern_http_requests_total\{.*route="/api/v1/tags",status="401"\} (\d+)', re.MULTILINE)


def serving(up: Up) -> list[int]:
    """Return the processes that share the port, without Python's helper process."""
    parent = up.pid_of("serve")
    below = [pid for pid in up.children() if parent_of(pid) == parent]
    return [pid for pid in below if "spawn_main" in command_of(pid)]


def counted(up: Up) -> int:
    """Return the rejected requests for tags, as counted by any of the processes."""
    with urllib.request.urlopen(f"http://127.0.0.1:{up.port}/metrics", timeout=5) as answer:
        return sum(map(int, ANSWERED.findall(answer.read().decode())))  # empty before the first is counted


@pytest.fixture(scope="module")
def up(data_home: Path) -> Generator[Up]:
    """An installation with two API processes. Both tests end some of them."""
    started = Up(
        data_home / "several", environment={"LECTERN_API_PROCESSES": "2", "LECTERN_RATE_LIMIT_PER_MINUTE": "0"}
    )
    try:
        started.wait_for(READY)
        yield started
        last = serving(started)
        assert started.stop() == 0, started.output
        assert all(find_process(pid) is None for pid in last)
    finally:
        if started.process.poll() is None:
            started.kill()


@linux_only
def test_processes_share_port_and_counters_and_dead_ones_are_replaced(up: Up) -> None:
    first = serving(up)
    assert len(first) == 2

    for number in range(1, 13):
        assert up.get("/api/v1/tags") == 401
        assert wait_until(lambda so_far=number: counted(up) == so_far)  # requests are counted after the response

    os.kill(first[0], signal.SIGKILL)
    assert wait_until(lambda: len(set(serving(up)) - {first[0]}) == 2)
    assert wait_until(lambda: up.get("/ready") == 200)
    assert counted(up) == 12  # counts of the dead process are retained


@linux_only
def test_processes_end_with_their_parent(up: Up) -> None:
    parent, orphans = up.pid_of("serve"), serving(up)
    variables = Path(f"/proc/{orphans[0]}/environ").read_bytes().decode().split("\0")
    counts = Path(next(each.partition("=")[2] for each in variables if each.startswith("PROMETHEUS_MULTIPROC_DIR=")))
    assert list(counts.iterdir())

    os.kill(parent, signal.SIGKILL)

    assert wait_until(lambda: not any(find_process(pid) for pid in orphans))
    assert not counts.exists()
    assert wait_until(lambda: up.get("/ready") == 200), up.output
    assert up.pid_of("serve") != parent
    assert wait_until(lambda: len(serving(up)) == 2)


def test_cycles_are_collected_only_among_objects_made_after_the_start() -> None:
    thresholds = gc.get_threshold()
    try:
        collect_less_garbage()
        assert gc.get_threshold()[0] == GARBAGE_OBJECTS
        assert gc.get_freeze_count() > GARBAGE_OBJECTS
        cycle: list[object] = []
        cycle.append(cycle)
        del cycle
        assert gc.collect() >= 1
    finally:
        gc.unfreeze()
        gc.set_threshold(*thresholds)


def test_failed_start_is_explained_in_the_last_line() -> None:
    secrets = {"JWT_SECRET_KEY": "x" * 40, "BACKEND_API_KEY": "y" * 40, "LECTERN_PORT": str(free_port())}
    away = {"DATABASE_URL": "postgresql://nobody:secret-of-mine@127.0.0.1:9/lectern", "LECTERN_API_PROCESSES": "2"}

    run = lectern("serve", environment={**secrets, **away})

    assert run.returncode == 1
    assert run.stderr.splitlines()[-1].startswith("lectern: The database cannot be reached: ")
    assert "Traceback" not in run.stderr + run.stdout
    assert "secret-of-mine" not in run.stderr + run.stdout

    logged = [json.loads(line) for line in run.stderr.splitlines() if line.startswith("{")]
    failed, noticed = (
        next(datetime.fromisoformat(line["at"]) for line in logged if text in line["message"])
        for text in ("Application startup failed", "stopping the parent process")
    )
    assert (noticed - failed).total_seconds() < HEALTH_SECONDS, "the parent waited for an answer of a dead process"
