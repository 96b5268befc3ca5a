"""Any model folder is run as its files ask for, and a folder that is none says why."""

import asyncio
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnx
import pytest

from lectern.embeddings.errors import EmbeddingsMisconfigured, EmbeddingsMismatch
from lectern.embeddings.provider import SimilarityRange, Vectors, normalize
from lectern.embeddings.providers.model_card import CARD_FILE, ModelCard, read_card
from lectern.embeddings.providers.onnx import OnnxProvider

from .tiny_model import DIMENSIONS, MAX_TOKENS, write_tiny_model

WORDS = "red green blue yellow black white"


def provider_of(folder: Path) -> OnnxProvider:
    return OnnxProvider(read_card(folder), folder=lambda: folder)


def table_of(folder: Path) -> Callable[[str], Vectors]:
    """The model's own vector of each word of a text, read from its file."""
    (table,) = onnx.ModelProto.FromString((folder / "model.onnx").read_bytes()).graph.initializer
    vocabulary: dict[str, int] = json.loads((folder / "tokenizer.json").read_text())["model"]["vocab"]
    values = onnx.numpy_helper.to_array(table)
    return lambda text: np.stack([values[vocabulary[word]] for word in text.split()])


async def test_the_files_of_sentence_transformers_are_obeyed(tmp_path: Path) -> None:
    folder = write_tiny_model(tmp_path / "tiny", words=WORDS, inputs=("token_type_ids",))
    provider, vectors_of = provider_of(folder), table_of(folder)

    assert provider.info.dimensions == DIMENSIONS
    assert provider.info.max_tokens == MAX_TOKENS
    assert provider.count_tokens("red green") == 6
    query = vectors_of("[CLS] query : red green [SEP]").mean(axis=0)
    assert np.allclose(await provider.embed_query("Red green"), normalize(query), atol=1e-6)
    document = vectors_of("[CLS] passage : red green [SEP]").mean(axis=0)
    assert np.allclose((await provider.embed_documents(["red green"]))[0], normalize(document), atol=1e-6)


async def test_a_model_that_pools_at_its_first_token_is_obeyed(tmp_path: Path) -> None:
    folder = write_tiny_model(tmp_path / "tiny", words=WORDS, pooling="cls")

    assert np.allclose(await provider_of(folder).embed_query("red"), normalize(table_of(folder)("[CLS]")[0]), atol=1e-6)


async def test_a_text_beyond_the_model_is_cut_and_closed(tmp_path: Path) -> None:
    folder = write_tiny_model(tmp_path / "tiny", words=WORDS)
    provider = provider_of(folder)
    kept = "[CLS] passage : " + "red " * (MAX_TOKENS - 4) + "[SEP]"

    (vector,) = await provider.embed_documents(["red " * 50])

    assert np.allclose(vector, normalize(table_of(folder)(kept).mean(axis=0)), atol=1e-6)
    assert provider.count_tokens("red " * 50) == 54


async def test_a_card_beside_the_model_overrules_its_other_files(tmp_path: Path) -> None:
    folder = write_tiny_model(tmp_path / "tiny", words=WORDS)
    card = ModelCard(id="mine", dimensions=DIMENSIONS, max_tokens=9, fingerprint="mine-1")
    card.write(folder)

    assert read_card(folder) == card
    assert provider_of(folder).count_tokens("red") == 3


def test_the_fingerprint_follows_everything_that_changes_a_vector(tmp_path: Path) -> None:
    def fingerprint(name: str, *, words: str = WORDS, pooling: str = "mean") -> str:
        return read_card(write_tiny_model(tmp_path / name, words=words, pooling=pooling)).fingerprint

    assert fingerprint("first") == fingerprint("same")
    assert len({fingerprint("a"), fingerprint("b", pooling="cls"), fingerprint("c", words="other words")}) == 3


def test_a_card_states_the_range_of_similarities_without_a_new_fingerprint(tmp_path: Path) -> None:
    folder = write_tiny_model(tmp_path / "tiny", words=WORDS)
    card = read_card(folder)
    card.model_copy(update={"similarity_range": SimilarityRange(0.2, 0.6), "fingerprint": ""}).write(folder)

    info = provider_of(folder).info

    assert info.fingerprint == card.fingerprint
    assert info.similarity_range == (0.2, 0.6)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("config.json", "{}", "dimensions: this field is required"),
        ("config.json", "no json", "cannot be read"),
        (CARD_FILE, '{"id": "x", "dimensions": 0}', "dimensions: must be "),
        (CARD_FILE, '{"dimensions": 3, "surprise": 1}', "surprise: this field is unknown."),
    ],
)
def test_a_folder_that_does_not_say_what_it_is_is_refused(
    tmp_path: Path, name: str, content: str, message: str
) -> None:
    folder = write_tiny_model(tmp_path / "tiny", words=WORDS)
    (folder / name).write_text(content)

    with pytest.raises(EmbeddingsMisconfigured, match=message):
        read_card(folder)


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
async def test_a_damaged_model_is_refused(tmp_path: Path, name: str) -> None:
    folder = write_tiny_model(tmp_path / "tiny", words=WORDS)
    provider = provider_of(folder)
    (folder / name).write_text("damaged")

    with pytest.raises(EmbeddingsMisconfigured, match="cannot be loaded"):
        await provider.prepare()


async def test_a_model_that_reads_something_else_than_text_is_refused(tmp_path: Path) -> None:
    folder = write_tiny_model(tmp_path / "tiny", words=WORDS, inputs=("pixel_values",))

    with pytest.raises(EmbeddingsMisconfigured, match="is no text model"):
        await provider_of(folder).prepare()


async def test_a_model_whose_vectors_are_longer_than_its_card_says_is_refused(tmp_path: Path) -> None:
    folder = write_tiny_model(tmp_path / "tiny", words=WORDS)
    ModelCard(id="wrong", dimensions=DIMENSIONS + 1).write(folder)

    with pytest.raises(EmbeddingsMismatch, match=r"shape \(24,\), but its card says 25"):
        await provider_of(folder).embed_query("red")


async def test_loading_and_embedding_leave_the_event_loop_alone(tmp_path: Path) -> None:
    """The folder is asked for in a thread that waits until the event loop has taken a turn."""
    folder = write_tiny_model(tmp_path / "tiny", words=WORDS)
    has_turned = threading.Event()

    def find() -> Path:
        assert has_turned.wait(10)
        return folder

    provider = OnnxProvider(read_card(folder), folder=find)
    embedding = asyncio.create_task(provider.embed_documents(["red"]))
    await asyncio.sleep(0)
    has_turned.set()

    assert (await embedding).shape == (1, DIMENSIONS)


async def test_a_query_does_not_wait_for_documents(tmp_path: Path) -> None:
    folder = write_tiny_model(tmp_path / "tiny", words=WORDS)
    provider = provider_of(folder)
    await provider.prepare()
    documents = asyncio.create_task(provider.embed_documents(["red green blue"] * 2000))

    await provider.embed_query("red")

    assert not documents.done()
    documents.cancel()
    with pytest.raises(asyncio.CancelledError):
        await documents
    await provider.close()


@pytest.mark.parametrize(
    ("code", "is_reporting"), [("import onnxruntime", True), ("import lectern, onnxruntime", False)]
)
def test_onnxruntime_makes_no_device_id_and_sends_nothing(tmp_path: Path, code: str, *, is_reporting: bool) -> None:
    search_path = os.pathsep.join(entry for entry in sys.path if entry)
    environment = {"HOME": str(tmp_path), "PYTHONPATH": search_path}
    subprocess.run([sys.executable, "-c", code], env=environment, check=True)
    assert any(tmp_path.rglob("deviceid")) is is_reporting
