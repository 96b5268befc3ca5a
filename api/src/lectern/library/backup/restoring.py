"""Restore a backup into an empty installation, completely or not at all.

First the whole file is compared with its checksums. Then the originals are stored, which nobody sees yet.
Then one transaction loads every row and builds every index. If it fails, the originals are removed again.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from lectern.db.migrations import runner
from lectern.db.session import open_database
from lectern.documents.originals import remove_unreferenced
from lectern.ingestion.recovery import recover_jobs
from lectern.library.archive import ArchiveBroken
from lectern.library.backup import loading
from lectern.library.backup.errors import BackupTooNew, BackupTooOld
from lectern.library.backup.manifest import BackupManifest, BackupReader
from lectern.storage.store import OriginalStore


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """The target of a restore: the database addresses of its owner and of the services, and the storage."""

    owner_url: str
    service_url: str
    originals: OriginalStore


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreReport:
    """The result of a restore. A worker continues with the `queued_document_count` unfinished documents."""

    created_at: str
    revision: str
    row_count: int
    document_count: int
    original_count: int
    queued_document_count: int
    missing_originals: list[str]


async def restore_backup(
    path: Path,
    target: Target,
    *,
    passphrase: Callable[[], str] | None = None,
    report_progress: Callable[[str], None] = lambda _: None,
) -> RestoreReport:
    """Restore a backup into an empty installation, at the revision of this code.

    Raises:
        ArchiveBroken, EncryptedFileBroken: The file is damaged or altered. Nothing was changed.
        PassphraseRequired, WrongPassphrase: Nothing was changed.
        BackupTooNew, BackupTooOld: Its revision is unknown to this code. Nothing was changed.
        InstallationNotEmpty, InstallationInUse: Nothing was changed.
    """
    with BackupReader(path, passphrase=passphrase) as archive:
        manifest = archive.manifest
        if manifest.revision not in runner.known_revisions():
            refusal = BackupTooOld if runner.is_too_old(manifest.revision) else BackupTooNew
            raise refusal(f"{path} is of revision {manifest.revision}, which this version does not know.")
        await loading.require_empty(target.owner_url)
        archive.verify()
        report_progress("verified the file")
        try:
            await asyncio.to_thread(runner.move_to, target.owner_url, revision=manifest.revision)
            await _load(archive, target, report_progress)
        finally:
            await asyncio.to_thread(runner.migrate, target.owner_url)
    queued = await _queue_again(target)
    return _report(manifest, queued_document_count=queued)


async def _load(archive: BackupReader, target: Target, report_progress: Callable[[str], None]) -> None:
    new: list[str] = []
    try:
        await _store_originals(archive, target.originals, new)
        report_progress("stored the originals")
        await loading.load_rows(archive, target.owner_url)
        report_progress("loaded and indexed the rows")
    except BaseException:
        await _remove(target, new)
        raise


async def _store_originals(archive: BackupReader, originals: OriginalStore, new: list[str]) -> None:
    """Put the originals into storage. `new` collects those that storage did not have."""
    damaged = set(archive.manifest.damaged_originals)
    for sha256, member in archive.manifest.originals.items():
        if sha256 in damaged:  # their content no longer matched their name when the backup was made
            continue
        stored = await originals.put(archive.stream_original(sha256), max_bytes=member.size_bytes)
        if stored.is_new:
            new.append(stored.sha256)
        if stored.sha256 != sha256:
            raise ArchiveBroken(f"The original {sha256} does not match its checksum.")


async def _remove(target: Target, hashes: list[str]) -> None:
    async with open_database(target.service_url) as database:
        await remove_unreferenced(database, target.originals, hashes)


async def _queue_again(target: Target) -> int:
    """Queue the unfinished jobs again: the queue itself is not in a backup."""
    async with open_database(target.service_url) as database:
        return len(await recover_jobs(database, heartbeat_seconds=0))


def _report(manifest: BackupManifest, *, queued_document_count: int) -> RestoreReport:
    return RestoreReport(
        created_at=manifest.created_at,
        revision=manifest.revision,
        row_count=sum(table.row_count for table in manifest.tables.values()),
        document_count=manifest.tables["documents"].row_count,
        original_count=len(manifest.originals),
        queued_document_count=queued_document_count,
        missing_originals=[*manifest.missing_originals, *manifest.damaged_originals],
    )
