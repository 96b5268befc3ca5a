"""Restoring a backup into an empty installation: all of it or nothing.

The whole file is read and compared with its checksums first. The originals come next: they are addressed by their
bytes and nobody sees them yet. Then one transaction loads every row and builds every index. When that fails, the rows
are gone by themselves and the originals are removed again.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from lectern.db.engine import create_engine
from lectern.db.migrations import runner
from lectern.db.session import Database
from lectern.documents.originals import remove_unreferenced
from lectern.ingestion.recovery import recover_jobs
from lectern.library.backup import loading
from lectern.library.backup.archive import ArchiveReader, Manifest
from lectern.library.backup.errors import BackupBroken, BackupTooNew, BackupTooOld
from lectern.storage.store import OriginalStore


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Where a backup goes: the addresses of a database for its owner and for the services, and a store of originals."""

    owner_url: str
    service_url: str
    originals: OriginalStore


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreReport:
    """What was restored. `queued_document_count` documents were not finished: a worker goes on with them."""

    created_at: str
    revision: str
    row_count: int
    document_count: int
    original_count: int
    queued_document_count: int
    missing_originals: list[str]


async def restore_backup(path: Path, target: Target, *, tell: Callable[[str], None] = lambda _: None) -> RestoreReport:
    """Fill an empty installation from a backup, at the revision of this code.

    Raises:
        BackupBroken: The file is not whole, or was altered. Nothing was changed.
        BackupTooNew, BackupTooOld: Its revision is unknown to this code. Nothing was changed.
        InstallationNotEmpty, InstallationInUse: Nothing was changed.
    """
    with ArchiveReader(path) as archive:
        manifest = archive.manifest
        if manifest.revision not in runner.known_revisions():
            refusal = BackupTooOld if runner.is_too_old(manifest.revision) else BackupTooNew
            raise refusal(f"{path} is of revision {manifest.revision}, which this version does not know.")
        await loading.require_empty(target.owner_url)
        archive.verify()
        tell("the file is whole")
        try:
            await asyncio.to_thread(runner.move_to, target.owner_url, revision=manifest.revision)
            await _load(archive, target, tell)
        finally:
            await asyncio.to_thread(runner.migrate, target.owner_url)
    queued = await _queue_again(target)
    return _report(manifest, queued_document_count=queued)


async def _load(archive: ArchiveReader, target: Target, tell: Callable[[str], None]) -> None:
    new: list[str] = []
    try:
        await _store_originals(archive, target.originals, new)
        tell("the originals are in storage")
        await loading.load_rows(archive, target.owner_url)
        tell("the rows are loaded and indexed")
    except BaseException:
        await _remove(target, new)
        raise


async def _store_originals(archive: ArchiveReader, originals: OriginalStore, new: list[str]) -> None:
    """Put the originals into storage; `new` gets those that were not there."""
    damaged = set(archive.manifest.damaged_originals)
    for sha256, member in archive.manifest.originals.items():
        if sha256 in damaged:  # they were no longer what their name says when the backup was made
            continue
        stored = await originals.put(_stream(archive.original(sha256)), max_bytes=member.size_bytes)
        if stored.is_new:
            new.append(stored.sha256)
        if stored.sha256 != sha256:
            raise BackupBroken(f"The original {sha256} is not as it was made.")


async def _stream(blocks: Iterator[bytes]) -> AsyncIterator[bytes]:
    for block in blocks:
        yield block


async def _remove(target: Target, hashes: list[str]) -> None:
    database = Database(create_engine(target.service_url, pool_size=1))
    try:
        await remove_unreferenced(database, target.originals, hashes)
    finally:
        await database.dispose()


async def _queue_again(target: Target) -> int:
    """What the backup's queue held is made anew from the jobs that were not finished."""
    database = Database(create_engine(target.service_url, pool_size=1))
    try:
        return len(await recover_jobs(database, heartbeat_seconds=0))
    finally:
        await database.dispose()


def _report(manifest: Manifest, *, queued_document_count: int) -> RestoreReport:
    return RestoreReport(
        created_at=manifest.created_at,
        revision=manifest.revision,
        row_count=sum(table.row_count for table in manifest.tables.values()),
        document_count=manifest.tables["documents"].row_count,
        original_count=len(manifest.originals),
        queued_document_count=queued_document_count,
        missing_originals=[*manifest.missing_originals, *manifest.damaged_originals],
    )
