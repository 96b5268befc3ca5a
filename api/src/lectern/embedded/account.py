"""The account that runs Postgres: our own, or for root another one, because Postgres refuses to run as root."""

import os
import pwd
import stat
from dataclasses import dataclass
from pathlib import Path

from lectern.embedded.errors import DataFolderUnusable

NOBODY = 65534


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """A user and group id to take on; -1 keeps our own."""

    uid: int = -1
    gid: int = -1

    @property
    def is_ours(self) -> bool:
        return self.uid < 0

    def own(self, path: Path, *, mode: int) -> None:
        """Give `path` to the account with these permissions."""
        if not self.is_ours:
            os.chown(path, self.uid, self.gid)
        path.chmod(mode)

    def can_reach(self, path: Path) -> bool:
        """Whether the account may enter `path` and every folder above it (permission bits; links followed)."""
        resolved = path.resolve()
        return self.is_ours or all(self._may_enter(folder) for folder in (resolved, *resolved.parents))

    def _may_enter(self, folder: Path) -> bool:
        facts = folder.stat()
        if facts.st_uid == self.uid:
            return bool(facts.st_mode & stat.S_IXUSR)
        if facts.st_gid == self.gid:
            return bool(facts.st_mode & stat.S_IXGRP)
        return bool(facts.st_mode & stat.S_IXOTH)


def account_for(database_folder: Path) -> Account:
    """The account for a database folder: for root the folder's owner, or `nobody` for a new one.

    Raises:
        DataFolderUnusable: The folder belongs to somebody whom we may not act as, or `nobody` is unknown here.
    """
    owner = database_folder.stat().st_uid if database_folder.is_dir() else None
    if os.getuid() != 0:
        if owner is not None and owner != os.getuid():
            raise DataFolderUnusable(
                f"{database_folder} belongs to {_name(owner)}, not to {_name(os.getuid())}.",
                hint="Start Lectern as the account that made the folder, or choose another with --data-dir.",
            )
        return Account()
    uid = owner or NOBODY
    try:
        entry = pwd.getpwuid(uid)
    except KeyError as error:  # initdb refuses an account without a name
        raise DataFolderUnusable(
            f"Postgres does not run as root and this system has no account with the number {uid}.",
            hint="Start Lectern as an ordinary user.",
        ) from error
    return Account(uid=entry.pw_uid, gid=entry.pw_gid)


def _name(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return f"account {uid}"
