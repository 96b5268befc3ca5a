"""The data folder of an installation: its layout, its lock, and the account that Postgres runs as."""

import fcntl
import hashlib
import os
import pwd
import shutil
import stat
import tempfile
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from lectern.embedded.errors import DataFolderInUse, DataFolderUnusable, DiskFull
from lectern.embedded.host import find_process

MAX_SOCKET_PATH: Final = 100  # sun_path has 108 bytes on Linux and 104 on macOS
SOCKET_NAME_LENGTH: Final = len("/.s.PGSQL.65535.lock")
MIN_FREE_BYTES: Final = 256 * 1024 * 1024
SYSTEM_DATA: Final = Path("/var/lib/lectern")
NOBODY: Final = 65534
MARKS: Final = frozenset({"lock", "secrets.json"})  # the files that tell a data folder from others


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """The user and group id that Postgres runs as; -1 is the current one. Postgres refuses to run as root."""

    uid: int = -1
    gid: int = -1

    @property
    def is_current(self) -> bool:
        return self.uid < 0

    def own(self, path: Path, *, mode: int) -> None:
        """Give `path` to the account with these permissions."""
        if not self.is_current:
            os.chown(path, self.uid, self.gid)
        path.chmod(mode)

    def can_reach(self, path: Path) -> bool:
        """Return True if the account may enter `path` and every folder above it. Links are followed."""
        resolved = path.resolve()
        return self.is_current or all(self._can_enter(folder) for folder in (resolved, *resolved.parents))

    def _can_enter(self, folder: Path) -> bool:
        facts = folder.stat()
        if facts.st_uid == self.uid:
            return bool(facts.st_mode & stat.S_IXUSR)
        if facts.st_gid == self.gid:
            return bool(facts.st_mode & stat.S_IXGRP)
        return bool(facts.st_mode & stat.S_IXOTH)


def account_for(database_folder: Path) -> Account:
    """Choose the account for a database folder. For root it is the folder's owner, or `nobody` for a new folder.

    Raises:
        DataFolderUnusable: The folder belongs to another account, or this system has no `nobody`.
    """
    owner = database_folder.stat().st_uid if database_folder.is_dir() else None
    if os.getuid() != 0:
        if owner is not None and owner != os.getuid():
            raise DataFolderUnusable(
                f"{database_folder} belongs to {_account_name(owner)}, not to {_account_name(os.getuid())}.",
                hint="Start Lectern as the account that made the folder, or choose another with --data-dir.",
            )
        return Account()
    uid = owner or NOBODY
    try:
        entry = pwd.getpwuid(uid)
    except KeyError as error:  # initdb refuses an account without a name
        raise DataFolderUnusable(
            f"Postgres does not run as root, and this system has no account with the id {uid}.",
            hint="Start Lectern as an ordinary user.",
        ) from error
    return Account(uid=entry.pw_uid, gid=entry.pw_gid)


class DataFolder(AbstractContextManager["DataFolder"]):
    """All data of an installation. Entering it takes a lock that lasts until the process leaves or dies.

    Every account may enter the folder, because Postgres may run under another one. Its contents are private.
    """

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()
        self._lock: int | None = None

    @property
    def database(self) -> Path:
        return self.path / "postgres"

    @property
    def postgres_log(self) -> Path:
        return self.path / "postgres.log"

    @property
    def binaries(self) -> Path:
        return self.path / "binaries"

    @property
    def secrets(self) -> Path:
        return self.path / "secrets.json"

    @property
    def first_password(self) -> Path:
        """The file of the first administrator's password, until it is displayed."""
        return self.path / "first-password.txt"

    @property
    def originals(self) -> Path:
        return self.path / "originals"

    @property
    def models(self) -> Path:
        return self.path / "models"

    @property
    def sockets(self) -> Path:
        """The folder of Postgres's socket. It is in the temporary folder if this path is too long for a socket."""
        inside = self.path / "run"
        if len(os.fsencode(inside)) + SOCKET_NAME_LENGTH <= MAX_SOCKET_PATH:
            return inside
        digest = hashlib.sha256(os.fsencode(self.path)).hexdigest()[:12]
        return Path(tempfile.gettempdir()) / f"lectern-{os.getuid()}-{digest}"

    @property
    def private_folders(self) -> tuple[Path, ...]:
        """The folders of files that the services write."""
        return (self.originals, self.models, self.path / "cache")

    def __enter__(self) -> Self:
        self.create()
        self.lock()
        return self

    def __exit__(self, *_: object) -> None:
        self.unlock()

    def create(self) -> None:
        """Create the folder and its missing parents, with permissions that let Postgres's account enter.

        Raises:
            DataFolderUnusable: It cannot be created.
        """
        if self.path.is_file():
            raise DataFolderUnusable(f"The data folder {self.path} is a file.")
        missing = [folder for folder in (self.path, *self.path.parents) if not folder.exists()]
        try:
            for folder in reversed(missing):
                folder.mkdir(exist_ok=True)
                folder.chmod(0o711 if folder == self.path else 0o755)
            for folder in self.private_folders:
                if folder.is_dir() and not folder.is_symlink() and folder.stat().st_uid == os.getuid():
                    folder.chmod(0o700)  # older versions left them open
        except OSError as error:
            failed = "made" if missing else "changed"
            raise DataFolderUnusable(f"The data folder {self.path} cannot be {failed}: {error.strerror}.") from error
        if not os.access(self.path, os.W_OK):
            raise DataFolderUnusable(f"The data folder {self.path} cannot be written to.")

    def lock(self) -> None:
        """Lock the folder for this process.

        Raises:
            DataFolderInUse: Another process has it.
        """
        handle = os.open(self.path / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.read(handle, 32).decode().strip()
            os.close(handle)
            raise DataFolderInUse(f"The data folder {self.path} is in use by {_describe(holder)}.") from None
        os.ftruncate(handle, 0)
        os.pwrite(handle, f"{os.getpid()}\n".encode(), 0)
        self._lock = handle

    def is_in_use(self) -> bool:
        """Return True if another process has the folder now."""
        if not (self.path / "lock").exists():
            return False
        try:
            with DataFolder(self.path):
                return False
        except DataFolderInUse:
            return True

    def unlock(self) -> None:
        """Release the lock."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def require_space(self, needed_bytes: int = MIN_FREE_BYTES) -> None:
        """Refuse to start on a disk that is almost full.

        Raises:
            DiskFull: Fewer than `needed_bytes` are free.
        """
        free = shutil.disk_usage(self.path).free
        if free < needed_bytes:
            megabytes, needed = free // 1_048_576, needed_bytes // 1_048_576
            raise DiskFull(f"The disk of {self.path} has {megabytes} MB free; Lectern needs {needed} MB to start.")


def is_data_folder(path: Path) -> bool:
    """Return True if an installation has its data in this folder."""
    try:
        return all((path / name).is_file() for name in MARKS)
    except PermissionError:  # a folder that cannot be entered
        return False


def default_data_folder(home: Path | None) -> Path:
    """Return the default place of the data: below `home`, the folder of the launcher or of the user.

    Root's Postgres runs as `nobody`. If that account cannot reach `home`, or there is none, the data are below
    /var/lib/lectern, in one folder for each `home`.
    """
    base = home or Path.home()
    if os.getuid() == 0 and not (base.is_dir() and Account(uid=NOBODY, gid=NOBODY).can_reach(base)):
        digest = hashlib.sha256(os.fsencode(base.resolve())).hexdigest()[:8]
        return SYSTEM_DATA / digest
    return base / ".lectern" / "data"


def _describe(holder: str) -> str:
    facts = find_process(int(holder)) if holder.isdigit() else None
    return f"process {holder} ({facts.name})" if facts else "another process"


def _account_name(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return f"account {uid}"
