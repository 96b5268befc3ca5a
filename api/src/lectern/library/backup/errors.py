"""Errors of backup and restore. Nothing was restored when one is raised."""

from lectern.errors import LecternError


class BackupTooNew(LecternError):
    """The backup was made by a newer Lectern than this one."""

    default_hint = "Restore it with that version or a newer one."


class BackupTooOld(LecternError):
    """The backup was made by an unreleased version of Lectern."""

    default_hint = (
        "Restore it with the version that made it, then run `lectern export` there and `lectern import` here."
    )


class BackupNotDeleted(LecternError):
    """A backup could not be deleted."""

    default_hint = "Allow this account to write to the folder. The backups that follow in the list were not deleted."


class InstallationNotEmpty(LecternError):
    """A backup can only be restored into an empty installation."""

    default_hint = "Use a new one: `--data-dir` with a new folder, or DATABASE_URL of a new database."


class InstallationInUse(LecternError):
    """A backup can only be restored while nothing else uses the installation."""

    default_hint = "Stop `lectern up`, the API and the workers, then restore."
