"""Restrict the files of this process by Landlock (Linux 5.13 and later), for good and without root.

Constants are those of `linux/landlock.h`. The numbers of its three system calls are the same on every machine.
"""

import ctypes
import errno
import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from lectern.extraction.kernel import Enforcement, enforcement_of, libc

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_ASK_VERSION: Final = 1
_PATH_BENEATH: Final = 1
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_REMOVE_DIR, _REMOVE_FILE, _MAKE_DIR, _MAKE_FILE = 1 << 4, 1 << 5, 1 << 7, 1 << 8
_REFER, _TRUNCATE = 1 << 13, 1 << 14
_FOLDER_ONLY: Final = _READ_DIR | _REMOVE_DIR | _REMOVE_FILE | _MAKE_DIR | _MAKE_FILE | _REFER
_FILE_RIGHTS: Final = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}
"""The number of file rights by ABI version; later versions have as many as the fifth."""
_TCP: Final = 0b11
_SCOPES: Final = 0b11
_WITH_NETWORK, _WITH_SCOPES = 4, 6


class _Ruleset(ctypes.Structure):
    _fields_ = (("files", ctypes.c_uint64), ("network", ctypes.c_uint64), ("scoped", ctypes.c_uint64))


class _Beneath(ctypes.Structure):
    _pack_ = 1
    _layout_ = "ms"
    _fields_ = (("rights", ctypes.c_uint64), ("folder", ctypes.c_int32))


def restrict_files(
    readable: Iterable[Path], *, executable: Iterable[Path] = (), writable: Iterable[Path] = ()
) -> Enforcement:
    """Let this process read only these files and folders, execute only those files, and write only below `writable`.

    Newer kernels also refuse TCP, and signals and abstract sockets to other processes. Needs `no_new_privs`.
    """
    if sys.platform != "linux":
        return Enforcement.UNSUPPORTED
    call = libc().syscall
    version = find_version()
    if version < 1:
        return enforcement_of(-1)
    handled = (1 << _FILE_RIGHTS.get(version, _FILE_RIGHTS[5])) - 1
    rules = _Ruleset(
        files=handled,
        network=_TCP if version >= _WITH_NETWORK else 0,
        scoped=_SCOPES if version >= _WITH_SCOPES else 0,
    )
    size = 24 if version >= _WITH_SCOPES else 16 if version >= _WITH_NETWORK else 8
    ruleset = int(call(_CREATE_RULESET, ctypes.byref(rules), ctypes.c_size_t(size), 0))
    if ruleset < 0:
        return enforcement_of(ruleset)
    rights = dict.fromkeys(readable, _READ_FILE | _READ_DIR) | dict.fromkeys(executable, _READ_FILE | _EXECUTE)
    rights |= dict.fromkeys(writable, (_FOLDER_ONLY | _READ_FILE | _WRITE_FILE | _TRUNCATE) & handled)
    try:
        has_rules = all(_allow(call, ruleset, path, wanted) for path, wanted in rights.items())
        is_enforced = has_rules and call(_RESTRICT_SELF, ruleset, 0) == 0
        return Enforcement.ENFORCED if is_enforced else Enforcement.REFUSED
    finally:
        os.close(ruleset)


def find_version() -> int:
    """Return the version of Landlock in this kernel; -1 without it."""
    if sys.platform != "linux":
        return -1
    return int(libc().syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), _ASK_VERSION))


def _allow(call: Callable[..., int], ruleset: int, path: Path, rights: int) -> bool:
    """Add a rule; return whether it was accepted. A missing path needs none."""
    try:
        opened = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError as error:
        return error.errno in {errno.ENOENT, errno.ENOTDIR, errno.EACCES}
    try:
        rule = _Beneath(rights=rights if path.is_dir() else rights & ~_FOLDER_ONLY, folder=opened)
        return call(_ADD_RULE, ruleset, _PATH_BENEATH, ctypes.byref(rule), 0) == 0
    finally:
        os.close(opened)
