"""Data folders and servers that a test may break."""

import shutil
import subprocess
import tempfile
from collections.abc import Callable, Generator
from pathlib import Path

import pytest
from benchmarks.throwaway import temporary_folder

from lectern.embedded import cluster
from lectern.embedded.binaries import PostgresBinaries, find_binaries
from lectern.embedded.children import Watchdog
from lectern.embedded.data_folder import DataFolder, account_for
from lectern.embedded.postgres import EmbeddedPostgres
from lectern.embedded.tuning import tuned_settings

PASSWORD = "a password with 'quotes', spaces and @:/"

MakeServer = Callable[[DataFolder], EmbeddedPostgres]


@pytest.fixture(scope="session")
def binaries() -> PostgresBinaries:
    """The packaged Postgres."""
    return find_binaries()


@pytest.fixture
def reachable() -> Generator[Path]:
    """A folder that every account may enter (pytest's own may not)."""
    folder = Path(tempfile.mkdtemp(prefix="lectern-test-"))
    folder.chmod(0o711)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def folder() -> Generator[DataFolder]:
    """An empty data folder, locked by this test, that every account may enter."""
    with temporary_folder(is_in_memory=True) as made:
        yield made


@pytest.fixture
def watchdog() -> Generator[Watchdog]:
    made = Watchdog()
    yield made
    made.close()


@pytest.fixture
def make_server(binaries: PostgresBinaries, watchdog: Watchdog) -> Generator[MakeServer]:
    """Makes servers (not started) that are stopped after the test."""
    made: list[EmbeddedPostgres] = []

    def make(folder: DataFolder) -> EmbeddedPostgres:
        settings = {**tuned_settings(), "shared_buffers": "32MB", "fsync": "off"}
        server = EmbeddedPostgres(folder, binaries=binaries, password=PASSWORD, watchdog=watchdog, settings=settings)
        made.append(server)
        return server

    yield make
    for server in made:
        server.stop()


@pytest.fixture(scope="session")
def new_database(binaries: PostgresBinaries) -> Generator[Path]:
    """A database folder as initdb makes it, to be copied: a copy takes a tenth of the time."""
    watchdog = Watchdog()
    with temporary_folder(is_in_memory=True) as folder:
        cluster.create(
            folder,
            binaries=binaries,
            account=account_for(folder.database),
            watchdog=watchdog,
            password=PASSWORD,
            is_durable=False,
        )
        yield folder.database
    watchdog.close()


@pytest.fixture
def server(folder: DataFolder, make_server: MakeServer, new_database: Path) -> EmbeddedPostgres:
    """A running server in a new data folder."""
    subprocess.run(["cp", "-a", str(new_database), str(folder.database)], check=True)
    made = make_server(folder)
    made.start()
    return made
