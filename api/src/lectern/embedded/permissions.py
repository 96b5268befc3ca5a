"""Permissions of files: everything below the data folder is for its owner only."""

import os
import stat
import tempfile
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

_OTHERS: Final = 0o077
_READ_OR_WRITE: Final = 0o066  # Postgres's account may enter the data folder, no more
_PUBLIC_UMASK: Final = 0o022
# Postgres protects its own folders, under its own account. Programs are no data.
_NOT_EXAMINED: Final = frozenset({"postgres", "postgres.partial", "run", "binaries"})


def restrict_new_files() -> None:
    """Make new files of this process and its children readable by the owner only."""
    os.umask(_OTHERS)


@contextmanager
def public_files() -> Generator[None]:
    """Let every account read the files that are made meanwhile, such as programs."""
    before = os.umask(_PUBLIC_UMASK)
    try:
        yield
    finally:
        os.umask(before)


def write_private(path: Path, text: str) -> None:
    """Write a file for its owner only, atomically and durably."""
    handle, partial = tempfile.mkstemp(dir=path.parent, prefix=f".{path.stem}-")  # made with mode 0600
    with os.fdopen(handle, "w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    Path(partial).replace(path)


def find_exposed(folder: Path) -> list[Path]:
    """Return the files and folders of a data folder that other accounts may use. Links are not followed."""
    return [path for path, forbidden in _entries(folder) if _mode(path) & forbidden]


def protect(folder: Path) -> None:
    """Withdraw the permissions of other accounts from a data folder. Files of other owners stay as they are."""
    for path, forbidden in _entries(folder):
        mode = _mode(path)
        if mode & forbidden:
            with suppress(PermissionError, FileNotFoundError):  # `find_exposed` still lists it
                path.chmod(mode & ~forbidden)


def _entries(folder: Path) -> Iterator[tuple[Path, int]]:
    """Yield each path with the permissions that it must not have."""
    if not folder.is_dir():
        return
    yield folder, _READ_OR_WRITE
    for parent, folders, files in os.walk(folder):
        if Path(parent) == folder:
            folders[:] = [name for name in folders if name not in _NOT_EXAMINED]
        yield from ((Path(parent) / name, _OTHERS) for name in (*folders, *files))


def _mode(path: Path) -> int:
    """Return the permissions of a path, or 0 for a link, a file that is gone or one in a closed folder."""
    try:
        mode = path.lstat().st_mode
    except (FileNotFoundError, PermissionError):
        return 0
    return 0 if stat.S_ISLNK(mode) else stat.S_IMODE(mode)
