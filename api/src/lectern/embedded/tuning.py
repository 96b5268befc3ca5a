"""Postgres settings for a small machine that also runs the services and a local model."""

import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

MEBIBYTE: Final = 1024 * 1024
SHARED_MEMORY: Final = Path("/dev/shm")  # noqa: S108 - only measured, never written to
SMALLEST_SHARED_MEMORY: Final = 1024 * MEBIBYTE
# Limits of control groups, version 2 and 1. `max` or a huge number is no limit.
CONTROL_GROUP_LIMITS: Final = (
    Path("/sys/fs/cgroup/memory.max"),
    Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"),
)

FIXED: Final[Mapping[str, str]] = {
    "max_connections": "200",
    "work_mem": "16MB",
    "jit": "off",  # compiling takes longer than these statements
    "random_page_cost": "1.1",
    "wal_compression": "on",
    "max_wal_size": "2GB",
    "min_wal_size": "80MB",
    "checkpoint_timeout": "15min",
    "autovacuum_naptime": "30s",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "log_line_prefix": "%m [%p] %q%u@%d ",
    "log_checkpoints": "off",
    "logging_collector": "off",
    "idle_in_transaction_session_timeout": "10min",
}

# Of the server that one command starts. It touches an entry for each buffer when it starts, and reads few pages.
BRIEF: Final[Mapping[str, str]] = {"shared_buffers": "128MB"}


def tuned_settings(memory_bytes: int | None = None, *, shared_memory_bytes: int | None = None) -> dict[str, str]:
    """Return server settings for a machine with this much memory, by default this one.

    Shared buffers take an eighth of the memory or of the container's limit, from 128 MB to 4 GB: search is faster if
    the index fits (docs/adr/0025). Maintenance memory speeds up HNSW builds. Containers often have 64 MB of /dev/shm,
    too little for a parallel index build, so backends share memory through files there.
    """
    memory = memory_bytes if memory_bytes is not None else available_memory()
    shared = shared_memory_bytes if shared_memory_bytes is not None else _shared_memory()
    return {
        **FIXED,
        "shared_buffers": _megabytes(memory // 8, lowest=128, highest=4096),
        "maintenance_work_mem": _megabytes(memory // 16, lowest=64, highest=512),
        "effective_cache_size": _megabytes(memory // 2, lowest=256, highest=65_536),
        "dynamic_shared_memory_type": "posix" if shared >= SMALLEST_SHARED_MEMORY else "mmap",
    }


def _megabytes(wanted: int, *, lowest: int, highest: int) -> str:
    return f"{min(max(wanted // MEBIBYTE, lowest), highest)}MB"


def available_memory(limits: Sequence[Path] = CONTROL_GROUP_LIMITS) -> int:
    """Return the memory of this machine in bytes, or the limit of this container or service if that is less."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    texts = [path.read_text().strip() for path in limits if path.is_file()]
    return min([memory, *(int(text) for text in texts if text.isdecimal())])


def _shared_memory() -> int:
    return shutil.disk_usage(SHARED_MEMORY).total if SHARED_MEMORY.is_dir() else SMALLEST_SHARED_MEMORY
