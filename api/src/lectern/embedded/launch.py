"""Start a program that ends when its parent does; run as a script, in place of a `preexec_fn` (unsafe with threads).

    python -I -S launch.py PARENT SIGNAL UID GID PROGRAM ARGUMENT...

It takes on UID and GID (-1 keeps them), asks the kernel for SIGNAL when the parent's thread ends (after the change
of account, which would clear the wish), and becomes PROGRAM: the process id stays the same.
It imports nothing of Lectern because it runs before the account is known to reach Lectern's files.
"""

import ctypes
import os
import sys

PR_SET_PDEATHSIG = 1


def main(arguments: list[str]) -> None:
    parent, signal_number, uid, gid = (int(value) for value in arguments[:4])
    program = arguments[4:]
    libc = ctypes.CDLL(None)  # loaded while its file can be reached
    if gid >= 0:
        os.setgroups([])
        os.setgid(gid)
    if uid >= 0:
        os.setuid(uid)
    if sys.platform == "linux":
        libc.prctl(PR_SET_PDEATHSIG, signal_number, 0, 0, 0)
    if os.getppid() != parent:  # it died before the wish was heard
        sys.exit(1)
    os.execv(program[0], program)  # noqa: S606 - the parent names the program; there is no shell


if __name__ == "__main__":
    main(sys.argv[1:])
