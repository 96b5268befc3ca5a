"""What can go wrong with a backup."""

from lectern.errors import LecternError


class BackupExists(LecternError):
    """A file of this name is there already."""

    code = "backup_exists"
    default_hint = "Choose another name; a backup never replaces a file."


class BackupBroken(LecternError):
    """This file is not a whole, unaltered backup of Lectern."""

    code = "backup_broken"
    default_hint = "Nothing was changed. Take another copy of the file, or an earlier backup."


class BackupTooNew(LecternError):
    """The backup was made by a newer Lectern than this one."""

    code = "backup_too_new"
    default_hint = "Nothing was changed. Restore it with that version or a newer one."


class BackupTooOld(LecternError):
    """The backup was made by an unreleased version of Lectern."""

    code = "backup_too_old"
    default_hint = (
        "Restore it with the version that made it, then run `lectern export` there and `lectern import` here."
    )


class InstallationNotEmpty(LecternError):
    """A backup is restored into an empty installation only, and this one holds something."""

    code = "installation_not_empty"
    default_hint = "Restore into a new one: `--data-dir` with a new folder, or DATABASE_URL of a new database."


class InstallationInUse(LecternError):
    """A backup is restored while nothing else uses the installation, and something does."""

    code = "installation_in_use"
    default_hint = "Stop `lectern up`, the API and the workers, then restore."
