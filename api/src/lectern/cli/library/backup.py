"""`lectern backup` and `lectern restore`: a whole installation in one file. Old backups are pruned."""

import asyncio
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Annotated

import typer

from lectern.accounts.audit.service import record
from lectern.cli.console import counted, format_size, notes, results, show, show_json, show_step
from lectern.cli.edge import INTERRUPTED, exit_code
from lectern.cli.installation import Installation, StartedInstallation, connected, forget_first_password
from lectern.cli.open_installation import OPERATOR, effective_settings
from lectern.cli.options import DataDir, DefaultCommandGroup, Json, parse_path
from lectern.cli.passphrase import Encrypt, PassphraseFile, ask_passphrase, choose_passphrase
from lectern.cli.services.migrate import update_schema
from lectern.composition import open_storage
from lectern.db.engine import DATABASE_ERRORS
from lectern.db.scope import SYSTEM_SCOPE
from lectern.db.session import open_database
from lectern.embedded import secrets as secret_file
from lectern.errors import InvalidRequest, LecternError
from lectern.library.backup.restoring import RestoreReport, Target, restore_backup
from lectern.library.backup.retention import KeepRules, PruneReport, dated_name
from lectern.library.backup.retention import prune as prune_folder
from lectern.library.backup.writing import BackupReport, write_backup
from lectern.settings import Settings, load_settings
from lectern.storage.store import OriginalStore


class _WriteByDefault(DefaultCommandGroup):
    default = "write"


app = typer.Typer(
    help="Write a backup, and prune old ones. `lectern backup TARGET` is short for `lectern backup write TARGET`.",
    no_args_is_help=True,
    cls=_WriteByDefault,
)

KeepDaily = Annotated[int, typer.Option(min=0, help="Days that keep their newest backup.")]
KeepWeekly = Annotated[int, typer.Option(min=0, help="Weeks that keep their newest backup.")]
KeepMonthly = Annotated[int, typer.Option(min=0, help="Months that keep their newest backup.")]
_NAP_SECONDS = 60.0  # so that a changed clock is noticed


@app.command("write")
def write(
    target: Annotated[str, typer.Argument(help="A new file, or a folder: the file is then named after the time.")],
    keep_daily: KeepDaily = 0,
    keep_weekly: KeepWeekly = 0,
    keep_monthly: KeepMonthly = 0,
    schedule: Annotated[
        str | None, typer.Option(metavar="HH:MM", help="Keep running, and write a backup every day at this time.")
    ] = None,
    is_encrypted: Encrypt = False,
    passphrase_file: PassphraseFile = None,
    data_dir: DataDir = None,
    is_json: Json = False,
) -> None:
    """Write a consistent backup of everything to one file, then prune if a rule says what to keep.

    `lectern backup TARGET` does the same. Lectern may keep running.
    """
    rules = KeepRules(daily=keep_daily, weekly=keep_weekly, monthly=keep_monthly)
    at = parse_time(schedule) if schedule else None

    def name() -> Path:
        is_sealed = is_encrypted or passphrase_file is not None
        return _file_to_write(target, is_encrypted=is_sealed, is_dated=bool(rules) or at is not None)

    file, settings = name(), load_settings()
    passphrase = choose_passphrase(passphrase_file, is_encrypted=is_encrypted)
    if at is None:
        _write_and_prune(file, rules, settings, data_dir, passphrase, is_json=is_json)
    else:
        run_daily(at, lambda: _write_and_prune(name(), rules, settings, data_dir, passphrase, is_json=is_json))


def _write_and_prune(
    file: Path, rules: KeepRules, settings: Settings, data_dir: Path | None, passphrase: str | None, *, is_json: bool
) -> None:
    with connected(settings, data_dir) as installation:
        if isinstance(installation, StartedInstallation):
            update_schema(settings, installation.owner_url)
        originals = _originals(settings, installation)
        report = asyncio.run(_write_and_record(file, installation, originals, passphrase))
    if not is_json:
        _show_backup(report)
    pruned = prune_folder(file.parent, rules, is_dry_run=False, written=file) if rules else None
    if is_json:
        show_json(asdict(report) | ({"prune": asdict(pruned)} if pruned else {}))
    elif pruned:
        _show_pruned(pruned)


@app.command("prune")
def prune(
    folder: Annotated[
        Path,
        typer.Argument(help="A folder that `lectern backup FOLDER` wrote to.", parser=parse_path, metavar="folder"),
    ],
    keep_daily: KeepDaily = 0,
    keep_weekly: KeepWeekly = 0,
    keep_monthly: KeepMonthly = 0,
    is_dry_run: Annotated[bool, typer.Option("--dry-run", help="Only list what would be deleted.")] = False,
    is_json: Json = False,
) -> None:
    """Delete dated backups that no rule keeps. Other files are never deleted."""
    rules = KeepRules(daily=keep_daily, weekly=keep_weekly, monthly=keep_monthly)
    report = prune_folder(folder, rules, is_dry_run=is_dry_run)
    show(report, lambda: _show_pruned(report), is_json=is_json)


def restore(
    file: Annotated[Path, typer.Argument(help="A file that `lectern backup` made.", exists=True, dir_okay=False)],
    passphrase_file: PassphraseFile = None,
    data_dir: DataDir = None,
    is_json: Json = False,
) -> None:
    """Restore a backup into an empty installation. If anything is wrong, nothing changes."""
    settings = load_settings()
    with connected(settings, data_dir, may_create=True) as installation:
        target = Target(
            owner_url=installation.owner_url,
            service_url=installation.service_url,
            originals=_originals(settings, installation),
        )
        passphrase = ask_passphrase(passphrase_file)
        report = asyncio.run(restore_backup(file, target, passphrase=passphrase, report_progress=show_step))
        update_schema(settings, installation.owner_url)
        forget_first_password(installation.folder)  # it opens no restored account
        if isinstance(installation, StartedInstallation):
            secret_file.save(installation.folder.secrets, replace(installation.secrets, admin_password=None))
    show(report, lambda: _show_restored(report), is_json=is_json)


async def _write_and_record(
    file: Path, installation: Installation, originals: OriginalStore, passphrase: str | None
) -> BackupReport:
    """Write a backup, and record how it ended in the audit log. Metrics and alerts read it there."""
    try:
        report = await write_backup(
            file,
            owner_url=installation.owner_url,
            originals=originals,
            passphrase=passphrase,
            report_progress=show_step,
        )
    except (LecternError, OSError, *DATABASE_ERRORS) as error:
        code = error.code if isinstance(error, LecternError) else type(error).__name__
        with suppress(*DATABASE_ERRORS):  # the first error says more
            await _record(installation, action="backup.fail", details={"code": code})
        raise
    size = {"documents": report.document_count, "bytes": report.size_bytes}
    await _record(installation, action="backup.write", details=size)
    return report


async def _record(installation: Installation, *, action: str, details: Mapping[str, object]) -> None:
    async with open_database(installation.service_url) as database, database.session(SYSTEM_SCOPE) as session:
        await record(session, OPERATOR.actor, action=action, target="backup:installation", details=details)


def _originals(settings: Settings, installation: Installation) -> OriginalStore:
    return open_storage(effective_settings(settings, installation))


def _file_to_write(target: str, *, is_encrypted: bool, is_dated: bool) -> Path:
    """Return the file to write. In a folder, it gets a dated name. Raises InvalidRequest."""
    path = parse_path(target)
    if path.is_dir():
        return path / dated_name(is_encrypted=is_encrypted)
    if target.endswith("/"):
        raise InvalidRequest(f"There is no folder {target}.", hint="Create it, or mount its disk.")
    if is_dated:
        raise InvalidRequest(
            f"{target} is not a folder.", hint="Backups are scheduled and pruned in a folder. Lectern names the files."
        )
    return path


def _contents(report: BackupReport | RestoreReport) -> str:
    documents, originals = counted(report.document_count, "document"), counted(report.original_count, "original")
    return f"{documents} with {originals}, {counted(report.row_count, 'row')}"


def _show_backup(report: BackupReport) -> None:
    results.print(
        f"{report.path}: {_contents(report)}, {format_size(report.size_bytes)}, verified.",
        markup=False,
    )
    if report.unfinished_document_count:
        results.print(
            f"Still processing: {counted(report.unfinished_document_count, 'document')}. "
            "Processing continues after a restore."
        )
    _show_missing(report.missing_originals)


def _show_pruned(report: PruneReport) -> None:
    verb, done = ("Would delete", "to delete") if report.is_dry_run else ("Deleted", "deleted")
    for name in report.pruned:
        results.print(f"{verb} {name}", markup=False)
    for name, reason in report.ignored.items():
        notes.print(f"Ignored {name}: {reason}.", markup=False)
    size = format_size(report.pruned_bytes)
    results.print(f"Backups kept: {len(report.retained):,}, {done}: {len(report.pruned):,} ({size}).")


def _show_restored(report: RestoreReport) -> None:
    results.print(
        f"Restored: {_contents(report)}, as of {report.created_at}.",
        markup=False,
    )
    if report.queued_document_count:
        results.print(f"Queued: {counted(report.queued_document_count, 'document')}. A worker processes the queue.")
    _show_missing(report.missing_originals)


def _show_missing(hashes: list[str]) -> None:
    if hashes:
        named = ", ".join(hashes[:3])
        results.print(f"{len(hashes):,} originals were already missing or damaged (for example {named}).", markup=False)


def parse_time(text: str) -> datetime:
    """Read a time such as `02:15`. Raises InvalidRequest."""
    try:
        return datetime.strptime(text, "%H:%M")  # noqa: DTZ007 - of the machine, as in a crontab
    except ValueError:
        raise InvalidRequest(f"{text} is no time of day.", hint="Write hours and minutes, such as 02:15.") from None


def next_time(at: datetime, *, now: datetime) -> datetime:
    """Return when the clock of the machine shows the time of day of `at` next, after `now`."""
    today = now.replace(hour=at.hour, minute=at.minute, second=0, microsecond=0)
    return today if today > now else today + timedelta(days=1)


def run_daily(at: datetime, task: Callable[[], None]) -> None:
    """Run a task every day until somebody stops it. A failure is printed, and the next day tries again."""
    while True:
        due = next_time(at, now=datetime.now())  # noqa: DTZ005 - see above
        notes.print(f"The next backup starts at {due:%Y-%m-%d %H:%M}.", markup=False)
        while (left := due.timestamp() - time.time()) > 0:
            time.sleep(min(left, _NAP_SECONDS))
        if exit_code(task) == INTERRUPTED:
            raise KeyboardInterrupt
