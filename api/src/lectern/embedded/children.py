"""Start child processes that end with us: a new session, the kernel's death signal and the watchdog."""

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Final

from lectern.embedded.account import Account
from lectern.embedded.watchdog import Watchdog

LAUNCHER: Final = Path(__file__).with_name("launch.py")
ENVIRONMENT: Final = {"LC_ALL": "C", "TZ": "UTC", "PATH": os.defpath}  # of Postgres: nothing of ours, no secret


def spawn(
    command: Sequence[str | Path],
    *,
    watchdog: Watchdog,
    environment: Mapping[str, str],
    output: int | IO[bytes],
    death_signals: tuple[int, int],
    account: Account | None = None,
    folder: Path = Path("/"),
) -> subprocess.Popen[bytes]:
    """Start `command` (an absolute path first) with standard output and errors going to `output`.

    When this process dies, the child's group gets the first of `death_signals`, and what is left of it the second.
    Call it from the main thread: the kernel sends its signal when the *thread* that started the child ends.
    """
    identity = account or Account()
    launch = [sys.executable, "-I", "-S", str(LAUNCHER), str(os.getpid()), str(int(death_signals[0]))]
    child = subprocess.Popen(  # noqa: S603 - programs that the supervisor names
        [*launch, str(identity.uid), str(identity.gid), *map(str, command)],
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT,
        env=dict(environment),
        cwd=folder,
        start_new_session=True,
    )
    watchdog.watch(child.pid, first=death_signals[0], last=death_signals[1])
    return child
