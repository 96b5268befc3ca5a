"""A transaction sees what its scope allows, and nothing without a scope."""

import uuid

import pytest
from sqlalchemy import text
from sqlalchemy.exc import ProgrammingError
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession

from lectern.db.scope import SYSTEM_SCOPE, Scope
from lectern.db.session import Database, enter_scope

LIBRARY = uuid.UUID("00000000-0000-4000-8000-000000000001")


async def add_document(database: Database, *, collection: uuid.UUID = LIBRARY) -> uuid.UUID:
    document_id = uuid.uuid4()
    async with database.session(SYSTEM_SCOPE) as session:
        await session.execute(
            text(
                "INSERT INTO documents (id, collection_id, filename, content_type, size_bytes, sha256)"
                " VALUES (:id, :collection, 'a.pdf', 'application/pdf', 1, :sha)"
            ),
            {"id": document_id, "collection": collection, "sha": document_id.hex},
        )
    return document_id


async def visible(database: Database, scope: Scope) -> set[uuid.UUID]:
    async with database.session(scope) as session:
        return set((await session.execute(text("SELECT id FROM documents"))).scalars())


async def test_a_scope_shows_its_documents_and_hides_the_others(engine: AsyncEngine) -> None:
    database = Database(engine)
    first, second = await add_document(database), await add_document(database)
    assert await visible(database, Scope(actor="key:1", documents=frozenset({first}))) == {first}
    assert await visible(database, Scope(actor="key:1", collections=frozenset())) == set()
    assert await visible(database, Scope(actor="key:1")) == {first, second}
    assert await visible(database, SYSTEM_SCOPE) == {first, second}


async def test_the_scoped_role_without_settings_sees_nothing(engine: AsyncEngine) -> None:
    database = Database(engine)
    await add_document(database)
    async with engine.connect() as connection:
        await connection.execute(text("SET ROLE lectern_app"))
        assert (await connection.execute(text("SELECT count(*) FROM documents"))).scalar_one() == 0
        await connection.execute(text("RESET ROLE"))


async def test_a_scope_ends_with_its_transaction(engine: AsyncEngine) -> None:
    async with engine.connect() as connection:
        before = (await connection.execute(text("SELECT current_user"))).scalar_one()
        await connection.rollback()
        async with connection.begin():
            await enter_scope(AsyncSession(connection), SYSTEM_SCOPE)
            assert (await connection.execute(text("SELECT current_user"))).scalar_one() == SYSTEM_SCOPE.role
        after = await connection.execute(
            text("SELECT current_user, coalesce(current_setting('lectern.collections', true), '')")
        )
        assert after.one() == (before, "")


async def test_a_scope_without_the_right_to_write_changes_nothing(engine: AsyncEngine) -> None:
    database = Database(engine)
    document_id = await add_document(database)
    async with database.session(Scope(actor="key:1")) as session:
        changed = await session.execute(text("UPDATE documents SET filename = 'b.pdf' RETURNING id"))
        assert changed.scalars().all() == []
    with pytest.raises(ProgrammingError, match="row-level security"):
        async with database.session(Scope(actor="key:1")) as session:
            await session.execute(
                text(
                    "INSERT INTO pages (document_id, page_number, kind, text, char_start, char_count, width_points,"
                    " height_points, boxes) VALUES (:id, 1, 'text', '', 0, 0, 1, 1, '')"
                ),
                {"id": document_id},
            )


@pytest.mark.parametrize("table", ["users", "sessions", "api_keys", "collection_members", "embedding_cache"])
async def test_the_scoped_role_does_not_reach_people_and_keys(engine: AsyncEngine, table: str) -> None:
    with pytest.raises(ProgrammingError, match="permission denied"):
        async with Database(engine).session(Scope(actor="key:1", can_write=True)) as session:
            await session.execute(text(f"SELECT 1 FROM {table}"))


async def test_no_role_of_the_services_owns_anything_or_bypasses_row_level_security(engine: AsyncEngine) -> None:
    async with engine.connect() as connection:
        roles = await connection.execute(
            text(
                "SELECT rolname, rolsuper OR rolbypassrls AS is_exempt,"
                " EXISTS (SELECT FROM pg_class WHERE relowner = r.oid) AS is_owner"
                " FROM pg_roles r WHERE rolname IN ('lectern_app', 'lectern_system') OR rolname = session_user"
            )
        )
        rows = roles.all()
    assert len(rows) == 3
    assert not [row for row in rows if row.is_exempt or row.is_owner]


@pytest.mark.parametrize("scope", [SYSTEM_SCOPE, Scope(actor="key:1", can_write=True)])
@pytest.mark.parametrize("statement", ["UPDATE audit_events SET actor = 'x'", "DELETE FROM audit_events"])
async def test_the_services_only_add_to_the_audit_log(engine: AsyncEngine, scope: Scope, statement: str) -> None:
    with pytest.raises(ProgrammingError, match="permission denied"):
        async with Database(engine).session(scope) as session:
            await session.execute(text(statement))
