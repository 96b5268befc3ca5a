"""A healthy installation for all tests of this folder: each breaks one thing and must leave it repaired."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
from benchmarks.throwaway import ThrowawayPostgres
from tests.ingestion.library import open_library

from .patient import Patient, open_patient


@pytest.fixture(scope="session")
async def patient(postgres: ThrowawayPostgres, tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Patient]:
    """A library of three documents that a worker has read."""
    folder: Path = tmp_path_factory.mktemp("patient")
    with postgres.fresh_database() as database:
        async with open_library(database, folder) as library, open_patient(library) as made:
            yield made
