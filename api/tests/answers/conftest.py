"""A library of bank documents. It is filled once, because copying a database takes less time than storing documents."""

from collections.abc import AsyncGenerator, Generator

import pytest
from benchmarks.throwaway import ThrowawayDatabase, ThrowawayPostgres
from tests.answers.library import fill_library


@pytest.fixture(scope="session")
async def filled_template(postgres: ThrowawayPostgres) -> AsyncGenerator[str]:
    """Return the name of a database with four documents, to be copied."""
    with postgres.fresh_database() as template:
        await fill_library(template)
        yield template.name


@pytest.fixture
def filled_database(postgres: ThrowawayPostgres, filled_template: str) -> Generator[ThrowawayDatabase]:
    """Create a database with four documents for one test; commit at will."""
    with postgres.fresh_database(template=filled_template) as fresh:
        yield fresh
