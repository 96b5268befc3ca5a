"""What Postgres says: kept in one file, and quoted when it does not start."""

from pathlib import Path
from typing import IO, Final

from lectern.embedded.errors import DiskFull, PostgresFailed

LARGEST_BYTES: Final = 10 * 1024 * 1024
NO_SPACE: Final = "No space left on device"
TELLING: Final = ("FATAL", "PANIC", "error:")


class ServerLog:
    """The log file of a data folder; the file before it is kept as `.1` once it has grown large."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._start = 0

    def open(self) -> IO[bytes]:
        """The file to append to; `words` begin where it ends now."""
        if self.path.exists() and self.path.stat().st_size > LARGEST_BYTES:
            self.path.replace(self.path.with_name(f"{self.path.name}.1"))
        self.path.touch(mode=0o600)
        file = self.path.open("ab")
        self._start = file.tell()
        return file

    def words(self) -> str:
        """What was said since the file was opened last."""
        with self.path.open("rb") as file:
            file.seek(self._start)
            return file.read().decode(errors="replace")

    def failure(self) -> PostgresFailed | DiskFull:
        """The error behind the last words."""
        words = self.words()
        if NO_SPACE in words:
            return DiskFull(f"The disk of {self.path.parent} is full: Postgres could not write there.")
        lines = words.strip().splitlines()
        reason = ([line for line in lines if any(mark in line for mark in TELLING)] or lines or ["it said nothing"])[-1]
        return PostgresFailed(f"The embedded Postgres did not start: {reason.strip()}", hint=self.hint)

    @property
    def hint(self) -> str:
        return f"Its log is {self.path}."
