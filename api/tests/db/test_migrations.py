"""Migrations build the tables of the models, can be undone, and refuse unknown revisions."""

import re
from pathlib import Path

import psycopg
import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from benchmarks.throwaway import PASSWORD, ThrowawayDatabase, ThrowawayPostgres
from sqlalchemy import Connection, create_engine, text

from lectern.db.engine import database_url
from lectern.db.migrations import runner
from lectern.embedded import cluster
from lectern.embeddings.generations import HNSW_CONSTRUCTION, HNSW_NEIGHBOURS, prepare_generation
from lectern.embeddings.providers.hash import HashProvider
from lectern.errors import LecternError, Misconfigured
from lectern.schema import metadata

VERSIONS = Path(runner.__file__).parent / "versions"


# Only SQL reads and writes these.
WITHOUT_MODEL = {
    "collection_members",
    "chunk_lexical",
    "lexeme_stats",
    "lexeme_deltas",
    "document_counts",
    "library_version_tokens",
    "rate_buckets",
}


def is_ours(_object: object, name: str | None, kind: str, _reflected: object, _compared: object) -> bool:
    """Leave out the queue's own tables, those made for each generation of embeddings, and those without a model."""
    is_foreign = (name or "").startswith(("procrastinate_", "chunk_embeddings_")) or name in WITHOUT_MODEL
    return not (kind == "table" and is_foreign)


def differences(connection: Connection) -> list[object]:
    context = MigrationContext.configure(connection, opts={"include_object": is_ours, "compare_type": True})
    return list(compare_metadata(context, metadata))


def test_the_migrated_tables_are_those_of_the_models(database: ThrowawayDatabase) -> None:
    engine = create_engine(database_url(database.owner_url))
    with engine.connect() as connection:
        assert differences(connection) == []
    engine.dispose()


def test_every_migration_can_be_undone_and_done_again(database: ThrowawayDatabase) -> None:
    runner.downgrade(database.owner_url, revision="base")
    engine = create_engine(database_url(database.owner_url))
    with engine.connect() as connection:
        left = connection.execute(
            text("SELECT relname FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace WHERE nspname = 'public'")
        )
        assert set(left.scalars()) <= {"alembic_version", "alembic_version_pkc"}
    runner.migrate(database.owner_url)
    with engine.connect() as connection:
        assert runner.current_revision(connection) == runner.head_revision()
        connection.rollback()
        assert differences(connection) == []
    engine.dispose()


def test_tags_belong_to_the_accounts_that_made_them(database: ThrowawayDatabase) -> None:
    runner.downgrade(database.owner_url, revision="20261126_0015")
    with psycopg.connect(database.superuser_url) as connection:
        connection.execute("""
        INSERT INTO users (id, email, role) VALUES (gen_random_uuid(), 'ada@example.org', 'editor');
        INSERT INTO api_keys (id, name, prefix, key_hash, created_by)
            SELECT gen_random_uuid(), 'agent', 'lk_1', 'hash', id FROM users WHERE email = 'ada@example.org';
        INSERT INTO tags (id, name, normalized_name, created_by)
            SELECT gen_random_uuid(), 'hers', 'hers', 'user:' || id FROM users WHERE email = 'ada@example.org'
            UNION ALL SELECT gen_random_uuid(), 'by key', 'by key', 'key:' || id FROM api_keys WHERE name = 'agent'
            UNION ALL SELECT gen_random_uuid(), 'attached', 'attached', NULL""")
    runner.migrate(database.owner_url)
    with psycopg.connect(database.superuser_url) as connection:
        query = "SELECT t.name, u.email FROM tags AS t LEFT JOIN users AS u ON u.id = t.owner_id"
        owners = dict(connection.execute(query).fetchall())
    assert owners == {"hers": "ada@example.org", "by key": "ada@example.org", "attached": None}


def test_a_database_with_another_locale_is_refused_with_the_remedy(postgres: ThrowawayPostgres) -> None:
    with postgres.fresh_database() as database:
        with psycopg.connect(database.superuser_url, autocommit=True) as connection:
            connection.execute("CREATE DATABASE ascii_only TEMPLATE template0 LOCALE_PROVIDER libc LOCALE 'C'")
        ascii_only = postgres.database("ascii_only")
        try:
            cluster.bootstrap(ascii_only.superuser_url, owner_password=PASSWORD, service_password=PASSWORD)
            with pytest.raises(Misconfigured, match="encoding UTF8 and a Unicode locale") as refusal:
                runner.migrate(ascii_only.owner_url)
        finally:
            with psycopg.connect(database.superuser_url, autocommit=True) as connection:
                connection.execute("DROP DATABASE ascii_only WITH (FORCE)")
    assert "LOCALE 'C.UTF-8'" in str(refusal.value.hint)


def test_the_graph_of_a_new_generation_has_its_parameters(database: ThrowawayDatabase) -> None:
    generation = prepare_generation(database.owner_url, HashProvider(16).info)
    options = text("SELECT reloptions FROM pg_class WHERE relname = :name")
    engine = create_engine(database_url(database.owner_url))
    with engine.connect() as connection:
        made = connection.execute(options, {"name": f"ix_{generation.table_name}_embedding"}).scalar_one()
        assert set(made) == {f"m={HNSW_NEIGHBOURS}", f"ef_construction={HNSW_CONSTRUCTION}"}
    engine.dispose()


@pytest.mark.parametrize(
    ("revision", "error"), [("29991231_0001", runner.DatabaseTooNew), ("20261125_0010", runner.DatabaseTooOld)]
)
def test_a_database_of_an_unknown_revision_is_refused_with_what_to_do(
    database: ThrowawayDatabase, revision: str, error: type[LecternError]
) -> None:
    engine = create_engine(database_url(database.owner_url))
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = :revision"), {"revision": revision})
    with pytest.raises(error, match=revision) as refused:
        runner.migrate(database.owner_url)
    assert refused.value.hint is not None
    engine.dispose()


def test_there_are_few_revisions_and_none_contains_a_function() -> None:
    files = list(VERSIONS.glob("*.py"))
    assert len(files) <= 6
    assert not [
        file.name for file in files if "CREATE FUNCTION" in file.read_text() or "OR REPLACE" in file.read_text()
    ]


def test_the_migrations_are_one_line_of_dated_files() -> None:
    scripts = ScriptDirectory(str(VERSIONS.parent))
    assert len(scripts.get_heads()) == 1
    for file in VERSIONS.glob("*.py"):
        assert re.fullmatch(r"\d{8}_\d{4}_[a-z_]+", file.stem), file.name
