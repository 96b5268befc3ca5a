"""Inspect the processes and ports of this host through /proc, or `ps` where there is none (macOS)."""

import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PROC = Path("/proc")
LISTENING = "0A"
CLOCK_TOLERANCE_SECONDS = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessFacts:
    """A running process. Start (Unix seconds) and working folder are None if they cannot be read."""

    pid: int
    name: str
    started_at: float | None = None
    folder: Path | None = None

    def has_started_about(self, moment: float) -> bool:
        """Return True if it started at `moment`. An unknown start matches, so that no live process counts as dead."""
        return self.started_at is None or abs(self.started_at - moment) <= CLOCK_TOLERANCE_SECONDS


def find_process(pid: int) -> ProcessFacts | None:
    """Return the process with this id, or None if there is none or it is a zombie."""
    if not (PROC / "self" / "stat").exists():
        return _process_from_ps(pid)
    try:
        head, _, tail = (PROC / str(pid) / "stat").read_text().rpartition(")")
    except OSError:
        return None
    fields = tail.split()
    if fields[0] in {"Z", "X"}:
        return None
    started_at = _boot_time() + int(fields[19]) / os.sysconf("SC_CLK_TCK")
    return ProcessFacts(pid=pid, name=head.partition("(")[2], started_at=started_at, folder=_folder_of(pid))


def processes_in(folder: Path) -> list[int]:
    """Return the ids of visible processes with the working folder `folder`."""
    return [pid for pid in _process_ids() if _folder_of(pid) == folder]


def free_port() -> int:
    """Return a TCP port that is free now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def find_bind_error(host: str, port: int) -> OSError | None:
    """Return why a server cannot listen on `port` now, or None if it can."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            return error
    return None


def find_listener(port: int) -> ProcessFacts | None:
    """Return the process that listens on `port`, or None if it is not visible to this account."""
    sockets = {f"socket:[{inode}]" for inode in _listening_inodes(port)}
    for pid in _process_ids() if sockets else ():
        if any(target in sockets for target in _open_files(pid)):
            return find_process(pid)
    return None


def _process_ids() -> list[int]:
    return [int(entry.name) for entry in PROC.iterdir() if entry.name.isdigit()] if PROC.is_dir() else []


def _folder_of(pid: int) -> Path | None:
    try:
        return (PROC / str(pid) / "cwd").readlink()
    except OSError:
        return None


def _open_files(pid: int) -> Iterator[str]:
    try:
        entries = list((PROC / str(pid) / "fd").iterdir())
    except OSError:
        return
    for entry in entries:
        try:
            yield str(entry.readlink())
        except OSError:
            continue


def _listening_inodes(port: int) -> Iterator[str]:
    for table in (PROC / "net" / "tcp", PROC / "net" / "tcp6"):
        if not table.exists():
            continue
        for line in table.read_text().splitlines()[1:]:
            fields = line.split()
            if fields[3] == LISTENING and int(fields[1].rpartition(":")[2], 16) == port:
                yield fields[9]


def _boot_time() -> float:
    lines = (PROC / "stat").read_text().splitlines()
    return float(next(line.split()[1] for line in lines if line.startswith("btime")))


def _process_from_ps(pid: int) -> ProcessFacts | None:
    program = shutil.which("ps")
    if program is None:
        return ProcessFacts(pid=pid, name="") if _exists(pid) else None
    result = subprocess.run(  # noqa: S603 - the system's own `ps`
        [program, "-p", str(pid), "-o", "stat=,comm="], capture_output=True, text=True, check=False
    )
    state, _, command = result.stdout.strip().partition(" ")
    return ProcessFacts(pid=pid, name=Path(command.strip()).name) if state and not state.startswith("Z") else None


def _exists(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
