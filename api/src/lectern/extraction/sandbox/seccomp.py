"""Restrict the system calls of this process by a seccomp filter, for good and without root.

The filter is a small program for the kernel (classic BPF, `linux/filter.h`). It allows the calls of `syscalls`. Others
fail. Those newer than Linux 5.0 fail as if the kernel lacked them, because the C library then uses older ones.
"""

import ctypes
import errno
import os
import platform
import sys
from typing import Final, NamedTuple

from lectern.extraction.kernel import Enforcement, enforcement_of, libc
from lectern.extraction.sandbox.syscalls import AARCH64, X86_64, Rule, allowed_calls

_SET_FILTER, _FOR_ALL_THREADS = 1, 1
_ALLOW, _KILL, _FAIL = 0x7FFF0000, 0x80000000, 0x00050000
_LOAD, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_NUMBER_AT, _ARCHITECTURE_AT, _ARGUMENTS_AT, _ARGUMENT_BYTES = 0, 4, 16, 8
_FIRST_NEW_CALL: Final = 424
"""From this number on (Linux 5.1), calls have the same number on every architecture."""


class _Machine(NamedTuple):
    column: int
    audit_architecture: int
    seccomp: int


class Instruction(ctypes.Structure):
    """An instruction of classic BPF. `yes` and `no` are the instructions to skip."""

    _fields_ = (("code", ctypes.c_uint16), ("yes", ctypes.c_uint8), ("no", ctypes.c_uint8), ("value", ctypes.c_uint32))


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_uint16), ("instructions", ctypes.POINTER(Instruction)))


MACHINES: Final = {
    "x86_64": _Machine(X86_64, 0xC000003E, 317),
    "aarch64": _Machine(AARCH64, 0xC00000B7, 277),
}
"""The architectures with a filter, by the name that `platform.machine` returns."""


def restrict_calls(*, may_thread: bool = False, may_execute: bool = False, may_write: bool = False) -> Enforcement:
    """Allow only the calls that parsing needs. Needs `no_new_privs`.

    Processes are started with `may_execute` only, threads with either. Files are written with `may_write` only.
    """
    name = platform.machine()
    if sys.platform != "linux" or name not in MACHINES or sys.maxsize < 1 << 32:
        return Enforcement.UNSUPPORTED
    code = build_filter(name, own_pid=os.getpid(), may_thread=may_thread, may_execute=may_execute, may_write=may_write)
    program = _Program(len(code), (Instruction * len(code))(*code))
    result = libc().syscall(MACHINES[name].seccomp, _SET_FILTER, _FOR_ALL_THREADS, ctypes.byref(program))
    return enforcement_of(result)


def build_filter(
    name: str, *, own_pid: int, may_thread: bool, may_execute: bool, may_write: bool = False
) -> list[Instruction]:
    """Return the filter for an architecture."""
    machine = MACHINES[name]
    code = [
        Instruction(_LOAD, 0, 0, _ARCHITECTURE_AT),
        Instruction(_EQUAL, 1, 0, machine.audit_architecture),
        Instruction(_RETURN, 0, 0, _KILL),
        Instruction(_LOAD, 0, 0, _NUMBER_AT),
    ]
    allowed = allowed_calls(
        machine.column, own_pid=own_pid, may_thread=may_thread, may_execute=may_execute, may_write=may_write
    )
    for number, rule in allowed.items():
        code += _block(number, rule)
    return [
        *code,
        Instruction(_AT_LEAST, 0, 1, _FIRST_NEW_CALL),
        Instruction(_RETURN, 0, 0, _FAIL | errno.ENOSYS),
        Instruction(_RETURN, 0, 0, _FAIL | errno.EPERM),
    ]


def _block(number: int, rule: Rule) -> list[Instruction]:
    """Return the instructions that decide on one call, and that another call skips."""
    body: list[Instruction] = []
    for checks in rule:
        for left, check in zip(range(len(checks) - 1, -1, -1), checks, strict=True):
            to_next_alternative = 2 * left + 1
            yes, no = (0, to_next_alternative) if check.is_true else (to_next_alternative, 0)
            body += [
                Instruction(_LOAD, 0, 0, _ARGUMENTS_AT + _ARGUMENT_BYTES * check.argument),
                Instruction(check.test, yes, no, check.value),
            ]
        body.append(Instruction(_RETURN, 0, 0, _ALLOW))
    if rule[-1]:
        body.append(Instruction(_RETURN, 0, 0, _FAIL | errno.EPERM))
    return [Instruction(_EQUAL, 0, len(body), number), *body]
