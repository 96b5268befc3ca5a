"""Write a backup while everything runs: one snapshot of the database, and every original that it names.

Originals are copied before the rows. A document that is purged meanwhile is not part of the next snapshot.
The rows come from the snapshot whose originals are all in the file.
"""

import zlib
from collections.abc import Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from lectern import __version__
from lectern.db import catalogue
from lectern.db.engine import create_engine
from lectern.library.archive import ArchiveWriter, Member, original_member
from lectern.library.backup.manifest import (
    BackupManifest,
    GenerationEntry,
    SequenceEntry,
    TableEntry,
    seal,
    table_member,
)
from lectern.storage.errors import OriginalNotFound
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
_SHRINKING: Final = 0.9  # deflate only what shrinks below this share; most PDFs do not


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


@dataclass(slots=True)
class _Copied:
    """Originals that are in the file, and originals that are missing in storage."""

    members: dict[str, Member] = field(default_factory=dict[str, Member])
    missing: set[str] = field(default_factory=set[str])


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
            copied = _Copied()
            async with _snapshot_with_originals(engine, archive, originals, copied) as connection:
                report_progress(f"wrote {len(copied.members):,} originals")
                manifest = await _write_rows(connection, archive, copied)
                unfinished = (await connection.execute(_UNFINISHED)).scalar_one()
            report_progress("wrote all rows, verifying the file")
            seal(archive, manifest)
    finally:
        await engine.dispose()
    return _report(path, manifest, unfinished=unfinished)


@asynccontextmanager
async def _snapshot_with_originals(
    engine: AsyncEngine, archive: ArchiveWriter, originals: OriginalStore, copied: _Copied
) -> "AsyncGenerator[AsyncConnection]":
    """Open a snapshot whose originals are all in the file or known to be missing."""
    while True:
        async with engine.connect() as connection:
            await connection.execute(text(_SNAPSHOT))
            named = await catalogue.list_referenced_originals(connection)
            vanished = [sha256 for sha256 in sorted(named) if not await _copy(archive, originals, sha256, copied)]
            gone = await _no_longer_named(engine, vanished)
            copied.missing |= set(vanished) - gone
            if gone:  # purged after the snapshot: one that is younger does not name them
                continue
            yield connection
            return


async def _no_longer_named(engine: AsyncEngine, hashes: list[str]) -> set[str]:
    if not hashes:
        return set()
    async with engine.connect() as connection:
        return set(hashes) - (await catalogue.list_referenced_originals(connection)).keys()


async def _copy(archive: ArchiveWriter, originals: OriginalStore, sha256: str, copied: _Copied) -> bool:
    if sha256 in copied.members or sha256 in copied.missing:
        return True
    try:
        stream = await originals.open(sha256)
    except OriginalNotFound:
        return False
    first = await anext(stream, b"")
    with archive.member(original_member(sha256), is_compressed=_shrinks(first)) as member:
        member.write(first)
        async for block in stream:
            member.write(block)
    copied.members[sha256] = member.entry
    return True


def _shrinks(block: bytes) -> bool:
    sample = block[:65_536]
    return len(zlib.compress(sample, 1)) < _SHRINKING * len(sample)


async def _write_rows(connection: AsyncConnection, archive: ArchiveWriter, copied: _Copied) -> BackupManifest:
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
        originals=copied.members,
        missing_originals=sorted(copied.missing),
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
