"""Try everything that code in a confined child could try, and print the outcomes.

    python -m tests.extraction.sandbox.escapes free|parsing|recognition FOLDER VICTIM ADDRESS UID

VICTIM is a process of the same account, and ADDRESS is one of its memory.
"""
# ruff: noqa: PLW0108 - folder and process are known when the attempts run

import contextlib
import ctypes
import errno
import fcntl
import json
import os
import platform
import socket
import sys
import threading
from collections.abc import Callable
from pathlib import Path

from lectern.extraction.kernel import libc, prctl
from lectern.extraction.programs import find_loader
from lectern.extraction.sandbox.confinement import confine, die_with_parent

IS_ARM = platform.machine() == "aarch64"
GET_FLAGS, SET_FLAGS = 0x80086601, 0x40086602
PRIVATE, REMOVE = 0, 0
NOFILE = 7
PROGRAM = Path("/usr/bin/true")


class Target:
    """The target of the attempts."""

    folder = Path("/")
    victim = 0
    address = 0


target = Target()


def number(x86_64: int, aarch64: int) -> int:
    return aarch64 if IS_ARM else x86_64


def call(name: str | int, *arguments: object) -> int:
    """Call a function of the C library by name, or the kernel by number."""
    words = [ctypes.c_long(word) if isinstance(word, int) else word for word in arguments]
    function = libc().syscall if isinstance(name, int) else getattr(libc(), name)
    result = function(ctypes.c_long(name), *words) if isinstance(name, int) else function(*words)
    if result == -1:
        raise OSError(ctypes.get_errno(), str(name))
    return result


def buffer(size: int = 256) -> ctypes.Array[ctypes.c_char]:
    return ctypes.create_string_buffer(size)


def spawn(*command: str) -> None:
    _, status = os.waitpid(os.posix_spawn(command[0], command, {}), 0)
    if status:
        raise OSError(errno.EACCES, "the program failed")


def fork() -> None:
    if (pid := os.fork()) == 0:
        os._exit(0)
    os.waitpid(pid, 0)


def thread() -> None:
    started = threading.Thread(target=int)
    try:
        started.start()
    except RuntimeError as error:
        raise PermissionError(errno.EPERM, "thread") from error
    started.join()


def send_datagram() -> None:
    first, _ = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    first.sendto(b"hello", str(target.folder / "datagrams"))


def connect(family: int, kind: int, address: object) -> None:
    with socket.socket(family, kind) as opened, contextlib.suppress(ConnectionRefusedError):
        opened.connect(address)  # pyright: ignore[reportArgumentType] - an address of the family


def handle() -> None:
    call(number(303, 264), -100, str(target.folder).encode(), (ctypes.c_uint32 * 40)(128), buffer(), 0)


def set_flags() -> None:
    flags = buffer(8)
    with (target.folder / "given").open("rb") as opened:
        fcntl.ioctl(opened, GET_FLAGS, flags)
        fcntl.ioctl(opened, SET_FLAGS, flags)


def own_descriptor() -> None:
    reading, _ = os.pipe()
    fcntl.fcntl(reading, fcntl.F_SETOWN, target.victim)


def memory(name: str) -> None:
    here, there = buffer(8), (ctypes.c_size_t * 2)(target.address, 8)
    call("process_vm_readv", target.victim, (ctypes.c_size_t * 2)(ctypes.addressof(here), 8), 1, there, 1, 0)
    if name == "write":
        call("process_vm_writev", target.victim, (ctypes.c_size_t * 2)(ctypes.addressof(here), 8), 1, there, 1, 0)


def trace() -> None:
    call("ptrace", 0x4206, target.victim, None, None)  # PTRACE_SEIZE
    call("ptrace", 0x4207, target.victim, None, None)  # PTRACE_INTERRUPT
    os.waitpid(target.victim, 0x40000000)
    call("ptrace", 17, target.victim, None, None)  # PTRACE_DETACH


def pidfd(use: Callable[[int], object]) -> None:
    opened = call(434, target.victim, 0)
    use(opened)
    os.close(opened)


def queue() -> None:
    opened = call("mq_open", b"/lectern-test", os.O_CREAT | os.O_RDWR, 0o600, None)
    os.close(opened)
    call("mq_unlink", b"/lectern-test")


def perf() -> None:
    attributes = (ctypes.c_uint32 * 32)(1, 128)  # a software event of this process, without the kernel
    attributes[2] = 9
    attributes[10] = 0b1100000
    call(number(298, 241), attributes, 0, -1, -1, 0)


def bpf() -> None:
    call(number(321, 280), 0, (ctypes.c_uint32 * 18)(2, 4, 4, 1), 72)  # BPF_MAP_CREATE, an array


def namespace() -> None:
    """Enter a user namespace in another process, because this one has to stay as it is."""
    if os.fork() == 0:
        os._exit(libc().unshare(0x10000000) and 1)
    _, status = os.wait()
    if status:
        raise OSError(errno.EPERM, "unshare")


def mount() -> None:
    folder = str(target.folder).encode()
    call("mount", b"none", folder, b"tmpfs", 0, None)
    call("umount2", folder, 0)


def clone3() -> None:
    arguments = (ctypes.c_uint64 * 8)()
    arguments[4] = 17  # SIGCHLD
    if (pid := call(435, arguments, 64)) == 0:
        os._exit(0)
    os.waitpid(pid, 0)


def last_death_signal() -> None:
    if not prctl(1, 0):
        raise PermissionError(errno.EPERM, "prctl")


def set_alarm() -> None:
    call("setitimer", 0, (ctypes.c_long * 4)(0, 0, 1_000, 0), None)


ATTEMPTS: dict[str, Callable[[], object]] = {
    "read another file": lambda: (target.folder / "other").read_bytes(),
    "read accounts": lambda: Path("/etc/passwd").read_bytes(),
    "read through /proc/self/root": lambda: Path("/proc/self/root/etc/passwd").read_bytes(),
    "read the environment of a process": lambda: Path(f"/proc/{target.victim}/environ").read_bytes(),
    "list a folder": lambda: list(target.folder.iterdir()),
    "read a program": PROGRAM.read_bytes,
    "create": lambda: (target.folder / "new").touch(),
    "write": lambda: (target.folder / "given").open("r+b"),
    "append": lambda: (target.folder / "given").open("ab"),
    "cut": lambda: os.truncate(target.folder / "given", 5),
    "rename": lambda: (target.folder / "spare").rename(target.folder / "spare"),
    "write into the scratch folder": lambda: (target.folder / "scratch" / "new").write_text("x"),
    "move out of the scratch folder": lambda: (target.folder / "scratch" / "moved").rename(target.folder / "moved"),
    "make a folder": lambda: (target.folder / "folder").mkdir(),
    "make a link": lambda: (target.folder / "link").symlink_to("given"),
    "make a hard link": lambda: (target.folder / "hard").hardlink_to(target.folder / "spare"),
    "make a pipe": lambda: os.mkfifo(target.folder / "pipe"),
    "remove": lambda: (target.folder / "spare").unlink(),
    "change the mode": lambda: (target.folder / "given").chmod(0o644),
    "change times": lambda: os.utime(target.folder / "given"),
    "set an attribute": lambda: os.setxattr(target.folder / "given", "user.lectern", b"x"),
    "set inode flags": set_flags,
    "open by handle": handle,
    "open by openat2": lambda: call(437, -100, b"/", (ctypes.c_uint64 * 3)(), 24),
    "connect by TCP": lambda: connect(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 9)),
    "send by UDP": lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", 9)),
    "connect to a local socket": lambda: connect(socket.AF_UNIX, socket.SOCK_DGRAM, f"{target.folder}/datagrams"),
    "connect to an abstract socket": lambda: connect(socket.AF_UNIX, socket.SOCK_STREAM, f"\0{target.folder}"),
    "send a datagram from a pair": send_datagram,
    "make a pair of streams": socket.socketpair,
    "open a netlink socket": lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW),
    "start a shell": lambda: spawn("/bin/sh", "-c", "true"),
    "start a program": lambda: spawn(str(PROGRAM)),
    "start a shell by the loader": lambda: spawn(str(find_loader(Path("/bin/sh"))), "/bin/sh", "-c", "true"),
    "make a program in memory": lambda: call("memfd_create", b"x", 0),
    "fork": fork,
    "clone3": clone3,
    "start a thread": thread,
    "change the group": lambda: os.setpgid(0, os.getpgrp()),
    "leave the session": os.setsid,
    "outlive the parent": last_death_signal,
    "change the alarm": set_alarm,
    "signal": lambda: os.kill(target.victim, 0),
    "signal a thread": lambda: call(number(234, 131), target.victim, target.victim, 0),
    "queue a signal": lambda: call("sigqueue", target.victim, 0, None),
    "signal by descriptor": lambda: pidfd(lambda opened: call(424, opened, 0, None, 0)),
    "own a descriptor": own_descriptor,
    "take a descriptor": lambda: pidfd(lambda opened: os.close(call(438, opened, 0, 0))),
    "open a process": lambda: pidfd(int),
    "trace": trace,
    "read memory": lambda: memory("read"),
    "write memory": lambda: memory("write"),
    "limit a process": lambda: call("prlimit", target.victim, NOFILE, (ctypes.c_uint64 * 2)(64, 64), None),
    "read limits of a process": lambda: call("prlimit", target.victim, NOFILE, None, buffer()),
    "set a priority": lambda: os.setpriority(os.PRIO_PROCESS, target.victim, 19),
    "set processors": lambda: os.sched_setaffinity(target.victim, os.sched_getaffinity(target.victim)),
    "set a scheduler": lambda: os.sched_setscheduler(target.victim, os.SCHED_BATCH, os.sched_param(0)),
    "set a disk priority": lambda: call(number(251, 30), 1, target.victim, 0x6000),
    "move pages": lambda: call(number(279, 239), target.victim, 0, None, None, None, 0),
    "share memory": lambda: call("shmctl", call("shmget", PRIVATE, 4096, 0o600), REMOVE, None),
    "share a queue": lambda: call("msgctl", call("msgget", PRIVATE, 0o600), REMOVE, None),
    "share a semaphore": lambda: call("semctl", call("semget", PRIVATE, 1, 0o600), 0, REMOVE),
    "share a named queue": queue,
    "set up io_uring": lambda: os.close(call(425, 1, (ctypes.c_uint32 * 30)())),
    "load BPF": bpf,
    "handle page faults": lambda: call(number(323, 282), 1),
    "measure": perf,
    "add a key": lambda: call(number(248, 217), b"user", b"lectern", b"x", 1, -2),
    "read keys": lambda: call(number(250, 219), 0, -2, 1),
    "make a namespace": namespace,
    "join a namespace": lambda: call("setns", os.open("/proc/self/ns/uts", os.O_RDONLY), 0),
    "open a file system": lambda: os.close(call(430, b"tmpfs", 0)),
    "open a tree": lambda: os.close(call(428, -100, str(target.folder).encode(), 0)),
    "mount": mount,
    "change the root": lambda: os.chroot("/"),
    "watch files": lambda: os.close(call("inotify_init1", 0)),
    "watch the file system": lambda: os.close(call("fanotify_init", 0x200, 0)),
    "change the personality": lambda: call("personality", 0xFFFFFFFF),
    "change the owner": lambda: os.chown(target.folder / "given", 1, 1),
}  # fmt: skip


def main() -> None:
    """Try everything and print the outcomes: `done`, or the name of the error."""
    kind, folder, victim, address, uid = sys.argv[1:6]
    target.folder, target.victim, target.address = Path(folder), int(victim), int(address)
    if int(uid) != os.getuid():
        os.setgroups([])
        os.setresgid(int(uid), int(uid), int(uid))
        os.setresuid(int(uid), int(uid), int(uid))
    if kind != "free":
        die_with_parent(os.getppid())
        is_recognition, is_conversion = kind == "recognition", kind == "conversion"
        confine(
            max_memory_bytes=2**31,
            max_seconds=20,
            file=target.folder / "given",
            may_thread=is_recognition or is_conversion,
            program=PROGRAM if is_recognition else None,
            scratch=target.folder / "scratch" if is_conversion else None,
            max_file_bytes=1024 if is_conversion else 0,
        )
    sys.stdout.write(json.dumps({name: outcome(attempt) for name, attempt in ATTEMPTS.items()}))


def outcome(attempt: Callable[[], object]) -> str:
    try:
        attempt()
    except OSError as error:
        return errno.errorcode.get(error.errno or 0, type(error).__name__)
    return "done"


if __name__ == "__main__":
    main()
