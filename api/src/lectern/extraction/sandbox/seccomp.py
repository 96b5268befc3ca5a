"""Restrict the system calls of this process by a seccomp filter, for good and without root.

The filter is a small program for the kernel (classic BPF, `linux/filter.h`). Refused calls return an error. Numbers are
those of `asm/unistd.h`.
"""

import ctypes
import errno
import platform
import sys
from dataclasses import dataclass
from typing import Final

_SET_FILTER, _FOR_ALL_THREADS = 1, 1
_ALLOW, _KILL, _FAIL = 0x7FFF0000, 0x80000000, 0x00050000
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER_AT, _ARCHITECTURE_AT, _ARGUMENTS_AT, _ARGUMENT_BYTES = 0, 4, 16, 8
_X32: Final = 0x40000000
_OPEN_TO_WRITE: Final = 0o1103
"""O_WRONLY, O_RDWR, O_CREAT, O_TRUNC."""
_NEW_NAMESPACES: Final = 0x7E020080
"""CLONE_NEWTIME, NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET."""


@dataclass(frozen=True, slots=True)
class _Machine:
    """The system calls of an architecture. `checked` calls are refused when an argument has one of the bits."""

    architecture: int
    seccomp: int
    refused: tuple[int, ...]
    unknown: tuple[int, ...]
    checked: tuple[tuple[int, int, int], ...]
    programs: tuple[int, ...]
    has_x32: bool = False


_MACHINES: Final = {
    "x86_64": _Machine(
        architecture=0xC000003E,
        seccomp=317,
        refused=(
            41,  # socket
            76, 77, 82, 83, 84, 85, 86, 87, 88,  # truncate ftruncate rename mkdir rmdir creat link unlink symlink
            90, 91, 92, 93, 94, 132, 133, 235,  # chmod fchmod chown fchown lchown utime mknod utimes
            188, 189, 190, 197, 198, 199,  # setxattr removexattr, and those of links and open files
            258, 259, 260, 261, 263, 264, 265, 266, 268, 280, 316, 452,  # the same relative to a folder
            155, 161, 165, 166, 272, 308,  # pivot_root chroot mount umount2 unshare setns
            101, 310, 311, 298, 321, 323,  # ptrace process_vm_readv process_vm_writev perf_event_open bpf userfaultfd
            175, 246, 313, 248, 249, 250, 303, 304,  # modules, kexec, keys, file handles
        ),
        unknown=(425, 435, 437),  # io_uring_setup, clone3, openat2: their flags are out of reach
        checked=((2, 1, _OPEN_TO_WRITE), (257, 2, _OPEN_TO_WRITE), (56, 0, _NEW_NAMESPACES)),  # open openat clone
        programs=(59, 322),  # execve execveat
        has_x32=True,
    ),
    "aarch64": _Machine(
        architecture=0xC00000B7,
        seccomp=277,
        refused=(
            198,  # socket
            45, 46, 33, 34, 35, 36, 37, 38,  # truncate ftruncate mknodat mkdirat unlinkat symlinkat linkat renameat
            52, 53, 54, 55, 88, 276, 452,  # fchmod fchmodat fchownat fchown utimensat renameat2 fchmodat2
            5, 6, 7, 14, 15, 16,  # setxattr removexattr, and those of links and open files
            39, 40, 41, 51, 97, 268,  # umount2 mount pivot_root chroot unshare setns
            117, 270, 271, 241, 280, 282,  # ptrace process_vm_readv process_vm_writev perf_event_open bpf userfaultfd
            104, 105, 273, 217, 218, 219, 264, 265,  # kexec, modules, keys, file handles
        ),
        unknown=(425, 435, 437),
        checked=((56, 2, _OPEN_TO_WRITE), (220, 0, _NEW_NAMESPACES)),  # openat clone
        programs=(221, 281),
    ),
}  # fmt: skip


class _Instruction(ctypes.Structure):
    _fields_ = (("code", ctypes.c_uint16), ("yes", ctypes.c_uint8), ("no", ctypes.c_uint8), ("value", ctypes.c_uint32))


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_uint16), ("instructions", ctypes.POINTER(_Instruction)))


def restrict_calls(*, may_execute: bool) -> bool:
    """Refuse sockets, writing and changing files, namespaces, and starting programs unless `may_execute`.

    Returns False except on Linux on x86-64 and ARM64, or where the kernel forbids it. Needs `no_new_privs`.
    """
    machine = _MACHINES.get(platform.machine())
    if sys.platform != "linux" or machine is None or sys.maxsize < 1 << 32:
        return False
    instructions = _filter(machine, may_execute=may_execute)
    program = _Program(len(instructions), (_Instruction * len(instructions))(*instructions))
    call = ctypes.CDLL(None, use_errno=True).syscall
    return call(machine.seccomp, _SET_FILTER, _FOR_ALL_THREADS, ctypes.byref(program)) == 0


def _filter(machine: _Machine, *, may_execute: bool) -> list[_Instruction]:
    code = [
        _Instruction(_LOAD, 0, 0, _ARCHITECTURE_AT),
        _Instruction(_EQUAL, 1, 0, machine.architecture),
        _Instruction(_RETURN, 0, 0, _KILL),
        _Instruction(_LOAD, 0, 0, _NUMBER_AT),
    ]
    if machine.has_x32:
        code += [_Instruction(_AT_LEAST, 0, 1, _X32), _Instruction(_RETURN, 0, 0, _FAIL | errno.EPERM)]
    for number in machine.refused + (() if may_execute else machine.programs):
        code += [_Instruction(_EQUAL, 0, 1, number), _Instruction(_RETURN, 0, 0, _FAIL | errno.EPERM)]
    for number in machine.unknown:
        code += [_Instruction(_EQUAL, 0, 1, number), _Instruction(_RETURN, 0, 0, _FAIL | errno.ENOSYS)]
    for number, argument, bits in machine.checked:
        code += [
            _Instruction(_EQUAL, 0, 4, number),
            _Instruction(_LOAD, 0, 0, _ARGUMENTS_AT + _ARGUMENT_BYTES * argument),
            _Instruction(_ANY_BIT, 0, 1, bits),
            _Instruction(_RETURN, 0, 0, _FAIL | errno.EPERM),
            _Instruction(_RETURN, 0, 0, _ALLOW),
        ]
    return [*code, _Instruction(_RETURN, 0, 0, _ALLOW)]
