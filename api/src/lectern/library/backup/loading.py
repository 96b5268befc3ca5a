"""Load the rows of a backup. Keys, indexes and triggers are dropped and restored in the same transaction."""

import re
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import psycopg
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from lectern.db import catalogue
from lectern.db.engine import create_engine
from lectern.embeddings.generations import Generation, create_table
from lectern.library.archive import ArchiveBroken
from lectern.library.backup.errors import InstallationInUse, InstallationNotEmpty
from lectern.library.backup.manifest import BackupReader, TableEntry
from lectern.library.backup.writing import driver_of

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Mapping, Sequence

_OF_A_GENERATION: Final = re.compile(r"chunk_embeddings_\d+")
_HAS_TABLES: Final = text("SELECT to_regclass('public.documents') IS NOT NULL")
# The first start creates a collection, an administrator and service keys. The backup replaces them.
_CONTENT: Final = text("""
SELECT (SELECT count(*) FROM documents) AS documents, (SELECT count(*) FROM tags) AS tags,
       (SELECT count(*) FROM collections WHERE NOT is_default) AS collections,
       (SELECT greatest(count(*) - 1, 0) FROM users) AS "further users"
""")
_OTHERS: Final = text("""
SELECT count(*) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name LIKE 'lectern%'
""")
_CONSTRAINTS: Final = text("""
SELECT conrelid::regclass::text AS table, quote_ident(conname) AS name, pg_get_constraintdef(oid) AS definition
FROM pg_constraint WHERE contype = 'f' AND conrelid::regclass::text = ANY (:tables) ORDER BY 1, 2
""")
_INDEXES: Final = text("""
SELECT i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS definition
FROM pg_index i WHERE i.indrelid::regclass::text = ANY (:tables)
  AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = i.indexrelid AND c.contype IN ('p', 'u', 'x'))
ORDER BY 1
""")
_SET_SEQUENCE: Final = text("SELECT setval(to_regclass(:name), :value, :is_called)")
# The queue is not in a backup: running jobs wait for a worker again.
_UNCLAIM: Final = (
    """UPDATE jobs SET state = 'queued', queue_id = NULL, heartbeat_at = NULL, attempts = 0, crashes = 0
    WHERE state IN ('queued', 'running')""",
    "UPDATE documents SET status = 'queued' WHERE status = 'processing'",
)


@dataclass(frozen=True, slots=True)
class _Statements:
    """Statements that drop keys and indexes, and statements that restore them."""

    before: list[str]
    after: list[str]


async def require_empty(owner_url: str) -> None:
    """Refuse an installation that is not empty or in use. Raises InstallationNotEmpty, InstallationInUse."""
    async with _owner(owner_url) as connection:
        if (await connection.execute(_HAS_TABLES)).scalar_one():
            await _require_empty(connection)
        if (await connection.execute(_OTHERS)).scalar_one():
            raise InstallationInUse


async def _require_empty(connection: AsyncConnection) -> None:
    content = (await connection.execute(_CONTENT)).mappings().one()
    held = ", ".join(
        f"{count} {name if count > 1 else name.removesuffix('s')}" for name, count in content.items() if count
    )
    if held:
        raise InstallationNotEmpty(f"This installation is not empty: it has {held}.")


async def load_rows(archive: BackupReader, owner_url: str) -> None:
    """Load every table of a backup whose revision the database has, in one transaction.

    Raises:
        ArchiveBroken: Its tables are not those of its revision, or its rows do not fit together.
        InstallationNotEmpty: Data was added meanwhile.
    """
    entries = archive.manifest.tables
    async with _owner(owner_url) as connection:
        try:
            tables = await _prepare(connection, archive)
            statements = await _drop_and_restore(connection, tables)
            # CASCADE reaches only unlogged tables, which are not part of a backup
            await _run(connection, [*statements.before, f"TRUNCATE {', '.join(tables)} CASCADE"])
            for table in tables:
                await _copy_in(connection, archive, table, entry=entries[table])
            await _run(connection, [*statements.after, *_UNCLAIM])
            for name, sequence in archive.manifest.sequences.items():
                values = {"name": name, "value": sequence.last_value, "is_called": sequence.is_called}
                await connection.execute(_SET_SEQUENCE, values)
        except (psycopg.DataError, psycopg.IntegrityError) as error:
            reason = str(error).split("\n", maxsplit=1)[0]
            raise ArchiveBroken(f"The rows of this backup do not fit together: {reason}.") from error
        await connection.commit()


@asynccontextmanager
async def _owner(owner_url: str) -> "AsyncGenerator[AsyncConnection]":
    engine = create_engine(owner_url, pool_size=1, statement_timeout_seconds=0)
    try:
        async with engine.connect() as connection:
            yield connection
    finally:
        await engine.dispose()


async def _prepare(connection: AsyncConnection, archive: BackupReader) -> list[str]:
    """Lock the tables, check again that they are empty, and create the tables of embeddings."""
    there = await catalogue.list_tables(connection)
    await connection.execute(text(f"LOCK TABLE {', '.join(there)} IN ACCESS EXCLUSIVE MODE"))
    await _require_empty(connection)
    await _run(connection, [f"DROP TABLE {table}" for table in there if _OF_A_GENERATION.fullmatch(table)])
    for entry in archive.manifest.generations:  # the state of each is in its row
        generation = Generation(entry.id, entry.fingerprint, entry.dimensions, "filling")
        await connection.run_sync(create_table, generation)
    tables = await catalogue.list_tables(connection)
    await _require_same_tables(connection, tables, archive.manifest.tables)
    return tables


async def _require_same_tables(
    connection: AsyncConnection, tables: "Sequence[str]", entries: "Mapping[str, TableEntry]"
) -> None:
    different = sorted(set(tables) ^ entries.keys())
    for table in set(tables) & entries.keys():
        if set(await catalogue.list_columns(connection, table)) != set(entries[table].columns):
            different.append(table)
    if different:
        raise ArchiveBroken(f"The tables of this backup are not those of its revision: {', '.join(different)}.")


async def _drop_and_restore(connection: AsyncConnection, tables: "Sequence[str]") -> _Statements:
    """Rows come in any order, so that keys are checked together at the end. This is also faster."""
    values = {"tables": list(tables)}
    constraints = (await connection.execute(_CONSTRAINTS, values)).all()
    indexes = (await connection.execute(_INDEXES, values)).all()
    before = [f"ALTER TABLE {row.table} DROP CONSTRAINT {row.name}" for row in constraints]
    before += [f"DROP INDEX {row.name}" for row in indexes]
    before += [f"ALTER TABLE {table} DISABLE TRIGGER USER" for table in tables]
    after = [f"ALTER TABLE {table} ENABLE TRIGGER USER" for table in tables]
    after += [row.definition for row in indexes]
    after += [f"ALTER TABLE {row.table} ADD CONSTRAINT {row.name} {row.definition}" for row in constraints]
    return _Statements(before, after)


async def _run(connection: AsyncConnection, statements: "Sequence[str]") -> None:
    driver = await driver_of(connection)
    for statement in statements:
        await driver.execute(statement.encode())


async def _copy_in(connection: AsyncConnection, archive: BackupReader, table: str, *, entry: TableEntry) -> None:
    driver = await driver_of(connection)
    statement = f"COPY {table} ({', '.join(entry.columns)}) FROM STDIN"
    async with driver.cursor() as cursor:
        async with cursor.copy(statement.encode()) as copy:
            for block in archive.table(table):
                await copy.write(block)
        if cursor.rowcount != entry.row_count:
            raise ArchiveBroken(f"{table} has {cursor.rowcount} rows instead of {entry.row_count}.")
