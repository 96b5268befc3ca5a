"""Waiting for a database that starts at the same time."""

import time

import psycopg
import pytest
from benchmarks.throwaway import ThrowawayDatabase

from lectern.cli.services.migrate import wait_for_database


def test_available_database_needs_no_wait(database: ThrowawayDatabase) -> None:
    began_at = time.monotonic()
    wait_for_database(database.owner_url, seconds=60)

    assert time.monotonic() - began_at < 5


def test_wrong_password_fails_at_once(database: ThrowawayDatabase) -> None:
    wrong = database.owner_url.replace("lectern_owner:", "lectern_owner:wrong-")
    began_at = time.monotonic()
    with pytest.raises(psycopg.OperationalError, match="password"):
        wait_for_database(wrong, seconds=60)

    assert time.monotonic() - began_at < 5


def test_missing_database_times_out(unused_tcp_port: int) -> None:
    with pytest.raises(psycopg.OperationalError, match="refused"):
        wait_for_database(f"postgresql://lectern_owner:x@127.0.0.1:{unused_tcp_port}/lectern", seconds=1)
