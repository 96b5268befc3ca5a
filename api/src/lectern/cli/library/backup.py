"""`lectern backup` and `lectern restore`: a whole installation in one file."""

import asyncio
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from lectern.cli.console import notes, results, show_json
from lectern.cli.installation import Installation, StartedInstallation, connected
from lectern.cli.open_installation import effective_settings
from lectern.cli.options import DataDir, Json
from lectern.cli.passphrase import Encrypt, PassphraseFile, ask_passphrase, choose_passphrase
from lectern.cli.services.migrate import update_schema
from lectern.library.backup.restoring import RestoreReport, Target, restore_backup
from lectern.library.backup.writing import BackupReport, write_backup
from lectern.settings import Settings, load_settings
from lectern.storage.store import OriginalStore, open_originals


def backup(
    file: Annotated[Path, typer.Argument(help="The file to write. It must not exist.")],
    is_encrypted: Encrypt = False,
    passphrase_file: PassphraseFile = None,
    data_dir: DataDir = None,
    is_json: Json = False,
) -> None:
    """Write a consistent backup of everything to one file. Lectern may keep running."""
    passphrase = choose_passphrase(passphrase_file, is_encrypted=is_encrypted)
    settings = load_settings()
    with connected(settings, data_dir) as installation:
        if isinstance(installation, StartedInstallation):
            update_schema(settings, installation.owner_url)
        originals = _originals(settings, installation)
        report = asyncio.run(
            write_backup(
                file,
                owner_url=installation.owner_url,
                originals=originals,
                passphrase=passphrase,
                report_progress=_show_step,
            )
        )
    if is_json:
        show_json(asdict(report))
    else:
        _show_backup(report)


def restore(
    file: Annotated[Path, typer.Argument(help="A file that `lectern backup` made.")],
    passphrase_file: PassphraseFile = None,
    data_dir: DataDir = None,
    is_json: Json = False,
) -> None:
    """Restore a backup into an empty installation. If anything is wrong, nothing changes."""
    settings = load_settings()
    with connected(settings, data_dir) as installation:
        target = Target(
            owner_url=installation.owner_url,
            service_url=installation.service_url,
            originals=_originals(settings, installation),
        )
        passphrase = ask_passphrase(passphrase_file)
        report = asyncio.run(restore_backup(file, target, passphrase=passphrase, report_progress=_show_step))
        update_schema(settings, installation.owner_url)
    if is_json:
        show_json(asdict(report))
    else:
        _show_restored(report)


def _originals(settings: Settings, installation: Installation) -> OriginalStore:
    storage = effective_settings(settings, installation).storage
    return open_originals(storage.url, default_folder=installation.folder.originals)


def _show_step(step: str) -> None:
    notes.print(f"{step} ...", markup=False)


def _show_backup(report: BackupReport) -> None:
    megabytes = report.size_bytes / 1_000_000
    results.print(
        f"{report.path}: {report.document_count:,} documents with {report.original_count:,} originals, "
        f"{report.row_count:,} rows, {megabytes:,.1f} MB, verified.",
        markup=False,
    )
    if report.unfinished_document_count:
        results.print(
            f"{report.unfinished_document_count:,} documents are still processing. They continue after a restore."
        )
    _show_missing(report.missing_originals)


def _show_restored(report: RestoreReport) -> None:
    results.print(
        f"Restored: {report.document_count:,} documents with {report.original_count:,} originals, "
        f"{report.row_count:,} rows, as of {report.created_at}.",
        markup=False,
    )
    if report.queued_document_count:
        results.print(f"{report.queued_document_count:,} documents are queued. A worker finishes them.")
    _show_missing(report.missing_originals)


def _show_missing(hashes: list[str]) -> None:
    if hashes:
        named = ", ".join(hashes[:3])
        results.print(f"{len(hashes):,} originals were already missing or damaged (for example {named}).", markup=False)
