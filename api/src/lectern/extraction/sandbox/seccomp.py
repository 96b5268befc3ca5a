"""Restrict the system calls of this process by a seccomp filter, for good and without root.

The filter is a small program for the kernel (classic BPF, `linux/filter.h`). It allows the calls in the tables below.
Others fail. Those newer than Linux 5.0 fail as if the kernel lacked them, because the C library then uses older ones.
The tables were found by tracing the extraction, drawing, recognition and chunking of all test documents on Python 3.11
to 3.13. Calls of the same kind that other versions of the C library use complete them.
"""

import ctypes
import errno
import fcntl
import os
import platform
import signal
import sys
from collections.abc import Iterator
from typing import Final, NamedTuple

from lectern.extraction.kernel import PR_SET_PDEATHSIG, Enforcement, enforcement_of, libc

_EQUALS, _HAS_ANY_BIT = 0x15, 0x45
_THREAD: Final = 0x10000
_NEW_NAMESPACES_OR_SIBLING: Final = 0x7E028080
"""CLONE_NEWTIME, NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET, PARENT."""
_WRITING: Final = 0o1103
"""O_WRONLY, O_RDWR, O_CREAT, O_TRUNC."""
_TO_WRITE, _TRUNCATING = 0o3, 0o1000
_TERMINAL_QUERIES: Final = (0x5401, 0x802C542A, 0x5413, 0x541B, 0x5450, 0x5451)
"""TCGETS, TCGETS2, TIOCGWINSZ, FIONREAD, FIONCLEX, FIOCLEX."""
_DUPLICATE_OR_FLAGS: Final = (
    *(fcntl.F_DUPFD, fcntl.F_GETFD, fcntl.F_SETFD, fcntl.F_GETFL, fcntl.F_SETFL, fcntl.F_DUPFD_CLOEXEC),
    1032,  # F_GETPIPE_SZ, which Python names on Linux only
)
_THREAD_NAMES: Final = (15, 16, 23, 0x53564D41)
"""PR_SET_NAME, PR_GET_NAME, PR_CAPBSET_READ, PR_SET_VMA."""

X86_64, AARCH64 = 0, 1

_ALWAYS: Final = """
read 0 63, readv 19 65, pread64 17 67, preadv 295 69, write 1 64, writev 20 66, lseek 8 62, close 3 57,
close_range 436 436, dup 32 23, dup2 33 -, dup3 292 24, pipe 22 -, pipe2 293 59, poll 7 -, ppoll 271 73, select 23 -,
pselect6 270 72, epoll_create 213 -, epoll_create1 291 20, epoll_ctl 233 21, epoll_wait 232 -, epoll_pwait 281 22,
epoll_pwait2 441 441, eventfd2 290 19, stat 4 -, fstat 5 80, lstat 6 -, newfstatat 262 79, statx 332 291,
statfs 137 43, fstatfs 138 44, access 21 -, faccessat 269 48, faccessat2 439 439, readlink 89 -, readlinkat 267 78,
getdents 78 -, getdents64 217 61, getcwd 79 17, readahead 187 213, fadvise64 221 223, mmap 9 222, munmap 11 215,
mprotect 10 226, mremap 25 216, madvise 28 233, msync 26 227, mincore 27 232, brk 12 214, mlock 149 228,
munlock 150 229, mbind 237 235, get_mempolicy 239 236, set_mempolicy 238 237, map_shadow_stack 453 453,
membarrier 324 283, futex 202 98, futex_waitv 449 449, futex_wake 454 454, futex_wait 455 455, futex_requeue 456 456,
rseq 334 293, set_robust_list 273 99, set_tid_address 218 96, arch_prctl 158 -, rt_sigaction 13 134,
rt_sigprocmask 14 135, rt_sigreturn 15 139, rt_sigpending 127 136, rt_sigtimedwait 128 137, rt_sigsuspend 130 133,
sigaltstack 131 132, restart_syscall 219 128, pause 34 -, clock_gettime 228 113, clock_getres 229 114,
clock_nanosleep 230 115, nanosleep 35 101, gettimeofday 96 169, time 201 -, times 100 153, getitimer 36 102,
getpid 39 172, getppid 110 173, gettid 186 178, getuid 102 174, geteuid 107 175, getgid 104 176, getegid 108 177,
getresuid 118 148, getresgid 120 150, getgroups 115 158, getpgrp 111 -, getpgid 121 155, getsid 124 156,
getpriority 140 141, getrlimit 97 163, getrusage 98 165, sysinfo 99 179, uname 63 160, getcpu 309 168,
getrandom 318 278, sched_yield 24 124, sched_getaffinity 204 123, sched_getparam 143 121, sched_getscheduler 145 120,
sched_get_priority_max 146 125, sched_get_priority_min 147 126, wait4 61 260, waitid 247 95, exit 60 93,
exit_group 231 94
"""
_CHECKED: Final = """
open 2 -, openat 257 56, ioctl 16 29, fcntl 72 25, prctl 157 167, prlimit64 302 261, kill 62 129, tgkill 234 131,
clone 56 220, fork 57 -, vfork 58 -, execve 59 221
"""
_WRITING_CALLS: Final = """
creat 85 -, mkdir 83 -, mkdirat 258 34, unlink 87 -, unlinkat 263 35, rmdir 84 -, rename 82 -, renameat 264 38,
renameat2 316 276, ftruncate 77 46, fallocate 285 47, fsync 74 82, fdatasync 75 83, pwrite64 18 68, pwritev 296 70
"""
_SET_FILTER, _FOR_ALL_THREADS = 1, 1
_ALLOW, _KILL, _FAIL = 0x7FFF0000, 0x80000000, 0x00050000
_LOAD, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_NUMBER_AT, _ARCHITECTURE_AT, _ARGUMENTS_AT, _ARGUMENT_BYTES = 0, 4, 16, 8
_FIRST_NEW_CALL: Final = 424
"""From this number on (Linux 5.1), calls have the same number on every architecture."""


class ArgumentCheck(NamedTuple):
    """A test of the low word of an argument. `test` is an instruction of the filter, `is_true` its wanted result."""

    argument: int
    test: int
    value: int
    is_true: bool = True


Rule = tuple[tuple[ArgumentCheck, ...], ...]
"""Alternatives. The call is allowed when all checks of one of them pass."""
_ANY: Final[Rule] = ((),)


def allowed_calls(
    architecture: int, *, own_pid: int, may_thread: bool, may_execute: bool, may_write: bool = False
) -> dict[int, Rule]:
    """Return the allowed calls of an architecture by number, those with checked arguments first."""
    checked = _rules(own_pid=own_pid, may_thread=may_thread, may_execute=may_execute, may_write=may_write)
    allowed = {number: checked[name] for name, number in _numbers(_CHECKED, architecture) if name in checked}
    always = _ALWAYS + f",{_WRITING_CALLS}" * may_write
    return allowed | {number: _ANY for _, number in _numbers(always, architecture)}


def _numbers(table: str, architecture: int) -> Iterator[tuple[str, int]]:
    for entry in table.split(","):
        name, *numbers = entry.split()
        if numbers[architecture] != "-":
            yield name, int(numbers[architecture])


def _rules(*, own_pid: int, may_thread: bool, may_execute: bool, may_write: bool) -> dict[str, Rule]:
    rules: dict[str, Rule] = {
        "open": ((ArgumentCheck(1, _HAS_ANY_BIT, _WRITING, is_true=False),),),
        "openat": ((ArgumentCheck(2, _HAS_ANY_BIT, _WRITING, is_true=False),),),
        "ioctl": tuple((ArgumentCheck(1, _EQUALS, request),) for request in _TERMINAL_QUERIES),
        "fcntl": tuple((ArgumentCheck(1, _EQUALS, command),) for command in _DUPLICATE_OR_FLAGS),
        "prctl": tuple((ArgumentCheck(0, _EQUALS, operation),) for operation in _THREAD_NAMES),
        "prlimit64": ((ArgumentCheck(0, _EQUALS, 0),),),
        "kill": ((ArgumentCheck(0, _EQUALS, own_pid),),),
        "tgkill": ((ArgumentCheck(0, _EQUALS, own_pid),),),
    }
    no_namespace = ArgumentCheck(0, _HAS_ANY_BIT, _NEW_NAMESPACES_OR_SIBLING, is_true=False)
    if may_thread:
        rules["clone"] = ((ArgumentCheck(0, _HAS_ANY_BIT, _THREAD), no_namespace),)
    if may_execute:
        rules |= {"clone": ((no_namespace,),), "fork": _ANY, "vfork": _ANY, "execve": _ANY}
        rules["prctl"] += ((ArgumentCheck(0, _EQUALS, PR_SET_PDEATHSIG), ArgumentCheck(1, _EQUALS, signal.SIGKILL)),)
    if may_write:
        rules |= {"open": _opening(1), "openat": _opening(2)}
    return rules


def _opening(argument: int) -> Rule:
    """Return the rule for opening files also to write. Landlock before Linux 6.2 lets a reader truncate."""
    return (
        (ArgumentCheck(argument, _HAS_ANY_BIT, _TRUNCATING, is_true=False),),
        (ArgumentCheck(argument, _HAS_ANY_BIT, _TO_WRITE),),
    )


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
