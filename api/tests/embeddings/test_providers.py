"""The contract of every embedding provider in the registry."""

import asyncio
from collections.abc import AsyncGenerator
from pathlib import Path

import numpy as np
import pytest
from pydantic import SecretStr

from lectern.embeddings.errors import EmbeddingsMisconfigured
from lectern.embeddings.provider import EmbeddingProvider
from lectern.embeddings.registry import PROVIDERS, count_cores, create_provider, default_threads
from lectern.settings import EmbeddingsSettings

from .openai_server import openai_server
from .tiny_model import write_tiny_model

TRAVEL = "Employees are reimbursed for train and hotel costs of a business trip."
RECIPE = "Peel the apples, mix flour with butter, bake the cake for an hour."
LAW = "Personal data are kept no longer than the purpose needs."
TEXTS = (TRAVEL, RECIPE, LAW)
QUESTION = "Which hotel and train costs of a business trip are reimbursed?"


@pytest.fixture(params=list(PROVIDERS), scope="session")
async def provider(
    request: pytest.FixtureRequest, model_dir: Path, tmp_path_factory: pytest.TempPathFactory
) -> AsyncGenerator[EmbeddingProvider]:
    words = " ".join((*TEXTS, QUESTION)).replace(".", " ").replace(",", " ")
    with openai_server() as server:
        settings = {
            "local": EmbeddingsSettings(provider="local"),
            "onnx": EmbeddingsSettings(
                provider=f"onnx:{write_tiny_model(tmp_path_factory.mktemp('tiny') / 'model', words=words)}"
            ),
            "openai": EmbeddingsSettings(
                provider=f"openai:{server.url}", dimensions=server.dimensions, openai_api_key=SecretStr("key")
            ),
            "hash": EmbeddingsSettings(provider="hash:64"),
        }[request.param]
        made = create_provider(settings, model_dir=model_dir)
        await made.prepare()
        yield made
        await made.close()


async def test_documents_become_unit_vectors_in_their_order(provider: EmbeddingProvider) -> None:
    vectors = await provider.embed_documents(TEXTS)

    assert vectors.shape == (3, provider.info.dimensions)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    for index, text in enumerate(TEXTS):
        assert np.array_equal((await provider.embed_documents([text]))[0], vectors[index])


async def test_a_query_is_a_unit_vector_nearest_to_its_answer(provider: EmbeddingProvider) -> None:
    query = await provider.embed_query(QUESTION)

    assert query.shape == (provider.info.dimensions,)
    assert query.dtype == np.float32
    assert np.isclose(np.linalg.norm(query), 1, atol=1e-5)
    assert np.argmax(await provider.embed_documents(TEXTS) @ query) == TEXTS.index(TRAVEL)


async def test_the_same_text_gives_the_same_vector_in_whatever_company(provider: EmbeddingProvider) -> None:
    many = [f"{text} {number}" for number in range(10) for text in TEXTS]
    vectors = await provider.embed_documents(many)
    again = await provider.embed_documents(list(reversed(many)))

    assert vectors.shape == (30, provider.info.dimensions)
    assert np.array_equal(vectors, again[::-1])


async def test_no_texts_give_no_vectors(provider: EmbeddingProvider) -> None:
    assert (await provider.embed_documents([])).shape == (0, provider.info.dimensions)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "\x00",
        "a\x00b",
        "\ud800 lone",
        "\ufdfa" * 200,
        "👩‍👩‍👧‍👦" * 300,
        "x" * 1_000_000,
        "1 " * 50_000,
        "\n\t",
    ],
)
async def test_strange_texts_give_unit_vectors_too(provider: EmbeddingProvider, text: str) -> None:
    vectors = await provider.embed_documents([text, TRAVEL])
    query = await provider.embed_query(text)

    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert np.isclose(np.linalg.norm(query), 1, atol=1e-5)


async def test_composed_and_decomposed_letters_are_the_same_text(provider: EmbeddingProvider) -> None:
    composed, decomposed = await provider.embed_documents(["perché così", "perche\u0301 cosi\u0300"])

    assert np.array_equal(composed, decomposed)


async def test_longer_texts_have_more_tokens(provider: EmbeddingProvider) -> None:
    counts = [provider.count_tokens(text) for text in ("", TRAVEL, f"{TRAVEL} {RECIPE}")]

    assert counts == sorted(set(counts))
    assert provider.info.max_tokens > 0


async def test_what_a_provider_is_does_not_change(provider: EmbeddingProvider) -> None:
    info = provider.info
    await provider.embed_documents([TRAVEL])

    assert provider.info == info
    assert info.fingerprint
    assert info.id


async def test_many_callers_at_the_same_time_get_their_own_vectors(provider: EmbeddingProvider) -> None:
    expected = await provider.embed_documents(TEXTS)
    answers = await asyncio.gather(*(provider.embed_documents([TEXTS[number % 3]]) for number in range(12)))

    for number, vectors in enumerate(answers):
        assert np.array_equal(vectors[0], expected[number % 3])


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("", "names no provider"),
        ("voyage", "names no provider: 'voyage'"),
        ("local:x", "takes no argument"),
        ("onnx:", "needs the folder"),
        ("onnx:/nowhere", "has no model.onnx"),
        ("openai:ftp://host", "needs an http"),
        ("openai", "OPENAI_API_KEY is empty"),
        ("hash:", "from 1 to 4,000"),
        ("hash:4001", "from 1 to 4,000"),
        ("hash:²", "from 1 to 4,000"),
    ],
)
def test_a_setting_that_names_no_model_says_what_is_wrong(setting: str, message: str, tmp_path: Path) -> None:
    settings = EmbeddingsSettings(provider=setting, openai_api_key=None)

    with pytest.raises(EmbeddingsMisconfigured, match=message):
        create_provider(settings, model_dir=tmp_path)


def test_one_core_stays_free() -> None:
    assert EmbeddingsSettings().threads == 0
    assert default_threads() == max(1, min(count_cores() - 1, 64))


@pytest.mark.parametrize(("quota", "cores"), [("100000 100000", 1), ("50000 100000", 1), ("max 100000", None)])
def test_limit_of_a_container_counts(tmp_path: Path, quota: str, cores: int | None) -> None:
    file = tmp_path / "cpu.max"
    file.write_text(f"{quota}\n")
    assert count_cores(file) == (cores or count_cores(tmp_path / "missing"))
