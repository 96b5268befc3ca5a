"""The functions of a database are those of the SQL files."""

import re
from collections.abc import Iterator
from itertools import pairwise

import pytest
from benchmarks.throwaway import ThrowawayDatabase
from sqlalchemy import Connection, create_engine

from lectern.db.engine import database_url
from lectern.db.functions import FOLDER, create_functions, read_function_files, update_functions
from lectern.db.migrations import runner

DEFINITIONS = """
SELECT proname, pg_get_functiondef(oid) || coalesce(proacl::text, '') AS definition FROM pg_proc
WHERE pronamespace = 'public'::regnamespace AND starts_with(proname, 'lectern_')
"""
POLICY = """
SELECT pg_get_expr(polqual, polrelid) FROM pg_policy
WHERE polrelid = 'documents'::regclass AND polname = 'app_select'
"""
DIGEST = "lectern_get_functions_digest"
OUTDATED = "CREATE FUNCTION lectern_load_chunks(older integer) RETURNS integer LANGUAGE sql RETURN older"
SPOILED = "CREATE OR REPLACE FUNCTION lectern_can_write() RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE RETURN true"


@pytest.fixture
def owner(database: ThrowawayDatabase) -> Iterator[Connection]:
    engine = create_engine(database_url(database.owner_url))
    with engine.connect() as connection:
        yield connection
    engine.dispose()


def definitions(connection: Connection) -> dict[str, str]:
    rows = connection.exec_driver_sql(DEFINITIONS).all()
    assert len({row.proname for row in rows}) == len(rows), "a function exists with two signatures"
    return {row.proname: row.definition for row in rows}


def test_the_database_has_exactly_the_functions_of_the_files(owner: Connection) -> None:
    in_files = [name for file in read_function_files() for name in file.names]
    assert len(in_files) == len(set(in_files))
    before = definitions(owner)
    assert set(before) == {*in_files, DIGEST}
    create_functions(owner, *in_files)
    assert definitions(owner) == before


def test_a_migration_restores_functions_when_a_file_has_changed(owner: Connection, database: ThrowawayDatabase) -> None:
    before = definitions(owner)
    owner.exec_driver_sql(SPOILED)
    owner.exec_driver_sql(OUTDATED)
    owner.exec_driver_sql(f"CREATE OR REPLACE FUNCTION {DIGEST}() RETURNS text LANGUAGE sql RETURN 'older'")
    owner.commit()
    runner.migrate(database.owner_url)
    assert definitions(owner) == before


def test_functions_of_unchanged_files_are_not_created_again(owner: Connection) -> None:
    owner.exec_driver_sql(SPOILED)
    spoiled = definitions(owner)
    update_functions(owner)
    assert definitions(owner) == spoiled


def test_indexing_keeps_the_plans_of_functions(owner: Connection) -> None:
    assert "SET plan_cache_mode TO 'force_generic_plan'" in definitions(owner)["lectern_build_lexical_entry"]


def test_functions_call_only_functions_of_the_files() -> None:
    files = read_function_files()
    names = {name for file in files for name in file.names}
    assert {name for file in files for name in file.calls} <= names


def test_every_function_says_what_it_does() -> None:
    for path in FOLDER.rglob("*.sql"):
        lines = path.read_text().splitlines()
        assert lines[0].startswith("-- "), path.name
        for before, line in pairwise(lines):
            assert not line.startswith("CREATE") or before.startswith("-- "), (path.name, line)
        assert max(map(len, lines)) <= 140, path.name


def test_functions_of_the_owner_apply_the_policy_of_documents(owner: Connection) -> None:
    def plain(sql: str) -> str:
        return re.sub(r"[\s()]|::text|\bAS (lectern_\w+|unnest)|documents\.(?=\w+ (=|IN))", "", sql)

    policy = plain(owner.exec_driver_sql(POLICY).scalar_one())
    found = definitions(owner)
    for name in ("lectern_list_documents_in_scope", "lectern_filter_visible_documents"):
        assert policy in plain(found[name]), name
