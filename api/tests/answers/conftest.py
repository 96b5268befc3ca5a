"""A library of bank documents. It is filled once, because copying a database takes less time than storing documents."""

from collections.abc import AsyncGenerator, Generator

import pytest
from benchmarks.throwaway import ThrowawayDatabase, ThrowawayPostgres
from tests.answers.library import fill_library, open_library
from tests.api import Api

from lectern.embeddings.provider import EmbeddingProvider
from lectern.embeddings.registry import create_provider
from lectern.settings import EmbeddingsSettings


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


@pytest.fixture(scope="module")
async def shared_api(
    postgres: ThrowawayPostgres, filled_template: str, tmp_path_factory: pytest.TempPathFactory
) -> AsyncGenerator[Api]:
    """One API with four documents, for all tests of a file that change no document."""
    with postgres.fresh_database(template=filled_template) as database:
        async with open_library(database, tmp_path_factory.mktemp("shared")) as made:
            yield made


@pytest.fixture(scope="module")
async def provider(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[EmbeddingProvider]:
    """Load the local model."""
    made = create_provider(EmbeddingsSettings(), model_dir=tmp_path_factory.mktemp("models"))
    yield made
    await made.close()
