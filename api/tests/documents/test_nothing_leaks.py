"""Row-level security alone hides documents outside the scope: these statements have no filter."""

import uuid
from collections.abc import Generator
from dataclasses import replace
from typing import Any

import psycopg
import pytest
from benchmarks.throwaway import ThrowawayDatabase, ThrowawayPostgres
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from psycopg import sql
from tests.api import LIBRARY

from lectern.db.engine import create_engine, libpq_url
from lectern.db.scope import NO_IDS, SYSTEM_SCOPE, IdList, Scope
from lectern.db.session import Database
from lectern.embeddings.generations import prepare_generation
from lectern.embeddings.providers.hash import HashProvider

from .shelves import Library, fill_library

EVERY_TABLE = """
SELECT relname, relrowsecurity, has_table_privilege('lectern_app', c.oid, 'SELECT') AS is_readable
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = 'public' AND relkind IN ('r', 'p') ORDER BY relname
"""
# Readable without row-level security: random numbers and the active models. Nothing of a document.
WITHOUT_POLICIES = {"embedding_generations", "library_version_tokens"}
# Not readable by the roles.
CLOSED = {
    "alembic_version",
    "api_keys",
    "audit_events",
    "collection_members",
    "document_counts",
    "document_grants",
    "embedding_cache",
    "identities",
    "job_checkpoints",
    "lexeme_deltas",
    "lexeme_stats",
    "oauth_clients",
    "oauth_tokens",
    "rate_buckets",
    "sessions",
    "sign_in_group_collections",
    "sign_in_groups",
    "sign_in_requests",
    "sign_in_settings",
    "staged_embeddings",
    "tag_grants",
    "users",
    "watched_files",
    "watched_folders",
    "webhook_deliveries",
    "webhook_events",
    "webhooks",
}


@pytest.fixture(scope="module")
def leaky(postgres: ThrowawayPostgres) -> Generator[ThrowawayDatabase]:
    with postgres.fresh_database() as made:
        yield made


@pytest.fixture(scope="module")
async def library(leaky: ThrowawayDatabase) -> Library:
    prepare_generation(leaky.owner_url, HashProvider(dimensions=8).info)
    database = Database(create_engine(leaky.service_url, pool_size=1))
    filled = await fill_library(database)
    await database.dispose()
    with psycopg.connect(libpq_url(leaky.superuser_url)) as connection:
        connection.execute(
            "INSERT INTO chunk_embeddings_1 (chunk_id, document_id, window_number, embedding)"
            " SELECT id, document_id, 0, '[1,0,0,0,0,0,0,0]' FROM chunks"
        )
    return filled


@pytest.fixture(scope="module")
def connection(leaky: ThrowawayDatabase, library: Library) -> Generator[psycopg.Connection]:
    with psycopg.connect(libpq_url(leaky.service_url)) as made:
        yield made


def enter(connection: psycopg.Connection, scope: Scope) -> None:
    """Set the scope like `lectern.db.session` at the start of a transaction."""
    for name, value in {"role": scope.role, **scope.parameters()}.items():
        connection.execute("SELECT set_config(%s, %s, true)", (name, value))


def ids(connection: psycopg.Connection, table: str, column: str) -> set[uuid.UUID]:
    query = sql.SQL("SELECT {} FROM {}").format(sql.Identifier(column), sql.Identifier(table))
    return {row[0] for row in connection.execute(query)}


def tables(connection: psycopg.Connection) -> list[Any]:
    return connection.execute(EVERY_TABLE).fetchall()


def parts(connection: psycopg.Connection) -> list[str]:
    """Return every protected table with a column `document_id`, including future ones."""
    query = "SELECT attrelid::regclass::text FROM pg_attribute WHERE attname = 'document_id' AND NOT attisdropped"
    named = {row[0] for row in connection.execute(query)}
    return [name for name, is_protected, _ in tables(connection) if is_protected and name in named - CLOSED]


def may_update(connection: psycopg.Connection, table: str) -> bool:
    """Return true if the role has the privilege to update the table."""
    row = connection.execute("SELECT has_table_privilege(%s, 'UPDATE')", (table,)).fetchone()
    return bool(row and row[0])


def subsets(values: list[uuid.UUID]) -> st.SearchStrategy[frozenset[uuid.UUID] | None]:
    unknown_ids = [uuid.UUID(int=1), uuid.UUID(int=2)]
    return st.none() | st.frozensets(st.sampled_from([*values, *unknown_ids]), max_size=len(values))


def test_every_table_is_protected_closed_or_free_of_document_data(connection: psycopg.Connection) -> None:
    for name, is_protected, is_readable in tables(connection):
        if not is_protected:
            assert name in WITHOUT_POLICIES | CLOSED, f"{name} has no row-level security"
        assert is_readable != (name in CLOSED), name
    connection.rollback()


def test_every_part_of_a_document_is_covered(connection: psycopg.Connection) -> None:
    expected = {
        "chunk_embeddings_1",
        "chunk_lexical",
        "chunks",
        "document_tags",
        "document_versions",
        "golden_queries",
        "jobs",
        "notes",
        "pages",
    }
    assert expected <= set(parts(connection))
    connection.rollback()


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_scope_sees_exactly_what_the_oracle_allows(
    connection: psycopg.Connection, library: Library, data: st.DataObject
) -> None:
    scope = Scope(
        actor="key:fuzz",
        can_write=data.draw(st.booleans()),
        collections=data.draw(subsets([*library.collections, LIBRARY])),
        tags=data.draw(subsets(library.tags)),
        documents=data.draw(subsets([document.id for document in library.documents])),
        granted=IdList.of(data.draw(subsets([document.id for document in library.documents])) or []),
        named_collections=data.draw(subsets([*library.collections, LIBRARY])) or frozenset(),
    )
    with connection.transaction(force_rollback=True):
        enter(connection, scope)
        expected = library.visible(scope)
        assert ids(connection, "documents", "id") == expected
        for table in parts(connection):
            seen = ids(connection, table, "document_id")
            untagged = {document.id for document in library.documents if not document.tag_ids}
            assert seen == (expected - untagged if table == "document_tags" else expected), table
        assert ids(connection, "tags", "id") == library.visible_tags(scope)
        assert ids(connection, "collections", "id") - {LIBRARY} == library.visible_collections(scope)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_no_statement_changes_rows_out_of_scope_or_read_only(
    connection: psycopg.Connection, library: Library, data: st.DataObject
) -> None:
    scope = Scope(
        actor="key:fuzz",
        can_write=data.draw(st.booleans()),
        collections=data.draw(subsets([*library.collections, LIBRARY])),
        tags=data.draw(subsets(library.tags)),
        granted=IdList.of(data.draw(subsets([document.id for document in library.documents])) or []),
    )
    changeable = library.visible(replace(scope, granted=NO_IDS)) if scope.can_write else set[uuid.UUID]()
    with connection.transaction(force_rollback=True):
        enter(connection, scope)
        for table in parts(connection):
            if not may_update(connection, table):
                continue
            column = sql.Identifier(table)
            update = sql.SQL("UPDATE {} SET document_id = document_id RETURNING document_id").format(column)
            assert {row[0] for row in connection.execute(update)} <= changeable, table
        rows = connection.execute("UPDATE documents SET title = 'changed' RETURNING id").fetchall()
        assert {row[0] for row in rows} == changeable
        # the cascade runs as the owner: it deletes only parts of documents that may be deleted
        rows = connection.execute("DELETE FROM documents RETURNING id").fetchall()
        assert {row[0] for row in rows} == changeable


def test_scope_of_all_collections_excludes_later_ones(connection: psycopg.Connection, library: Library) -> None:
    scope = Scope(actor="user:x", collections=frozenset({*library.collections, LIBRARY}))
    with connection.transaction(force_rollback=True):
        enter(connection, scope)
        assert ids(connection, "chunks", "document_id") == library.visible(scope)
        enter(connection, SYSTEM_SCOPE)
        new = connection.execute(
            "INSERT INTO collections (id, name, is_open) VALUES (gen_random_uuid(), 'later', false) RETURNING id"
        ).fetchone()
        moved = library.documents[0].id
        connection.execute("UPDATE documents SET collection_id = %s WHERE id = %s", (new and new[0], moved))
        enter(connection, scope)
        for table in parts(connection):
            assert moved not in ids(connection, table, "document_id"), table
        assert ids(connection, "documents", "id") == library.visible(scope) - {moved}


def test_transaction_without_a_scope_sees_nothing(connection: psycopg.Connection, library: Library) -> None:
    with connection.transaction(force_rollback=True):
        connection.execute("SET LOCAL ROLE lectern_app")
        for table in ("documents", "tags", "collections", *parts(connection)):
            assert connection.execute(sql.SQL("SELECT 1 FROM {}").format(sql.Identifier(table))).fetchall() == []


def test_roles_own_nothing_and_cannot_bypass_row_level_security(connection: psycopg.Connection) -> None:
    rows = connection.execute(
        "SELECT rolname, rolsuper, rolbypassrls, (SELECT count(*) FROM pg_class WHERE relowner = r.oid)"
        " FROM pg_roles r WHERE rolname IN ('lectern_app', 'lectern_system', current_user)"
    ).fetchall()
    connection.rollback()
    assert len(rows) == 3
    assert all(row[1:] == (False, False, 0) for row in rows)


def test_document_cannot_be_added_or_moved_out_of_scope(connection: psycopg.Connection, library: Library) -> None:
    mine, other = library.collections[:2]
    scope = Scope(actor="user:x", can_write=True, collections=frozenset({mine}))
    add = (
        b"INSERT INTO documents (id, collection_id, filename, content_type, size_bytes, sha256)"
        b" VALUES (gen_random_uuid(), %s, 'x', 'text/plain', 1, 'x')"
    )
    for statement in (add, b"UPDATE documents SET collection_id = %s"):
        with connection.transaction(force_rollback=True):
            enter(connection, scope)
            with pytest.raises(psycopg.errors.InsufficientPrivilege), connection.transaction():
                connection.execute(statement, (other,))


def test_audit_events_name_their_own_actor(connection: psycopg.Connection, library: Library) -> None:
    for actor, is_allowed in (("user:x", True), ("user:y", False), ("system", False)):
        with connection.transaction(force_rollback=True):
            enter(connection, Scope(actor="user:x", can_write=True))
            add = b"INSERT INTO audit_events (actor, action) VALUES (%s, 'test')"
            if is_allowed:
                connection.execute(add, (actor,))
            else:
                with pytest.raises(psycopg.errors.InsufficientPrivilege), connection.transaction():
                    connection.execute(add, (actor,))


def test_tags_out_of_scope_cannot_be_listed_changed_or_made_for_others(
    connection: psycopg.Connection, library: Library
) -> None:
    statements = (
        b"SELECT lectern_delete_orphaned_tags(NULL)",
        b"UPDATE tags SET name = 'x'",
        b"DELETE FROM tags",
        b"INSERT INTO tags (id, name, normalized_name, created_by) VALUES (gen_random_uuid(), 'x', 'x', 'user:y')",
    )
    for statement in statements:
        with connection.transaction(force_rollback=True):
            enter(connection, Scope(actor="user:x", can_write=True))
            with pytest.raises(psycopg.errors.InsufficientPrivilege), connection.transaction():
                connection.execute(statement)
    narrow = Scope(actor="key:x", can_write=True, documents=frozenset({library.documents[0].id}))
    with connection.transaction(force_rollback=True):
        enter(connection, narrow)
        with pytest.raises(psycopg.errors.InsufficientPrivilege), connection.transaction():
            connection.execute("INSERT INTO tags (id, name, normalized_name) VALUES (gen_random_uuid(), 'x', 'x')")


@pytest.mark.parametrize("tags", [None, frozenset[uuid.UUID]()])
def test_only_narrowed_writers_may_add_a_file_twice(
    connection: psycopg.Connection, library: Library, tags: frozenset[uuid.UUID] | None
) -> None:
    add = (
        b"INSERT INTO documents (id, collection_id, filename, content_type, size_bytes, sha256)"
        b" VALUES (gen_random_uuid(), %s, 'x', 'text/plain', 1, 'twice')"
    )
    with connection.transaction(force_rollback=True):
        enter(connection, replace(Scope(actor="user:x", tags=tags), is_unrestricted=True))
        connection.execute(add, (LIBRARY,))
        if tags is None:
            with pytest.raises(psycopg.errors.UniqueViolation), connection.transaction():
                connection.execute(add, (LIBRARY,))
        else:
            connection.execute(add, (LIBRARY,))
