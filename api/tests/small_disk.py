"""A disk that a test can fill."""

import os
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def mount_small_disk(size: str) -> Generator[Path]:
    """Mount a disk of a size such as "64k" until the end of the block. Skips the test without the right to mount."""
    disk = Path(f"/tmp/lectern-disk-{os.getpid()}")
    disk.mkdir()
    mount = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(disk)], check=False)
    if mount.returncode != 0:
        disk.rmdir()
        pytest.skip("needs the right to mount a small disk")
    try:
        yield disk
    finally:
        subprocess.run(["umount", str(disk)], check=True)
        disk.rmdir()
