"""The database server under our supervisor: start, crash, stop, and what it finds in its folder."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest

from lectern.embedded.data_folder import DataFolder
from lectern.embedded.errors import DataFolderVersionMismatch
from lectern.embedded.host import find_process
from lectern.embedded.postgres import EmbeddedPostgres

MakeServer = Callable[[DataFolder], EmbeddedPostgres]


def kill_and_start_again(server: EmbeddedPostgres) -> None:
    assert server.pid is not None
    os.kill(server.pid, signal.SIGKILL)
    while server.is_running:
        time.sleep(0.01)
    server.launch()
    deadline = time.monotonic() + 60
    while not server.poll(deadline=deadline):
        time.sleep(0.02)


def test_a_killed_server_comes_back_on_its_port_with_every_committed_row(server: EmbeddedPostgres) -> None:
    url = server.url(database="postgres")
    with psycopg.connect(url) as connection:
        connection.execute("CREATE TABLE kept (x int)")
        connection.execute("INSERT INTO kept SELECT generate_series(1, 10000)")

    for _ in range(3):
        open_when_killed = psycopg.connect(url, autocommit=True)
        open_when_killed.execute("SELECT count(*) FROM kept")
        kill_and_start_again(server)
        open_when_killed.close()

        assert server.url(database="postgres") == url
        with psycopg.connect(url) as connection:
            assert connection.execute("SELECT count(*) FROM kept").fetchone() == (10_000,)


def test_a_server_asks_for_its_password_over_tcp_and_over_its_socket(server: EmbeddedPostgres) -> None:
    for host in ("127.0.0.1", str(server.folder.sockets)):
        with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
            psycopg.connect(host=host, port=server.port, user="postgres", password="wrong", dbname="postgres")


@pytest.mark.skipif(os.getuid() != 0, reason="needs root: only root changes the account that runs Postgres")
def test_root_runs_the_server_as_another_account(server: EmbeddedPostgres) -> None:
    with psycopg.connect(server.url(database="postgres")) as connection:
        connection.execute("SELECT 1")

    assert server.folder.database.stat().st_uid != 0
    assert Path(f"/proc/{server.pid}").stat().st_uid == server.folder.database.stat().st_uid


def test_a_stop_ends_the_server_while_a_client_is_connected(server: EmbeddedPostgres) -> None:
    pid = server.pid
    assert pid is not None
    connection = psycopg.connect(server.url(database="postgres"))
    connection.execute("SELECT 1")

    server.stop()
    connection.close()

    assert find_process(pid) is None
    assert not (server.folder.database / "postmaster.pid").exists()


def test_a_lock_file_whose_number_was_given_to_another_program_does_not_keep_the_server_down(
    server: EmbeddedPostgres, make_server: MakeServer
) -> None:
    lock_file = server.folder.database / "postmaster.pid"
    lines = lock_file.read_text().splitlines()
    server.stop()
    bystander = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    lock_file.write_text("\n".join([str(bystander.pid), *lines[1:]]) + "\n")
    os.chown(lock_file, server.folder.database.stat().st_uid, -1)

    again = make_server(server.folder)
    again.start()

    assert again.is_running
    assert bystander.poll() is None
    bystander.communicate(b"\n")


def test_a_lock_file_of_a_server_that_is_gone_does_not_keep_the_next_one_down(
    server: EmbeddedPostgres, make_server: MakeServer
) -> None:
    assert server.pid is not None
    os.kill(server.pid, signal.SIGKILL)
    while server.is_running:
        time.sleep(0.01)

    again = make_server(server.folder)
    again.start()

    with psycopg.connect(again.url(database="postgres")) as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)


def test_a_server_that_outlived_its_supervisor_is_ended_before_the_next_one_starts(
    server: EmbeddedPostgres, make_server: MakeServer
) -> None:
    orphan = server.pid
    assert orphan is not None

    again = make_server(server.folder)
    again.start()

    assert again.pid != orphan
    assert not server.is_running


def test_a_database_of_another_major_version_is_refused_by_name(
    server: EmbeddedPostgres, make_server: MakeServer
) -> None:
    server.stop()
    (server.folder.database / "PG_VERSION").write_text("13\n")

    with pytest.raises(DataFolderVersionMismatch, match="made by Postgres 13; this is Postgres 18") as refusal:
        make_server(server.folder).start()

    assert "--data-dir" in str(refusal.value.hint)


def test_what_a_killed_first_start_left_is_made_anew(folder: DataFolder, make_server: MakeServer) -> None:
    half_made = folder.path / "postgres.partial"
    half_made.mkdir()
    (half_made / "PG_VERSION").write_text("18\n")
    (folder.path / "password-of-a-killed-attempt").write_text("x")

    make_server(folder).start()

    assert not half_made.exists()
    assert not (folder.path / "password-of-a-killed-attempt").exists()
    assert (folder.database / "PG_VERSION").exists()


def test_the_password_is_not_left_in_a_file(server: EmbeddedPostgres) -> None:
    assert [path.name for path in server.folder.path.iterdir() if path.name.startswith("password")] == []
    assert "quotes" not in server.folder.postgres_log.read_text()
