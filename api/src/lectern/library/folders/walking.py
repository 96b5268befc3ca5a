"""Walk through a directory without leaving it.

Every step opens a name relative to the open directory before it and follows no link.
So no link, no `..`, and no directory exchanged for a link leads outside.
"""

import os
import stat
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple

from lectern.embedded.data_folder import MARKS, is_data_folder
from lectern.library.folders.errors import FolderGone, FolderOutside

_DIRECTORY: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# Not blocking: a pipe that is called report.pdf must not hold up the walk.
_FILE: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_IGNORED: Final = frozenset({"Thumbs.db", "desktop.ini"})
_DEEPEST: Final = 100


class Stamp(NamedTuple):
    """Size, time and inode: equal stamps mean an unchanged file."""

    size_bytes: int
    modified_ns: int
    inode: int


@dataclass(frozen=True, slots=True)
class Walk:
    """The content of a directory.

    `unreadable` lists places that could not be read. `misnamed` lists names that are not UTF-8, with escapes.
    """

    device: int
    files: dict[str, Stamp] = field(default_factory=dict[str, Stamp])
    unreadable: list[str] = field(default_factory=list[str])
    misnamed: list[str] = field(default_factory=list[str])


def walk(root: Path) -> Walk:
    """Every regular file below `root`, by its path from there. Hidden files, links and data folders are passed over.

    Raises:
        FolderGone: The directory itself cannot be opened.
    """
    try:
        descriptor = os.open(root, _DIRECTORY)
    except OSError as error:
        raise FolderGone(f"{root} cannot be read: {error.strerror}.") from error
    try:
        found = Walk(os.fstat(descriptor).st_dev)
        _look_into(descriptor, "", found, depth=0)
        return found
    finally:
        os.close(descriptor)


def _look_into(descriptor: int, prefix: str, found: Walk, *, depth: int) -> None:
    try:
        with os.scandir(descriptor) as entries:
            listed = list(entries)
            if {entry.name for entry in listed} >= MARKS:  # a data folder, which has secrets and logs
                return
            for entry in listed:
                _look_at(entry, descriptor, prefix, found, depth=depth)
    except OSError:
        found.unreadable.append(prefix or ".")


def _look_at(entry: os.DirEntry[str], descriptor: int, prefix: str, found: Walk, *, depth: int) -> None:
    path = prefix + entry.name
    if is_ignored(entry.name):
        return
    if not is_text(entry.name):
        found.misnamed.append(path.encode(errors="surrogateescape").decode(errors="backslashreplace"))
        return
    try:
        if entry.is_dir(follow_symlinks=False):
            _enter(entry.name, descriptor, path, found, depth=depth)
        elif entry.is_file(follow_symlinks=False):
            facts = entry.stat(follow_symlinks=False)
            found.files[path] = Stamp(facts.st_size, facts.st_mtime_ns, facts.st_ino)
    except FileNotFoundError:  # gone between the listing and the look: the next walk will see
        return
    except OSError:
        found.unreadable.append(path)


def _enter(name: str, parent: int, path: str, found: Walk, *, depth: int) -> None:
    if depth >= _DEEPEST:
        found.unreadable.append(path)
        return
    descriptor = os.open(name, _DIRECTORY, dir_fd=parent)
    try:
        _look_into(descriptor, f"{path}/", found, depth=depth + 1)
    finally:
        os.close(descriptor)


def is_ignored(name: str) -> bool:
    """Return True for hidden files and lock files of Office programs."""
    return name.startswith((".", "~$")) or name in _IGNORED


def is_text(name: str) -> bool:
    """Return False for a name that is not UTF-8. No database stores it."""
    return name.isascii() or not any("\ud800" <= character <= "\udfff" for character in name)


def open_inside(root: Path, path: str) -> int:
    """A descriptor of the regular file `path` below `root`; the caller closes it.

    Raises:
        OSError: It is not there, is no regular file, or a link is on the way.
    """
    parts = path.split("/")
    if not all(parts) or {".", ".."} & set(parts):
        raise FileNotFoundError(path)
    descriptor = os.open(root, _DIRECTORY)
    try:
        for part in parts[:-1]:
            inner = os.open(part, _DIRECTORY, dir_fd=descriptor)
            os.close(descriptor)
            descriptor = inner
        file = os.open(parts[-1], _FILE, dir_fd=descriptor)
    finally:
        os.close(descriptor)
    if not stat.S_ISREG(os.fstat(file).st_mode):
        os.close(file)
        raise FileNotFoundError(path)
    return file


def stamp_of(descriptor: int) -> Stamp:
    """The stamp of an open file."""
    facts = os.fstat(descriptor)
    return Stamp(facts.st_size, facts.st_mtime_ns, facts.st_ino)


def resolve_folder(path: Path, roots: Sequence[Path]) -> Path:
    """The real path of a directory that lies below one of `roots`, or is one.

    Raises:
        FolderGone: It is not there, or no directory.
        FolderOutside: It lies elsewhere, or in the data folder of an installation.
    """
    if not path.is_absolute():
        raise FolderOutside(f"{path} is not an absolute path.", hint="Begin the path with /, such as /srv/papers.")
    try:
        real = path.resolve(strict=True)
    except (OSError, RuntimeError) as error:  # Python 3.11 raises RuntimeError for links in a circle
        raise FolderGone(f"{path} cannot be found.") from error
    if not any(real.is_relative_to(root.resolve()) for root in roots):
        raise FolderOutside(f"{path} is outside the directories that may be watched.")
    if any(map(is_data_folder, (real, *real.parents))):
        raise FolderOutside(f"{path} is in a data folder of Lectern.", hint="Choose a directory outside it.")
    if not real.is_dir():
        raise FolderGone(f"{path} is no directory.")
    return real


def device_of(folder: Path) -> int:
    """The number of the device that a directory lies on. Raises FolderGone."""
    try:
        return folder.stat().st_dev
    except OSError as error:
        raise FolderGone(f"{folder} cannot be read: {error.strerror}.") from error
