"""The database that all other tests use."""

import os
from pathlib import Path

import psycopg
import pytest
from benchmarks.throwaway import ThrowawayDatabase, ThrowawayPostgres, remove_stale
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from lectern.db.migrations.runner import head_revision
from lectern.embedded.data_folder import DataFolder


def test_a_fresh_database_is_at_the_newest_revision(database: ThrowawayDatabase) -> None:
    with psycopg.connect(database.owner_url) as connection:
        row = connection.execute("SELECT version_num FROM alembic_version").fetchone()

    assert row == (head_revision(),)


def test_what_one_database_holds_another_does_not(postgres: ThrowawayPostgres) -> None:
    with postgres.fresh_database() as first, postgres.fresh_database() as second:
        with psycopg.connect(first.owner_url) as connection:
            connection.execute("CREATE TABLE left_behind (x int)")
        with psycopg.connect(second.owner_url) as connection:
            row = connection.execute("SELECT to_regclass('left_behind')").fetchone()

    assert row == (None,)


def test_the_services_may_do_nothing_before_they_take_on_a_role(database: ThrowawayDatabase) -> None:
    with psycopg.connect(database.service_url) as connection:
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("SELECT 1 FROM documents")
        connection.rollback()
        connection.execute("SET LOCAL ROLE lectern_system")
        row = connection.execute("SELECT count(*) FROM documents").fetchone()

    assert row == (0,)


def test_the_services_own_nothing_and_cannot_bypass_row_level_security(database: ThrowawayDatabase) -> None:
    with psycopg.connect(database.owner_url) as connection:
        roles = connection.execute(
            "SELECT bool_or(rolsuper), bool_or(rolbypassrls), bool_or(rolcreaterole)"
            " FROM pg_roles WHERE rolname LIKE 'lectern%'"
        ).fetchone()
        owned = connection.execute(
            "SELECT count(*) FROM pg_class WHERE relowner IN "
            "(SELECT oid FROM pg_roles WHERE rolname IN ('lectern_service', 'lectern_app', 'lectern_system'))"
        ).fetchone()

    assert roles == (False, False, False)
    assert owned == (0,)


def test_a_match_of_words_may_use_its_index_below_row_level_security(database: ThrowawayDatabase) -> None:
    with psycopg.connect(database.owner_url) as connection:
        row = connection.execute(
            "SELECT proleakproof FROM pg_proc WHERE oid = 'ts_match_vq(tsvector, tsquery)'::regprocedure"
        ).fetchone()

    assert row == (True,)


def test_folders_of_killed_runs_are_removed_from_memory(tmp_path: Path) -> None:
    for name in ("lectern-killed", "lectern-running", "lectern-new", "other"):
        DataFolder(tmp_path / name / "data").create()
        if name != "lectern-new":
            os.utime(tmp_path / name, (0, 0))
    with DataFolder(tmp_path / "lectern-running" / "data"):
        remove_stale(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["lectern-new", "lectern-running", "other"]


async def test_a_connection_of_the_shared_database_sees_nothing_of_earlier_tests(connection: AsyncConnection) -> None:
    await connection.execute(text("SET LOCAL ROLE lectern_system"))

    assert await connection.scalar(text("SELECT count(*) FROM tags")) == 0
    await connection.execute(
        text("INSERT INTO tags (id, name, normalized_name) VALUES (gen_random_uuid(), 'left', 'left')")
    )


async def test_and_still_sees_nothing(connection: AsyncConnection) -> None:
    await connection.execute(text("SET LOCAL ROLE lectern_system"))

    assert await connection.scalar(text("SELECT count(*) FROM tags")) == 0
