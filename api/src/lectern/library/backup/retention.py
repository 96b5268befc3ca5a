"""Dated names for backups in a folder, and the deletion of those that no rule keeps.

Only files that `dated_name` could have named and that start as a backup does are ever deleted.
"""

import re
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from lectern.errors import InvalidRequest
from lectern.library.archive import ArchiveBroken
from lectern.library.backup.errors import BackupNotDeleted
from lectern.library.backup.manifest import BackupReader
from lectern.library.encryption import MAGIC, has_header

_TIME: Final = "%Y-%m-%dT%H%M%SZ"
_NAME: Final = re.compile(r"lectern-(\d{4}-\d\d-\d\dT\d{6}Z)\.backup(?:\.age)?", re.ASCII)
_PART: Final = re.compile(r"\.lectern-[\w-]+\.backup(?:\.age)?\.[0-9a-f]{8}\.part", re.ASCII)
_HEAD_BYTES: Final = 1_024


@dataclass(frozen=True, slots=True, kw_only=True)
class KeepRules:
    """The numbers of days, weeks and months that retain their newest backup. Periods without a backup do not count."""

    daily: int = 0
    weekly: int = 0
    monthly: int = 0

    def __bool__(self) -> bool:
        return bool(self.daily or self.weekly or self.monthly)


@dataclass(frozen=True, slots=True, kw_only=True)
class BackupFile:
    """A backup with a dated name."""

    path: Path
    created_at: datetime
    size_bytes: int


@dataclass(frozen=True, slots=True)
class FolderContent:
    """The backups of a folder, newest first, and files that look like one but are none, with the reason."""

    backups: list[BackupFile] = field(default_factory=list[BackupFile])
    ignored: dict[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True, kw_only=True)
class PruneReport:
    """File names, newest first. In a dry run nothing of `pruned` was deleted."""

    is_dry_run: bool
    retained: list[str]
    pruned: list[str]
    pruned_bytes: int
    ignored: dict[str, str]


def dated_name(*, is_encrypted: bool) -> str:
    """Return the name of a backup that is made now, in UTC."""
    return f"lectern-{datetime.now(UTC).strftime(_TIME)}.backup{'.age' if is_encrypted else ''}"


def list_backups(folder: Path) -> FolderContent:
    """Return the backups of a folder.

    Raises:
        InvalidRequest: The folder does not exist or cannot be read.
    """
    try:
        paths = sorted(folder.iterdir())
    except OSError as error:
        raise InvalidRequest(
            f"The folder {folder} cannot be read: {error.strerror}.", hint="Correct the name, or mount its disk."
        ) from error
    content = FolderContent()
    for path in paths:
        if _PART.fullmatch(path.name):
            content.ignored[path.name] = "not finished; delete it if no backup is running"
        elif (created_at := _time_of(path)) is not None:
            _add(path, created_at, content)
    content.backups.sort(key=lambda backup: backup.created_at, reverse=True)
    return content


def prune(folder: Path, rules: KeepRules, *, is_dry_run: bool, written: Path | None = None) -> PruneReport:
    """Delete the backups that no rule keeps. `written` stays whatever the clock says.

    Raises:
        InvalidRequest: There is no rule, or the folder cannot be read.
        BackupNotDeleted: The folder does not allow it.
    """
    if not rules:
        raise InvalidRequest(
            "No rule says which backups to keep.", hint="For example: --keep-daily 7 --keep-weekly 4 --keep-monthly 6."
        )
    content = list_backups(folder)
    retained = {backup.path for backup in _keep(content.backups, rules)} | {written}
    pruned = [backup for backup in content.backups if backup.path not in retained]
    for backup in pruned if not is_dry_run else ():
        try:
            backup.path.unlink(missing_ok=True)
        except OSError as error:
            raise BackupNotDeleted(f"{backup.path} cannot be deleted: {error.strerror}.") from error
    return PruneReport(
        is_dry_run=is_dry_run,
        retained=[backup.path.name for backup in content.backups if backup.path in retained],
        pruned=[backup.path.name for backup in pruned],
        pruned_bytes=sum(backup.size_bytes for backup in pruned),
        ignored=content.ignored,
    )


def _keep(backups: list[BackupFile], rules: KeepRules) -> list[BackupFile]:
    periods: tuple[tuple[int, Callable[[datetime], Hashable]], ...] = (
        (rules.daily, datetime.date),
        (rules.weekly, lambda time: time.isocalendar()[:2]),
        (rules.monthly, lambda time: (time.year, time.month)),
    )
    retained: list[BackupFile] = []
    for count, period in periods:
        newest: dict[Hashable, BackupFile] = {}
        for backup in backups:  # newest first
            newest.setdefault(period(backup.created_at), backup)
        retained += list(newest.values())[:count]
    return retained


def _time_of(path: Path) -> datetime | None:
    match = _NAME.fullmatch(path.name)
    try:
        return datetime.strptime(match[1], _TIME).replace(tzinfo=UTC) if match else None
    except ValueError:  # the 31st of February: not a name of ours
        return None


def _add(path: Path, created_at: datetime, content: FolderContent) -> None:
    if path.is_symlink() or not path.is_file():
        content.ignored[path.name] = "not a regular file"
    elif (defect := _find_defect(path)) is not None:
        content.ignored[path.name] = defect
    else:
        content.backups.append(BackupFile(path=path, created_at=created_at, size_bytes=path.stat().st_size))


def _find_defect(path: Path) -> str | None:
    """Return why this is no backup. Of an encrypted file only the header can be checked."""
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD_BYTES)
        if head.startswith(MAGIC):
            return None if has_header(head) else "damaged, or encrypted by another program"
        with BackupReader(path):
            return None
    except ArchiveBroken:
        return "damaged, or not a backup"
    except OSError as error:
        return f"cannot be read: {error.strerror}"
