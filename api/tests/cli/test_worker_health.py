"""The health check of a worker's container."""

import os
import subprocess
import sys

from benchmarks.throwaway import ThrowawayDatabase

from lectern.cli.services.worker_health import has_worker_here
from lectern.db.engine import libpq_url
from lectern.jobs.liveness import Liveness


async def test_worker_is_healthy_while_it_is_connected_from_its_address(
    database: ThrowawayDatabase,
) -> None:
    assert not has_worker_here(database.service_url)
    async with Liveness.connect(libpq_url(database.service_url), options=""):
        assert has_worker_here(database.service_url)


def run(**environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "lectern.cli.services.worker_health"]
    inherited = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    return subprocess.run(command, check=False, capture_output=True, text=True, env={**inherited, **environment})


def test_check_without_a_worker_fails_with_a_message(database: ThrowawayDatabase) -> None:
    done = run(DATABASE_URL=database.service_url)

    assert done.returncode == 1
    assert done.stderr == "No worker of this host is connected to the database.\n"


def test_check_without_a_database_fails_in_one_line() -> None:
    done = run(DATABASE_URL="postgresql://lectern_service:secret@127.0.0.1:1/lectern")

    assert done.returncode == 1
    assert done.stderr.startswith("The database cannot be reached: ")
    assert done.stderr.count("\n") == 1
    assert "secret" not in done.stderr
