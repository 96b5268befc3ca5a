"""The model folders and the server that the tests of embeddings share."""

from collections.abc import Generator
from pathlib import Path

import pytest

from .openai_server import OpenAIServer, openai_server


@pytest.fixture(scope="session")
def model_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the local model is converted to, once for the run."""
    return tmp_path_factory.mktemp("models")


@pytest.fixture
def server() -> Generator[OpenAIServer]:
    """An OpenAI-compatible server of this test's own."""
    with openai_server() as made:
        yield made
