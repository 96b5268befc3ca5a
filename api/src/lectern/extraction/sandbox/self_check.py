"""Check that the sandbox holds on this machine: start a confined child that tries to break out.

Kernel and container decide what can be enforced, so the check tries each restriction.
"""

import json
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from lectern.extraction.sandbox.confinement import confine, die_with_parent

_MAX_MEMORY_BYTES: Final = 1_073_741_824
_MAX_SECONDS: Final = 20.0
_GIVEN, _OTHER = "given", "other"
MEANINGS: Final = {
    "network": "no network",
    "writing": "no file is written, changed or removed",
    "reading": "no file is read but the one given and the interpreter's own",
    "programs": "no program is started",
}


@dataclass(frozen=True, slots=True)
class Confinement:
    """The restrictions that hold for a child with an untrusted file, besides memory and time limits."""

    network: bool = False
    writing: bool = False
    reading: bool = False
    programs: bool = False

    @property
    def missing(self) -> list[str]:
        """Return the restrictions that do not hold, in words."""
        return [meaning for name, meaning in MEANINGS.items() if not getattr(self, name)]


def find_confinement() -> Confinement | None:
    """Return what holds on this machine; None when the check cannot run (no temporary folder, timeout)."""
    try:
        return check_confinement()
    except (OSError, subprocess.SubprocessError, ValueError):
        return None


@cache
def check_confinement() -> Confinement:
    """Start a confined child that tries each restriction. The result is cached for this process.

    Raises OSError, subprocess.SubprocessError, ValueError.
    """
    with tempfile.TemporaryDirectory(prefix="lectern-") as folder:
        for name in (_GIVEN, _OTHER):
            Path(folder, name).write_text(name)
        done = subprocess.run(  # noqa: S603 - this interpreter
            [sys.executable, "-s", "-P", "-m", __name__, folder, str(os.getpid())],
            env={"PYTHONPATH": os.pathsep.join(entry for entry in sys.path if entry)},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=_MAX_SECONDS,
            check=False,
        )
        is_untouched = sorted(os.listdir(folder)) == [_GIVEN, _OTHER]  # noqa: PTH208 - names are wanted
    refused: dict[str, bool] = json.loads(done.stdout) if done.returncode == 0 else {}
    return Confinement(**(refused if is_untouched else refused | {"writing": False}))


def main() -> None:
    """Confine this process, and report which attempts were refused; the child."""
    folder, parent_pid = Path(sys.argv[1]), int(sys.argv[2])
    die_with_parent(parent_pid)
    confine(max_memory_bytes=_MAX_MEMORY_BYTES, max_seconds=_MAX_SECONDS, file=folder / _GIVEN)
    (folder / _GIVEN).read_bytes()  # this one is allowed
    attempts: dict[str, tuple[Callable[[], object], ...]] = {
        "network": (_open_socket(socket.SOCK_STREAM), _open_socket(socket.SOCK_DGRAM)),
        "writing": (
            (folder / "new").touch,
            (folder / _GIVEN).unlink,
            lambda: (folder / _GIVEN).rename(folder / "moved"),
            lambda: os.truncate(folder / _GIVEN, 0),
        ),
        "reading": ((folder / _OTHER).read_bytes, lambda: os.listdir("/home")),  # noqa: PTH208
        "programs": (lambda: os.posix_spawn(sys.executable, [sys.executable, "-c", ""], {}),),
    }
    refused = {name: all(_is_refused(attempt) for attempt in tried) for name, tried in attempts.items()}
    sys.stdout.write(json.dumps(refused))


def _open_socket(kind: int) -> Callable[[], object]:
    def attempt() -> None:
        with socket.socket(socket.AF_INET, kind) as opened:
            opened.setblocking(False)
            opened.connect_ex(("127.0.0.1", 9))

    return attempt


def _is_refused(attempt: Callable[[], object]) -> bool:
    try:
        attempt()
    except PermissionError:
        return True
    except OSError:
        return False
    return False


if __name__ == "__main__":
    main()
