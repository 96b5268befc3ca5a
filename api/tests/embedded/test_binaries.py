"""Which Postgres is run."""

from pathlib import Path

import pytest

from lectern.embedded.binaries import PostgresBinaries, find_binaries, packaged_folder
from lectern.embedded.errors import PostgresMissing, VectorMissing
from lectern.embedded.host import find_bind_error, find_listener, find_process, free_port
from lectern.embedded.tuning import BRIEF, available_memory, tuned_settings


def test_the_packaged_postgres_is_found_and_has_pgvector(binaries: PostgresBinaries) -> None:
    assert binaries.folder == packaged_folder()
    assert binaries.major == 18


def test_a_folder_without_postgres_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(PostgresMissing, match=f"no `postgres` in {tmp_path}") as refusal:
        find_binaries(tmp_path)

    assert "LECTERN_POSTGRES_BIN_DIR" in str(refusal.value.hint)


def fake_postgres(folder: Path, *, version: str) -> None:
    for name in ("postgres", "initdb"):
        (folder / name).write_text(f"#!/bin/sh\necho 'postgres (PostgreSQL) {version}'\n")
        (folder / name).chmod(0o755)


def test_a_postgres_that_is_too_old_is_refused(tmp_path: Path) -> None:
    fake_postgres(tmp_path, version="16.14 (Debian 16.14-1)")

    with pytest.raises(PostgresMissing, match=r"holds Postgres 16.14; Lectern needs 17 or newer"):
        find_binaries(tmp_path)


def test_a_postgres_without_pgvector_is_refused(tmp_path: Path) -> None:
    fake_postgres(tmp_path, version="17beta2")

    with pytest.raises(VectorMissing, match="has no pgvector"):
        find_binaries(tmp_path)


def test_a_program_that_does_not_run_is_named(tmp_path: Path) -> None:
    fake_postgres(tmp_path, version="18.6")
    (tmp_path / "postgres").chmod(0o644)

    with pytest.raises(PostgresMissing, match="postgres --version` does not run"):
        find_binaries(tmp_path)


def test_the_listener_on_a_port_is_named() -> None:
    import os
    import socket

    port = free_port()
    assert find_bind_error("127.0.0.1", port) is None
    with socket.create_server(("127.0.0.1", port)):
        assert find_bind_error("127.0.0.1", port) is not None
        listener = find_listener(port)

    assert listener is not None
    assert listener.pid == os.getpid()
    assert find_listener(port) is None


def test_a_number_that_no_process_has_is_nobody() -> None:
    assert find_process(2**22 + 1) is None


def test_a_small_machine_gets_less_memory_and_small_shared_memory_gets_files() -> None:
    small = tuned_settings(2 * 1024**3, shared_memory_bytes=64 * 1024**2)
    large = tuned_settings(64 * 1024**3, shared_memory_bytes=32 * 1024**3)
    huge = tuned_settings(512 * 1024**3, shared_memory_bytes=32 * 1024**3)

    buffers = [each["shared_buffers"] for each in (small, large, huge)]
    assert buffers == ["256MB", "4096MB", "4096MB"]
    assert (small["dynamic_shared_memory_type"], large["dynamic_shared_memory_type"]) == ("mmap", "posix")
    assert "fsync" not in large
    smallest = tuned_settings(512 * 1024**2, shared_memory_bytes=64 * 1024**2)
    assert smallest["shared_buffers"] == BRIEF["shared_buffers"]


def test_the_limit_of_a_container_bounds_the_memory(tmp_path: Path) -> None:
    limit = tmp_path / "memory.max"
    machine = available_memory(())
    assert available_memory((limit,)) == machine
    for text, expected in (("max\n", machine), ("9223372036854771712\n", machine), ("536870912\n", 536870912)):
        limit.write_text(text)
        assert available_memory((limit,)) == expected
