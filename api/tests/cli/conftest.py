"""An installation under `lectern up`, started as a user starts it."""

from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from benchmarks.throwaway import temporary_folder
from tests.cli.running import READY, StartUp, Up, lectern


@pytest.fixture(scope="session")
def data_home() -> Generator[Path]:
    """A folder for data folders that every account can enter."""
    with temporary_folder(is_in_memory=True) as folder:
        yield folder.path.parent


@pytest.fixture(scope="session")
def installation(data_home: Path) -> Generator[Up]:
    """A shared running installation. Tests may use it but must not break it."""
    up = Up(data_home / "shared")
    up.wait_for(READY)
    yield up
    assert up.stop() == 0, up.output


@pytest.fixture(scope="session")
def migrated(data_home: Path) -> Path:
    """A data folder at the newest revision. Tests set other revisions."""
    assert lectern("migrate", "--data-dir", str(data_home / "migrated")).returncode == 0
    return data_home / "migrated"


@pytest.fixture
def start_up(data_home: Path) -> Generator[StartUp]:
    """Start installations for one test. They are killed at its end if they still run."""
    started: list[Up] = []

    def start(name: str, **options: Any) -> Up:
        started.append(Up(data_home / name, **options))
        return started[-1]

    yield start
    for up in started:
        if up.process.poll() is None:
            up.kill()
