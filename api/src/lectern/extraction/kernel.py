"""Ask the Linux kernel about privileges, orphans and limits of this process."""

import ctypes
import errno
import resource
import sys
from enum import StrEnum
from functools import cache
from typing import Final

PR_SET_PDEATHSIG: Final = 1
_PR_SET_CHILD_SUBREAPER: Final = 36
_PR_SET_NO_NEW_PRIVS: Final = 38
_PR_CAPBSET_DROP: Final = 24
_PR_CAP_AMBIENT, _CLEAR_ALL = 47, 4
_CAPABILITY_VERSION: Final = 0x20080522
_READ_EVERY_FILE: Final = 2
"""CAP_DAC_READ_SEARCH."""
_MAX_CAPABILITIES: Final = 64


class Enforcement(StrEnum):
    """The answer of the kernel to a layer of the sandbox."""

    ENFORCED = "enforced"
    UNSUPPORTED = "unsupported"
    REFUSED = "refused"


def enforcement_of(result: int) -> Enforcement:
    """Return the enforcement of a layer, from the result of its system call."""
    if result == 0:
        return Enforcement.ENFORCED
    is_missing = ctypes.get_errno() in {errno.ENOSYS, errno.EOPNOTSUPP}
    return Enforcement.UNSUPPORTED if is_missing else Enforcement.REFUSED


@cache
def libc() -> ctypes.CDLL:
    """Return the C library of this process."""
    return ctypes.CDLL(None, use_errno=True)


def prctl(operation: int, value: int = 0) -> bool:
    """Change a property of this process; return whether the kernel did."""
    return sys.platform == "linux" and libc().prctl(operation, value, 0, 0, 0) == 0


def forbid_new_privileges() -> bool:
    """Let no program that this process starts gain privileges. Landlock and seccomp need this."""
    return prctl(_PR_SET_NO_NEW_PRIVS, 1)


def adopt_orphans(*, is_on: bool) -> bool:
    """Become the parent of processes that descendants leave behind, or stop it."""
    return prctl(_PR_SET_CHILD_SUBREAPER, int(is_on))


def drop_capabilities(*, may_read_all: bool) -> Enforcement:
    """Give up all capabilities for good, but with `may_read_all` the one to read files of other accounts."""
    if sys.platform != "linux":
        return Enforcement.UNSUPPORTED
    retained = 1 << _READ_EVERY_FILE if may_read_all else 0
    prctl(_PR_CAP_AMBIENT, _CLEAR_ALL)
    for capability in range(_MAX_CAPABILITIES):
        if not retained >> capability & 1:
            prctl(_PR_CAPBSET_DROP, capability)
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION, 0)
    sets = (ctypes.c_uint32 * 6)(retained, retained, 0, 0, 0, 0)  # effective, permitted, inheritable; then high words
    return enforcement_of(libc().capset(header, sets))


def lower_limit(kind: int, limit: int) -> None:
    """Lower a resource limit of this process for good. A lower one stays."""
    _, hard = resource.getrlimit(kind)
    allowed = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
    resource.setrlimit(kind, (allowed, allowed))
