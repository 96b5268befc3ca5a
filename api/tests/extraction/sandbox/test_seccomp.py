"""The filter decides as documented on each architecture, by a small machine that runs it."""

import errno
import fcntl
import os
import platform
import re
import signal
import struct
from pathlib import Path

import pytest

from lectern.extraction.kernel import Enforcement
from lectern.extraction.sandbox.seccomp import MACHINES, Instruction, allowed_calls, build_filter, restrict_calls

ALLOW, KILL, FAIL = 0x7FFF0000, 0x80000000, 0x00050000
OWN = 4_711
HEADERS = {
    "x86_64": Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
    "aarch64": Path("/usr/include/asm-generic/unistd.h"),
}
NAMESPACE, THREAD, PARENT = 0x10000000, 0x00010F00, 0x8000


def run(code: list[Instruction], number: int, *arguments: int, architecture: int) -> int:
    """Return the decision of a filter on a call."""
    data = struct.pack("<IIQ6Q", number, architecture, 0, *(arguments + (0,) * 6)[:6])
    position, word = 0, 0
    while True:
        step = code[position]
        position += 1
        if step.code == 0x20:
            (word,) = struct.unpack_from("<I", data, step.value)
        elif step.code == 0x06:
            return step.value
        else:
            test = {0x15: word == step.value, 0x35: word >= step.value, 0x45: bool(word & step.value)}[step.code]
            position += step.yes if test else step.no


def decide(machine: str, number: int, *arguments: int, threads: bool = False, programs: bool = False) -> int:
    code = build_filter(machine, own_pid=OWN, may_thread=threads, may_execute=programs)
    return run(code, number, *arguments, architecture=MACHINES[machine].audit_architecture)


@pytest.mark.parametrize("machine", MACHINES)
def test_numbers_are_those_of_the_kernel(machine: str) -> None:
    if not HEADERS[machine].exists():
        pytest.skip(f"needs {HEADERS[machine]}")
    header = HEADERS[machine].read_text()
    numbers = {int(number) for number in re.findall(r"#define __NR(?:3264)?_\w+\s+(\d+)", header)}
    allowed = allowed_calls(MACHINES[machine].column, own_pid=1, may_thread=True, may_execute=True)
    assert {number for number in allowed if number < 440} <= numbers
    known = {
        "x86_64": {"openat": 257, "clone": 56, "prlimit64": 302},
        "aarch64": {"openat": 56, "clone": 220, "prlimit64": 261},
    }
    for name, number in known[machine].items():
        assert number in allowed, name


@pytest.mark.parametrize("machine", MACHINES)
def test_no_other_call_is_allowed(machine: str) -> None:
    allowed = allowed_calls(MACHINES[machine].column, own_pid=OWN, may_thread=False, may_execute=False)
    for number in [*range(500), 0x40000000, 0x40000001, 2**32 - 1]:
        refused = FAIL | (errno.ENOSYS if number >= 424 else errno.EPERM)
        if number not in allowed:
            assert decide(machine, number) == refused
        elif allowed[number] == ((),):
            assert decide(machine, number) == ALLOW


@pytest.mark.parametrize("machine", MACHINES)
def test_calls_of_another_architecture_kill(machine: str) -> None:
    code = build_filter(machine, own_pid=OWN, may_thread=False, may_execute=False)
    assert run(code, 0, architecture=0x40000003) == KILL


@pytest.mark.parametrize(
    ("machine", "openat", "clone", "prlimit", "kill", "prctl", "control"),
    [("x86_64", 257, 56, 302, 62, 157, 72), ("aarch64", 56, 220, 261, 129, 167, 25)],
)
def test_arguments_are_checked(
    machine: str, openat: int, clone: int, prlimit: int, kill: int, prctl: int, control: int
) -> None:
    refused = FAIL | errno.EPERM
    for flags, expected in ((os.O_RDONLY, ALLOW), (os.O_WRONLY, refused), (os.O_RDWR, refused), (os.O_CREAT, refused)):
        assert decide(machine, openat, 0, 0, flags) == expected
    assert decide(machine, clone, THREAD) == refused
    assert decide(machine, clone, THREAD, threads=True) == ALLOW
    assert decide(machine, clone, signal.SIGCHLD, threads=True) == refused
    assert decide(machine, clone, signal.SIGCHLD, programs=True) == ALLOW
    for flags in (NAMESPACE, PARENT):
        assert decide(machine, clone, THREAD | flags, threads=True) == refused
        assert decide(machine, clone, flags, threads=True, programs=True) == refused
    for pid, expected in ((0, ALLOW), (OWN, refused), (1, refused)):
        assert decide(machine, prlimit, pid) == expected
    for pid, expected in ((OWN, ALLOW), (0, refused), (1, refused), (2**32 - 1, refused)):
        assert decide(machine, kill, pid) == expected
    assert decide(machine, prctl, 1, signal.SIGKILL) == refused
    assert decide(machine, prctl, 1, signal.SIGKILL, programs=True) == ALLOW
    assert decide(machine, prctl, 1, 0, programs=True) == refused
    assert decide(machine, control, 0, fcntl.F_GETFL) == ALLOW
    assert decide(machine, control, 0, fcntl.F_SETOWN) == refused


@pytest.mark.parametrize(("machine", "openat"), [("x86_64", 257), ("aarch64", 56)])
def test_a_converter_writes_but_truncates_nothing_that_it_only_reads(machine: str, openat: int) -> None:
    code = build_filter(machine, own_pid=OWN, may_thread=True, may_execute=False, may_write=True)
    architecture = MACHINES[machine].audit_architecture
    for flags in (os.O_RDONLY, os.O_RDWR | os.O_CREAT, os.O_WRONLY | os.O_TRUNC):
        assert run(code, openat, 0, 0, flags, architecture=architecture) == ALLOW
    assert run(code, openat, 0, 0, os.O_RDONLY | os.O_TRUNC, architecture=architecture) == FAIL | errno.EPERM


def test_an_architecture_without_a_filter_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "machine", lambda: "riscv64")
    assert restrict_calls() is Enforcement.UNSUPPORTED
