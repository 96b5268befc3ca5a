"""Whether the confinement of children holds on this machine: one is started that tries to get out.

What a kernel offers, and what a container lets it offer, is found out best by trying.
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
    """What a child that reads a stranger's file is kept from, beside its limits of memory and time."""

    network: bool = False
    writing: bool = False
    reading: bool = False
    programs: bool = False

    @property
    def missing(self) -> list[str]:
        """What does not hold on this machine, in words."""
        return [meaning for name, meaning in MEANINGS.items() if not getattr(self, name)]


def find_confinement() -> Confinement | None:
    """What holds on this machine; None when it cannot be found out just now (no temporary folder, no time)."""
    try:
        return check_confinement()
    except (OSError, subprocess.SubprocessError, ValueError):
        return None


@cache
def check_confinement() -> Confinement:
    """Start a confined child that tries each of these; once for each process. Takes the start of an interpreter.

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
    found: dict[str, bool] = json.loads(done.stdout) if done.returncode == 0 else {}
    held = Confinement(**found)
    return held if is_untouched else Confinement(held.network, False, held.reading, held.programs)


def main() -> None:
    """The child: confine this process and say which attempts were refused."""
    folder, parent_pid = Path(sys.argv[1]), int(sys.argv[2])
    die_with_parent(parent_pid)
    confine(max_memory_bytes=_MAX_MEMORY_BYTES, max_seconds=_MAX_SECONDS, file=folder / _GIVEN)
    (folder / _GIVEN).read_bytes()  # what may be read can be read
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
    found = {name: all(_is_refused(attempt) for attempt in tried) for name, tried in attempts.items()}
    sys.stdout.write(json.dumps(found))


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
