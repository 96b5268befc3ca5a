"""Write a backup while everything runs: one snapshot of the database, and every original that it names.

Originals are copied before the rows. A document that is purged meanwhile is not part of the next snapshot.
The rows come from the snapshot whose originals are all in the file.
"""

from collections.abc import Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from lectern import __version__
from lectern.db import catalogue
from lectern.db.engine import create_engine
from lectern.library.archive import ArchiveWriter
from lectern.library.backup.manifest import (
    BackupManifest,
    GenerationEntry,
    SequenceEntry,
    TableEntry,
    seal,
    table_member,
)
from lectern.storage.store import OriginalStore

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    import psycopg

_SNAPSHOT: Final = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"
_REVISION: Final = text("SELECT version_num FROM alembic_version")
_GENERATIONS: Final = text("SELECT id, fingerprint, dimensions, state FROM embedding_generations ORDER BY id")
_SEQUENCES: Final = text("""
SELECT sequencename, coalesce(last_value, start_value) AS last_value, last_value IS NOT NULL AS is_called
FROM pg_sequences WHERE schemaname = 'public' ORDER BY 1
""")
_UNFINISHED: Final = text("SELECT count(*) FROM documents WHERE status IN ('queued', 'processing')")


@dataclass(frozen=True, slots=True, kw_only=True)
class BackupReport:
    """The content of a backup. `missing_originals` were already missing or damaged."""

    path: str
    size_bytes: int
    revision: str
    row_count: int
    document_count: int
    unfinished_document_count: int
    original_count: int
    original_bytes: int
    missing_originals: list[str]


async def write_backup(
    path: Path,
    *,
    owner_url: str,
    originals: OriginalStore,
    passphrase: str | None = None,
    report_progress: Callable[[str], None] = lambda _: None,
) -> BackupReport:
    """Write everything to one file and verify it before it gets its name. A passphrase encrypts the file.

    Raises:
        ArchiveExists: A file of this name exists.
        ArchiveBroken: The disk returned something else than was written.
    """
    engine = create_engine(owner_url, pool_size=1, statement_timeout_seconds=0)
    try:
        with ArchiveWriter(path, passphrase=passphrase) as archive:
            missing: set[str] = set()
            async with _snapshot_with_originals(engine, archive, originals, missing) as connection:
                report_progress(f"wrote {len(archive.originals):,} originals")
                manifest = await _write_rows(connection, archive, missing)
                unfinished = (await connection.execute(_UNFINISHED)).scalar_one()
            report_progress("wrote all rows, verifying the file")
            seal(archive, manifest)
    finally:
        await engine.dispose()
    return _report(path, manifest, unfinished=unfinished)


@asynccontextmanager
async def _snapshot_with_originals(
    engine: AsyncEngine, archive: ArchiveWriter, originals: OriginalStore, missing: set[str]
) -> "AsyncGenerator[AsyncConnection]":
    """Open a snapshot whose originals are all in the file or known to be missing."""
    while True:
        async with engine.connect() as connection:
            await connection.execute(text(_SNAPSHOT))
            named = await catalogue.list_referenced_originals(connection)
            wanted = sorted(named.keys() - missing)
            vanished = [sha256 for sha256 in wanted if not await archive.write_original(originals, sha256)]
            gone = await _no_longer_named(engine, vanished)
            missing |= set(vanished) - gone
            if gone:  # purged after the snapshot: one that is younger does not name them
                continue
            yield connection
            return


async def _no_longer_named(engine: AsyncEngine, hashes: list[str]) -> set[str]:
    if not hashes:
        return set()
    async with engine.connect() as connection:
        return set(hashes) - (await catalogue.list_referenced_originals(connection)).keys()


async def _write_rows(connection: AsyncConnection, archive: ArchiveWriter, missing: set[str]) -> BackupManifest:
    tables = await catalogue.list_tables(connection)
    await connection.execute(text(f"LOCK TABLE {', '.join(tables)} IN ACCESS SHARE MODE"))  # no migration in between
    entries = {table: await _write_table(connection, archive, table) for table in tables}
    sequences = {
        row.sequencename: SequenceEntry(last_value=row.last_value, is_called=row.is_called)
        for row in await connection.execute(_SEQUENCES)
    }
    generations = [GenerationEntry(**row) for row in (await connection.execute(_GENERATIONS)).mappings()]
    return BackupManifest(
        lectern_version=__version__,
        revision=(await connection.execute(_REVISION)).scalar_one(),
        created_at=datetime.now(UTC).isoformat(),
        tables=entries,
        sequences=sequences,
        generations=generations,
        originals=archive.originals,
        missing_originals=sorted(missing),
    )


async def _write_table(connection: AsyncConnection, archive: ArchiveWriter, table: str) -> TableEntry:
    columns = await catalogue.list_columns(connection, table)
    driver = await driver_of(connection)
    statement = f"COPY {table} ({', '.join(columns)}) TO STDOUT"
    with archive.member(table_member(table), is_compressed=True) as member:
        async with driver.cursor() as cursor:
            async with cursor.copy(statement.encode()) as copy:
                async for block in copy:
                    member.write(block)
            row_count = cursor.rowcount
    return TableEntry(**member.entry.model_dump(), columns=columns, row_count=row_count)


async def driver_of(connection: AsyncConnection) -> "psycopg.AsyncConnection":
    """Return the driver's connection below one of SQLAlchemy's, in the same transaction, for COPY."""
    raw = await connection.get_raw_connection()
    return cast("psycopg.AsyncConnection", raw.driver_connection)


def _report(path: Path, manifest: BackupManifest, *, unfinished: int) -> BackupReport:
    return BackupReport(
        path=str(path),
        size_bytes=path.stat().st_size,
        revision=manifest.revision,
        row_count=sum(table.row_count for table in manifest.tables.values()),
        document_count=manifest.tables["documents"].row_count,
        unfinished_document_count=unfinished,
        original_count=len(manifest.originals),
        original_bytes=sum(member.size_bytes for member in manifest.originals.values()),
        missing_originals=[*manifest.missing_originals, *manifest.damaged_originals],
    )
