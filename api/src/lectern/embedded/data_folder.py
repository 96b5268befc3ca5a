"""The data folder of an installation: where it is, what is in it, and that only one supervisor uses it."""

import fcntl
import hashlib
import os
import shutil
import tempfile
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Final, Self

from lectern.embedded.account import NOBODY, Account
from lectern.embedded.errors import DataFolderInUse, DataFolderUnusable, DiskFull
from lectern.embedded.host import find_process

LONGEST_SOCKET_PATH: Final = 100  # sun_path holds 108 bytes on Linux and 104 on macOS
SOCKET_NAME_LENGTH: Final = len("/.s.PGSQL.65535.lock")
SMALLEST_FREE_BYTES: Final = 256 * 1024 * 1024
SYSTEM_DATA: Final = Path("/var/lib/lectern")


class DataFolder(AbstractContextManager["DataFolder"]):
    """Everything an installation keeps. Entering locks it for this process until it leaves or dies.

    The folder itself may be entered by all, because Postgres may run under another account; what is in it may not
    be read by others.
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
    def originals(self) -> Path:
        return self.path / "originals"

    @property
    def models(self) -> Path:
        return self.path / "models"

    @property
    def sockets(self) -> Path:
        """The folder of Postgres's socket; elsewhere when this path is too long for one."""
        inside = self.path / "run"
        if len(os.fsencode(inside)) + SOCKET_NAME_LENGTH <= LONGEST_SOCKET_PATH:
            return inside
        digest = hashlib.sha256(os.fsencode(self.path)).hexdigest()[:12]
        return Path(tempfile.gettempdir()) / f"lectern-{os.getuid()}-{digest}"

    def __enter__(self) -> Self:
        self.create()
        self.lock()
        return self

    def __exit__(self, *_: object) -> None:
        self.unlock()

    def create(self) -> None:
        """Make the folder and those above it that are missing; the ones made can be entered by Postgres's account.

        Raises:
            DataFolderUnusable: It cannot be made.
        """
        missing = [folder for folder in (self.path, *self.path.parents) if not folder.exists()]
        try:
            for folder in reversed(missing):
                folder.mkdir(exist_ok=True)
                folder.chmod(0o711 if folder == self.path else 0o755)
        except OSError as error:
            raise DataFolderUnusable(f"The data folder {self.path} cannot be made: {error.strerror}.") from error
        if not os.access(self.path, os.W_OK):
            raise DataFolderUnusable(f"The data folder {self.path} cannot be written to.")

    def lock(self) -> None:
        """Take the folder for this process.

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
        """Whether another process has the folder now."""
        if not (self.path / "lock").exists():
            return False
        try:
            with DataFolder(self.path):
                return False
        except DataFolderInUse:
            return True

    def unlock(self) -> None:
        """Give the folder back."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def require_space(self, needed_bytes: int = SMALLEST_FREE_BYTES) -> None:
        """Refuse to start where the database would soon run out of disk.

        Raises:
            DiskFull: Fewer than `needed_bytes` are free.
        """
        free = shutil.disk_usage(self.path).free
        if free < needed_bytes:
            megabytes, needed = free // 1_048_576, needed_bytes // 1_048_576
            raise DiskFull(f"The disk of {self.path} has {megabytes} MB free; Lectern needs {needed} MB to start.")


def default_data_folder(home: Path | None) -> Path:
    """Where an installation keeps its data when nobody says: below `home`, the folder of the launcher or of the user.

    Root's Postgres runs as `nobody`; when that account cannot reach `home`, the data go below /var/lib/lectern, in a
    folder of their own for each `home`.
    """
    base = home or Path.home()
    if os.getuid() == 0 and not Account(uid=NOBODY, gid=NOBODY).can_reach(base):
        digest = hashlib.sha256(os.fsencode(base.resolve())).hexdigest()[:8]
        return SYSTEM_DATA / digest
    return base / ".lectern" / "data"


def _describe(holder: str) -> str:
    facts = find_process(int(holder)) if holder.isdigit() else None
    return f"process {holder} ({facts.name})" if facts else "another process"
