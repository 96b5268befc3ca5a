"""`lectern backup` and `lectern restore`: a whole installation in one file."""

import asyncio
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from lectern.cli.console import notes, results, show_json
from lectern.cli.installation import Installation, StartedInstallation, connected
from lectern.cli.migrate import update_schema
from lectern.cli.options import DataDir, Json
from lectern.cli.workbench import effective_settings
from lectern.library.backup.restoring import RestoreReport, Target, restore_backup
from lectern.library.backup.writing import BackupReport, write_backup
from lectern.settings import Settings, load_settings
from lectern.storage.store import OriginalStore, open_originals


def backup(
    file: Annotated[Path, typer.Argument(help="The file to be made; it must not be there yet.")],
    data_dir: DataDir = None,
    is_json: Json = False,
) -> None:
    """Everything into one file, read again and compared before it gets its name; Lectern may go on working."""
    settings = load_settings()
    with connected(settings, data_dir) as installation:
        if isinstance(installation, StartedInstallation):
            update_schema(settings, installation.owner_url)
        originals = _originals(settings, installation)
        report = asyncio.run(write_backup(file, owner_url=installation.owner_url, originals=originals, tell=_tell))
    if is_json:
        show_json(asdict(report))
    else:
        _show_backup(report)


def restore(
    file: Annotated[Path, typer.Argument(help="A file that `lectern backup` made.")],
    data_dir: DataDir = None,
    is_json: Json = False,
) -> None:
    """Fill an empty installation from a backup: all of it, or nothing when anything is wrong."""
    settings = load_settings()
    with connected(settings, data_dir) as installation:
        target = Target(
            owner_url=installation.owner_url,
            service_url=installation.service_url,
            originals=_originals(settings, installation),
        )
        report = asyncio.run(restore_backup(file, target, tell=_tell))
        update_schema(settings, installation.owner_url)
    if is_json:
        show_json(asdict(report))
    else:
        _show_restored(report)


def _originals(settings: Settings, installation: Installation) -> OriginalStore:
    storage = effective_settings(settings, installation).storage
    return open_originals(storage.url, default_folder=installation.folder.originals)


def _tell(step: str) -> None:
    notes.print(f"{step} ...", markup=False)


def _show_backup(report: BackupReport) -> None:
    megabytes = report.size_bytes / 1_000_000
    results.print(
        f"{report.path}: {report.document_count:,} documents with {report.original_count:,} originals, "
        f"{report.row_count:,} rows, {megabytes:,.1f} MB, verified.",
        markup=False,
    )
    if report.unfinished_document_count:
        results.print(f"{report.unfinished_document_count:,} documents were not finished; they go on once restored.")
    _show_missing(report.missing_originals)


def _show_restored(report: RestoreReport) -> None:
    results.print(
        f"Restored: {report.document_count:,} documents with {report.original_count:,} originals, "
        f"{report.row_count:,} rows, as of {report.created_at}.",
        markup=False,
    )
    if report.queued_document_count:
        results.print(f"{report.queued_document_count:,} documents wait for a worker, which finishes them.")
    _show_missing(report.missing_originals)


def _show_missing(hashes: list[str]) -> None:
    if hashes:
        named = ", ".join(hashes[:3])
        results.print(f"{len(hashes):,} originals were missing or damaged before (for example {named}).", markup=False)
