"""`lectern upgrade`: what an upgrade to this version changes in the database, and what is in its way."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

import typer

from lectern.cli.admin.doctor import examine, examine_backups, show_findings
from lectern.cli.console import results, show_json
from lectern.cli.installation import connected, is_there
from lectern.cli.options import Backups, DataDir, Json
from lectern.settings import Settings, load_settings

_SUBJECTS: Final = frozenset({"python", "postgres", "data folder", "permissions", "disk", "ocr"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Upgrade:
    """Revisions of the database and of this version, and what the migrations between them do."""

    revision: str | None
    target: str
    changes: list[str]


def upgrade(
    is_check: Annotated[bool, typer.Option("--check", help="Change nothing.")] = False,
    backups: Backups = None,
    data_dir: DataDir = None,
    is_json: Json = False,
) -> None:
    """Say what this version changes in the database, and change it. Exit code 1 if something is in the way."""
    from lectern.cli.services.migrate import update_schema

    settings = load_settings()
    findings = list(examine(settings, data_dir, subjects=_SUBJECTS))
    if backups is not None:
        findings.append(examine_backups(backups))
    is_stopped = any(finding.verdict == "bad" for finding in findings)
    found = _compare(settings, data_dir)
    if is_json:
        show_json({"upgrade": found, "findings": findings})
    else:
        show_findings(findings)
        _show(found)
    if is_stopped:
        raise typer.Exit(1)
    if found.changes and not is_check:
        with connected(settings, data_dir) as installation:
            update_schema(settings, installation.owner_url)
        if not is_json:
            results.print(f"The database is at revision {found.target}.")


def _compare(settings: Settings, data_dir: Path | None) -> Upgrade:
    """Raise DatabaseTooNew or DatabaseTooOld if this version cannot migrate the database."""
    from lectern.cli.admin.library_check import read_revision
    from lectern.db.migrations.runner import head_revision, list_changes

    target, revision = head_revision(), None
    if is_there(settings, data_dir):
        with connected(settings, data_dir) as installation:
            revision = read_revision(installation.owner_url)
    return Upgrade(revision=revision, target=target, changes=list_changes(revision) if revision else [])


def _show(found: Upgrade) -> None:
    if found.revision is None:
        results.print("There is no database yet. `lectern up` creates it.")
    elif not found.changes:
        results.print(f"The database is at revision {found.revision}, as this version needs it.")
    else:
        results.print(f"The database goes from revision {found.revision} to {found.target}:")
        for change in found.changes:
            results.print(f"- {change}")
